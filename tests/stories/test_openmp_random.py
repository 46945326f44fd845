# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of random OpenMP constructs give what they give without tandem, and are recorded as they count themselves.

TANDEM_RANDOM_PROGRAMS=500 tries as many of each language, TANDEM_RANDOM_SEED=N others than those of every test run.
"""
import collections
import os
import subprocess

import pytest

import openmp_random
import streams
from retries import note, retry

N_PROGRAMS = int(os.environ.get("TANDEM_RANDOM_PROGRAMS", 25))
SEED = os.environ.get("TANDEM_RANDOM_SEED", "1")
IN_ONE_FILE = 50
# So often a program runs by itself, and one that tandem seems to have changed, or to have let die.
N_PLAIN, N_SUSPECTED, N_DEATHS = 4, 100, 3000
PARALLEL, WORKSHARING, POOL, SCHEDULE, CHUNK, FUNCTION = 60000001, 60000002, 92000023, 92000020, 92000022, 60000018
CREATED, TASK, CODE, CREATE, BEGIN, OF_LOOP, OF_WAIT, DYNAMIC = 60000024, 64, 23, 0, 2, 16, 32, 2
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMP_CANCELLATION": "true", "OMP_MAX_ACTIVE_LEVELS": "3"}


class Counts(collections.Counter):
    """What a process did."""

    def __init__(self):
        super().__init__()
        self.begun, self.shares = set(), set()  # numbers of tasks; those that are of taskloops

    def numbers(self):
        return [self["regions"], self["parts"], len(self.begun - self.shares), self["chunks"]]


def count_thread(records, counts):
    """Counts what a thread did; what it has begun it has ended."""
    schedules, is_open = [], collections.Counter()
    for r in records:
        if r.kind == streams.ENTER:
            counts["regions"] += r.id == PARALLEL
            is_open[r.id] += 1
            if r.id == WORKSHARING:
                schedules.append(None)
        elif r.kind == CODE:
            counts["parts"] += r.id == FUNCTION
            is_open[r.id] += 1
        elif r.kind == streams.LEAVE:
            is_open[r.id] -= 1
            if r.id == WORKSHARING:
                schedules.pop()
        elif r.kind == streams.EVENT and r.id == SCHEDULE:
            schedules[-1] = r.aux
        elif r.kind == streams.EVENT and r.id == CHUNK:
            counts["chunks"] += (r.words or (r.aux,))[0] > 0 and schedules[-1] == DYNAMIC
        elif r.kind == TASK and r.aux in (CREATE, BEGIN):
            flags = r.words[1] >> 32 if len(r.words) == 2 else 0
            is_open[CREATED] += r.aux == CREATE and not flags & OF_WAIT
            counts.begun |= {r.id} if r.aux == BEGIN else set()
            counts.shares |= {r.id} if flags & OF_LOOP else set()
    assert not {id_: n for id_, n in is_open.items() if n and (id_ != POOL or n > 1)}


def count_run(directory, pids):
    """{pid: Counts}"""
    processes = {}
    for process in filter(lambda path: path.is_dir(), directory.iterdir()):
        rings = streams.rings(process)
        if streams.read_header(rings[0]).pid not in pids:
            continue
        counts = processes.setdefault(streams.read_header(rings[0]).pid, Counts())
        for ring in rings:
            records = []  # of one thread after another
            for record in streams.read_stream(ring):
                records.append(record)
                if record.kind == streams.THREAD_END:
                    count_thread(records, counts)
                    records = []
            count_thread(records, counts)
    return processes


def sums_of(run, program, first, last, n_times, env):
    """[the sums that a program gave by itself, for each program]"""
    runs = [run(program, first, last, env=env, check=True).stdout.splitlines() for _ in range(n_times)]
    return [{line.split()[1] for line in of_program} for of_program in zip(*runs, strict=True)]


def suspect(run, program, number, env, has_died):
    """The sums of a program that is run often enough to show what it does seldom by itself."""
    sums = set()
    for _ in range(N_DEATHS // N_SUSPECTED if has_died else 1):
        [more] = sums_of(run, program, number, number + 1, N_SUSPECTED, env)
        sums |= more
        if not is_fine(sums):
            break
    return sums


def is_fine(sums):
    """A few give one sum or another, crash libgomp or wait for ever by themselves: nothing can be said of those."""
    return len(sums) == 1 and "status" not in sums


@pytest.mark.parametrize("first", range(0, N_PROGRAMS, IN_ONE_FILE))
@pytest.mark.parametrize("language", ["c", "c++", "clang"])
def test_random_programs(run, tandem, libtandem, compile_program, tmp_path, language, first):
    n_programs = min(IN_ONE_FILE, N_PROGRAMS - first)

    def compile_some(number):
        seed = f"{SEED}.{first}.{number}"
        source = tmp_path / (f"random{number}.cc" if language == "c++" else f"random{number}.c")
        source.write_text(openmp_random.make(seed, n_programs, language))
        compiler = "clang" if language == "clang" else None
        try:
            return None, compile_program(source, flags=["-fopenmp", "-w"], compiler=compiler), seed
        except subprocess.CalledProcessError as failure:
            return failure, None, seed

    failure, program, seed = retry("compiler-dies", compile_some)
    assert not failure, failure
    for n_threads in (4, 2)[: 1 if first else 2]:
        env = {**ENVIRONMENT, "OMP_NUM_THREADS": n_threads}
        sums = sums_of(run, program, 0, n_programs, N_PLAIN, env)
        output = tmp_path / f"out{n_threads}"
        traced = run(program, 0, n_programs, env={**env, "TANDEM_OUTPUT": output, "TANDEM_MERGE": "0"},
                     preload=libtandem, check=True)
        told = f"seed {seed}, {n_threads} threads: openmp_random.py {seed} {n_programs} {language}"
        all_lines = [line.split() for line in traced.stdout.splitlines()]
        lines = []
        for i, (line, plain) in enumerate(zip(all_lines, sums, strict=True)):
            if is_fine(plain) and {line[1]} != plain:
                note("random-program", 1, 0)
                plain = suspect(run, program, i, env, has_died=line[1] == "status")
            if is_fine(plain):
                assert {line[1]} == plain, f"program {i}: {line}, {told}"
                lines.append(line)
        note("random-program", 0, len(all_lines))
        assert len(lines) >= (0.8 if language == "clang" else 0.9) * n_programs, told
        counts = count_run(output.with_suffix(".tandem"), {int(line[2]) for line in lines})
        for line in lines:
            assert counts[int(line[2])].numbers() == [int(field) for field in line[3:]], f"program {line[0]}, {told}"
        run(tandem, "merge", output.with_suffix(".tandem"), "-o", output.with_suffix(".prv"), check=True)
        run(tandem, "check", output.with_suffix(".prv"), check=True)
