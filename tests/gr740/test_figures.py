# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures that were published for a GR740, made of fresh runs under emulation (figures.py): what their numbers must obey, and
what the trace says without tandem's views."""
import collections
import csv
import subprocess
import sys

import pytest

from board import COMPILER, USER, needed

IDLE_MW, RUNNING_MW = 321.8, 180.87  # of the model of power: without a running processor, and of each
BLOCK = 64 * 64 * 8
PARALLEL_FUNCTION, STACK_HIGH, STACK_SIZE = 60000018, 92020101, 92020102
FIGURES = ("figure-3", "figure-4", "figure-5", "figure-6", "figure-7", "figure-8a", "figure-8b", "table-1")


@pytest.fixture(scope="module")
def made(root, build_dir, board_dir, tmp_path_factory):
    needed(COMPILER, USER, "dot")
    directory = tmp_path_factory.mktemp("figures")
    done = subprocess.run([sys.executable, root / "tests/gr740/figures.py", "--build", build_dir, directory], capture_output=True,
                          text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    for figure in FIGURES:
        picture = (directory / f"{figure}.png").read_bytes()
        assert picture[:4] == b"\x89PNG" and len(picture) > 5000
    return directory


def bursts_of(path):
    """{row: [(begin, end, value)]}"""
    bursts = collections.defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row, *cells in list(csv.reader(file))[1:]:
            begin, length, value = map(float, cells[:3])
            bursts[row].append((begin, begin + length, value))
    return bursts


def prv_of(made, name):
    (prv,) = made.glob(f"{name} (*.prv")
    return prv


def lines_of(prv, kind):
    return [[int(field) for field in line.split(":")] for line in prv.read_text(encoding="utf-8").splitlines()
            if line.startswith(f"{kind}:")]


def mean_of(bursts, begin, end):
    inside = [(min(e, end) - max(b, begin), value) for b, e, value in bursts if b < end and e > begin]
    return sum(length * value for length, value in inside) / sum(length for length, _ in inside)


@pytest.fixture(scope="module")
def part(made):
    """The parallel region of LU-for, as the records of its begin and end have it."""
    times = [line[5] for line in lines_of(prv_of(made, "LU-for"), 2) if PARALLEL_FUNCTION in line[6::2]]
    return min(times), max(times)


def test_table_1(made, part):
    """How long processors run: as the states of the trace say."""
    with (made / "table-1.csv").open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert header[1:] == ["CPU running [%]", "CPU idle [%]"]
    table = {name: [float(cell) for cell in cells] for name, *cells in lines}
    begin, end = part
    running = collections.Counter()
    for _, _, _, _, thread, b, e, state in lines_of(prv_of(made, "LU-for"), 1):
        if state == 1 and b < end and e > begin:
            running[thread] += min(e, end) - max(b, begin)
    for thread in range(1, 5):
        share, idle = table[f"THREAD 1.1.{thread}"]
        assert share == pytest.approx(100 * running[thread] / (end - begin), abs=0.01) and share + idle == pytest.approx(100)
    assert table["Total"][0] == pytest.approx(sum(table[f"THREAD 1.1.{thread}"][0] for thread in range(1, 5)))
    assert table["Average"][0] == pytest.approx(table["Total"][0] / 4) and table["Average"][0] > 40


def test_memory(made, part):
    """Figure 3: the heap grows by the blocks that threads allocate in the region; stacks are as deep as was ever written, at most."""
    begin, end = part
    calls = [burst for row in bursts_of(made / "figure-3-heap-calls.csv").values() for burst in row if burst[2] > 0]
    assert len([time for time, *_ in calls if begin <= time < end]) >= 5
    (used, *more), = {tuple(row) for row in bursts_of(made / "figure-3-heap-used.csv").values()}
    looks = [(time, value) for time, _, value in (used, *more)]
    (first, before), (last, after) = ([look for look in looks if look[0] <= time][-1] for time in (begin, end))
    sure = [value for time, until, value in calls if first <= time and until <= last]  # which begin and end between the looks
    most = [value for time, until, value in calls if first <= until and time <= last]
    assert len(sure) >= 4 and set(most) == {BLOCK}
    assert len(sure) * BLOCK <= after - before <= len(most) * (BLOCK + 4096)
    stacks, told = bursts_of(made / "figure-3-stack.csv"), collections.defaultdict(collections.Counter)
    for line in lines_of(prv_of(made, "LU-for"), 2):
        for type_, value in zip(line[6::2], line[7::2]):
            told[line[4]][type_] = max(told[line[4]][type_], value)
    for thread in range(1, 5):
        deepest = max(value for _, _, value in stacks[f"THREAD 1.1.{thread}"])
        assert 500 < deepest <= told[thread][STACK_HIGH] < told[thread][STACK_SIZE] == 262144


def test_temperature_and_power(made, part):
    """Figures 4 and 5: the chip gets warmer while processors run; the mean of the power is that of the use of the processors."""
    begin, end = part
    for row in bursts_of(made / "figure-4-temperature.csv").values():
        felt = [(b, value) for b, _, value in row if value]
        assert all(46 <= value <= 54 for _, value in felt)
        at_begin, at_end = ([value for b, value in felt if b <= time][-1] for time in (begin, end))
        assert at_begin < 49 < at_end
    with (made / "table-1.csv").open(encoding="utf-8", newline="") as file:
        total = next(float(cells[0]) for name, *cells in csv.reader(file) if name == "Total")
    for row in bursts_of(made / "figure-5-power.csv").values():
        told = [value for _, _, value in row if value]
        assert all(IDLE_MW - 6 <= 1000 * value <= IDLE_MW + 4 * RUNNING_MW + 6 for value in told)  # the file has hundredths of W
        mean_mw = 1000 * mean_of(row, begin, end)
        assert mean_mw == pytest.approx(IDLE_MW + RUNNING_MW * total / 100, rel=0.2)


def test_tasks(made):
    """Figures 6 and 7: the graph of the program, which is the published one."""
    with (made / "figure-6.csv").open(encoding="utf-8", newline="") as file:
        figures = dict(csv.reader(file))
    assert {name: figures[name] for name in ("tasks", "dependences", "alone", "height", "width")} == {
        "tasks": "39", "dependences": "70", "alone": "0", "height": "13", "width": "9"}
    assert (made / "figure-6.dot").read_text(encoding="utf-8").count("->") == 70
    assert len(lines_of(prv_of(made, "LU-tasks"), 3)) == 70
    shown = bursts_of(made / "figure-7-openmp-tasks.csv")
    assert len(shown) == 4 and len({value for row in shown.values() for _, _, value in row if value}) == 4


def test_bus(made):
    """Figure 8: an eighth of the cycles for each processor that runs, which are at least those that the states say: a thread that
    waits for a processor of the busy machine runs in the model; a longer period has fewer values."""
    means, n_values = {}, {}
    for figure in ("figure-8a", "figure-8b"):
        rows = bursts_of(made / f"{figure}-ahb-use.csv")
        values = [burst for row in rows.values() for burst in row if burst[2]]
        n_values[figure] = len(values)
        length = sum(end - begin for begin, end, _ in values)
        # The emulator may stop between the reads of two counters, so that some ratios are wrong.
        sound = sum(end - begin for begin, end, value in values if 0.05 < value < 0.51)
        assert len(rows) == 4 and sound > 0.9 * length
        means[figure] = sum((end - begin) * value for begin, end, value in values) / length
        functions = bursts_of(made / f"{figure}-openmp-regions.csv")
        assert len({value for row in functions.values() for _, _, value in row if value}) == 4
    assert n_values["figure-8a"] > 5 * n_values["figure-8b"] > 0
    states = [line[5:8] for line in lines_of(prv_of(made, "Images, sampled at 10 ms"), 1)]
    length = max(end for _, end, _ in states) - min(begin for begin, _, _ in states)
    running = sum(end - begin for begin, end, state in states if state == 1) / length
    assert running / 8 - 0.05 < means["figure-8a"] < 0.51
