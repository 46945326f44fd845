# SPDX-License-Identifier: GPL-3.0-or-later
"""On which CPUs threads run, and how deep they are in their stacks, of programs that choose both."""
import os
import re

import pytest

REGION, CPU, DEPTH, HIGH, SIZE = 92000010, 40000033, 92020100, 92020101, 92020102
OURS = 16384  # of a stack that a frame, libc, a signal's frame and the library may have taken beside the program's array


@pytest.fixture
def record(run, tandem, build_dir, compile_program):
    api = build_dir / "runtime"
    program = compile_program("places", libraries=(f"-L{api}", "-ltandem-api", f"-Wl,-rpath,{api}"))

    def record_one(*arguments, options=()):
        run(tandem, "record", "-o", "out.prv", *options, "--", program, *arguments, check=True)
        run(tandem, "check", "out.prv", check=True)
        return run(tandem, "stat", "out.prv", check=True).stdout

    return record_one


def lines_of(path):
    """(row, time, CPU field, [(type, value), ...]) of the event lines."""
    for line in path.read_text().splitlines():
        if line.startswith("2:"):
            cpu, *place, time = (int(field) for field in line.split(":")[1:6])
            values = [int(field) for field in line.split(":")[6:]]
            yield place[2], time, cpu, list(zip(values[::2], values[1::2]))


def labels(path, type_):
    """{value: label} of a type in the .pcf."""
    block = re.search(rf"^0 +{type_} .*\nVALUES\n((?:-?\d+ .*\n)+)", path.read_text(), re.M)
    return {int(value): label for value, label in re.findall(r"^(-?\d+) +(.*)$", block[1], re.M)}


def test_cpus(record, tmp_path):
    """With one CPU only there is no migration to see, but all else is the same."""
    allowed = sorted(os.sched_getaffinity(0))
    first, second = allowed[0], allowed[-1]
    said = record("cpus", first, second)
    names = labels(tmp_path / "out.pcf", REGION)
    seen, told, n_migrations = [], None, 0
    for _, _, cpu, values in lines_of(tmp_path / "out.prv"):
        for type_, value in values:
            if type_ == CPU and value:
                n_migrations += told not in (None, value)
                told = value
        for type_, value in values:
            if type_ == REGION:
                seen.append((names.get(value, "end") if value else "end", cpu, told))
    each = [("first", first + 1), ("end", first + 1), ("second", second + 1), ("end", second + 1)]
    assert seen == [(name, cpu, cpu) for name, cpu in each * 2]
    assert n_migrations >= (3 if first != second else 0)
    assert re.search(rf"ran on     \d+ CPUs?; {n_migrations} migrations? seen", said), said
    # A state has a CPU only if its thread was on no other: none that lasted over a migration.
    migrations = [time for _, time, _, values in lines_of(tmp_path / "out.prv") for type_, value in values if type_ == CPU]
    n_cpus = int(re.match(r"#Paraver [^)]*\):\d+_ns:1\((\d+)\)", (tmp_path / "out.prv").read_text())[1])
    for line in (tmp_path / "out.prv").read_text().splitlines():
        if line.startswith("1:"):
            cpu, _, _, _, begin, end, _ = (int(field) for field in line.split(":")[1:])
            assert cpu <= n_cpus
            assert cpu == 0 or first == second or not any(begin < time < end for time in migrations[1:-1])


def test_stacks(record, tmp_path):
    said = record("stacks", options=("--stack",))
    names = labels(tmp_path / "out.pcf", REGION)
    at_begin, marks, sizes, depth = {}, {}, {}, {}
    lives = {}  # row -> names of the regions of the thread that lives in it
    for row, _, _, values in lines_of(tmp_path / "out.prv"):
        for type_, value in values:
            if type_ == DEPTH:
                depth[row] = value
        for type_, value in values:
            if type_ == SIZE and value:
                sizes[row] = value
                lives[row] = []
            elif type_ == REGION and value:
                at_begin[names[value]] = depth.get(row, 0)
                lives[row].append(names[value])
            elif type_ == HIGH:
                marks[lives[row][-1]] = value
    # On a stack that is not the thread's there is no depth, and after it there is again.
    assert at_begin["coroutine"] == at_begin["signal"] == 0 < at_begin["back"] < OURS
    arrays = {name: int(name.split()[-1]) for name in at_begin if name[-1] == "0"}
    assert len(arrays) == 6
    for name, n_bytes in arrays.items():
        assert n_bytes < at_begin[name] < n_bytes + OURS, name
    # What was used is told of all but the stack that was not empty before; of the one that lives on, too.
    assert marks.keys() == arrays.keys() - {"used stack 50000"}
    for name, mark in marks.items():
        assert at_begin[name] <= mark < at_begin[name] + OURS, name
    assert set(sizes) == {1, 2}
    assert re.search(r"^  THREAD 1\.1\.2 .* three 1000000$", said, re.M), said
    regions = said[said.index("region, while it was the innermost"):].splitlines()[1:]
    assert [re.match(r"  (\w+)", line)[1] for line in regions[:6]] == ["three", "main", "lingers", "two", "used", "one"]
