# SPDX-License-Identifier: GPL-3.0-or-later
"""Random traces: bursts, cells and histograms of views and of Paraver's configurations are those that naive.py finds by reading
the text line by line.  TANDEM_RANDOM_TRACES=N tries so many, TANDEM_RANDOM_SEED=N begins elsewhere; a failure prints the seed and the
smallest trace that fails."""
import csv
import os
import random
import re

import naive
import pytest
import resident

N_TRACES = int(os.environ.get("TANDEM_RANDOM_TRACES", 80))
SEED = int(os.environ.get("TANDEM_RANDOM_SEED", 1))
TYPES = [50000001, 50000002, 7]
STATISTICS = ["Time", "% Time", "% Time Not Zero", "% Window Time", "# Bursts", "% # Bursts", "Integral", "Average value",
              "Maximum", "Minimum", "Average Burst Time", "Stdev Burst Time", "Average per Burst", "Average value != 0",
              "Average per Burst != 0", "# Bursts != 0", "Sum bursts"]
OURS = {"Time": "time", "% Time": "time-percent", "# Bursts": "bursts", "Average value": "average-value", "Maximum": "maximum",
        "Average Burst Time": "average-duration", "Sum bursts": "sum-bursts", "median-duration": "median-duration",
        "percentile-90-value": "percentile-90-value"}


