# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert --to pprof, chrome, perfetto, csv: what is read back says the same as tandem's own reports, to the ns.

The files are read by readers of their own, written from the formats' published schemas."""
import collections
import csv
import gzip
import json
import re

import pytest

from protobuf import fields, signed
from samples import labels_of, make_trace, sampled_trace, samples_of  # noqa: F401 (a fixture)
from spans import own_times

TRACES = ["mpi-collectives", "hybrid", "py-mpi4py", "omp-tasks", "malloc", "synthetic-16"]


def stacks_of(prv):
    """Counter of {(thread "1.1.1", functions from the outermost inwards): CPU time or samples}, and of samples."""
    weights, counts = collections.Counter(), collections.Counter()
    for place, samples in samples_of(prv).items():
        for stack, weight in samples:
            weights[".".join(place), tuple(stack)] += 1 if weight is None else weight
            counts[".".join(place), tuple(stack)] += 1
    return weights, counts


def read_pprof(path):
    """(types of values, {(thread, stack): values}, the message); all that is referred to must be there."""
    profile = fields(gzip.decompress(path.read_bytes()))
    texts = [text.decode() for text in profile[6]]
    assert texts[0] == "" and len(texts) == len(set(texts))
    functions = {one[1][0]: one for one in map(fields, profile[5])}
    locations = {one[1][0]: one for one in map(fields, profile[4])}
    mappings = {fields(one)[1][0] for one in profile[3]}
    assert 0 not in functions and 0 not in locations and len(locations) == len(profile[4]) and len(functions) == len(profile[5])
    assert all(one[2][0] in mappings for one in locations.values())
    found = {}
    for sample in map(fields, profile[2]):
        labels = {texts[label[1][0]]: texts[label[2][0]] for label in map(fields, sample[3])}
        lines = [fields(locations[at][4][0]) for at in sample[1]]
        stack = tuple(texts[functions[line[1][0]][2][0]] for line in lines)[::-1]
        key = labels["thread"], labels["process"], labels["rank"], stack, tuple(line[2][0] for line in lines)[::-1]
        found[key] = [a + b for a, b in zip(found.get(key, [0, 0]), sample[2])]
    types = [(texts[one[1][0]], texts[one[2][0]]) for one in map(fields, profile[1])]
    return types, found, profile


def test_pprof(run, tandem, sampled_trace, tmp_path):
    weights, counts = stacks_of(sampled_trace)
    is_time = any(weight is not None for samples in samples_of(sampled_trace).values() for _, weight in samples)
    run(tandem, "convert", "--to", "pprof", "-o", tmp_path / "out.pb.gz", sampled_trace, check=True)
    types, found, profile = read_pprof(tmp_path / "out.pb.gz")
    assert types == [("samples", "count"), ("cpu", "nanoseconds")][: 1 + is_time]
    sums = [collections.Counter(), collections.Counter()]
    for (thread, process, rank, stack, _), values in found.items():
        place = thread.removeprefix("THREAD ")
        assert process == place.rsplit(".", 1)[0] and int(rank) == int(process.split(".")[1]) - 1
        for counter, value in zip(sums, values):
            counter[place, stack] += value
    assert sums[0] == counts and (not is_time or sums[1] == weights)
    assert profile[10] == [int(sampled_trace.read_text().split("):", 1)[1].split("_ns")[0].split(":")[0])]


