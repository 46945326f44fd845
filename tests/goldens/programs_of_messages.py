# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs of messages and collectives, a naive simulator of them, and the trace that such a run leaves.

The simulator knows the program, not the trace: which send meets which receive follows from the order of both, as MPI says.
It looks at all ranks for the one whose next operation begins first, and keeps everything in dictionaries.
"""
import collections
import math

COLLECTIVES = {"barrier": 8, "bcast": 7, "reduce": 9, "allreduce": 10, "ibarrier": 156}
CALLS = {"send": 1, "recv": 2, "isend": 3, "irecv": 4, "wait": 5, "waitall": 6, "ssend": 34, "sendrecv": 41}

Operation = collections.namedtuple("Operation", "kind compute peer size tag root", defaults=(0, 0, 0, 0, 0))
Network = collections.namedtuple("Network", "latency bandwidth buses eager ranks_per_node local_latency", defaults=(0, math.inf, 0, 10**9, 1, 0))


def make_program(random, n_ranks, n_steps):
    """The operations of each rank: it computes, then calls.  In this order the program runs with messages that are buffered; with
    others it may come to a deadlock."""
    ranks = [[] for _ in range(n_ranks)]
    late = []  # receives that are still to be appended

    def add(rank, kind, **more):
        ranks[rank].append(Operation(kind, random.randint(1, 2000), **more))

    def receive(how_many):
        for _ in range(min(how_many, len(late))):
            rank, kind, peer, tag = late.pop(random.randrange(len(late)))
            add(rank, kind, peer=peer, tag=tag)

    for _ in range(n_steps):
        what = random.random()
        one, other = random.sample(range(n_ranks), 2)
        size, tag = random.choice([0, 8, 500, 20000, 300000]), random.randint(1, 3)
        if what < 0.55:
            add(one, random.choice(["send", "isend"]), peer=other, size=size, tag=tag)
            late.append((other, random.choice(["recv", "irecv"]), one, tag))
        elif what < 0.6:
            add(one, "ssend", peer=other, size=size, tag=8)
            add(other, "recv", peer=one, tag=8)
        elif what < 0.7:
            for a, b in ((one, other), (other, one)):
                add(a, "sendrecv", peer=b, size=size, tag=9)
        elif what < 0.8:
            add(one, "waitall")
        elif what < 0.95:
            kind = random.choice(["barrier", "bcast", "reduce", "allreduce"])
            root, bytes_ = random.randrange(n_ranks), random.choice([8, 4000]) if kind != "barrier" else 0
            for rank in range(n_ranks):
                add(rank, kind, size=bytes_, root=root)
        else:
            for kind in ("ibarrier", "wait"):
                for rank in range(n_ranks):
                    add(rank, kind)
        receive(random.choice([0, 0, 1, 2]))
    receive(len(late))
    for rank in range(n_ranks):
        add(rank, "waitall")
    return ranks


class Simulation:
    """begins[rank][i], ends[rank][i]: of each operation; None: a deadlock kept it from ending."""

    def __init__(self, program, network, noise=lambda: 0):
        self.program, self.network, self.noise = program, network, noise
        n = len(program)
        self.begins, self.ends = [[] for _ in range(n)], [[] for _ in range(n)]
        self.clock = [ops[0].compute for ops in program]
        self.waiting = [None] * n  # what the rank still waits for, a list of keys of self.known
        self.known = {}  # ("arrives", message) or ("left", message) or ("released", collective) -> time
        self.sent, self.posted = {}, {}  # (from, to, tag, number) -> time
        self.numbers = collections.Counter()
        self.open = [[] for _ in range(n)]  # messages of receives that were not waited for
        self.come = collections.defaultdict(dict)
        self.buses = [0] * network.buses
        self.messages = {}  # message -> [sender's operation, receiver's post, receiver's completion, size]

    def run(self):
        while True:
            ready = [(clock, rank) for rank, clock in enumerate(self.clock) if self.waiting[rank] is None and len(self.begins[rank]) < len(self.program[rank])]
            if not ready:
                break
            self.begin(*min(ready))
        return all(len(ends) == len(ops) for ends, ops in zip(self.ends, self.program))

    def message(self, sender, receiver, tag, side):
        key = (side, sender, receiver, tag)
        self.numbers[key] += 1
        return sender, receiver, tag, self.numbers[key]

    def try_transfer(self, message, now):
        entry = self.messages[message]
        if ("arrives", message) in self.known or message not in self.sent:
            return
        if entry["rendezvous"] and message not in self.posted:
            return
        node = lambda rank: rank // self.network.ranks_per_node
        moving, latency = (math.floor(entry["size"] * 1e9 / self.network.bandwidth + 0.5), self.network.latency)
        start = now
        if node(message[0]) == node(message[1]):
            moving, latency = 0, self.network.local_latency
        elif self.buses:
            bus = self.buses.index(min(self.buses))
            start = max(now, self.buses[bus])
            self.buses[bus] = start + moving
        self.known["left", message] = start + moving
        self.known["arrives", message] = start + moving + latency

    def begin(self, now, rank):
        op = self.program[rank][len(self.begins[rank])]
        at = (rank, len(self.begins[rank]))
        self.begins[rank].append(now)
        needs = []
        if op.kind in COLLECTIVES:
            needs += self.join(op, rank, now)
        if op.kind == "wait":
            needs.append(("released", "ibarrier", self.numbers["joined", "ibarrier", rank]))
        if op.kind in ("recv", "irecv", "sendrecv"):
            message = self.message(op.peer, rank, op.tag, "receive")
            self.posted[message] = now
            entry = self.messages.setdefault(message, {})
            entry["post"] = at
            if op.kind == "irecv":
                self.open[rank].append(message)
            else:
                needs.append(("arrives", message))
                entry["completion"] = at
            self.try_transfer(message, now)
        if op.kind in ("send", "ssend", "isend", "sendrecv"):
            message = self.message(rank, op.peer, op.tag, "send")
            self.sent[message] = now
            entry = self.messages.setdefault(message, {})
            entry.update(send=at, size=op.size, rendezvous=op.kind == "ssend" or op.size > self.network.eager)
            if entry["rendezvous"] and op.kind != "isend":
                needs.append(("left", message))
            self.try_transfer(message, now)
        if op.kind == "waitall":
            for message in self.open[rank]:
                needs.append(("arrives", message))
                self.messages.setdefault(message, {})["completion"] = at
            self.open[rank] = []
        self.waiting[rank] = needs
        self.settle()

    def join(self, op, rank, now):
        self.numbers["joined", op.kind, rank] += 1
        number = self.numbers["joined", op.kind, rank]
        come = self.come[op.kind, number]
        come[rank] = now
        n = len(self.program)
        cost = math.ceil(math.log2(n)) * (self.network.latency + math.floor(op.size * 1e9 / self.network.bandwidth + 0.5))
        if op.kind == "bcast":
            if rank == op.root:
                self.known["released", op.kind, number] = now + cost
                return []
            return [("released", op.kind, number)]
        if len(come) == n:
            self.known["released", op.kind, number] = max(come.values()) + cost
        waits = op.kind != "ibarrier" and (op.kind != "reduce" or rank == op.root)
        return [("released", op.kind, number)] if waits else []

    def settle(self):
        for rank, needs in enumerate(self.waiting):
            if needs is not None and all(key in self.known for key in needs):
                self.end(rank, max([self.begins[rank][-1]] + [self.known[key] for key in needs]))

    def end(self, rank, ready):
        end = ready + self.noise()
        self.ends[rank].append(end)
        self.waiting[rank] = None
        ops = self.program[rank]
        self.clock[rank] = end + (ops[len(self.ends[rank])].compute if len(self.ends[rank]) < len(ops) else 0)


def write_trace(path, simulation):
    """The trace of a run: calls, what collectives say, messages."""
    n = len(simulation.program)
    end = max(ends[-1] for ends in simulation.ends) + 1000
    lines = []
    for rank, ops in enumerate(simulation.program):
        at, before = f"{rank + 1}:1:{rank + 1}:1", 0
        for op, begin, leave in zip(ops, simulation.begins[rank], simulation.ends[rank]):
            kind, value = (50000002, COLLECTIVES[op.kind]) if op.kind in COLLECTIVES else (50000001, CALLS[op.kind])
            more = f":50100001:{op.size}:50100002:{op.size}:50100004:1" if kind == 50000002 else ""
            more += ":50100003:1" if op.kind in ("bcast", "reduce") and op.root == rank else ""
            lines.append((before, 1, f"1:{at}:{before}:{begin}:1"))
            lines.append((begin, 1, f"1:{at}:{begin}:{leave}:8"))
            lines.append((begin, 2, f"2:{at}:{begin}:{kind}:{value}{more}"))
            lines.append((leave, 0, f"2:{at}:{leave}:{kind}:0"))
            before = leave
        lines.append((before, 1, f"1:{at}:{before}:{end}:1"))
    for (sender, receiver, tag, _), entry in simulation.messages.items():
        (s, i), (r, p), (_, c) = entry["send"], entry["post"], entry["completion"]
        sent, left = simulation.begins[s][i], simulation.ends[s][i]
        posted, received = simulation.begins[r][p], simulation.ends[r][c]
        lines.append(
            (sent, 3, f"3:{sender + 1}:1:{sender + 1}:1:{sent}:{left}:{receiver + 1}:1:{receiver + 1}:1:{posted}:{received}:{entry['size']}:{tag}")
        )
    places = ",".join("1:1" for _ in range(n))
    head = f"#Paraver (01/01/2026 at 12:00):{end}_ns:1({n}):1:{n}({places}),1\nc:1:1:{n}:" + ":".join(str(i + 1) for i in range(n)) + "\n"
    path.write_text(head + "".join(line + "\n" for _, _, line in sorted(lines, key=lambda line: line[:2])))


def read_calls(path):
    """[rank] -> [(begin, end)] of the calls of a trace; two calls may meet at one time."""
    calls = collections.defaultdict(list)
    open_ = {}
    for line in path.read_text().splitlines():
        words = line.split(":")
        if words[0] != "2":
            continue
        rank, time = int(words[3]) - 1, int(words[5])
        for type_, value in zip(words[6::2], words[7::2]):
            if type_ not in ("50000001", "50000002"):
                continue
            if value != "0":
                open_[rank] = time
            else:
                calls[rank].append((open_[rank], time))
    return [calls[rank] for rank in sorted(calls)]
