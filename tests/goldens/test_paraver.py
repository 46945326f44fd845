# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of `tandem histogram` are those that Paraver's own kernel computed for the same traces, to every digit that it
printed.  tests/goldens/paraver/TRACE/VIEW.STATISTIC.txt is its text; what it was asked for stands in the two tables below."""
import csv
import decimal
import io
import pathlib
import re

import pytest

import resident

HERE = pathlib.Path(__file__).resolve().parent / "paraver"
TRACES = pathlib.Path(__file__).resolve().parent.parent / "data" / "traces"

# Start of a file's name: what to ask for.  Columns are those of the cfg that Paraver had.
VIEWS = {
    "state": ["--view", "state", "--columns", "0:20:1"],
    "mpi-p2p": ["--view", "user-events:50000001", "--columns", "0:20:1"],
    "messages": [],
    "mpi-p2p-counter": ["--view", "user-events:50000001", "--data", "counter:42000050", "--columns", "0:20:1"],
    "mpi-p2p-by-state": ["--view", "user-events:50000001", "--columns", "0:20:1"],
    "mpi-calls.state": ["--view", "mpi-calls", "--data", "state", "--columns", "0:250:1"],
    "useful-duration": ["--view", "useful-duration", "--columns", "0:40000/41"],
    "useful-auto": ["--view", "useful-duration", "--columns", "/200"],
}
# Paraver's name, as a file name: ours.
STATISTICS = {
    "Time": "time",
    "pct_Time": "time-percent",
    "pct_Time_Not_Zero": "time-percent-not-zero",
    "pct_Window_Time": "window-time-percent",
    "n_Bursts": "bursts",
    "pct_n_Bursts": "bursts-percent",
    "Integral": "integral",
    "Average_value": "average-value",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Average_Burst_Time": "average-duration",
    "Stdev_Burst_Time": "stdev-duration",
    "Average_per_Burst": "average-per-burst",
    "Average_value_ne_0": "average-value-not-zero",
    "Average_per_Burst_ne_0": "average-per-burst-not-zero",
    "n_Bursts_ne_0": "bursts-not-zero",
    "Sum_bursts": "sum-bursts",
    "nSends": "sends",
    "nReceives": "receives",
    "Bytes_sent": "bytes-sent",
    "Bytes_received": "bytes-received",
    "Average_bytes_sent": "average-bytes-sent",
    "Average_bytes_received": "average-bytes-received",
    "Minimum_bytes_sent": "minimum-bytes-sent",
    "Minimum_bytes_received": "minimum-bytes-received",
    "Maximum_bytes_sent": "maximum-bytes-sent",
    "Maximum_bytes_received": "maximum-bytes-received",
}
FILES = sorted(path.relative_to(HERE) for path in HERE.glob("*/*.txt") if not path.name.endswith(".bursts.txt"))


def paravers(text):
    """Its rows: a name and numbers as text, the labels first; a tab ends every line."""
    return [line.rstrip("\t").split("\t") for line in text.split("\n") if line.strip("\t")]


def ours(tandem, path, *options):
    view, statistic = path.name[: -len(".txt")].rsplit(".", 1)
    trace = TRACES / path.parent / f"{path.parent}.prv"
    words = "--csv", "-", "--statistic", STATISTICS[statistic], *VIEWS[view], *options
    done = resident.run(tandem, "histogram", trace, *words, check=True)
    assert done.stderr == ""
    rows = list(csv.reader(io.StringIO(done.stdout)))
    rows[0] = [""] + [re.sub(r" \[(ns|%|B)\]$", "", label) for label in rows[0][1:]]
    if len(rows[0]) == 1:  # no column at all: Paraver then leaves out the line of labels
        rows = [[name] for name, *_ in rows[1:]]
    return rows


# Recorded by tandem: Paraver has computed no tables of these.
OWN = {"hybrid-nodes"}


def test_there_are_tables():
    assert len(FILES) > 160
    assert {str(path.parent) for path in FILES} == {path.name for path in TRACES.iterdir()} - OWN


def files(*starts):
    """Those whose names start so; each is in one of the tests."""
    return pytest.mark.parametrize("path", [path for path in FILES if path.name.startswith(starts)], ids=str)


@files("state.", "mpi-p2p.", "mpi-p2p-counter.", "mpi-calls.", "messages.")
def test_table(tandem, path):
    assert ours(tandem, path) == paravers((HERE / path).read_text())


@files("mpi-p2p-by-state.")
def test_planes(tandem, path):
    """Paraver's histograms of three views: a table for each value of the third one, its name on a line before it."""
    planes = re.split(r"^(\S[^\t\n]*)\n(?=\t)", (HERE / path).read_text(), flags=re.M)
    assert len(planes) >= 2 * 4 + 1
    for value, text in zip(planes[1::2], planes[2::2], strict=True):
        assert ours(tandem, path, "--within", f"state:{value}") == paravers(text), value


@files("useful-")
def test_ranges(tandem, path):
    """Ranges are labelled otherwise, and Paraver's table of given limits is in microseconds, its rounding included."""
    wanted, found = paravers((HERE / path).read_text()), ours(tandem, path)
    unit = 1 if path.name.startswith("useful-auto") else 1000
    assert len(found[0]) == len(wanted[0])
    for theirs, row in zip(wanted[1:], found[1:], strict=True):
        assert row[0] == theirs[0]
        for label, cell, number in zip(found[0][1:], row[1:], theirs[1:], strict=True):
            scale = 1 if row[0] == "Avg/Max" else unit
            error = abs(decimal.Decimal(cell) / scale - decimal.Decimal(number))
            assert error <= decimal.Decimal("1e-9") * max(1, abs(decimal.Decimal(number))), (row[0], label)
