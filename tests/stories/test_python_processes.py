# SPDX-License-Identifier: GPL-3.0-or-later
"""multiprocessing and concurrent.futures: {Process, Pool that is closed and joined, `with Pool`, ProcessPoolExecutor} x {fork,
spawn, forkserver}, processes that are terminated or killed, pools in pools.  Every worker is a process of the run, and
every call that it made is there: each writes what it calls into a file of its own, at once."""
import collections

import pytest

import python_calls

PYTHON = "/usr/bin/python3"
WORKERS, ITEMS, CALLS = 2, 12, 5  # as in python_processes.py
ONCE = {"work": CALLS, "wait_to_be_ended": CALLS}  # what one call of these calls of inner()
HELPERS = {"fork": 0, "spawn": 1, "forkserver": 2}  # who looks after resources, and the server
TOTAL = {
    "process": {"work": WORKERS},
    "pool": {"work": ITEMS},
    "with": {"work": ITEMS},
    "executor": {"work": ITEMS},
    "terminate": {"wait_to_be_ended": WORKERS},
    "nested": {"nest": 2, "work": 2 * 3},
}


def read_counted(directory):
    """{pid: {function: calls}} as the workers wrote it."""
    return {
        int(path.suffix[1:]): collections.Counter(path.read_text().split()) for path in directory.glob("counted.*")
    }


def calls_of(process, names):
    """Calls by a function's own name: its module is __main__ or __mp_main__.  Those that a forked process began in are its
    parent's."""
    found = collections.Counter()
    for (outer, name), n in process.within.items():
        module, function = name.rsplit(".", 1)
        if module in ("__main__", "__mp_main__") and function in names:
            found[function] += n
    return found


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("how", TOTAL)
def test_table(how, method, root, run, tandem, tmp_path):
    words = [PYTHON, root / "tests" / "stories" / "programs" / "python_processes.py", how, method]
    traced = run(tandem, "record", "--no-merge", "--python=all", "-o", "t.prv", "--", *words)
    counted = read_counted(tmp_path)
    assert traced.returncode == 3, traced.stderr
    assert sum(counted.values(), collections.Counter()) == TOTAL[how]

    processes = {process.pid: process for process in python_calls.read_run(tmp_path / "t.tandem")}
    assert set(counted) <= set(processes)
    if how not in ("executor", "nested"):  # an executor starts workers as it needs them
        assert len(processes) == 1 + WORKERS + HELPERS[method]
    for pid, names in counted.items():
        wanted = collections.Counter(names)
        wanted["inner"] = sum(ONCE.get(name, 0) * n for name, n in names.items())
        inherited = 1 if how == "nested" and "nest" not in names else 0  # forked while its parent was in nest()
        seen = calls_of(processes[pid], ("work", "inner", "nest", "wait_to_be_ended"))
        assert seen == +wanted + collections.Counter(nest=inherited), (pid, processes[pid].command)


def test_merged(root, run, tandem, tmp_path):
    """Those that were terminated are in the trace like others, and it is whole."""
    words = [PYTHON, root / "tests" / "stories" / "programs" / "python_processes.py", "with", "fork"]
    plain = run(*words)
    traced = run(tandem, "record", "--python=all", "-o", "t.prv", "--", *words)
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout)
    assert traced.stderr.startswith(f"tandem: t.prv: {1 + WORKERS} processes"), traced.stderr
    run(tandem, "check", "t.prv", check=True)
