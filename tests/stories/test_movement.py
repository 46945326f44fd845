# SPDX-License-Identifier: GPL-3.0-or-later
"""Collectives, one-sided calls and files, in every form of them: the records and the trace say what the program says."""
import pytest

import movement
import streams
from test_mpi import NAMES

N = 4
# Open MPI 4.1 has no windows over shared memory without one of its ways to copy at once; this one needs no rights.
WINDOWS = {"OMPI_MCA_btl_vader_single_copy_mechanism": "emulated"}


@pytest.fixture(params=["openmpi", "mpich"])
def mpi(request, build_dir, mpirun):
    """(compiler, words that start the ranks, library to preload)"""
    if request.param == "openmpi":
        return "mpicc", mpirun(N), build_dir / "libtandem.so"
    return "mpicc.mpich", ["mpirun.mpich", "-n", str(N)], build_dir / "libtandem-mpich.so"


def test_what_moves(run, tandem, compile_program, tmp_path, mpi):
    compiler, launcher, library = mpi
    program = compile_program("mpi_movement", compiler=compiler, flags=["-w"])
    words = [*launcher, "env", f"LD_PRELOAD={library}", program]
    result = run(*words, env={"TANDEM_OUTPUT": tmp_path / "out", "TANDEM_MERGE": "0", **WINDOWS})
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    told = {rank: movement.told_facts(tmp_path / f"facts.{rank}") for rank in range(N)}
    (directory,) = tmp_path.glob("out*.tandem")
    ranks = streams.read_run(directory)
    assert sorted(ranks) == list(range(N))
    for rank in range(N):
        said = movement.without_marks(movement.facts_of_records(ranks[rank], NAMES))
        assert said == told[rank][0]
        assert len(said) > 160

    run(tandem, "merge", "-o", tmp_path / "out.prv", directory, check=True)
    run(tandem, "check", tmp_path / "out.prv", check=True)
    with open(tmp_path / "out.prv", encoding="ascii") as trace:
        traced = movement.facts_of_trace(trace, NAMES)
    for rank in range(N):
        for fact in traced[rank]:
            if fact[0] == "collective" and fact[2] not in ("0,1", "2,3", "0,1,2,3", str(rank)):
                fact[2] = "-"
        between = [i for i, fact in enumerate(told[rank][1]) if fact[0] == "collective" and fact[2] == "-"]
        for i in between:
            traced[rank][i][2] = "-"
        assert traced[rank] == told[rank][1]