def test_lines_of_pprof(run, tandem, root, compile_program, tmp_path):
    """Files and lines are those that the program was compiled from, and the period is the one that was asked for."""
    program = compile_program("sampled_shares")
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", program, 1, 200, "user", check=True)
    run(tandem, "convert", "--to", "pprof", "-o", tmp_path / "out.pb.gz", "app.prv", check=True)
    _, found, profile = read_pprof(tmp_path / "out.pb.gz")
    texts = [text.decode() for text in profile[6]]
    files = {texts[one[2][0]]: texts[one[4][0]] for one in map(fields, profile[5]) if texts[one[2][0]] in ("do_user", "main")}
    assert files == {"do_user": "sampled_shares.c", "main": "sampled_shares.c"}
    lines = {line for key in found for name, line in zip(key[3], key[4]) if name == "do_user"}
    source = (root / "tests" / "stories" / "programs" / "sampled_shares.c").read_text().splitlines()
    first = source.index("KIND(user)") + 1
    assert lines and all(first < line <= first + source[first:].index("}") for line in lines), lines
    assert profile[12] == [2000000] and [texts[at] for at in fields(profile[11][0])[1]] == ["cpu"] and profile[9][0] > 1e18


def histogram(run, tandem, prv, view):
    """{(row, name): ns} that tandem histogram says, where it is not 0."""
    text = run(tandem, "histogram", "--view", view, "--csv", "-", "--decimals", "0", prv, check=True).stdout
    head, *rows = csv.reader(text.splitlines())
    names = [name.removesuffix(" [ns]") for name in head[1:]]
    times = collections.Counter()
    for row in rows:
        for name, value in zip(names, row[1:] if row and row[0].startswith("THREAD") else []):
            times[row[0], name] += int(value)
    return {key: time for key, time in times.items() if time}


def read_chrome(path):
    """({(row, category): [(begin, end, name)]}, {(counter, row): [(time, value)]}, samples)."""
    written = json.loads(path.read_text(), parse_float=lambda text: round(float(text) * 1000) / 1000)
    threads, processes, spans, counters = {}, {}, collections.defaultdict(list), collections.defaultdict(list)
    for event in written["traceEvents"]:
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and isinstance(event["name"], str)
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                threads[event["tid"]] = event["args"]["name"]
            elif event["name"] == "process_name":
                processes[event["pid"]] = event["args"]["name"]
            continue
        assert event["pid"] in processes and isinstance(event["ts"], (int, float))
        row, at = threads[event["tid"]], round(event["ts"] * 1000)
        if event["ph"] == "X":
            spans[row.removesuffix(": states"), event["cat"]].append((at, at + round(event["dur"] * 1000), event["name"]))
            assert event["dur"] >= 0 and row.endswith(": states") == (event["cat"] == "State")
        else:
            assert event["ph"] == "C"
            counters[event["name"].removesuffix(": " + row), row].append((at, event["args"]["value"]))
    frames = written["stackFrames"]

    def stack(frame):
        return (*(stack(frames[frame].get("parent")) if "parent" in frames[frame] else ()), frames[frame]["name"]) if (frame := str(frame)) else ()

    samples = collections.Counter()
    for sample in written["samples"]:
        samples[threads[sample["tid"]].removeprefix("THREAD "), stack(sample["sf"])] += sample["weight"]
    return spans, counters, samples


