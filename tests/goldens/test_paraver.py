# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of `tandem histogram` are those that Paraver's own kernel computed for the same traces, to every digit that it
printed.  tests/goldens/paraver/TRACE/VIEW.STATISTIC.txt is its text; what it was asked for stands in the two tables below."""
import csv
import decimal
import io
import pathlib
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent / "paraver"
TRACES = pathlib.Path(__file__).resolve().parent.parent / "data" / "traces"

# Start of a file's name: what to ask for.  Columns are those of the cfg that Paraver had.
VIEWS = {
    "state": ["--view", "state", "--columns", "0:20:1"],
    "mpi-p2p": ["--view", "user-events:50000001", "--columns", "0:20:1"],
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
}
FILES = sorted(path.relative_to(HERE) for path in HERE.glob("*/*.txt") if not path.name.endswith(".bursts.txt"))


def paravers(path):
    """Its rows: a name and numbers as text, the labels first; a tab ends every line."""
    lines = (HERE / path).read_text().split("\n")
    return [line.rstrip("\t").split("\t") for line in lines if line.strip("\t")]


def ours(tandem, path):
    view, statistic = path.name[: -len(".txt")].rsplit(".", 1)
    trace = TRACES / path.parent / f"{path.parent}.prv"
    command = [tandem, "histogram", trace, "--csv", "-", "--statistic", STATISTICS[statistic], *VIEWS[view]]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    rows = list(csv.reader(io.StringIO(done.stdout)))
    rows[0] = [""] + [re.sub(r" \[(ns|%)\]$", "", label) for label in rows[0][1:]]
    return rows


def test_there_are_tables():
    assert len(FILES) > 90
    assert {str(path.parent) for path in FILES} == {path.name for path in TRACES.iterdir()}


@pytest.mark.parametrize("path", [path for path in FILES if not path.name.startswith("useful")], ids=str)
def test_table(tandem, path):
    wanted, found = paravers(path), ours(tandem, path)
    if len(found[0]) == 1:  # no column at all: Paraver then leaves out the line of labels
        found = [[name] for name, *_ in found[1:]]
    assert found == wanted


@pytest.mark.parametrize("path", [path for path in FILES if path.name.startswith("useful")], ids=str)
def test_ranges(tandem, path):
    """Ranges are labelled otherwise, and Paraver's table of given limits is in microseconds, its rounding included."""
    wanted, found = paravers(path), ours(tandem, path)
    unit = 1 if path.name.startswith("useful-auto") else 1000
    assert len(found[0]) == len(wanted[0])
    for theirs, row in zip(wanted[1:], found[1:], strict=True):
        assert row[0] == theirs[0]
        for label, cell, number in zip(found[0][1:], row[1:], theirs[1:], strict=True):
            scale = 1 if row[0] == "Avg/Max" else unit
            error = abs(decimal.Decimal(cell) / scale - decimal.Decimal(number))
            assert error <= decimal.Decimal("1e-9") * max(1, abs(decimal.Decimal(number))), (row[0], label)
