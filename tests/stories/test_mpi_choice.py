# SPDX-License-Identifier: GPL-3.0-or-later
"""Which MPI calls are recorded, and which are counted: what a program says that it called is what the trace has."""
import collections
import re

import pytest

OTHER, VALUES = 50000003, {110: "wtime", 19: "rank", 39: "test"}
TOLD_AFTER = 4096  # calls; a thread that is killed loses at most so many


def calls_of(prv):
    """({call: in the trace}, {call: counted}), from the text alone."""
    recorded, counted = collections.Counter(), collections.Counter()
    for line in prv.read_text().splitlines():
        if line.startswith("2:"):
            numbers = [int(number) for number in line.split(":")[6:]]
            recorded.update(VALUES[value] for type_, value in zip(numbers[::2], numbers[1::2]) if type_ == OTHER and value in VALUES)
        elif fact := re.match(r"#tandem:counted-call=(\d+) (\d+) (\d+) \d+$", line):
            counted[VALUES.get(int(fact[2]), fact[2])] += int(fact[3])
    return recorded, counted


@pytest.fixture
def asks(run, mpirun, tandem, compile_program, tmp_path):
    """asks(*options, how=[]) -> (what the program called, what is recorded, what is counted, the trace)"""
    program = compile_program("mpi_asks", mpi=True, flags=["-pthread"])

    def record(*options, how=()):
        result = run(tandem, "record", *options, "-o", "asks.prv", "--", *mpirun(2), program, *how, timeout=60)
        assert how or result.returncode == 0, result.stderr
        told = collections.Counter()
        for _, words in re.findall(r"^(\d) (.*)$", result.stdout, re.MULTILINE):
            told.update({name: int(n) for name, n in re.findall(r"(\w+) (\d+)", words)})
        return told, *calls_of(tmp_path / "asks.prv"), tmp_path / "asks.prv"

    return record


def test_short_local_calls_are_counted_exactly(asks, run, tandem):
    told, recorded, counted, prv = asks()
    assert recorded + counted == told
    assert recorded["test"] == told["test"] and counted["wtime"] > 0.99 * told["wtime"]
    assert prv.read_text().count("\n3:") == 1
    lines = run(tandem, "stat", prv, check=True).stdout
    shown = re.search(r"MPI_Wtime +([\d,]+) .* counted ", lines)
    assert int(shown[1].replace(",", "")) == counted["wtime"]


def test_all_are_recorded_on_request(asks):
    told, recorded, counted, _ = asks("--mpi-local", "all")
    assert recorded == told and not counted


def test_tests_in_vain_can_be_excluded(asks):
    """The one that found the message is recorded: the message is in the trace."""
    told, recorded, counted, prv = asks("--mpi-exclude", "MPI_Test*,MPI_Wtime")
    assert recorded["test"] == 1 and counted["test"] == told["test"] - 1
    assert not recorded["wtime"] and not counted["wtime"]
    assert prv.read_text().count("\n3:") == 1


def test_a_pattern_that_means_nothing_is_told(asks, run, tandem):
    *_, prv = asks("--mpi-exclude", "MPI_Bogus,MPI_Wt*")
    assert "#tandem:note=mpi-exclude: no function is called 'MPI_Bogus'" in prv.read_text().splitlines()


def test_only_what_is_asked_for_is_recorded(asks):
    """But tests that found a message, as that would be missing."""
    told, recorded, counted, prv = asks("--mpi-functions", "MPI_Wtime,MPI_Send,Bogus*,MPI_Nothing")
    assert recorded["wtime"] + counted["wtime"] == told["wtime"] and not recorded["rank"] + counted["rank"]
    assert recorded["test"] == 1
    note = "#tandem:note=mpi-functions: no function is called 'Bogus*', 'MPI_Nothing'"
    assert note in prv.read_text().splitlines()


def test_a_process_that_is_killed_loses_few(asks):
    told, recorded, counted, _ = asks(how=["killed"])
    for name in ("wtime", "rank"):
        found = recorded[name] + counted[name]
        assert told[name] - 2 * TOLD_AFTER <= found <= told[name]


def test_a_wrong_value_is_refused(run, tandem):
    result = run(tandem, "record", "--mpi-local", "some", "--", "true")
    assert result.returncode == 2 and "--mpi-local" in result.stderr
