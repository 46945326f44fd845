# SPDX-License-Identifier: GPL-3.0-or-later
"""What every program is promised: it prints, returns, inherits and opens what it would without us.

Each program is run as it is, and recorded in every way of WAYS: with events alone, with samples by each clock that the kernel
gives, with counters, with the heap, with all at once.  That errno is kept is asked at every event of
tests/stories/test_life.py, exported names in tests/style.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

from known_programs import INTERPRETED, PROGRAMS, PYTHON, TOOLS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "stories"))
import streams  # noqa: E402

CLOCKS = {"perf": 1, "real": 2, "cpu": 3, "itimer": 4, "perf:page-faults": 6}  # as SAMPLING records number them
HEAP = {"TANDEM_HEAP": "leaks"}
COUNTERS = {"TANDEM_COUNTERS": "task-clock,page-faults"}
ALL = {"TANDEM_PTHREAD": "all", "TANDEM_PYTHON": "all", "TANDEM_PYTHON_C_CALLS": "1", "TANDEM_STACK": "1",
       "TANDEM_HEAP_PYTHON": "1", "TANDEM_SENSORS": "process", "TANDEM_SENSORS_PERIOD": "20ms", "TANDEM_CALLERS": "3"}
SAMPLED = {"SAMPLING_PERIOD": "1ms"}


def sampled_by(clock):
    return {**SAMPLED, "TANDEM_SAMPLING_CLOCK": f"{clock}@20" if ":" in clock else clock}


WAYS = {
    "events": {},
    "default clock": SAMPLED,
    **{clock: sampled_by(clock) for clock in CLOCKS if clock != "real"},  # that is the default
    "counters": {**COUNTERS, **sampled_by("real")},
    "heap": HEAP,
    "all": {**sampled_by("auto"), **COUNTERS, **HEAP, **ALL},
}


@pytest.fixture
def library_of(build_dir):
    """library_of(way, mpi) -> the library to preload."""

    def library(way, mpi=""):
        path = build_dir / f"libtandem{mpi}{'-heap' if 'TANDEM_HEAP' in WAYS[way] else ''}.so"
        assert path.exists(), path
        return path

    return library


@pytest.fixture
def has(machine):
    """has(way): skips it where the kernel, asked by machine_probe.c, has no such clock or counter."""

    def check(way):
        missing = machine.clock_refusal(way) if way in CLOCKS else 0
        if "TANDEM_COUNTERS" in WAYS[way]:
            missing = machine.event_refusal("task-clock") or machine.event_refusal("page-faults")
        if missing:
            pytest.skip(f"{way}: the kernel refuses it: {os.strerror(missing)}")

    return check


@pytest.fixture(scope="module")
def untraced(tmp_path_factory, clean_environment):
    """untraced(name) -> what a program does without tandem, which is what is known of it."""
    done = {}

    def run_once(name):
        if name not in done:
            known = PROGRAMS[name]
            lacking = [tool for tool in known.tools if not shutil.which(tool)]
            assert not lacking, f"not installed: {lacking}; ./dev setup"
            done[name] = subprocess.run(["bash", "-c", known.command], input=known.stdin, capture_output=True, text=True,
                                        timeout=60, env=clean_environment, cwd=tmp_path_factory.mktemp("untraced"))
            assert (done[name].returncode, done[name].stdout) == (known.status, known.stdout), done[name].stderr
            assert known.stderr in done[name].stderr and bool(known.stderr) == bool(done[name].stderr)
        return done[name]

    return run_once


def outcome(result):
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("way", WAYS)
def test_output_and_status(run, untraced, has, library_of, tandem, tmp_path, way, name):
    has(way)
    env = {"TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out", **WAYS[way]}
    place = tmp_path / "place"
    place.mkdir()
    command = ["bash", "-c", PROGRAMS[name].command]
    traced = run(*command, cwd=place, input=PROGRAMS[name].stdin, preload=library_of(way), env=env)
    assert outcome(traced) == outcome(untraced(name))
    assert [path.name for path in tmp_path.iterdir() if path != place] == ["out.tandem"]
    if way in ("events", "all"):
        run(tandem, "merge", "--quiet", tmp_path / "out.tandem", check=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_output_and_status_under_the_command(run, untraced, has, tandem, tmp_path, name):
    """As test_output_and_status; at the end there is one line more, and one before it where the machine is too slow for the
    period."""
    has("all")
    place = tmp_path / "place"
    place.mkdir()
    words = [tandem, "record", "-o", tmp_path / "out.prv", "--", "bash", "-c", PROGRAMS[name].command]
    traced = run(*words, cwd=place, input=PROGRAMS[name].stdin, env=WAYS["all"])
    alone = untraced(name)
    assert (traced.returncode, traced.stdout) == (alone.returncode, alone.stdout), traced.stderr
    ours = rf"(tandem: sampling-period: .*\n)?tandem: {tmp_path}/out\.prv: \d+ process.*\n"
    assert re.fullmatch(re.escape(alone.stderr) + ours, traced.stderr), traced.stderr
    run(tandem, "check", tmp_path / "out.prv", check=True)


@pytest.mark.parametrize("way", WAYS)
def test_what_was_asked_for_was_recorded(run, has, library_of, machine, tandem, tmp_path, way):
    """So that the tests above say something: a program that computes and allocates has samples, counters, a heap."""
    has(way)
    program = "a = [bytes(i % 5000) for i in range(50000)]; print(sum(range(5000000)), sum(map(len, a)))"
    run(PYTHON, "-c", program, env={"TANDEM_OUTPUT": tmp_path / "out", "TANDEM_KEEP": "1", **WAYS[way]},
        preload=library_of(way), check=True)
    (thread,) = streams.sampled_threads(tmp_path / "out.tandem").values() if "SAMPLING_PERIOD" in WAYS[way] else (None,)
    if thread:
        clock = WAYS[way]["TANDEM_SAMPLING_CLOCK"] if "TANDEM_SAMPLING_CLOCK" in WAYS[way] else "auto"
        assert thread.clock == CLOCKS["real" if clock == "auto" else clock.split("@")[0]] and not thread.refusal
        assert len(thread.samples) > 5
    types = set()
    for line in (tmp_path / "out.prv").read_text().splitlines():
        if line.startswith("2:"):
            types |= set(line.split(":")[6::2])
    assert ("92020000" in types) == ("TANDEM_HEAP" in WAYS[way])
    assert any(type_.startswith("44") for type_ in types) == ("TANDEM_COUNTERS" in WAYS[way])
    assert ("60000100" in types) == ("TANDEM_PYTHON" in WAYS[way])
    run(tandem, "check", "out.prv", check=True)


def test_environment_of_children(run, libtandem):
    plain = run("sh", "-c", "env; :").stdout.splitlines()
    traced = run("sh", "-c", "env; :", preload=libtandem).stdout.splitlines()
    added = sorted(line for line in traced if line not in plain)
    assert [line.split("=")[0] for line in added] == ["LD_PRELOAD", "TANDEM_RUN"]
    assert added[0] == f"LD_PRELOAD={libtandem}"
    assert re.fullmatch(r"TANDEM_RUN=/.*\.tandem:\d+:[0-9a-f]{16}", added[1])
    assert not [line for line in plain if line not in traced]


def test_no_descriptor_is_kept(run, libtandem):
    command = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    outputs = [run("/usr/bin/python3", "-c", command, preload=preload).stdout for preload in (None, libtandem)]
    assert outputs[0] == outputs[1]


def test_events_allocate_nothing(run, libtandem, compile_program, build_dir):
    place = build_dir / "runtime"
    program = compile_program("life_malloc", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])
    result = run(program, preload=libtandem)
    assert (result.returncode, result.stdout, result.stderr) == (0, "0 allocations, counting\n", "")


def test_nothing_without_us(run, tmp_path, compile_program, build_dir):
    """The library of no-ops leaves nothing behind."""
    place = build_dir / "runtime"
    program = compile_program("life", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])
    assert run(program, "names", check=True).stderr == ""
    assert not list(tmp_path.iterdir())


# How jobs end, with which exit status of the launcher: of Open MPI, of MPICH.
JOBS = {"fine": (0, 0), "status": (5, 5), "abort": (9, 9), "killed": (137, 9)}
JOBS_OF_WAYS = [(way, how) for way in WAYS for how in JOBS if how == "status" or way in ("events", "default clock", "all")]
LAUNCHERS = {"": ("mpicc.openmpi", "mpirun.openmpi --oversubscribe"), "-mpich": ("mpicc.mpich", "mpirun.mpich")}
SAID = sorted(["child of none", "child of one", "rank 0 of 2: 14, sum 42, child 2, zero 0", "rank 1 of 2: 14, sum 42, child 3, zero 0"])
COMPLAINED = ["rank 0 complains", "rank 1 complains"]


@pytest.fixture
def job(run, compile_program):
    """job(mpi, how, words before the program, **options) -> (exit status, its lines, lines of its ranks on stderr) of two ranks."""

    def run_job(mpi, how, *words, **options):
        compiler, launcher = LAUNCHERS[mpi]
        assert shutil.which(compiler) and shutil.which(launcher.split()[0]), f"{launcher} is not installed: ./dev setup"
        program = compile_program("mpi_outcomes", mpi=True, compiler=compiler)
        result = run(*launcher.split(), "-n", "2", *words, program, how, input="14\n", **options)
        said, complained = result.stdout.splitlines(), result.stderr.splitlines()
        if how != "fine":  # the launcher has a word, too
            said, complained = ([line for line in lines if line.startswith(("rank ", "child ", "tandem"))]
                                for lines in (said, complained))
        return result.returncode, sorted(said), sorted(complained)

    return run_job


@pytest.mark.parametrize("way, how", JOBS_OF_WAYS)
@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_job(job, has, library_of, tmp_path, mpi, way, how):
    """Jobs end as they do, and their ranks say what they say, each with timers, handlers and a child of its own."""
    has(way)
    expected = JOBS[how][bool(mpi)], SAID, COMPLAINED
    if way == "events":
        assert job(mpi, how) == expected, "without tandem"
    env = {"TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out", **WAYS[way]}
    traced = job(mpi, how, "env", f"LD_PRELOAD={library_of(way, mpi)}", env=env)
    assert traced == expected
    (directory,) = tmp_path.glob("out*.tandem")
    ranks = streams.read_run(directory)
    assert sorted(ranks) == [0, 1]
