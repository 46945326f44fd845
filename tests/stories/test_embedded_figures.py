# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures and the table of docs/embedded-figures.md, by its commands, of an LU factorisation: what they show follows from
the program and from the files that stand for sensors; pixels are not looked at."""
import collections
import csv
import io
import re
import sys

import pytest

THREADS, BLOCKS, SIZE = 4, 6, 120
LIVE, ALLOCATED, DEPTH, STACK_SIZE, HIGH = 92020000, 92020002, 92020100, 92020102, 92020101
PACKAGE, POWER = 92010100, 92011000
STATIC_MW, CORE_MW = 321.8, 180.87  # data/power-models/gr740.txt
VIEWS = {
    "state": "State", "stack": "Stack", "heap-allocated": "Heap allocated", "heap": "Heap",
    "openmp-worksharing": "OpenMP worksharing", "temperature": "Temperature", "cpu-use": "Use of CPUs", "power": "Power",
}


@pytest.fixture
def lu(run, tandem, root, compile_program, tmp_path):
    """The trace; the states and events of its rows."""
    program = compile_program("lu_for", flags=("-O2", "-fopenmp"))
    result = run(sys.executable, root / "tests/sensor_tree.py", "tree", "--", tandem, "record", "-o", "lu.prv",
                 "--sampling-period", "1ms", "--stack", "--heap", "calls", "--sensors", "temperature,power",
                 "--sensors-period", "20ms", "--power-model", root / "data/power-models/gr740.txt", "--", program, BLOCKS,
                 SIZE, env={"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}, check=True)
    assert "right" in result.stdout
    run(tandem, "check", "lu.prv", check=True)
    states, events = collections.defaultdict(list), collections.defaultdict(list)
    for line in (tmp_path / "lu.prv").read_text().splitlines():
        if line[:2] == "1:":
            _, _, _, row, begin, end, state = (int(field) for field in line.split(":")[1:])
            states[row].append((begin, end, state))
        elif line[:2] == "2:":
            fields = [int(field) for field in line.split(":")[4:]]
            events[fields[0]] += [(fields[1], *pair) for pair in zip(fields[2::2], fields[3::2])]
    return states, events


def values(events, type_):
    return [(row, value) for row in sorted(events) for _, this, value in events[row] if this == type_]


def test_what_is_drawn(lu, run, tandem, tview, tmp_path):
    states, events = lu
    assert sorted(states) == [1, 2, 3, 4]

    # Table 1: each thread's share of time, its total and its average.
    said = run(tandem, "histogram", "lu.prv", "--view", "cpu-use", "--statistic", "time-percent", "--csv", "-",
               check=True).stdout
    header, *lines = csv.reader(io.StringIO(said))
    assert header[1:] == ["CPU running [%]", "CPU idle [%]"]
    table = {line[0]: [float(cell) for cell in line[1:]] for line in lines}
    length = max(end for _, end, _ in states[1])
    shares = [100 * sum(end - begin for begin, end, state in states[row] if state == 1) / length for row in sorted(states)]
    threads = [table[name] for name in list(table)[:THREADS]]
    assert [running for running, _ in threads] == pytest.approx(shares, abs=1e-6)
    assert [running + idle for running, idle in threads] == pytest.approx([100] * THREADS)
    for column in (0, 1):
        total = sum(thread[column] for thread in threads)
        assert table["Total"][column] == pytest.approx(total)
        assert table["Average"][column] == pytest.approx(total / THREADS)

    # Figure 3: the stack of every thread is within its size; the heap holds the factors and a copy of the matrix.
    sizes = dict(pair for pair in values(events, STACK_SIZE) if pair[1])
    depths = [(row, value) for row, value in values(events, DEPTH) if value]
    assert {row for row, _ in depths} == {row for row, _ in values(events, HIGH)} == {1, 2, 3, 4}
    assert all(value <= sizes.get(row, value) for row, value in depths)
    n_before = sum(abs(i - j) <= 1 or (i % 2 == j % 2 == 0 and min(i, j) % 3 == 0) for i in range(BLOCKS) for j in range(BLOCKS))
    assert max(value for _, value in values(events, LIVE)) >= 2 * n_before * SIZE * SIZE * 8
    assert sum(value for _, value in values(events, ALLOCATED)) >= 2 * n_before * SIZE * SIZE * 8

    # Figures 4 and 5: of a fixture and of a model, and their labels say so.
    temperatures = [value for _, value in values(events, PACKAGE) if value]
    assert len(temperatures) >= 2 and all(40000 <= value <= 70000 for value in temperatures)
    powers = [value for _, value in values(events, POWER) if value]
    assert len(powers) >= 2 and all(STATIC_MW - 1 <= value <= STATIC_MW + THREADS * CORE_MW + 1 for value in powers)
    labels = (tmp_path / "lu.pcf").read_text()
    assert re.search(rf"^0 +{PACKAGE} .*\[m°C\] \(coretemp, fixture\)$", labels, re.M)
    assert re.search(rf"^0 +{POWER} .*\[mW\] \(modelled: GR740.*\)$", labels, re.M)

    for view, title in VIEWS.items():
        run(tview, "lu.prv", "--view", view, "--export", f"{view}.svg", "--size", "900x420", env={"DISPLAY": None}, check=True)
        run(tview, "lu.prv", "--view", view, "--export", f"{view}.png", "--size", "900x420", env={"DISPLAY": None}, check=True)
        assert (tmp_path / f"{view}.png").read_bytes()[:4] == b"\x89PNG"
