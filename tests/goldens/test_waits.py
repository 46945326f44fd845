# SPDX-License-Identifier: GPL-3.0-or-later
"""Wait states of random programs, whose simulator knows what each operation needs: the views `wait-states` and `waits-for`."""
import csv
import os
import random

import pytest

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


def bursts(run, tandem, path, view):
    """{rank: [(begin, end, value)]} of what is not 0."""
    rows = {}
    for name, begin, duration, value, _ in list(csv.reader(run(tandem, "timeline", path, "--view", view, check=True).stdout.splitlines()))[1:]:
        begin = int(float(begin))
        if float(value):
            rows.setdefault(int(name.split(".")[1]) - 1, []).append((begin, begin + int(float(duration)), int(float(value))))
    return rows


@pytest.mark.parametrize("number", range(N_PROGRAMS))
def test_random_programs(tandem, run, tmp_path, number):
    rng = random.Random(f"waits {SEED} {number}")
    n_ranks = rng.randint(2, 5)
    simulation = Watched(make_program(rng, n_ranks, rng.randint(1, 40)), Network(latency=700, bandwidth=2e9), noise=lambda: rng.randint(1, 400))
    assert simulation.run()
    write_trace(tmp_path / "run.prv", simulation)
    kinds, causes = (bursts(run, tandem, tmp_path / "run.prv", view) for view in ("wait-states", "waits-for"))
    for rank in range(n_ranks):
        waits = simulation.waits(rank)
        assert [wait[:2] for wait in waits] == [burst[:2] for burst in kinds.get(rank, [])]
        for (_, _, last), (_, _, number) in zip(waits, causes.get(rank, [])):
            assert number - 1 in last


def test_order(tandem, run, tmp_path):
    """A message that was sent first is received last: the first receive waits in the wrong order, the second one not."""
    lines = ["2:1:1:1:1:100:50000001:1", "2:1:1:1:1:110:50000001:0", "3:1:1:1:1:100:110:2:1:2:1:520:530:8:1",
             "2:1:1:1:1:500:50000001:1", "2:1:1:1:1:510:50000001:0", "3:1:1:1:1:500:510:2:1:2:1:200:515:8:2",
             "2:2:1:2:1:200:50000001:2", "2:2:1:2:1:515:50000001:0", "2:2:1:2:1:520:50000001:2", "2:2:1:2:1:530:50000001:0"]
    (tmp_path / "run.prv").write_text("#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),0\n" + "\n".join(lines) + "\n")
    assert bursts(run, tandem, tmp_path / "run.prv", "wait-states") == {1: [(200, 500, WRONG_ORDER)]}
