# SPDX-License-Identifier: GPL-3.0-or-later
"""A rank is killed, or aborts, and the launcher gives the job up: what all ranks recorded until then is in the trace."""
import subprocess
import time

import pytest

from retries import retry

OPEN_CALLS = {"killed": 2, "abort": 3}  # the others' barrier, and MPI_Abort itself


@pytest.fixture
def program(compile_program):
    return compile_program("mpi_dies", mpi=True)


def wait_for(path):
    """The launcher may be gone before the trace is made and the run directory removed."""
    deadline = time.monotonic() + 20
    while (not path.exists() or list(path.parent.glob("*.tandem"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return path


def check_trace(run, tandem, trace, end):
    run(tandem, "check", trace, check=True)
    lines = trace.read_text().splitlines()
    assert ":1:3(" in lines[0]  # one application of three tasks
    assert sum(line.startswith("3:") for line in lines) == 200
    assert f"#tandem:open-calls={OPEN_CALLS[end]}" in lines


@pytest.fixture
def status_untraced(run, mpirun, program):
    """status_untraced(end) of the launcher"""

    def attempt(end):
        try:
            return run(*mpirun(3), program, end, timeout=30)
        except subprocess.TimeoutExpired as hang:
            return hang

    return lambda end: retry("mpich-hangs", lambda number: attempt(end)).returncode


@pytest.mark.parametrize("end", OPEN_CALLS)
@pytest.mark.parametrize("outside", ["record", "mpirun"])
def test_what_the_ranks_recorded_is_merged(run, tandem, mpirun, program, status_untraced, tmp_path, outside, end):
    record = [tandem, "record", "-o", "dies.prv", "--"]
    words = [*record, *mpirun(3), program, end] if outside == "record" else [*mpirun(3), *record, program, end]
    assert run(*words).returncode == status_untraced(end) != 0
    check_trace(run, tandem, wait_for(tmp_path / "dies.prv"), end)
    assert not list(tmp_path.glob("*.tandem"))


@pytest.mark.parametrize("end", OPEN_CALLS)
def test_nobody_is_left_to_merge(run, tandem, mpirun, libtandem, program, tmp_path, end):
    """Without the command nobody outlives the ranks: the run directory stays for `tandem merge`."""
    run(*mpirun(3), "env", f"LD_PRELOAD={libtandem}", "TANDEM_OUTPUT=dies", program, end)
    assert [path.name for path in tmp_path.iterdir()] == ["dies.tandem"]
    run(tandem, "merge", "dies.tandem", check=True)
    check_trace(run, tandem, tmp_path / "dies.prv", end)
