# SPDX-License-Identifier: GPL-3.0-or-later
"""mpi4py: which function of Python made which MPI calls: messages of buffers and of pickled objects, collectives; and
mpi4py.futures, whose pool of ranks talks over an intercommunicator of 1 and 3."""
import csv
import re

import pytest

import python_calls

PYTHON = "/usr/bin/python3"
RANKS, ROUNDS = 4, 10  # as in python_mpi.py
ITEMS = 20  # as in python_futures.py

# Calls that a rank makes in each function; what mpi4py asks about types and communicators is left out.
OF_ALL = {
    "buffers": {"MPI_Irecv": ROUNDS, "MPI_Send": ROUNDS, "MPI_Wait": ROUNDS},
    "shared": {"MPI_Bcast": 2},  # how long the pickled object is, and that
    "collectives": {"MPI_Allreduce": ROUNDS, "MPI_Barrier": 1},
    "inner": {"MPI_Barrier": 1},
    "outer": {"MPI_Barrier": 1},
}
OF_EVEN = {"objects": {"MPI_Send": ROUNDS}}
OF_ODD = {"objects.<locals>.<listcomp>": {"MPI_Mprobe": ROUNDS, "MPI_Mrecv": ROUNDS}}
QUESTIONS = re.compile(r"MPI_(Comm_|Type_|Get_count|Init|Finalize|Query|Get_version)")


@pytest.fixture(scope="module")
def programs(root):
    return root / "tests" / "stories" / "programs"


def histogram_within(run, tandem, function):
    """{call: how often}, by rank, as the histogram has it"""
    words = ["--view", "mpi-calls", "--within", f"python-functions:__main__.{function}", "--statistic", "bursts", "--csv", "-"]
    rows = list(csv.reader(run(tandem, "histogram", "t.prv", *words, check=True).stdout.splitlines()))
    ranks = [row for row in rows if row and row[0].startswith("THREAD")]
    assert len(ranks) == RANKS
    found = []
    for row in ranks:
        pairs = zip(rows[0][1:], row[1:])
        found.append({call: int(float(n)) for call, n in pairs if n and float(n) and call != "Outside MPI" and not QUESTIONS.match(call)})
    return found


@pytest.mark.parametrize("outside", [True, False])
def test_functions_and_their_calls(outside, programs, run, tandem, mpirun, tmp_path):
    record = [tandem, "record", "--keep", "--python=all", "-o", "t.prv", "--"]
    ranks = [PYTHON, programs / "python_mpi.py"]
    words = [*record, *mpirun(RANKS), *ranks] if outside else [*mpirun(RANKS), *record, *ranks]
    traced = run(*words, check=True)
    plain = run(*mpirun(RANKS), *ranks)
    assert sorted(traced.stdout.splitlines()) == sorted(plain.stdout.splitlines())
    assert f"{RANKS} processes" in traced.stderr and "without" not in traced.stderr
    run(tandem, "check", "t.prv", check=True)

    processes = [p for p in python_calls.read_run(tmp_path / "t.tandem") if "__main__.main" in p.calls]
    assert len(processes) == RANKS
    found = []
    for process in processes:
        calls = {}
        for (function, call), n in process.mpi.items():
            if function.startswith("__main__.") and not QUESTIONS.match(call):
                calls.setdefault(function.removeprefix("__main__."), {})[call] = n
        found.append(calls)
    by_parity = [{**OF_ALL, **OF_EVEN}, {**OF_ALL, **OF_ODD}]
    assert all(calls in by_parity for calls in found) and [found.count(calls) for calls in by_parity] == [2, 2]
    for function, calls in (OF_ALL | OF_EVEN | OF_ODD).items() if outside else ():
        wanted = [calls if function in by_parity[rank % 2] else {} for rank in range(RANKS)]
        assert histogram_within(run, tandem, function) == wanted, function


def test_futures(programs, run, tandem, mpirun, tmp_path):
    words = [*mpirun(RANKS), PYTHON, "-m", "mpi4py.futures", programs / "python_futures.py"]
    traced = run(tandem, "record", "--keep", "--python=all", "-o", "t.prv", "--", *words, check=True)
    assert traced.stdout == f"{sum(n * n for n in range(ITEMS))}\n"
    assert f"{RANKS} processes" in traced.stderr
    assert "without" not in traced.stderr  # every message between the pool and its master has met its other half
    counted = [len(path.read_text().split()) for path in tmp_path.glob("counted.*")]
    processes = python_calls.read_run(tmp_path / "t.tandem")
    seen = [n for p in processes for name, n in p.calls.items() if name.endswith(".work") and "python_futures" in p.command]
    assert sorted(counted) == sorted(seen) and sum(seen) == ITEMS
