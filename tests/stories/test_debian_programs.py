# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI programs and libraries of Debian that know nothing of tandem: they say what they say without it, the trace is valid,
and every call is in it.  docs/tested-programs.md has these and larger ones, with what was seen."""
import collections
import re
import shutil
import subprocess

import pytest

import streams
from counting import ROOT, check_counts
from messages import match

DATA = ROOT / "tests" / "data" / "debian"
ONE_SIDED = {"OMPI_MCA_osc": "^ucx"}  # Open MPI 4.1's UCX windows need a network card


def without_times(text):
    """LAMMPS ends with how fast it was."""
    return re.sub(r"CPU = \S+", "CPU", text.split("Loop time")[0])


@pytest.fixture
def follow(record, run, mpirun, tandem, tmp_path):
    """follow(n_ranks, words...) -> (calls of all ranks by name, records by rank), of a program that is run without tandem,
    then with; says is what of its output is the same every time."""

    def follow_program(n_ranks, *words, says=str, env={}):
        alone = run(*mpirun(n_ranks), *words, env=env, check=True)
        result, ranks, counts = record(n_ranks, *words, env=env)
        assert result.returncode == 0, result.stderr
        assert sorted(says(result.stdout).splitlines()) == sorted(says(alone.stdout).splitlines()) != []
        assert sorted(ranks) == list(range(n_ranks))
        check_counts(ranks, counts)
        run(tandem, "merge", "out.tandem", "-o", "out.prv", check=True)
        run(tandem, "check", "out.prv", check=True)
        return sum(map(collections.Counter, counts.values()), collections.Counter()), ranks

    return follow_program


def lines_of_messages(directory):
    with open(directory / "out.prv", encoding="ascii") as trace:
        return sum(line.startswith("3:") for line in trace)


def test_netpipe(follow, tmp_path):
    """C, blocking messages of growing sizes, to and fro."""
    calls, ranks = follow(2, "NPopenmpi", "-u", "2048", "-n", "5", "-o", "np.out")
    messages, _ = match(ranks)
    assert calls["MPI_Send"] == calls["MPI_Recv"] == len(messages) == lines_of_messages(tmp_path) > 1000
    assert max(message[3] for message in messages) == 2048 + 3  # it tries sizes a little larger too


def test_lammps(follow, tmp_path):
    """C++, a grid of ranks: what is not blocking, Sendrecv, reductions."""
    shutil.copy(DATA / "melt.lammps", tmp_path)
    calls, ranks = follow(4, "lmp", "-in", "melt.lammps", says=without_times, env={"OMP_NUM_THREADS": "1"})
    assert calls["MPI_Irecv"] > 1000 and calls["MPI_Sendrecv"] > 100 and calls["MPI_Cart_create"] >= 4
    assert len(match(ranks)[0]) == calls["MPI_Send"] + calls["MPI_Sendrecv"] == lines_of_messages(tmp_path)


def test_mpi4py_fft(follow, tmp_path):
    """Python, a library loaded late: Alltoallw of subarrays on communicators of a grid."""
    shutil.copy(DATA / "transform.py", tmp_path)
    calls, _ = follow(4, "/usr/bin/python3", "transform.py")
    assert calls["MPI_Alltoallw"] == 4 * 2 * 20  # two turns in each of twenty transforms


def test_coarrays(follow, clean_environment, tmp_path):
    """Fortran that names no MPI: one-sided, through OpenCoarrays."""
    compiler = ["caf", "-g", "-o", tmp_path / "heat", DATA / "heat.f90"]
    subprocess.run(compiler, check=True, env=clean_environment, cwd=tmp_path, timeout=60)
    calls, ranks = follow(4, "./heat", env=ONE_SIDED)
    assert calls["MPI_Put"] == 4 * 2 * 50
    moved = [r.words[1] for records in ranks.values() for r in records if r.kind == streams.REMOTE and len(r.words) >= 4]
    assert moved == [4] * calls["MPI_Put"]
    assert lines_of_messages(tmp_path) == 0  # each tells the others by MPI_Send that it ends, and nobody listens
