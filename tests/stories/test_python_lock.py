# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for CPython's lock is a state of its own: of threads that compute in Python one is running at a time."""
import collections

import pytest

PYTHON = "/usr/bin/python3"
RUNNING, PYTHON_LOCK = 1, 34
COND_WAIT = ":61000000:12"


def read_states(trace):
    """[(thread, begin, end, state)], ns"""
    fields = (line.split(":") for line in trace.read_text().splitlines() if line.startswith("1:"))
    return [(int(f[4]), int(f[5]), int(f[6]), int(f[7])) for f in fields]


def count_running(states, threads):
    """{how many of the threads run: ns}"""
    changes = sorted(
        change
        for thread, begin, end, state in states
        if state == RUNNING and thread in threads
        for change in ((begin, 1), (end, -1))
    )
    n, since, total = 0, 0, collections.Counter()
    for time, change in changes:
        total[n] += time - since
        n, since = n + change, time
    return total


@pytest.mark.parametrize(
    "env", [{}, {"TANDEM_PYTHON": "all", "TANDEM_PTHREAD": "none"}, {"TANDEM_PTHREAD": "all"}], ids=str
)
def test_one_thread_runs_at_a_time(run, root, libtandem, tandem, tmp_path, env):
    program = root / "tests" / "stories" / "programs" / "python_lock.py"
    run(PYTHON, program, preload=libtandem, env={"TANDEM_OUTPUT": tmp_path / "out.prv", **env}, check=True)
    states = read_states(tmp_path / "out.prv")
    in_state = collections.Counter()
    for thread, begin, end, state in states:
        in_state[thread, state] += end - begin
    workers = {2, 3, 4, 5}
    running = count_running(states, workers)
    assert running[2] + running[3] + running[4] < 0.03 * running[1], running
    total = sum(in_state[thread, RUNNING] for thread in workers)
    for thread in workers:
        assert in_state[thread, RUNNING] > 225e6  # of 250 of CPU time, some of which waiting takes
        # It waits while the others run: all of them, but for those that have begun later or ended before.
        assert in_state[thread, PYTHON_LOCK] > 0.4 * (total - in_state[thread, RUNNING])
        # One that releases the lock waits until another has it, and then for its turn: two waits, if calls between them are recorded.
        waits = [end - begin for each, begin, end, state in states if (each, state) == (thread, PYTHON_LOCK) and end - begin > 1e6]
        assert sum(waits) / len(waits) > 6e6, "slices of 5 ms are not brought together"
    assert COND_WAIT not in (tmp_path / "out.prv").read_text()
    assert "Waiting for Python's lock" in (tmp_path / "out.pcf").read_text()