def read_perfetto(path):
    """The same of Perfetto's packets."""
    tables, tracks = collections.defaultdict(dict), {}
    spans, counters, samples = collections.defaultdict(list), collections.defaultdict(list), collections.Counter()
    open_, threads, processes = collections.defaultdict(list), {}, {}
    for index, packet in enumerate(map(fields, fields(path.read_bytes())[1])):
        assert packet[10] == [1] and packet.get(13, [0]) == ([1] if index == 0 else [2] if 8 in packet else [0])
        for interned in map(fields, packet.get(12, [])):
            for table, entries in interned.items():
                for entry in map(fields, entries):
                    assert entry[1][0] not in tables[table]
                    tables[table][entry[1][0]] = entry
        if 60 in packet:
            track = fields(packet[60][0])
            assert track[1][0] not in tracks
            tracks[track[1][0]] = track
            if 4 in track:
                thread = fields(track[4][0])
                threads[thread[2][0]], processes[thread[2][0]] = thread[5][0].decode(), thread[1][0]
        elif 11 in packet:
            event, at = fields(packet[11][0]), packet[8][0]
            track = tracks[event[11][0]]
            if event[9] == [4]:
                of = tracks.get(track.get(5, [None])[0], {})
                row = fields(of[4][0])[5][0].decode() if 4 in of else fields(of[3][0])[1][0] if 3 in of else None
                name = track[2][0].decode()
                counters[name.removesuffix(f": {row}"), row].append((at, signed(event[30][0]) if 30 in event else event[44][0]))
                assert 8 in track
                continue
            row = fields((tracks[track[5][0]] if 5 in track else track)[4][0])[5][0].decode()
            stack = open_[event[11][0]]
            if event[9] == [1]:
                stack.append((at, tables[2][event[10][0]][2][0].decode(), tables[1][event[3][0]][2][0].decode()))
            else:
                begin, name, category = stack.pop()
                spans[row, category].append((begin, at, name))
        elif 135 in packet:
            sample = fields(packet[135][0])
            task = fields(sample[1][0])
            frames = [tables[6][frame] for frame in tables[7][sample[6][0]][2]]
            stack = tuple(tables[5][frame[2][0]][2][0].decode() for frame in frames)
            assert set(task) == {2, 3} and task[2][0] == processes[task[3][0]]
            samples[threads[task[3][0]].removeprefix("THREAD "), stack] += sample[11][0]
    assert not any(open_.values())
    return spans, counters, samples


