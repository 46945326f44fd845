# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trace says, found out in the plainest way: from its text, line by line, with no index and no clever order.  For random
traces (test_random_traces.py), whose states of a thread follow one another."""
import math
import re
import statistics

LEVELS = ["workload", "appl", "task", "thread"]
UNITS = {"Nanoseconds": 1, "Microseconds": 1000}


class Trace:
    """Threads are (application, task, thread); states, events and messages as they stand in the file."""

    def __init__(self, text):
        header, *lines = text.rstrip("\n").split("\n")
        end, rest = re.match(r"#Paraver \(.*?\):(\d+)_ns:(.*)", header).groups()
        self.end = int(end)
        applications = re.findall(r"(\d+)\(([\d:,]+)\)", rest.split(":", 2)[2])
        self.threads = [(a + 1, t + 1, h + 1) for a, (_, tasks) in enumerate(applications)
                        for t, task in enumerate(tasks.split(",")) for h in range(int(task.split(":")[0]))]
        self.states = {thread: [] for thread in self.threads}
        self.events = {thread: [] for thread in self.threads}
        self.messages = []
        for line in lines:
            kind, *fields = line.split(":")
            numbers = [int(field) for field in fields]
            thread = tuple(numbers[1:4])
            if kind == "1":
                self.states[thread].append(tuple(numbers[4:7]))
            elif kind == "2":
                self.events[thread] += [(numbers[4], numbers[i], numbers[i + 1]) for i in range(5, len(numbers), 2)]
            else:
                receiver = tuple(numbers[7:10])
                self.messages.append((thread, numbers[4], receiver, max(numbers[10:12]), numbers[12]))

    def rows(self, level):
        depth = LEVELS.index(level)
        return sorted({thread[:depth] for thread in self.threads})


def bursts_of(steps, end):
    """From (time, value) pairs in order; what ends at 0 or begins at the end is not there."""
    kept = [step for step in steps if step[0] < end]
    last = max((i for i, (time, _) in enumerate(kept) if time == 0), default=0)
    kept = kept[last:]
    ends = [time for time, _ in kept[1:]] + [end]
    return [(begin, until, value) for (begin, value), until in zip(kept, ends)]


def state_steps(states, value):
    """A state's end shows where no state begins."""
    steps = [(0, value(0))]
    for i, (begin, end, state) in enumerate(states):
        steps.append((begin, value(state)))
        if i + 1 == len(states) or states[i + 1][0] != end:
            steps.append((end, value(0)))
    return steps


def passes(event, window):
    kind, numbers = window.get("values", ("All", []))
    value = event[2]
    fits = {"All": lambda: True, "=": lambda: value in numbers, "!=": lambda: value not in numbers,
            ">": lambda: all(value > n for n in numbers), "<": lambda: all(value < n for n in numbers),
            "[x,y]": lambda: numbers[0] <= value <= numbers[1]}[kind]()
    return event[1] in window["types"] and fits


def thread_bursts(trace, thread, window):
    name, given = window["thread"], window.get("given", [])
    of_state = {"State As Is": lambda s: s, "Useful": lambda s: int(s == 1), "State Sign": lambda s: int(s != 0),
                "In State": lambda s: int(s in given), "Given State": lambda s: s if s in given else 0}
    if name in of_state:
        steps = state_steps(trace.states[thread], of_state[name])
        steps[0] = (0, 0)
        return bursts_of(steps, trace.end)
    events = [event for event in trace.events[thread] if passes(event, window)]
    steps = [(0, 0)]
    if name.startswith("Next Evt") and events:
        steps = [(0, events[0][1 if name == "Next Evt Type" else 2])]
    for i, (time, kind, value) in enumerate(events):
        following = events[i + 1] if i + 1 < len(events) else (0, 0, 0)
        steps.append((time, {"Last Evt Val": value, "Last Evt Type": kind, "In Evt Val": int(value in given),
                             "Next Evt Val": following[2], "Next Evt Type": following[1]}[name]))
    return bursts_of(steps, trace.end)


def compose(bursts, name, numbers, unit_ns):
    if name == "Join Bursts":
        joined = []
        for burst in bursts:
            if joined and joined[-1][2] == burst[2]:
                joined[-1] = (joined[-1][0], burst[1], burst[2])
            else:
                joined.append(burst)
        return joined
    if name == "Delta":
        before = [0] + [value for *_, value in bursts]
        return [(begin, end, value - last) for (begin, end, value), last in zip(bursts, before)]
    if name == "Accumulate":
        sums, total = [], 0
        for begin, end, value in bursts:
            total += value
            sums.append((begin, end, total))
        return sums
    function = {"As Is": lambda v, d: v, "Sign": lambda v, d: int(v != 0), "1-Sign": lambda v, d: int(v == 0),
                "Prod": lambda v, d: v * numbers[0], "Add": lambda v, d: v + numbers[0], "Abs": lambda v, d: abs(v),
                "Is Equal": lambda v, d: v if v == numbers[0] else 0,
                "Select Range": lambda v, d: v if numbers[1] <= v <= numbers[0] else 0,
                "Burst Time": lambda v, d: d / unit_ns}[name]
    return [(begin, end, function(value, end - begin)) for begin, end, value in bursts]


