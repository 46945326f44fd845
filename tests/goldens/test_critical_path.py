# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem report --critical-path` of runs whose path is known by construction."""
import random
import re

import pytest

import resident

UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}
RUNNING, RECEIVE, SEND = 1, 3, 4


class Writer:
    """Ranks that compute in regions and send each other messages; each has a clock."""

    def __init__(self, n_ranks):
        self.clock = [0] * n_ranks
        self.lines = []
        self.on_path = {}

    def place(self, rank):
        return f"{rank + 1}:1:{rank + 1}:1"

    def event(self, rank, *pairs):
        self.lines.append((self.clock[rank], 2, f"2:{self.place(rank)}:{self.clock[rank]}:" + ":".join(f"{t}:{v}" for t, v in pairs)))

    def state(self, rank, duration, state):
        begin = self.clock[rank]
        self.clock[rank] += duration
        self.lines.append((begin, 1, f"1:{self.place(rank)}:{begin}:{self.clock[rank]}:{state}"))

    def compute(self, rank, region, duration):
        self.event(rank, (92000010, region))
        self.state(rank, duration, RUNNING)
        self.event(rank, (92000010, 0))

    def message(self, sender, receiver, takes):
        """The receive ends `takes` after both have come."""
        sent, posted = self.clock[sender], self.clock[receiver]
        received = max(sent, posted) + takes
        self.event(receiver, (50000001, 2))
        self.state(receiver, received - posted, RECEIVE)
        self.event(receiver, (50000001, 0))
        self.event(sender, (50000001, 1))
        self.state(sender, 10, SEND)
        self.event(sender, (50000001, 0))
        self.lines.append((sent, 3, f"3:{self.place(sender)}:{sent}:{sent + 10}:{self.place(receiver)}:{posted}:{received}:8:1"))

    def write(self, path, regions):
        n, end = len(self.clock), max(self.clock)
        head = f"#Paraver (01/01/2026 at 12:00):{end}_ns:1({n}):1:{n}({','.join(['1:1'] * n)}),0\n"
        path.write_text(head + "".join(line + "\n" for _, _, line in sorted(self.lines, key=lambda line: line[:2])))
        path.with_suffix(".pcf").write_text("EVENT_TYPE\n0 92000010 Region\nVALUES\n0 End\n" + "".join(f"{i} {name}\n" for i, name in regions.items()))


def functions_on_path(text):
    """{function: (time on the path, gain)} in ns."""
    found = {}
    for line in text.split("Functions on it")[1].splitlines()[2:]:
        words = re.match(r" +([\d.,]+) ([mun]?s) +[\d.]+ % +([\d.,]+) ([mun]?s) +-?[\d.]+ %  its calls +(\w+)$", line)
        found[words[5]] = tuple(float(words[i].replace(",", "")) * UNITS[words[i + 1]] for i in (1, 3))
    return found


def test_known_path(tandem, tmp_path):
    """Rank 0 sets up, 1 solves, 2 writes; meanwhile the others do what is not on the path."""
    writer = Writer(3)
    writer.compute(0, 1, 4_000_000)
    writer.compute(1, 4, 3_000_000)
    writer.message(0, 1, 1000)
    writer.compute(1, 2, 20_000_000)
    writer.compute(0, 4, 19_000_000)
    writer.message(1, 2, 1000)
    writer.compute(2, 3, 6_000_000)
    writer.write(tmp_path / "run.prv", {1: "set_up", 2: "solve", 3: "write", 4: "beside"})
    report = resident.run(tandem, "report", "--critical-path", "--all", tmp_path / "run.prv", check=True).stdout
    assert "The critical path of 30 ms: 3 pieces" in report
    found = functions_on_path(report)
    assert set(found) == {"set_up", "solve", "write"}
    for name, time in {"set_up": 4e6, "solve": 20e6, "write": 6e6}.items():
        assert found[name] == (pytest.approx(time, rel=1e-3), pytest.approx(0.1 * time, rel=1e-3)), report


def test_one_thread(tandem, tmp_path):
    """Nobody waits for another one."""
    writer = Writer(2)
    writer.compute(0, 1, 1_000_000)
    writer.compute(1, 2, 5_000_000)
    writer.write(tmp_path / "run.prv", {1: "short", 2: "long"})
    report = resident.run(tandem, "report", "--critical-path", tmp_path / "run.prv", check=True).stdout
    assert "The critical path of 5 ms: all of it on one thread\n" in report and set(functions_on_path(report)) == {"long"}


def test_second_path(tandem, tmp_path):
    """Two ranks of nearly the same length: what is gained on one ends where the other one is the longer."""
    writer = Writer(2)
    writer.compute(0, 1, 10_000_000)
    writer.compute(1, 2, 9_600_000)
    writer.message(0, 1, 1000)
    writer.compute(1, 3, 1_000_000)
    writer.write(tmp_path / "run.prv", {1: "long", 2: "short", 3: "end"})
    report = resident.run(tandem, "report", "--critical-path", "--all", tmp_path / "run.prv", check=True).stdout
    found = functions_on_path(report)
    assert set(found) == {"long", "end"}
    assert found["long"] == (pytest.approx(10e6, rel=1e-3), pytest.approx(0.4e6, rel=1e-2)), report


@pytest.mark.parametrize("seed", range(20))
def test_random_chains(tandem, tmp_path, seed):
    """A baton goes round at random; who has it computes, and the others wait for it, or compute less."""
    rng = random.Random(f"chain {seed}")
    writer = Writer(rng.randint(2, 5))
    expected = {}
    holder = rng.randrange(len(writer.clock))
    for _ in range(rng.randint(1, 12)):
        region, time = rng.randint(1, 4), rng.randint(100_000, 900_000)
        writer.compute(holder, region, time)
        expected[f"f{region}"] = expected.get(f"f{region}", 0) + time
        after = rng.choice([rank for rank in range(len(writer.clock)) if rank != holder])
        free = writer.clock[holder] - writer.clock[after]
        if free > 2000 and rng.random() < 0.5:
            writer.compute(after, 5, rng.randint(1, free - 1000))
        writer.message(holder, after, rng.randint(1, 500))
        holder = after
    writer.compute(holder, 1, 100_000)
    expected["f1"] = expected.get("f1", 0) + 100_000
    writer.write(tmp_path / "run.prv", {i: f"f{i}" for i in range(1, 6)})
    found = functions_on_path(resident.run(tandem, "report", "--critical-path", "--all", tmp_path / "run.prv", check=True).stdout)
    assert {name: time for name, (time, _) in found.items()} == pytest.approx(expected, rel=1e-3)