def lines_of(path):
    """The lines of CSV, as dictionaries."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_csv(path):
    """The same of lines of CSV, which have only the innermost function of a sample."""
    spans, counters, samples = collections.defaultdict(list), collections.defaultdict(list), collections.Counter()
    for line in lines_of(path):
        row, begin, end = line["thread"], int(line["begin_ns"]), int(line["end_ns"])
        if line["kind"] in ("state", "call"):
            category = "State" if line["kind"] == "state" else next(
                (name for name, begins in CATEGORIES.items() if line["type"].startswith(begins)), "User")
            spans[row, category].append((begin, end, line["label"] or line["value"]))
        elif line["kind"] == "counter":
            counters[line["name"] or line["type"], row].append((begin, float(line["value"])))
        elif line["kind"] == "sample":
            samples[row.removeprefix("THREAD "), line["label"]] += int(line["value"])
    return spans, counters, samples


CATEGORIES = {"MPI": "500000", "Python": "60000100"}  # how types begin, as event_types.h has them
READERS = {"chrome": read_chrome, "perfetto": read_perfetto}
READERS_OF_TIMES = {**READERS, "csv": read_csv}


@pytest.mark.parametrize("name", TRACES)
@pytest.mark.parametrize("format", READERS_OF_TIMES)
def test_times(run, tandem, root, tmp_path, format, name):
    """The time in each state, in each MPI call, and in itself in each function of Python; and all are within each other."""
    prv = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    run(tandem, "convert", "--to", format, "-o", tmp_path / "out", prv, check=True)
    spans, _, _ = READERS_OF_TIMES[format](tmp_path / "out")
    told = 0
    # Tandem's views have a value everywhere, also where the trace has none.
    nothing = {"Idle", "Outside MPI", "End", "0"}
    for view, category in [("state", "State"), ("mpi-calls", "MPI"), ("python-functions", "Python")]:
        expected = {key: time for key, time in histogram(run, tandem, prv, view).items() if key[1] not in nothing}
        found = own_times({row: of_row for (row, kind), of_row in spans.items() if kind == category}, are_nested=True)
        assert {key: found[key] for key in found if key[1] not in nothing} == expected, view
        told += len(expected)
    assert told > 0
    calls = collections.defaultdict(list)
    for (row, kind), of_row in spans.items():
        if kind != "State":
            calls[row] += of_row
    own_times(calls, are_nested=True)


@pytest.mark.parametrize("format", READERS)
def test_samples(run, tandem, sampled_trace, tmp_path, format):
    run(tandem, "convert", "--to", format, "-o", tmp_path / "out", sampled_trace, check=True)
    assert READERS[format](tmp_path / "out")[2] == stacks_of(sampled_trace)[0]


@pytest.mark.parametrize("format", READERS_OF_TIMES)
def test_counters(run, tandem, root, tmp_path, format):
    """Each value of the trace, from the time on for which it holds: counters tell of the time before them."""
    prv = root / "tests" / "data" / "traces" / "synthetic-16" / "synthetic-16.prv"
    expected, last = collections.defaultdict(list), {}
    for line in prv.read_text().splitlines():
        kind, _, *place, time = line.split(":")[:6]
        if kind == "1":
            last.setdefault(tuple(place), int(time))
        elif kind == "2":
            numbers = [int(number) for number in line.split(":")[6:]]
            for type_, value in zip(numbers[::2], numbers[1::2]):
                if 42000000 <= type_ < 45000000:
                    begin = last.get((type_, *place), last[tuple(place)])
                    expected[type_, "THREAD " + ".".join(place)].append((begin, value))
                    last[type_, *place] = int(time)
    labels = {int(type_): label for type_, label in re.findall(r"^\d+ +(4[24]\d{6}) +(.*)$", prv.with_suffix(".pcf").read_text(), re.M)}
    run(tandem, "convert", "--to", format, "-o", tmp_path / "out", prv, check=True)
    found = READERS_OF_TIMES[format](tmp_path / "out")[1]
    assert expected and found == {(labels[type_], row): values for (type_, row), values in expected.items()}


def test_samples_as_lines(run, tandem, sampled_trace, tmp_path):
    run(tandem, "convert", "--to", "csv", "-o", tmp_path / "out", sampled_trace, check=True)
    innermost = collections.Counter()
    for (place, stack), weight in stacks_of(sampled_trace)[0].items():
        innermost[place, stack[-1]] += weight
    assert read_csv(tmp_path / "out")[2] == innermost


@pytest.mark.parametrize("name", ["hybrid", "mpi-collectives"])
def test_lines_have_what_the_trace_has(run, tandem, root, tmp_path, name):
    """Each state, each event that is no call, and each message, with its labels."""
    prv = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    run(tandem, "convert", "--to", "csv", "-o", tmp_path / "out", prv, check=True)
    lines = lines_of(tmp_path / "out")
    expected = collections.Counter()
    for record in prv.read_text().splitlines():
        kind, *numbers = record.split(":")
        if kind == "1" and numbers[4] != numbers[5]:
            expected["THREAD " + ".".join(numbers[1:4]), "state", "", numbers[4], numbers[5], numbers[6], "", ""] += 1
        elif kind == "2":
            for type_, value in zip(numbers[5::2], numbers[6::2]):
                if not re.match("5000000|600000", type_):  # MPI's and OpenMP's calls
                    expected["THREAD " + ".".join(numbers[1:4]), "event", type_, numbers[4], numbers[4], value, "", ""] += 1
        elif kind == "3":
            expected["THREAD " + ".".join(numbers[1:4]), "message", "", numbers[4], numbers[10], numbers[12],
                     "THREAD " + ".".join(numbers[7:10]), numbers[13]] += 1
    columns = ["thread", "kind", "type", "begin_ns", "end_ns", "value", "receiver", "tag"]
    assert collections.Counter(tuple(line[column] for column in columns) for line in lines if line["kind"] != "call") == expected
    names = re.search(r"^STATES\n(.*?)\n\n", prv.with_suffix(".pcf").read_text(), re.M | re.S)[1].splitlines()
    states = dict(re.split(" +", line, maxsplit=1) for line in names)
    assert all(line["label"] == states[line["value"]] for line in lines if line["kind"] == "state")
    assert {line["label"] for line in lines if line["type"] == "50000002"} & {"MPI_Allreduce", "MPI_Barrier"}


# A process that frees and a node that gets warmer; values with decimal places; calls that are not within each other.
ODD = """#Paraver (01/01/2026 at 00:00):1000_ns:1(2):1:1(2:1)
1:1:1:1:1:0:1000:1
1:2:1:1:2:0:600:1
2:1:1:1:1:100:92020000:4096:92010000:41000:92000010:1
2:1:1:1:1:200:50000001:1
2:1:1:1:1:300:92000010:0
2:1:1:1:1:400:50000001:0:92020000:-1
2:2:1:1:2:500:60000100:7:92000101:25
2:2:1:1:2:520:60000100:8
2:2:1:1:2:540:60000100:7
2:2:1:1:2:560:60000100:9
"""
ODD_LABELS = """EVENT_TYPE
7 92000101 Done \u201csteps\u201d "
PRECISION 1