def make_trace(rng):
    """A header, and lines in the order of time."""
    end = rng.choice([1, 40, 300, 5000])
    applications = [[rng.randint(1, 3) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 2))]
    shape = ",".join(f"{len(tasks)}({','.join(f'{n}:1' for n in tasks)})" for tasks in applications)
    threads = [(a + 1, t + 1, h + 1) for a, tasks in enumerate(applications) for t, n in enumerate(tasks) for h in range(n)]
    lines = []
    for thread in threads:
        where = "0:" + ":".join(map(str, thread))
        time = rng.choice([0, 0, rng.randint(0, end)])
        for _ in range(rng.randint(0, 12)):
            until = min(end, time + rng.choice([0, 1, rng.randint(0, end // 3 + 1)]))
            lines.append((time, f"1:{where}:{time}:{until}:{rng.choice([0, 1, 1, 2, 5, 15])}"))
            if until == end:
                break
            time = min(end, until + rng.choice([0, 0, 1, rng.randint(0, end // 4 + 1)]))
        for _ in range(rng.randint(0, 14)):
            time = rng.choice([0, end, rng.randint(0, end), rng.randint(0, end)])
            pairs = ":".join(f"{rng.choice(TYPES)}:{rng.choice([0, 0, 1, 2, 3, 9, -4, 10**12])}"
                             for _ in range(rng.choice([1, 1, 2])))
            lines.append((time, f"2:{where}:{time}:{pairs}"))
    for _ in range(rng.randint(0, 6)):
        sender, receiver = rng.choice(threads), rng.choice(threads)
        sent, logical, physical = (rng.randint(0, end) for _ in range(3))
        a, b = (":".join(map(str, thread)) for thread in (sender, receiver))
        lines.append((sent, f"3:0:{a}:{sent}:{sent}:0:{b}:{logical}:{physical}:{rng.choice([0, 8, 4096])}:1"))
    lines.sort(key=lambda line: line[0])
    return f"#Paraver (22/11/2026 at 10:00):{end}_ns:0:{len(applications)}:{shape}", [line for _, line in lines]


def make_window(rng, level):
    window = {"level": level, "types": rng.sample(TYPES, rng.randint(1, 2)), "unit": rng.choice(list(naive.UNITS)),
              "thread": rng.choice(["State As Is", "Useful", "State Sign", "In State", "Given State", "Last Evt Val",
                                    "Last Evt Val", "Last Evt Type", "Next Evt Val", "Next Evt Type", "In Evt Val"]),
              "given": rng.sample([0, 1, 2, 5], 2), "groups": {level: rng.choice(list(naive.GROUPS)) for level in naive.LEVELS[:3]}}
    if rng.random() < 0.3:
        window["values"] = rng.choice([("=", [1, 9]), ("!=", [0]), (">", [1]), ("<", [3]), ("[x,y]", [0, 3])])
    names = [("As Is", []), ("Sign", []), ("1-Sign", []), ("Prod", [2.5]), ("Add", [-1]), ("Abs", []), ("Is Equal", [1]),
             ("Select Range", [3, 1])]
    along = [("Delta", []), ("Accumulate", []), ("Burst Time", []), ("Join Bursts", [])]
    if rng.random() < 0.5: # what goes along the bursts, only where those of no length are the same
        window["compose"] = rng.choice(names + along if level == "thread" else names)
    if rng.random() < 0.5:
        window["top"] = rng.choice(names)
    return window


def make_derived(rng):
    levels = rng.choice([("thread", "thread"), ("thread", "task"), ("workload", "thread"), ("task", "task")])
    parents = [make_window(rng, level) for level in levels]
    if naive.LEVELS.index(levels[0]) < naive.LEVELS.index(levels[1]): # the finer one is the first, as in Paraver
        ordered = parents[::-1]
    else:
        ordered = parents
    return {"operation": rng.choice(list(naive.DERIVED)), "parents": ordered, "given_parents": parents,
            "factors": [1.0, rng.choice([1.0, -2.0, 4.0])], "level": ordered[0]["level"], "unit": "Nanoseconds"}


def parameters(place, function):
    name, numbers = function
    lists = ", ".join(f"1 {number}" for number in numbers)
    return f"window_semantic_module {place} {name} {{ {len(numbers)}, {{ {lists} }} }}\n" if numbers else ""


def cfg_window(window):
    """The lines of a window, and of those that it is made of before it."""
    if "parents" in window:
        before = [text for parent in window["given_parents"] for text in cfg_window(parent)]
        own = ("window_type composed\nwindow_factors {} {}\nwindow_operation {}\nwindow_identifiers 1 2\n"
               "window_level {level}\nwindow_units Nanoseconds\n").format(*window["factors"], window["operation"], **window)
        return [*before, own]
    top, made = window.get("top", ("As Is", [])), window.get("compose", ("As Is", []))
    kind, numbers = window.get("values", ("All", []))
    lines = [f"window_type single\nwindow_level {window['level']}\nwindow_units {window['unit']}\n"
             f"window_color_mode window_in_gradient_mode\nwindow_logical_filtered true\nwindow_physical_filtered false\n"
             "window_comm_typeval true\nwindow_selected_functions { 14, { "
             + ", ".join(f"{{{level}, {name}}}" for level, name in window["groups"].items())
             + f", {{thread, {window['thread']}}}, {{evt_type, =}}, {{evt_value, {kind}}} }} }}\n"
             f"window_compose_functions {{ 9, {{ {{compose_thread, {made[0]}}}, {{topcompose1, {top[0]}}} }} }}\n"]
    if window["thread"] in ("In State", "Given State", "In Evt Val"):
        given = " ".join(map(str, window["given"]))
        lines.append(f"window_semantic_module thread {window['thread']} {{ 1, {{ {len(window['given'])} {given} }} }}\n")
    lines += [parameters("compose_thread", made), parameters("topcompose1", top),
              f"window_filter_module evt_type {len(window['types'])} {' '.join(map(str, window['types']))}\n"]
    if numbers:
        lines.append(f"window_filter_module evt_value {len(numbers)} {' '.join(map(str, numbers))}\n")
    return ["".join(lines)]


def cfg_text(windows, histogram=""):
    texts = [text for window in windows for text in cfg_window(window)]
    return "#ParaverCFG\n" + "".join(f"window_name w\n{text}" for text in texts) + histogram


def plain(burst):
    return tuple(f"{field:.3f}".replace("-0.000", "0.000") for field in burst)


def table_of(rows):
    """Cells by the name of the row and the column; without the totals, which follow."""
    head, *rows = [row for row in rows if row]
    columns = [re.sub(r" \[[^]]*\]$", "", name) for name in head[1:]]
    return {row[0]: dict(zip(columns, map(float, row[1:]))) for row in rows[:-6]}


class Case:
    """One question about a trace: how tandem is asked, and what it has to say.  `wrong` gives a word on what differs."""

    def __init__(self, tandem, directory, rng):
        self.tandem, self.directory, self.rng = tandem, directory, rng
        self.words = []

    def ask(self, command, *options):
        self.words = [str(word) for word in (self.tandem, command, self.directory / "random.prv", *options)]
        done = resident.run(*self.words)
        assert (done.returncode, done.stderr) == (0, ""), (self.words, done.stderr)
        return list(csv.reader(done.stdout.splitlines()))

    def cfg(self, windows, histogram=""):
        path = self.directory / "random.cfg"
        path.write_text(cfg_text(windows, histogram))
        return path


def check_bursts(case, trace):
    rng = case.rng
    window = rng.choice([lambda: make_window(rng, "thread"), lambda: make_window(rng, rng.choice(naive.LEVELS)),
                         lambda: make_derived(rng)])()
    begin, end = sorted(rng.sample(range(trace.end + 1), 2)) if rng.random() < 0.5 else (0, trace.end)
    found = {}
    unit_ns = naive.UNITS[window["unit"]]
    for name, *fields in case.ask("timeline", "--cfg", case.cfg([window]), "--decimals", 3, "--begin", f"{begin}ns",
                                  "--end", f"{end}ns")[1:]:
        found.setdefault(name, []).append(tuple(float(field) for field in fields))
    has_none = window["level"] == "thread" and "parents" not in window # of no length
    for row in trace.rows(window["level"]):
        wanted = [plain((b / unit_ns, (e - b) / unit_ns, v)) for b, e, v in naive.window_bursts(trace, window, row)
                  if b < end and (e > begin or begin == 0) and (has_none or e > b)]
        got = [plain(burst) for burst in found.get(".".join(map(str, row)), [])]
        got = got if has_none else [burst for burst in got if float(burst[1]) > 0]
        if got != wanted and unit_ns == 1:
            return f"{row}: found {got}\nwanted {wanted}"
        if [burst[2] for burst in got] != [burst[2] for burst in wanted] and has_none:
            return f"{row}: found {got}\nwanted {wanted}"
        if unit_ns == 1 and (begin, end) == (0, trace.end) and sum(float(burst[1]) for burst in got) != trace.end:
            return f"{row}: lasts {sum(float(burst[1]) for burst in got)} ns"
    return None


def differs(found, wanted, names):
    """Cells that are there with any value but 0."""
    for row, name in names.items():
        for column in wanted[row].keys() | found.get(name, {}).keys():
            a, b = found.get(name, {}).get(column, 0), wanted[row].get(column, 0)
            if abs(a - b) > 1e-6 * max(1, abs(a), abs(b)):
                return f"{name}, {column}: found {a}, wanted {b}"
    return None


def named_rows(trace, level):
    prefix = {"thread": "THREAD ", "task": "TASK ", "appl": "APPL ", "workload": "WORKLOAD"}[level]
    return {row: prefix + ".".join(map(str, row)) for row in trace.rows(level)}


def check_cfg_histogram(case, trace):
    rng = case.rng
    level = rng.choice(["thread", "thread", "task", "workload"])
    control = dict(make_window(rng, level), unit="Nanoseconds")
    data = dict(make_window(rng, rng.choice(naive.LEVELS[:naive.LEVELS.index(level) + 1])), unit="Nanoseconds")
    low, delta, n = rng.choice([-5, 0, 1]), rng.choice([0.5, 1.5, 3]), rng.randint(2, 9)
    name, limits = rng.choice(STATISTICS), [0, trace.end]
    if rng.random() < 0.5 and trace.end > 1:
        limits = sorted(rng.sample(range(trace.end + 1), 2))
    histogram = ("< NEW ANALYZER2D >\nAnalyzer2D.ControlWindow: 1\nAnalyzer2D.DataWindow: 2\n"
                 f"Analyzer2D.Statistic: {name}\nAnalyzer2D.HideCols: False\nAnalyzer2D.ComputeYScale: False\n"
                 f"Analyzer2D.Minimum: {low}\nAnalyzer2D.Maximum: {low + n * delta}\nAnalyzer2D.Delta: {delta}\n"
                 "Analyzer2D.UseFixedDelta: True\nAnalyzer2D.AnalysisLimits: Alltrace\n")
    rows = case.ask("histogram", "--cfg", case.cfg([control, data], histogram), "--csv", "-", "--begin",
                    f"{limits[0]}ns", "--end", f"{limits[1]}ns")
    labels = [re.sub(r" \[[^]]*\]$", "", label) for label in rows[0][1:]]
    if len(labels) != n:
        return f"{len(labels)} columns, wanted {n}"

    def column_of(value):
        return None if not low <= value <= low + n * delta else labels[min(int((value - low) // delta), n - 1)]

    pieces = naive.cells(trace, control, data, column_of, *limits)
    wanted = {row: {column: naive.statistic(name, cell, sum(of_row.values(), []), limits[1] - limits[0])
                    for column, cell in of_row.items()} for row, of_row in pieces.items()}
    return differs(table_of(rows), wanted, named_rows(trace, level))


def check_view_histogram(case, trace):
    rng = case.rng
    name = rng.choice(list(OURS))
    chosen = rng.sample(trace.threads, rng.randint(1, len(trace.threads)))
    event_type = rng.choice(TYPES)
    by_event = {"level": "thread", "thread": "Last Evt Val", "types": [event_type]}
    by_state = {"level": "thread", "thread": "State As Is", "types": []}
    control, view = rng.choice([(by_event, f"user-events:{event_type}"), (by_state, "state")])
    limits = [0, trace.end]
    if rng.random() < 0.5:
        limits = sorted(rng.sample(range(trace.end + 1), 2))
    rows = case.ask("histogram", "--view", view, "--data", f"user-events:{event_type}", "--statistic", OURS[name], "--columns",
                    "-4.5:9.5/7", "--begin", f"{limits[0]}ns", "--end", f"{limits[1]}ns", "--show-empty", "--csv", "-",
                    "--rows", ",".join(".".join(map(str, row)) for row in chosen))
    labels = [re.sub(r" \[[^]]*\]$", "", label) for label in rows[0][1:]]

    def column_of(value):
        return labels[min(int((value + 4.5) // 2), 6)] if -4.5 <= value <= 9.5 else None

    pieces = naive.cells(trace, control, by_event, column_of, *limits, chosen)
    wanted = {row: {column: naive.statistic(name, cell, sum(of_row.values(), []), limits[1] - limits[0])
                    for column, cell in of_row.items()} for row, of_row in pieces.items()}
    found = table_of(rows)
    names = {row: name for row, name in named_rows(trace, "thread").items() if row in chosen}
    fault = differs(found, wanted, names) or (None if found.keys() == set(names.values()) else f"rows {list(found)}")
    if fault or name != "Time":
        return fault
    every = case.ask("histogram", "--view", view, "--begin", f"{limits[0]}ns", "--end", f"{limits[1]}ns", "--csv", "-")
    found = sum(sum(cells.values()) for cells in table_of(every).values())
    time_of_rows = (limits[1] - limits[0]) * len(trace.threads)
    return None if found == time_of_rows else f"all cells last {found}, wanted {time_of_rows}"


def check_messages(case, trace):
    rng = case.rng
    are_sends = rng.random() < 0.5
    limits = sorted(rng.sample(range(trace.end + 1), 2))
    which = rng.choice(["bytes", "n"])
    name = {("bytes", True): "bytes-sent", ("bytes", False): "bytes-received", ("n", True): "sends",
            ("n", False): "receives"}[which, are_sends]
    rows = case.ask("histogram", "--statistic", name, "--csv", "-", "--begin", f"{limits[0]}ns", "--end", f"{limits[1]}ns")
    names = named_rows(trace, "thread")
    wanted = {row: {} for row in names}
    for (row, partner), sizes in naive.message_cells(trace, are_sends, *limits).items():
        wanted[row][names[partner]] = len(sizes) if which == "n" else sum(sizes)
    return differs(table_of(rows), wanted, names)


CHECKS = [check_bursts, check_cfg_histogram, check_view_histogram, check_messages]


def fault_of(check, seed, tandem, directory, header, lines):
    text = "\n".join([header, *lines]) + "\n"
    (directory / "random.prv").write_text(text)
    case = Case(tandem, directory, random.Random(f"{check.__name__} {seed}"))
    return check(case, naive.Trace(text)), case.words


def shrink(check, seed, tandem, directory, header, lines):
    """Takes lines away one after another as long as it fails."""
    i = 0
    while i < len(lines) > 1: # a trace without records is refused
        fewer = lines[:i] + lines[i + 1:]
        if fault_of(check, seed, tandem, directory, header, fewer)[0]:
            lines = fewer
        else:
            i += 1
    return lines


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_random(tandem, tmp_path, check):
    for seed in range(SEED, SEED + N_TRACES):
        header, lines = make_trace(random.Random(seed))
        fault, _ = fault_of(check, seed, tandem, tmp_path, header, lines)
        if fault:
            lines = shrink(check, seed, tandem, tmp_path, header, lines)
            fault, words = fault_of(check, seed, tandem, tmp_path, header, lines)
            text = "\n".join([header, *lines])
            cfg = (tmp_path / "random.cfg").read_text() if "--cfg" in words else ""
            pytest.fail(f"TANDEM_RANDOM_SEED={seed}: {fault}\n{' '.join(words)}\n{text}\n{cfg}", pytrace=False)