def cut(lists):
    """Stretches in which all of some rows keep their burst: begin, end, the value of each."""
    times = sorted({time for bursts in lists for begin, end, _ in bursts for time in (begin, end)})
    for begin, end in zip(times, times[1:]):
        yield begin, end, [next(v for b, e, v in bursts if b <= begin and end <= e) for bursts in lists]


GROUPS = {"Adding": sum, "Maximum": lambda vs: max(0, *vs) if len(vs) > 1 else max(0, vs[0]), "AddingSign": lambda vs: int(sum(vs) > 0),
          "Average": lambda vs: sum(vs) / len(vs)}
DERIVED = {"add": lambda a, b: a + b, "product": lambda a, b: a * b, "substract": lambda a, b: a - b,
           "divide": lambda a, b: a / b if b else 0, "maximum": max, "minimum": min,
           "different": lambda a, b: int(a != b)}


def window_bursts(trace, window, row):
    """Of a row of the window's level; those of no length are only there for threads."""
    unit_ns = UNITS[window.get("unit", "Nanoseconds")]
    if "parents" in window:
        a, b = (window_bursts(trace, parent, row[:LEVELS.index(parent["level"])]) for parent in window["parents"])
        function = DERIVED[window["operation"]]
        factors = window["factors"]
        bursts = [(begin, end, function(x * factors[0], y * factors[1])) for begin, end, (x, y) in cut([a, b])]
    else:
        bursts = level_bursts(trace, window, window["level"], row)
    name, numbers = window.get("top", ("As Is", []))
    return compose(bursts, name, numbers, unit_ns)


def level_bursts(trace, window, level, row):
    unit_ns = UNITS[window.get("unit", "Nanoseconds")]
    if level == "thread":
        name, numbers = window.get("compose", ("As Is", []))
        return compose(thread_bursts(trace, row, window), name, numbers, unit_ns)
    below = LEVELS[LEVELS.index(level) + 1]
    children = [level_bursts(trace, window, below, child) for child in trace.rows(below) if child[:len(row)] == row]
    function = GROUPS[window["groups"][level]]
    return [(begin, end, function(values)) for begin, end, values in cut(children)]


def percentile(values, share):
    ordered = sorted(values)
    place = share / 100 * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def cells(trace, control, data, column_of, begin, end, rows=None):
    """Pieces (length, control's value, data's value) of each row, by column; None: in no column."""
    table = {}
    for row in rows if rows is not None else trace.rows(control["level"]):
        pieces = table[row] = {}
        above = row[:LEVELS.index(data["level"])]
        for b, e, (w, v) in cut([window_bursts(trace, control, row), window_bursts(trace, data, above)]):
            length = min(e, end) - max(b, begin)
            if length > 0 and column_of(w) is not None:
                pieces.setdefault(column_of(w), []).append((length, w, v))
    return table


def statistic(name, cell, row, window_ns):
    """`cell`: its pieces; `row`: those of all columns of the row."""
    lengths, values = [piece[0] for piece in cell], [piece[2] for piece in cell]
    total, n = sum(lengths), len(cell)
    nonzero = [piece for piece in cell if piece[2] != 0]
    control = [piece for piece in row if piece[1] != 0]
    weighted = sum(length * value for length, _, value in cell)
    return {
        "Time": lambda: total,
        "% Time": lambda: 100 * total / sum(piece[0] for piece in row),
        "% Time Not Zero": lambda: 100 * sum(piece[0] for piece in cell if piece[1] != 0) / max(1, sum(piece[0] for piece in control)),
        "% Window Time": lambda: 100 * total / window_ns,
        "# Bursts": lambda: n,
        "% # Bursts": lambda: 100 * n / len(row),
        "Integral": lambda: sum(length * abs(value) for length, _, value in cell),
        "Average value": lambda: weighted / total,
        "Maximum": lambda: max(values),
        "Minimum": lambda: min(values),
        "Average Burst Time": lambda: total / n,
        "Stdev Burst Time": lambda: statistics.pstdev(lengths),
        "Average per Burst": lambda: sum(values) / n,
        "Average value != 0": lambda: weighted / sum(piece[0] for piece in nonzero) if nonzero else 0,
        "Average per Burst != 0": lambda: sum(values) / len(nonzero) if nonzero else 0,
        "# Bursts != 0": lambda: len(nonzero),
        "Sum bursts": lambda: sum(values),
        "median-duration": lambda: percentile(lengths, 50),
        "percentile-90-value": lambda: percentile(values, 90),
    }[name]()


def message_cells(trace, are_sends, begin, end):
    """Sizes by (row, partner); a cell is there if a message went either way."""
    table = {}
    for sender, sent, receiver, received, size in trace.messages:
        if begin <= sent <= end:
            table.setdefault((sender, receiver), []).extend([size] if are_sends else [])
        if begin <= received <= end:
            table.setdefault((receiver, sender), []).extend([] if are_sends else [size])
    return table