EVENT_TYPE
7 60000100 Python function
VALUES
7 f
8 g\\x
"""


@pytest.mark.parametrize("format", READERS)
def test_odd_traces(run, tandem, tmp_path, format):
    (tmp_path / "odd.prv").write_text(ODD)
    (tmp_path / "odd.pcf").write_text(ODD_LABELS)
    (tmp_path / "odd.row").write_text("LEVEL NODE SIZE 1\nnode7\n")
    run(tandem, "convert", "-t", format, "-o", tmp_path / "out", "odd.prv", check=True)
    spans, counters, samples = READERS[format](tmp_path / "out")
    values = {name: [value for _, value in of_row] for (name, _), of_row in counters.items()}
    assert values == {"92020000": [4096, -1], "92010000: node7": [41000], 'Done \u201csteps\u201d "': [2.5]} and not samples
    assert spans["THREAD 1.1.1", "User"] == [(100, 300, "92000010: 1")]
    assert [(begin, end) for begin, end, _ in sorted(spans["THREAD 1.1.1", "MPI"])] == [(200, 300), (300, 400)]
    assert sorted(spans["THREAD 1.1.2", "Python"]) == [(500, 1000, "f"), (520, 540, "g\\x"), (560, 1000, "Python function: 9")]


def test_written_to_a_pipe(run, tandem, tmp_path):
    make_trace(tmp_path / "made.prv")
    for format in ("pprof", "chrome", "perfetto", "csv"):
        run(tandem, "convert", "-t", format, "-o", "out", "made.prv", check=True)
        for words in ([], ["-o", "-"]):
            run("sh", "-c", '"$0" "$@" made.prv | cat > piped', tandem, "convert", "-t", format, *words, check=True)
            assert (tmp_path / "piped").read_bytes() == (tmp_path / "out").read_bytes()


@pytest.mark.parametrize("format", ["pprof", "chrome", "perfetto", "csv"])
def test_a_full_disk_is_told(run, tandem, tmp_path, format):
    make_trace(tmp_path / "made.prv")
    result = run(tandem, "convert", "-t", format, "-o", "/dev/full", "made.prv")
    assert (result.returncode, result.stderr) == (1, "tandem: /dev/full: No space left on device\n")


@pytest.mark.parametrize("format, sentence", [
    ("pprof", "the trace has no samples (tandem record --sampling-period)"),
    ("chrome", "the trace has no states, calls, counters or samples"),
    ("perfetto", "the trace has no states, calls, counters or samples"),
    ("csv", "the trace has no states, calls, counters or samples"),
])
def test_a_trace_without_any_is_told(run, tandem, tmp_path, format, sentence):
    (tmp_path / "empty.prv").write_text("#Paraver (01/01/2026 at 00:00):1000_ns:1(1):1:1(1:1)\n2:1:1:1:1:10:7:1\n")
    result = run(tandem, "convert", "-t", format, "-o", "out", "empty.prv")
    assert (result.returncode, result.stderr) == (1, f"tandem: empty.prv: {sentence}\n") and not (tmp_path / "out").exists()
