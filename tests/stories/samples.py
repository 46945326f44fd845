# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples of a trace, read from its text once more, and traces that have some."""
import collections
import re

import pytest

FUNCTION, WEIGHT = 30000000, 92000001


def labels_of(prv, type_=FUNCTION):
    """{value: label} of the sampled functions, or of another event type; empty if the trace has none."""
    block = next((b for b in prv.with_suffix(".pcf").read_text().split("EVENT_TYPE") if re.search(rf" {type_} ", b)), "")
    return {int(value): label.strip() for value, label in re.findall(r"^(\d+) +(.*)$", block.partition("VALUES\n")[2], re.M)}


def samples_of(prv, begin=0, until=float("inf")):
    """{thread: [(functions from the outermost inwards, weight or None)]}, of the times from begin to before until.

    What a thread used after its last sample has its stack."""
    labels, threads = labels_of(prv), collections.defaultdict(list)
    groups = collections.defaultdict(list)
    for line in prv.read_text().splitlines():
        if line.startswith("2:"):
            _, _, *thread, time = line.split(":")[:6]
            numbers = [int(number) for number in line.split(":")[6:]]
            groups[tuple(thread), int(time)] += zip(numbers[::2], numbers[1::2])
    for (thread, time), events in sorted(groups.items(), key=lambda group: group[0][1]):
        stack = [labels[value] for type_, value in sorted(events) if FUNCTION <= type_ < FUNCTION + 100 and value]
        if stack:
            threads[thread].append((stack[::-1], dict(events).get(WEIGHT), time))
    chosen = {thread: [(stack, weight) for stack, weight, time in samples if begin <= time < until] for thread, samples in threads.items()}
    return {thread: samples for thread, samples in chosen.items() if samples}


# Stacks from the innermost function outwards: recursion, and names that the formats have to write with care.
NAMES = {1: "main", 2: 'f(char; "<x> & y")', 3: "g\\h", 4: "größe"}
STACKS = [(3, 2, 2, 1), (2, 2, 1), (2, 1), (1, 2, 1), (4, 1), (3, 2, 2, 1)]


def make_trace(prv):
    lines = ["#Paraver (01/01/2026 at 00:00):1000_ns:1(2):1:2(1:1,1:1)"]
    for at, stack in enumerate(STACKS):
        events = "".join(f":{FUNCTION + depth}:{value}" for depth, value in enumerate(stack))
        lines.append(f"2:1:1:{1 + at % 2}:1:{100 * at}{events}:{WEIGHT}:{10 + at}")
    prv.write_text("\n".join(lines) + "\n")
    types = "".join(f"9 {FUNCTION + depth} Sampled functions (depth {depth})\n" for depth in range(5))
    values = "".join(f"{value} {name}\n" for value, name in NAMES.items())
    prv.with_suffix(".pcf").write_text(f"EVENT_TYPE\n{types}VALUES\n{values}")


def make_profile(prv, stacks, first_value=1):
    """A trace of one thread in which each stack of {functions from the outermost inwards: n} was sampled n times, at 1 us each."""
    names = sorted({name for stack in stacks for name in stack})
    values = {name: first_value + at for at, name in enumerate(names)}
    samples = [stack for stack, n in stacks.items() for _ in range(n)]
    lines = [f"#Paraver (01/01/2026 at 00:00):{1000 * len(samples) + 1000}_ns:1(1):1:1(1:1)"]
    for at, stack in enumerate(samples, 1):
        events = "".join(f":{FUNCTION + depth}:{values[name]}" for depth, name in enumerate(reversed(stack)))
        lines.append(f"2:1:1:1:1:{1000 * at}{events}:{WEIGHT}:1000")
    prv.write_text("\n".join(lines) + "\n")
    labels = "".join(f"{value} {name}\n" for name, value in values.items())
    prv.with_suffix(".pcf").write_text(f"EVENT_TYPE\n9 {FUNCTION} Sampled functions\nVALUES\n{labels}")


@pytest.fixture(params=["of-tandem", "of-extrae", "made-up"])
def sampled_trace(request, run, tandem, root, tmp_path):
    """Threads with known functions; a trace whose samples have no weights; one with what those do not have."""
    if request.param == "made-up":
        make_trace(tmp_path / "made.prv")
        return tmp_path / "made.prv"
    if request.param == "of-extrae":
        return root / "tests" / "data" / "traces" / "sampling" / "sampling.prv"
    compile_program = request.getfixturevalue("compile_program")
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", compile_program("sampled_shares"), 3, 200, "user", "calls", check=True)
    return tmp_path / "app.prv"
