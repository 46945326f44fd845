# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI called by OpenMP's threads and tasks at once, by either compiler's OpenMP: messages join the threads that sent and
received them, regions and tasks are counted, and every thread is in the state that it was in."""
import bisect
import collections
import re
import subprocess

import pytest

THREADS, EACH, TURNS, TASKS, REQUESTS = 3, 20, 16, 12, 8  # as in mpi_openmp.c
ANSWER = THREADS * sum(range(EACH)) + 2 * sum(range(THREADS)) + sum(map(sum, map(range, (TURNS, TASKS, REQUESTS))))
PARALLEL, FUNCTION, TASK, P2P, COLLECTIVE = 60000001, 60000018, 60000023, 50000001, 50000002
DEPENDENCE_TAG = 60000001
IDLE, RUNNING, SYNCHRONIZATION = 0, 1, 5
STATES = {  # of a call of MPI, as Extrae has them
    (P2P, 1): 4, (P2P, 2): 3, (P2P, 3): 10, (P2P, 4): 11, (P2P, 5): 8,
    (COLLECTIVE, 8): 13, (COLLECTIVE, 10): 13, (COLLECTIVE, 13): 13}
Message = collections.namedtuple("Message", "sender begun receiver posted received size tag")


class Trace:
    """Rows are (task, thread).  values: {(row, type): [(time, value)]}; states: {row: [(begin, end, state)]}."""

    def __init__(self, path):
        self.values, self.states, self.messages = collections.defaultdict(list), collections.defaultdict(list), []
        for line in path.read_text().splitlines()[1:]:
            if line[0] not in "123":
                continue
            f = [int(field) for field in line.split(":")]
            row = f[3], f[4]
            if f[0] == 1:
                self.states[row].append(tuple(f[5:8]))
            elif f[0] == 2:
                for type_, value in zip(f[6::2], f[7::2]):
                    self.values[row, type_].append((f[5], value))
            else:
                self.messages.append(Message(row, f[5], (f[9], f[10]), f[11], f[12], f[13], f[14]))

    def value(self, row, type_, time):
        """What holds then."""
        changes = self.values[row, type_]
        at = bisect.bisect_right(changes, (time, float("inf")))
        return changes[at - 1][1] if at else 0

    def opened(self, row, type_):
        """[(begin, end, value)] of what is not nothing."""
        changes = self.values[row, type_]
        return [(begin, end, value) for (begin, value), (end, _) in zip(changes, changes[1:]) if value]

    def states_within(self, row, begin, end):
        return {state for b, e, state in self.states[row] if b < end and e > begin}


def check_messages(trace):
    by_tag = collections.defaultdict(list)
    for message in sorted(trace.messages, key=lambda m: m.begun):
        if message.tag != DEPENDENCE_TAG:
            assert message.sender[0] == 1 and message.receiver[0] == 2 and message.size == 4
            assert message.begun < message.received
            by_tag[message.tag].append(message)
    one_each = [*range(100, 100 + TURNS), *range(200, 200 + TASKS), *range(300, 300 + REQUESTS)]
    assert {tag: len(messages) for tag, messages in by_tag.items()} == {
        **{10 + i: EACH for i in range(THREADS)}, **dict.fromkeys(one_each, 1)}
    pairs = {(m.sender, m.receiver) for i in range(THREADS) for m in by_tag[10 + i]}
    assert len(pairs) == len({pair[0] for pair in pairs}) == len({pair[1] for pair in pairs}) == THREADS
    for m in sum(by_tag.values(), []):
        type_ = TASK if m.tag >= 200 else FUNCTION
        # A task may end in the tick of the clock in which the call in it does: what held until then counts.
        assert trace.value(m.sender, type_, m.begun) and trace.value(m.receiver, type_, m.received - 1), m
    links = [m for m in trace.messages if m.tag == DEPENDENCE_TAG]
    assert all(m.sender[0] == m.receiver[0] for m in links) and len(links) == 2 * (TASKS - 1 + REQUESTS)


def check_states(trace):
    for row, states in trace.states.items():
        calls = [(b, e, STATES[type_, value]) for type_ in (P2P, COLLECTIVE) for b, e, value in trace.opened(row, type_)
                 if (type_, value) in STATES and e > b]  # a call within one tick of the clock is no state
        for begin, end, state in calls:
            assert trace.states_within(row, begin, end) == {state}, (row, begin)
        if row[1] > 1:
            for begin, end, _ in (state for state in states if state[2] == IDLE):
                middle = (begin + end) // 2
                assert not trace.value(row, FUNCTION, middle) and not trace.value(row, TASK, middle)
    for rank in (1, 2):
        rows = [row for row in trace.states if row[0] == rank]
        assert len(rows) == THREADS
        waited = sorted(sum(e - b for b, e, state in trace.states[row] if state == SYNCHRONIZATION) for row in rows)
        assert waited[1] > 15e6  # but for one, all in the single that sleeps for 50 ms
        end = trace.values[(rank, 1), PARALLEL][-1][0]  # of what OpenMP does
        idle = [sum(e - b for b, e, state in trace.states[row] if state == IDLE and e < end) for row in sorted(rows)]
        assert idle[0] == 0 and min(idle[1:]) > 15e6


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_threads_and_tasks_call_mpi(run, mpirun, tandem, compile_program, tmp_path, compiler):
    flags, libraries = (subprocess.run(["mpicc", f"--showme:{part}"], capture_output=True, text=True, check=True)
                        .stdout.split() for part in ("compile", "link"))
    program = compile_program("mpi_openmp", compiler=compiler, flags=["-fopenmp", *flags], libraries=libraries)
    env = {"OMP_WAIT_POLICY": "passive"}
    out = run(tandem, "record", "-o", "out.prv", "--", *mpirun(2), program, env=env, check=True)
    assert out.stdout == f"{ANSWER} {ANSWER}\n"
    run(tandem, "check", "out.prv", check=True)
    assert not re.search("unmatched|without a", out.stderr)
    trace = Trace(tmp_path / "out.prv")
    check_messages(trace)
    check_states(trace)
    for rank in (1, 2):
        opened = collections.Counter(
            type_ for (row, type_) in list(trace.values) if row[0] == rank for _ in trace.opened(row, type_))
        assert opened[PARALLEL] == 3 and opened[FUNCTION] == 3 * THREADS
        assert opened[TASK] == TASKS + 2 * REQUESTS
