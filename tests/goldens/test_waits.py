# SPDX-License-Identifier: GPL-3.0-or-later
"""Wait states of random programs, whose simulator knows what each operation needs: the views `wait-states` and `waits-for`."""
import csv
import os
import random
import re

import pytest

import resident
from programs_of_messages import Network, Simulation, make_program, write_trace

N_PROGRAMS = int(os.environ.get("TANDEM_RANDOM_TRACES", 40))
WRONG_ORDER = 2  # the value of the view
SEED = int(os.environ.get("TANDEM_RANDOM_SEED", 1))


class Watched(Simulation):
    """Notes of each operation when the last thing that it needs began, and on which rank."""

    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        self.needed = {}

    def begin(self, now, rank):
        at = (rank, len(self.begins[rank]))
        op = self.program[rank][at[1]]
        opened = list(self.open[rank])
        super().begin(now, rank)
        self.needed[at] = [op, opened]

    def messages_of(self, at, side):
        return [message for message, entry in self.messages.items() if entry.get(side) == at]

    def causes(self, at):
        """[(time, rank)] that the operation waits for."""
        rank, index = at
        op, opened = self.needed[at]
        begin, end = self.begins[rank][index], self.ends[rank][index]
        causes = [(self.sent[message], message[0]) for message in self.messages_of(at, "completion")]
        if op.kind in ("send", "ssend", "sendrecv"):
            causes += [(self.posted[message], message[1]) for message in self.messages_of(at, "send")
                       if begin < self.posted[message] <= end]
        kind = "ibarrier" if op.kind == "wait" else op.kind
        if kind in ("barrier", "allreduce", "bcast", "reduce", "ibarrier") and op.kind != "ibarrier":
            number = sum(other.kind == op.kind for other in self.program[rank][: index + 1])
            come = [(time, other) for other, time in self.come[kind, number].items()]
            if op.kind == "bcast":
                come = [(time, other) for time, other in come if other == op.root and other != rank]
            if op.kind == "reduce" and rank != op.root:
                come = []
            causes += come
        return causes

    def waits(self, rank):
        """[(begin, end, ranks that came last)]."""
        found = []
        for index, begin in enumerate(self.begins[rank]):
            causes = self.causes((rank, index))
            last = max([time for time, _ in causes], default=0)
            if last > begin:
                found.append((begin, last, {other for time, other in causes if time == last}))
        return found


def bursts(tandem, path, view):
    """{rank: [(begin, end, value)]} of what is not 0."""
    rows = {}
    for name, begin, duration, value, _ in list(csv.reader(resident.run(tandem, "timeline", path, "--view", view, check=True).stdout.splitlines()))[1:]:
        begin = int(float(begin))
        if float(value):
            rows.setdefault(int(name.split(".")[1]) - 1, []).append((begin, begin + int(float(duration)), int(float(value))))
    return rows


@pytest.mark.parametrize("number", range(N_PROGRAMS))
def test_random_programs(tandem, tmp_path, number):
    rng = random.Random(f"waits {SEED} {number}")
    n_ranks = rng.randint(2, 5)
    simulation = Watched(make_program(rng, n_ranks, rng.randint(1, 40)), Network(latency=700, bandwidth=2e9), noise=lambda: rng.randint(1, 400))
    assert simulation.run()
    write_trace(tmp_path / "run.prv", simulation)
    kinds, causes = (bursts(tandem, tmp_path / "run.prv", view) for view in ("wait-states", "waits-for"))
    for rank in range(n_ranks):
        waits = simulation.waits(rank)
        assert [wait[:2] for wait in waits] == [burst[:2] for burst in kinds.get(rank, [])]
        for (_, _, last), (_, _, number) in zip(waits, causes.get(rank, [])):
            assert number - 1 in last


