# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that verify themselves find nothing wrong while they are sampled up to ten thousand times a second, with more
ranks than processors.  TANDEM_SOAK_RUNS=60 does it so often under each clock, a minute each."""
import os
import re
import shutil

import pytest

from streams import sampled_threads

N_RUNS = int(os.environ.get("TANDEM_SOAK_RUNS", 0))
SECONDS = 60 if N_RUNS else 1
TICK_CLOCKS = ("cpu", "itimer")


@pytest.fixture
def follow(run, tandem, machine, tmp_path):
    """follow(clock, *command) -> what it said.  Its ranks were sampled, which their streams show."""

    def record(clock, *command):
        if clock == "perf" and machine.clock_refusal("perf"):
            pytest.skip("the kernel refuses this clock")
        options = ["--sampling-clock", clock, "--sampling-period", "100us", "--sampling-share", "50"]
        result = run(tandem, "record", "--no-merge", "-o", "run.prv", *options, "--", *command, timeout=60 + 3 * SECONDS)
        assert result.returncode == 0, result.stdout + result.stderr
        n_samples = sum(len(thread.samples) for thread in sampled_threads(tmp_path / "run.tandem").values())
        assert n_samples > SECONDS * (20 if clock in TICK_CLOCKS else 200)
        shutil.rmtree(tmp_path / "run.tandem")
        return result.stdout

    return record


@pytest.mark.parametrize("clock", ["real", "cpu", "perf", "itimer"])
def test_messages_and_results_are_right(follow, mpirun, compile_program, clock):
    program = compile_program("mpi_verified", mpi=True)
    for _ in range(max(1, N_RUNS)):
        assert re.fullmatch(r"verified \d+ rounds, \d+ bytes\n", follow(clock, *mpirun(6), program, SECONDS))
