# SPDX-License-Identifier: GPL-3.0-or-later
"""The statistic `calls`, and the calls of `tandem stat`: calls that follow at once, of no length, and within each other."""
import csv

import pytest

import resident

HEADER = "#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1),0\n"
# MPI_Recv three times, the first two at once and the third of no length; MPI_Send once.
CALLS = [(100, 2), (200, 0), (200, 2), (300, 0), (400, 2), (400, 0), (500, 1), (600, 0)]
# f, in it g twice, and g returns to f.
FUNCTIONS = [(100, 1), (200, 2), (300, 1), (400, 2), (500, 1), (600, 0)]


@pytest.fixture
def trace(tmp_path):
    lines = [(time, f"2:1:1:1:1:{time}:50000001:{value}") for time, value in CALLS]
    lines += [(time, f"2:1:1:1:1:{time}:92000010:{value}") for time, value in FUNCTIONS]
    (tmp_path / "a.prv").write_text(HEADER + "1:1:1:1:1:0:1000:1\n" + "".join(line + "\n" for _, line in sorted(lines, key=lambda line: line[0])))
    (tmp_path / "a.pcf").write_text("EVENT_TYPE\n0 92000010 Region\nVALUES\n0 End\n1 f\n2 g\n")
    return tmp_path / "a.prv"


def calls(tandem, trace, *options):
    head, row = list(csv.reader(resident.run(tandem, "histogram", trace, "--statistic", "calls", "--csv", "-", *options, check=True).stdout.splitlines()))[:2]
    return {name: float(cell) for name, cell in zip(head[1:], row[1:]) if float(cell)}


def test_calls(tandem, trace):
    assert calls(tandem, trace, "--view", "mpi-calls") == {"MPI_Recv": 3, "MPI_Send": 1}
    assert calls(tandem, trace, "--view", "user-events") == {"f": 1, "g": 2}
    assert calls(tandem, trace, "--view", "mpi-calls", "--begin", "150ns", "--end", "450ns") == {"MPI_Recv": 2}
    text = resident.run(tandem, "stat", trace, check=True).stdout
    assert [line.split()[1] for line in text.splitlines() if line.startswith("  MPI_")] == ["3", "1"]


@pytest.mark.parametrize("view", ["state", "useful-duration"])
def test_faults(tandem, trace, view):
    result = resident.run(tandem, "histogram", trace, "--statistic", "calls", "--view", view)
    assert result.returncode == 1 and "calls can be counted of a view of calls or regions alone" in result.stderr