def test_order(tandem, tmp_path):
    """A message that was sent first is received last: the first receive waits in the wrong order, the second one not."""
    lines = ["2:1:1:1:1:100:50000001:1", "2:1:1:1:1:110:50000001:0", "3:1:1:1:1:100:110:2:1:2:1:520:530:8:1",
             "2:1:1:1:1:500:50000001:1", "2:1:1:1:1:510:50000001:0", "3:1:1:1:1:500:510:2:1:2:1:200:515:8:2",
             "2:2:1:2:1:200:50000001:2", "2:2:1:2:1:515:50000001:0", "2:2:1:2:1:520:50000001:2", "2:2:1:2:1:530:50000001:0"]
    (tmp_path / "run.prv").write_text("#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),0\n" + "\n".join(lines) + "\n")
    assert bursts(tandem, tmp_path / "run.prv", "wait-states") == {1: [(200, 500, WRONG_ORDER)]}


FUNCTIONS = ["copy", "PMPI_Send", "mpi_send_", "exchange", "main", "_start", "step"]


def sample(rank, time, weight, *frames):
    pairs = "".join(f":{30000000 + depth}:{1 + FUNCTIONS.index(name)}" for depth, name in enumerate(frames))
    return f"2:{rank}:1:{rank}:1:{time}{pairs}:92000001:{weight}:92000002:{len(frames)}"


@pytest.mark.parametrize("inside, text", [(True, "75 % of its samples: called by exchange < main"), (False, "100 % of its samples: before it, step < main")])
def test_a_call_is_blamed_with_who_calls_it(tandem, tmp_path, inside, text):
    """Rank 0 is in a send of which the trace has no message for 50 ms, and then sends one; no call paths are recorded."""
    lines = [(0, "1:1:1:1:1:0:10000000:1"), (0, "1:2:1:2:1:0:10000000:1"), (10000000, "1:1:1:1:1:10000000:62000000:4"),
             (10000000, "1:2:1:2:1:10000000:62000000:3"), (5000000, sample(1, 5000000, 9000, "step", "main", "_start")),
             (10000000, "2:1:1:1:1:10000000:50000001:1"), (10000000, "2:2:1:2:1:10000000:50000001:2"),
             (60000000, "2:1:1:1:1:60000000:50000001:0"), (61000000, "2:1:1:1:1:61000000:50000001:1"),
             (61000000, "3:1:1:1:1:61000000:61000000:2:1:2:1:10000000:62000000:8:1"), (62000000, "2:1:1:1:1:62000000:50000001:0"),
             (62000000, "2:2:1:2:1:62000000:50000001:0")]
    if inside:
        lines += [(20000000, sample(1, 20000000, 3000, "copy", "PMPI_Send", "mpi_send_", "exchange", "main", "_start")),
                  (30000000, sample(1, 30000000, 1000, "copy", "PMPI_Send", "step", "main", "_start")),
                  (40000000, sample(1, 40000000, 9000, "copy", "main", "_start"))]
    (tmp_path / "run.prv").write_text("#Paraver (01/01/2026 at 12:00):62000000_ns:1(2):1:2(1:1,1:1)\n" + "".join(f"{line}\n" for _, line in sorted(lines)))
    (tmp_path / "run.pcf").write_text("EVENT_TYPE\n0 30000000 Sampled functions\nVALUES\n" + "".join(f"{number} {name}\n" for number, name in enumerate(FUNCTIONS, 1))
                                      + "\nEVENT_TYPE\n0 50000001 MPI Point-to-point\nVALUES\n0 End\n1 MPI_Send\n2 MPI_Recv\n")
    report = resident.run(tandem, "report", "--causes", "run.prv", check=True, cwd=tmp_path).stdout.splitlines()
    at = next(number for number, line in enumerate(report) if line.endswith("in MPI_Send"))
    assert report[at + 1].strip() == text, report
    path = resident.run(tandem, "report", "--critical-path", "run.prv", check=True, cwd=tmp_path).stdout
    assert re.search(rf" in MPI_Send\n +{text}\n", path), path
