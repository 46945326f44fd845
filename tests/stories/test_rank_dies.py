# SPDX-License-Identifier: GPL-3.0-or-later
"""A rank is killed outright and the launcher gives the job up: what all ranks recorded until then is in the trace."""
import time

import pytest


@pytest.fixture
def program(compile_program):
    return compile_program("mpi_dies", mpi=True)


def wait_for(path):
    """The launcher may be gone before the trace is made and the run directory removed."""
    deadline = time.monotonic() + 20
    while (not path.exists() or list(path.parent.glob("*.tandem"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return path


@pytest.mark.parametrize("outside", ["record", "mpirun"])
def test_what_the_ranks_recorded_is_merged(run, tandem, mpirun, program, tmp_path, outside):
    record = [tandem, "record", "-o", "dies.prv", "--"]
    words = [*record, *mpirun(3), program] if outside == "record" else [*mpirun(3), *record, program]
    untraced = run(*mpirun(3), program)
    traced = run(*words)
    assert traced.returncode == untraced.returncode != 0
    trace = wait_for(tmp_path / "dies.prv")
    run(tandem, "check", trace, check=True)
    lines = trace.read_text().splitlines()
    assert ":1:3(" in lines[0]  # one application of three tasks
    assert sum(line.startswith("3:") for line in lines) == 200
    assert "#tandem:open-calls=2" in lines  # the survivors' barrier
    assert not list(tmp_path.glob("*.tandem"))
