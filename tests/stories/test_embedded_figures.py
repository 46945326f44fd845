# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures and the table of docs/embedded-figures.md, by its commands, of an LU factorisation: what they show follows from
the trace; pixels are not looked at."""
import collections
import csv
import io

import pytest

THREADS, BLOCKS, SIZE = 4, 6, 64
RUNNING, DEPTH, STACK_SIZE, HIGH = 1, 92020100, 92020102, 92020101


@pytest.fixture
def lu(run, tandem, compile_program, tmp_path):
    """States and events of the rows of its trace."""
    program = compile_program("lu_for", flags=("-O2", "-fopenmp"))
    result = run(tandem, "record", "-o", "lu.prv", "--sampling-period", "1ms", "--stack", "--", program, BLOCKS, SIZE,
                 env={"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}, check=True)
    assert "right" in result.stdout
    run(tandem, "check", "lu.prv", check=True)
    states, events = collections.defaultdict(list), collections.defaultdict(list)
    for line in (tmp_path / "lu.prv").read_text().splitlines():
        if line[:2] == "1:":
            row, begin, end, state = (int(field) for field in line.split(":")[4:])
            states[row].append((begin, end, state))
        elif line[:2] == "2:":
            row, _, *fields = (int(field) for field in line.split(":")[4:])
            events[row] += zip(fields[::2], fields[1::2])
    return states, events


def test_figures(lu, run, tandem, tview, tmp_path):
    states, events = lu
    assert sorted(states) == [1, 2, 3, 4]

    said = run(tandem, "histogram", "lu.prv", "--view", "cpu-use", "--statistic", "time-percent", "--csv", "-",
               check=True).stdout
    header, *lines = csv.reader(io.StringIO(said))
    assert header[1:] == ["CPU running [%]", "CPU idle [%]"]
    table = {line[0]: [float(cell) for cell in line[1:]] for line in lines}
    length = max(end for row in states for _, end, _ in states[row])
    shares = [100 * sum(end - begin for begin, end, state in states[row] if state == RUNNING) / length
              for row in sorted(states)]
    threads = list(table.values())[:THREADS]
    assert [running for running, _ in threads] == pytest.approx(shares, abs=1e-6)
    assert [running + idle for running, idle in threads] == pytest.approx([100] * THREADS)
    for column in (0, 1):
        total = sum(thread[column] for thread in threads)
        assert table["Total"][column] == pytest.approx(total)
        assert table["Average"][column] == pytest.approx(total / THREADS)

    for row in events:
        told = collections.defaultdict(list)
        for type_, value in events[row]:
            told[type_].append(value)
        size = max(told[STACK_SIZE], default=0)
        assert max(told[DEPTH]) > 0 and (not size or max(told[DEPTH]) < size)
        assert len(told[HIGH]) == 1 and told[HIGH][0] >= max(told[DEPTH])

    listed = run(tview, "lu.prv", "--list-views", env={"DISPLAY": None}, check=True).stdout
    for view in ("stack", "cpu-use", "cpu", "state"):
        picture = tmp_path / f"{view}.png"
        run(tview, "lu.prv", "--view", view, "--size", "900x420", "--export", picture, env={"DISPLAY": None}, check=True)
        assert picture.read_bytes()[:4] == b"\x89PNG"
        assert f"\n{view} " in f"\n{listed}"
