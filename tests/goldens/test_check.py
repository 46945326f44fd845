# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem check`: every fault with its line, in all three files; what it returns."""
import gzip

import pytest

import resident

HEADER = "#Paraver (d):10_ns:1(2):1:1(2:1)\n"
GOOD = "1:1:1:1:1:0:5:1\n2:1:1:1:1:5:7:1\n"
PCF = "EVENT_TYPE\n0 7 Seven\nVALUES\n1 one\n"
ROW = "LEVEL THREAD SIZE 2\na\nb\n"


@pytest.fixture
def check(tandem, tmp_path):
    def run(prv=HEADER + GOOD, pcf=PCF, row=ROW, options=(), name="app.prv"):
        data = prv.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        for text, ending in ((pcf, ".pcf"), (row, ".row")):
            if text is not None:
                (tmp_path / ("app" + ending)).write_text(text)
        result = resident.run(tandem, "check", *options, name, cwd=tmp_path)
        assert result.stderr == ""
        return result.returncode, result.stdout.splitlines()
    return run


def summary(what, states=1, events=1, name="app.prv"):
    return f"{name}: {what}; {states} states, {events} events, 0 messages of 2 threads"


def test_valid(check):
    assert check() == (0, [summary("valid")])


def test_compressed(check):
    assert check(name="app.prv.gz") == (0, [summary("valid", name="app.prv.gz")])


def test_faults(check):
    status, lines = check(prv=HEADER + "x\n" + GOOD + "2:3:1:1:1:5:7:1\n", pcf=PCF + "nonsense\n",
                          row="LEVEL THREAD SIZE 3\na\n")
    assert status == 1
    assert lines == [
        "app.pcf:5: not a value (number label)",
        "app.prv:2: an unknown kind of record",
        "app.prv:5: a CPU that the header does not have",
        "app.row:2: fewer names than announced",
        "app.row: note: 1 names of level THREAD for 2 objects",
        summary("4 faults, 1 note"),
    ]


def test_notes(check):
    status, lines = check(prv=HEADER + "1:1:1:1:1:0:5:1\n1:1:1:1:1:3:12:77\n2:1:1:1:1:1:8:1:8:2\n", pcf=PCF, row=None)
    assert status == 0
    assert lines == [
        "app.prv:3: note: a state that begins before the thread's last one ended",
        "app.prv:3: note: state 77 has no label",
        "app.prv:4: note: earlier than the record before it",
        "app.prv:4: note: event type 8 has no label",
        "app.prv:1: note: the header's end time, 10, is before that of the records, 12",
        "app.prv: note: there is no .row file",
        summary("valid, 6 notes", states=2),
    ]
    assert check(prv=HEADER + GOOD + "1:1:1:1:1:3:6:1\n", options=["--no-notes"]) == (
        0, [summary("valid, 2 notes", states=2)])


def test_many_alike(check):
    status, lines = check(prv=HEADER + "x\n" * 30 + GOOD)
    assert status == 1
    assert lines[:10] == [f"app.prv:{line}: an unknown kind of record" for line in range(2, 12)]
    assert lines[10:] == ["app.prv: and 20 more: an unknown kind of record", summary("30 faults")]
    assert len(check(prv=HEADER + "x\n" * 30 + GOOD, options=["--all"])[1]) == 31


def test_refused(check):
    status, lines = check(prv="#Paraver (d):10_ns:1(0):1:1(2:1)\n" + GOOD)
    assert status == 1
    assert lines[0] == "app.prv:1: a node without CPUs in the header"


def test_usage(tandem, tmp_path):
    assert resident.run(tandem, "check").returncode == 2
    assert resident.run(tandem, "check", "--what").returncode == 2
    result = resident.run(tandem, "check", tmp_path / "no.prv")
    assert result.returncode == 1 and "no.prv" in result.stderr


def test_traces_of_programs(tandem, root):
    traces = sorted((root / "tests/data/traces").glob("*/*.prv"))
    assert len(traces) == 10
    result = resident.run(tandem, "check", *traces)
    assert result.returncode == 0, result.stdout
