# SPDX-License-Identifier: GPL-3.0-or-later
"""Many short threads, many tasks: all of them are in the trace, and memory and disk are bounded by what is there at one
time, not by how much there was."""
import collections
import re
import resource
import sys

import pytest

import streams

CODE, TASK, CREATE, BEGIN, END = 23, 64, 0, 2, 5
CALL, FUNCTION, LOCK, OMP_TASK, OMP_TASK_ID = 61000000, 60000020, 8, 60000023, 60000028
RING = 256 << 10  # what a thread's stream takes before it is written out: --buffer
MIB = 1 << 20
# What is there however few threads there are: the library, its tables, libraries that it needs.
BASE = 4 * MIB

# Runs a command and says its peak in kB.  A child begins with the peak of who starts it: so not from pytest itself.
MEASURED = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(used.ru_maxrss, file=sys.stderr)
sys.exit(status != 0)
"""


def peak_bytes(text):
    return int(re.search(r"VmHWM:\s*(\d+) kB", text)[1]) << 10


def said(text):
    return text.split("VmHWM")[0]


@pytest.fixture
def record(run, tandem, libtandem, tmp_path):
    """record(program, arguments...) -> (bytes that the program needed more, of merge, of the run directory)"""

    def record_one(program, *arguments):
        plain = run(program, *arguments, check=True).stdout
        env = {"TANDEM_OUTPUT": "out", "TANDEM_MERGE": "0"}
        traced = run(program, *arguments, env=env, preload=libtandem, check=True).stdout
        assert said(traced) == said(plain)
        on_disk = sum(512 * path.stat().st_blocks for path in (tmp_path / "out.tandem").rglob("*"))
        of_merge = run(sys.executable, "-c", MEASURED, tandem, "merge", "out.tandem", check=True).stderr
        run(tandem, "check", "out.prv", check=True)
        return peak_bytes(traced) - peak_bytes(plain), int(of_merge.split()[-1]) << 10, on_disk

    return record_one


def test_threads(record, compile_program, tmp_path):
    n, at_once = 5000, 50
    more, of_merge, on_disk = record(compile_program("many_threads"), n, at_once)
    seen, numbers, names, n_rings, n_bytes = collections.Counter(), set(), set(), 0, 0
    for ring in streams.rings(tmp_path / "out.tandem"):
        n_rings += 1
        n_bytes += streams.read_header(ring).published
        for r in streams.read_stream(ring):
            seen[r.kind, r.id, r.aux] += r.kind == streams.ENTER and r.id == CALL
            seen[r.kind] += 1
            if r.kind == streams.THREAD:
                numbers.add(r.id)
            elif r.kind == streams.TEXT and r.id == 5:
                names.add(streams.told(r))
    assert numbers == set(range(n + 1)) and seen[streams.THREAD] == seen[streams.THREAD_END] == n + 1
    assert seen[CODE] == seen[streams.ENTER, CALL, LOCK] == n
    assert names == {f"thread {i}" for i in range(1, n, 2)}

    assert n_rings == at_once + 1
    trace = (tmp_path / "out.prv").read_text()
    rows = (tmp_path / "out.row").read_text()
    assert len(re.findall("^THREAD 1", rows, re.M)) == at_once + 1
    assert len(set(re.findall(r":92000011:(\d+)", trace)) - {"0"}) == n + 1

    assert more < BASE + (at_once + 1) * RING
    assert on_disk < MIB + (at_once + 1) * (RING + 8192) + n_bytes
    assert of_merge < 32 * MIB


def test_mappings(run, compile_program, libtandem):
    """A thread of the program's has its stack and what guards it, and the kernel allows 65,530 mappings."""
    program, n = compile_program("waiting_threads"), 1500
    env = {"TANDEM_OUTPUT": "out", "TANDEM_MERGE": "0", "TANDEM_FORCE": "1", "TANDEM_SAMPLING_PERIOD": "10ms"}

    def count(n, **options):
        return int(re.search(r"(\d+) mappings", run(program, n, check=True, **options).stdout)[1])

    def more(**options):
        return count(n, **options) - count(1, **options)

    assert more(env=env, preload=libtandem) - more() < 60


def test_threads_under_a_limit_of_address_space(run, compile_program, libtandem):
    """Most of it is the program's: threads that find no room for their rings are not recorded."""
    program, limit = compile_program("waiting_threads"), 400 * MIB
    env = {"TANDEM_MERGE": "0", "TANDEM_SAMPLING_PERIOD": "10ms"}
    options = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), "check": True}
    answers = [run(program, 1500, **more, **options) for more in ({}, {"env": env, "preload": libtandem})]
    assert [answer.stdout.splitlines()[0] for answer in answers] == ["1500 threads"] * 2
    assert answers[1].stderr.endswith("making a thread's ring: Cannot allocate memory; not recording\n")


def test_disk_of_threads_that_record_little(run, compile_program, libtandem, tmp_path):
    """Two rings a thread, of which 16 KiB are there at once."""
    env = {"TANDEM_OUTPUT": "out", "TANDEM_MERGE": "0", "TANDEM_SAMPLING_PERIOD": "10ms"}
    run(compile_program("waiting_threads"), 400, env=env, preload=libtandem, check=True)
    assert len(streams.rings(tmp_path / "out.tandem", "*")) == 2 * 401
    assert sum(512 * path.stat().st_blocks for path in (tmp_path / "out.tandem").rglob("*")) < MIB + 401 * 2 * (16 << 10)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_tasks(record, compile_program, tmp_path, compiler):
    n, cells = 200000, 64
    program = compile_program("many_tasks", flags=["-fopenmp"], compiler=compiler, name=f"many_tasks_{compiler}")
    more, of_merge, on_disk = record(program, n, cells)
    n_bytes = sum(streams.read_header(ring).published for ring in streams.rings(tmp_path / "out.tandem"))
    trace = (tmp_path / "out.prv").read_bytes()
    begun = re.findall(rb":60000023:[1-9]\d*:60000123:\d+:60000028:(\d+)", trace)
    assert len(begun) == len(set(begun)) == n and trace.count(b":60000023:0:") == n
    lines = [line for line in trace.splitlines() if line.startswith(b"3:")]
    assert len(lines) == n // 2 - cells and all(line.endswith(b":60000001") for line in lines)

    assert more < BASE + 4 * RING
    assert on_disk < MIB + 5 * RING + n_bytes
    assert of_merge < 96 * MIB  # 64 are lines that are kept back
