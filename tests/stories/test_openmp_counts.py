# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of OpenMP that count themselves, by either compiler, on any number of threads: the trace has their counts."""
import collections

import pytest

import streams

PARALLEL, WORKSHARING, FUNCTION, SCHEDULE, CHUNK = 60000001, 60000002, 60000018, 92000020, 92000022
CODE, TASK, CREATE, BEGIN, OF_LOOP, DYNAMIC = 23, 64, 0, 2, 16, 2
DEPENDENCE_TAG = "60000001"
CHUNKS = 2  # place in what count() returns


def count(directory):
    """[regions, threads in them, chunks of dynamic loops, their iterations, tasks, shares of taskloops]"""
    seen, tasks, of_loops = collections.Counter(), set(), set()
    for ring in sorted(directory.glob("*/*.main.ring")):
        schedules = []
        for r in streams.read_stream(ring):
            if r.kind == streams.ENTER and r.id == WORKSHARING:
                schedules.append(None)
            elif r.kind == streams.LEAVE and r.id == WORKSHARING:
                schedules.pop()
            elif r.kind == streams.EVENT and r.id == SCHEDULE:
                schedules[-1] = r.aux
            elif r.kind == streams.EVENT and r.id == CHUNK and schedules and schedules[-1] == DYNAMIC:
                size = (r.words or (r.aux,))[0]
                seen["chunks"] += size > 0
                seen["iterations"] += size
            elif r.kind == TASK and r.aux in (CREATE, BEGIN) and len(r.words) == 2 and r.words[1] >> 32 & OF_LOOP:
                of_loops.add(r.id)  # its CREATE or its BEGIN says so
            elif r.kind == TASK and r.aux == BEGIN:
                tasks.add(r.id)
            seen["regions"] += r.kind == streams.ENTER and r.id == PARALLEL
            seen["parts"] += r.kind == CODE and r.id == FUNCTION
    return [seen["regions"], seen["parts"], seen["chunks"], seen["iterations"], len(tasks - of_loops), len(of_loops)]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_counts(run, tandem, compile_program, tmp_path, compiler):
    program = compile_program("openmp_counts", flags=["-fopenmp"], compiler=compiler)
    for n_threads in (1, 2, 4, 8):
        name = f"out{n_threads}"
        env = {"OMP_WAIT_POLICY": "passive"}
        out = run(tandem, "record", "--keep", "-o", f"{name}.prv", "--", program, n_threads, env=env, check=True)
        run(tandem, "check", f"{name}.prv", check=True)
        lines = (tmp_path / f"{name}.prv").read_text().splitlines()
        n_edges = sum(line.startswith("3:") and line.endswith(f":{DEPENDENCE_TAG}") for line in lines)
        told = [int(field) for field in out.stdout.split()]
        seen = [*count(tmp_path / f"{name}.tandem"), n_edges]
        if compiler == "clang" and n_threads == 1:
            told[CHUNKS] = seen[CHUNKS]  # LLVM's library gives all to the only thread at once
        assert seen == told, f"{n_threads} threads"
