# SPDX-License-Identifier: GPL-3.0-or-later
"""Joules of sensors, ranks and regions of a trace, held against a computation by hand from its lines; two published figures of power.

All sensors are a tree of files in the place of the machine's (tests/sensor_tree.py).
"""
import bisect
import collections
import csv
import io
import re
import sys

import pytest

from sensor_tree import SensorTree

RUNNING, REGION, POWER, ENERGY, PACKAGE = 1, 92000010, 92011000, 92012000, 92010100


def read_trace(path):
    """The readings of power and energy in time, the rows' stretches of running, and of each region's value; the end."""
    readings, running, regions = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(list)
    open_since = {}
    for line in path.read_text().splitlines():
        if line[:2] not in ("1:", "2:"):
            continue
        task, _, *fields = (int(field) for field in line.split(":")[3:])
        if line[:2] == "1:":
            begin, end, state = fields
            if state == RUNNING:
                running[task].append((begin, end))
            continue
        time, *pairs = fields
        for type_, value in zip(pairs[::2], pairs[1::2]):
            if type_ == REGION and value:
                open_since[task] = time, value
            elif type_ == REGION:
                begin, value = open_since.pop(task)
                regions[task].append((begin, time, value))
            elif type_ in (POWER, ENERGY, PACKAGE):
                readings[type_].append((time, value))
    end = int(re.search(r":(\d+)_ns", path.read_text())[1])
    return readings, running, regions, end


def lasts(stretches, time):
    """The stretch that a moment is in."""
    at = bisect.bisect_right([stretch[0] for stretch in stretches], time) - 1
    return stretches[at] if at >= 0 and time < stretches[at][1] else None


def by_hand(path):
    """Joules by (measure, task, region), from one change of anything to the next."""
    readings, running, regions, end = read_trace(path)
    joules = collections.Counter()
    edges = {0, end, *(time for time, _ in readings[POWER])}
    for stretches in (*running.values(), *regions.values()):
        edges.update(time for stretch in stretches for time in stretch[:2])
    edges = sorted(edges)
    times = [time for time, _ in readings[POWER]]
    assert times == [time for time, _ in readings[ENERGY]]
    for begin, until in zip(edges, edges[1:]):
        at = bisect.bisect_left(times, until)
        if at == len(times):
            break  # nobody read what is after the last reading
        seconds = (until - begin) / 1e9
        power_j = readings[POWER][at][1] / 1e3 * seconds
        energy_j = readings[ENERGY][at][1] / 1e6 * (until - begin) / (times[at] - (times[at - 1] if at else 0))
        at_work = [task for task in regions if lasts(running[task], begin)]
        for task in regions:
            region = lasts(regions[task], begin)
            region = region[2] if region else 0
            joules["power", task, region] += power_j
            joules["energy", task, region] += energy_j
            joules["power-share", task, region] += power_j / len(at_work or regions) * (task in at_work or not at_work)
    return joules


@pytest.fixture
def phases(run, tandem, root, compile_program, build_dir, mpirun, tmp_path):
    """A trace of two ranks with two regions each, on a tree that follows the load."""
    api = build_dir / "runtime"
    program = compile_program("phases", mpi=True, libraries=(f"-L{api}", "-ltandem-api", f"-Wl,-rpath,{api}"))
    run(sys.executable, root / "tests" / "sensor_tree.py", tmp_path / "tree", "--", tandem, "record", "-o", "out.prv", "--keep",
        "--sensors", "all", "--sensors-period", "20ms", "--", *mpirun(2), program, check=True)
    run(tandem, "check", "out.prv", check=True)
    return tmp_path / "out.prv"


def test_joules_of_regions(phases, run, tandem, tmp_path):
    """The readings stand in the row of a rank, though a process without one may have read them."""
    expected = by_hand(phases)
    names = {"End": 0, "calm": 0, "busy": 0, **{name: int(value) for value, name in re.findall(
        r"^(\d+) +(calm|busy)$", phases.with_suffix(".pcf").read_text(), re.M)}}
    for view in "power", "energy", "power-share":
        said = run(tandem, "histogram", phases, "--view", "user-events", "--data", view, "--statistic", "integral", "--csv", "-",
                   check=True).stdout
        header, *lines = csv.reader(io.StringIO(said))
        assert len(header) == 4 and all(cell.endswith(" [J]") for cell in header[1:])
        for task, line in enumerate(lines[:2], 1):
            for name, cell in zip(header[1:], line[1:]):
                assert float(cell) == pytest.approx(expected[view, task, names[name[:-4]]], rel=1e-6, abs=1e-9), (view, task, name)
    told = run(tandem, "stat", phases, check=True).stdout
    shares = [sum(j for (view, of, _), j in expected.items() if (view, of) == ("power-share", task)) for task in (1, 2)]
    for task, share in enumerate(shares, 1):
        said = re.search(rf"^  TASK 1\.{task} +(\S+) (m?)J +(\S+) %", told, re.M)
        assert float(said[1]) * (1e-3 if said[2] else 1) == pytest.approx(share, rel=1e-3)
        assert float(said[3]) == pytest.approx(100 * share / sum(shares), abs=0.01)
    said = re.search(r"^  Power of the node \(RAPL, packages, fixture\) .* (\S+) (m?)J$", told, re.M)
    whole = sum(j for (view, of, _), j in expected.items() if (view, of) == ("energy", 1))
    assert float(said[1]) * (1e-3 if said[2] else 1) == pytest.approx(whole, rel=1e-3)

    run(tandem, "merge", "--jobs", "3", "-o", "ranks.prv", "out.tandem", check=True)
    assert (tmp_path / "ranks.prv").read_bytes() == phases.read_bytes()


def test_published_power(run, tandem, root, tmp_path):
    """The GR740 while four cores run, and on average for its published profile: 1045.28 and 944.5 mW."""
    tree = SensorTree(tmp_path / "tree")
    figures = {}
    for name, running in ("profile", [8847, 8592, 8856, 8133]), ("all", [10000] * 4):
        tree.set_ticks([(share, 10000 - share) for share in running])
        run(tandem, "record", "-o", f"{name}.prv", "--sensors", "power", "--sensors-period", "20ms",
            "--power-model", root / "data" / "power-models" / "gr740.txt", "--", "sleep", "0.4",
            env={"TANDEM_SYSFS_ROOT": tree.root}, check=True)
        told = run(tandem, "stat", f"{name}.prv", check=True).stdout
        line = re.search(r"^  Power of the node \(modelled: GR740, fixture\)  +(.*)$", told, re.M)[1].split()
        figures[name] = [float(number) * {"mW": 1, "W": 1000}[unit] for number, unit in zip(line[:6:2], line[1:6:2])]
    least, mean, most = figures["profile"]  # the trace has whole milliwatts
    assert least == most == pytest.approx(944.5, abs=0.5) and mean == pytest.approx(944.5, rel=0.1)
    least, mean, most = figures["all"]
    assert least == most == pytest.approx(1045.28, abs=0.5) and mean == pytest.approx(1045.28, rel=0.1)
