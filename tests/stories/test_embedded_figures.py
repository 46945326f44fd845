# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures and the table of docs/embedded-figures.md, by its commands, of an LU factorisation: what they show follows from
the trace; pixels are not looked at."""
import collections
import csv
import io
import re
import sys

import pytest

THREADS, BLOCKS, SIZE = 4, 6, 64
RUNNING, DEPTH, STACK_SIZE, HIGH = 1, 92020100, 92020102, 92020101
LIVE, CALL, REQUESTED, FREED, FREE = 92020000, 40000040, 40000041, 40000070, 2
BLOCK = SIZE * SIZE * 8


@pytest.fixture
def lu(run, tandem, compile_program, tmp_path):
    """States and events of the rows of its trace."""
    program = compile_program("lu_for", flags=("-O2", "-fopenmp"))
    result = run(tandem, "record", "-o", "lu.prv", "--sampling-period", "1ms", "--stack", "--heap", "calls",
                 "--heap-threshold", "16k", "--", program, BLOCKS, SIZE,
                 env={"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}, check=True)
    assert "right" in result.stdout
    run(tandem, "check", "lu.prv", check=True)
    states, events = collections.defaultdict(list), collections.defaultdict(list)
    for line in (tmp_path / "lu.prv").read_text().splitlines():
        if line[:2] == "1:":
            row, begin, end, state = (int(field) for field in line.split(":")[4:])
            states[row].append((begin, end, state))
        elif line[:2] == "2:":
            row, time, *fields = (int(field) for field in line.split(":")[4:])
            events[row] += zip(fields[::2], fields[1::2], [time] * len(fields))
    return states, events


def bursts_of(run, tandem, view):
    """[(row, begin, end, value)] of those that are not 0."""
    said = run(tandem, "timeline", "lu.prv", "--view", view, check=True).stdout
    lines = [(int(row.split(".")[-1]), *(float(field) for field in fields[:3])) for row, *fields in list(csv.reader(io.StringIO(said)))[1:]]
    return [(row, begin, begin + duration, value) for row, begin, duration, value in lines if value != 0]


def check_memory(run, tandem, events):
    """What calls allocate and free, and what is live, as the trace's lines say."""
    calls, lives = [], []
    for row in sorted(events):
        call = None
        for type_, value, time in events[row]:
            if type_ == CALL and value:
                call = [row, time, value == FREE]
            elif type_ in (REQUESTED, FREED):
                call.append(-value if type_ == FREED else value)
            elif type_ == CALL:
                calls.append((row, call[1], time, call[3]))
            elif type_ == LIVE:
                lives.append(value)
    assert len([value for *_, value in calls if value == BLOCK]) >= BLOCKS  # the diagonal's, at least
    assert sorted(bursts_of(run, tandem, "heap-calls")) == sorted(call for call in calls if call[2] > call[1])
    seen = [value for row, _, _, value in bursts_of(run, tandem, "heap") if row == 1]
    assert max(seen) == max(lives) > BLOCKS * BLOCK


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
        for type_, value, _ in events[row]:
            told[type_].append(value)
        size = max(told[STACK_SIZE], default=0)
        assert max(told[DEPTH]) > 0 and (not size or max(told[DEPTH]) < size)
        assert len(told[HIGH]) == 1 and told[HIGH][0] >= max(told[DEPTH])

    check_memory(run, tandem, events)

    listed = run(tview, "lu.prv", "--list-views", env={"DISPLAY": None}, check=True).stdout
    for view in ("stack", "heap-calls", "heap", "cpu-use", "cpu", "state"):
        picture = tmp_path / f"{view}.png"
        run(tview, "lu.prv", "--view", view, "--size", "900x420", "--export", picture, env={"DISPLAY": None}, check=True)
        assert picture.read_bytes()[:4] == b"\x89PNG"
        assert f"\n{view} " in f"\n{listed}"


def test_temperature_and_power(run, tandem, tview, root, compile_program, tmp_path):
    """Of a tree of files that follows the load of the program, by a model of power: said in each title."""
    program = compile_program("lu_for", flags=("-O2", "-fopenmp"))
    result = run(sys.executable, root / "tests" / "sensor_tree.py", tmp_path / "tree", "--", tandem, "record", "-o", "felt.prv",
                 "--sampling-period", "1ms", "--sensors", "all", "--sensors-period", "20ms",
                 "--power-model", root / "data" / "power-models" / "gr740.txt", "--", program, BLOCKS, 2 * SIZE,
                 env={"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}, check=True)
    assert "right" in result.stdout
    run(tandem, "check", "felt.prv", check=True)
    for view, origin in (("temperature", "Temperature (thermal zone, coretemp, fixture)"),
                         ("power", "Power (modelled: GR740, fixture)"), ("useful-duration", "Useful duration")):
        picture = tmp_path / f"{view}.svg"
        run(tview, "felt.prv", "--view", view, "--size", "900x300", "--export", picture, env={"DISPLAY": None}, check=True)
        assert picture.stat().st_size > 5000
        said = run(tandem, "histogram", "felt.prv", "--view", view, check=True).stdout
        assert origin in said

    def table(*words):
        said = run(tandem, "histogram", "felt.prv", *words, "--csv", "-", check=True).stdout
        header, *lines = csv.reader(io.StringIO(said))
        return header, {line[0]: [float(cell) for cell in line[1:]] for line in lines}

    header, temperatures = table("--view", "openmp-regions", "--data", "temperature", "--statistic", "maximum")
    assert header[1:] and all(re.fullmatch(r".* \[°C\]", name) for name in header[1:])
    assert all(0 <= cell <= 70 for cell in temperatures["Maximum"]) and max(temperatures["Maximum"]) >= 40
    _, power = table("--view", "openmp-regions", "--data", "power", "--statistic", "maximum")
    assert 0.321 < max(power["Maximum"]) < 1.046
    header, energy = table("--view", "cpu-use", "--data", "power-share", "--statistic", "integral")
    assert header[1:] == ["CPU running [J]", "CPU idle [J]"]
    _, whole = table("--view", "node-threads", "--data", "power", "--statistic", "integral")
    assert sum(energy["Total"]) == pytest.approx(whole["THREAD 1.1.1"][0], rel=1e-6) and sum(energy["Total"]) > 0
