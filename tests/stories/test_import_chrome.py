# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert of Chrome's JSON: what cmake and clang write of themselves, and what tandem writes."""
import collections
import csv
import gzip
import json

import pytest

from otf2_text import Trace
from samples import sampled_trace, samples_of  # noqa: F401 (a fixture)
from spans import own_times

FUNCTIONS = 60000019


def imported(run, tandem, tmp_path, name):
    run(tandem, "convert", name, "-o", "out.prv", "--force", check=True)
    assert "valid;" in run(tandem, "check", "out.prv", check=True).stdout
    return Trace(tmp_path / "out.prv")


def told_times(run, tandem):
    """{(row, name): ns} that the view says."""
    text = run(tandem, "histogram", "--view", "user-functions", "--csv", "-", "--decimals", "0", "out.prv", check=True).stdout
    head, *rows = csv.reader(text.splitlines())
    names = [name.removesuffix(" [ns]") for name in head[1:]]
    rows = [row for row in rows if row and row[0] not in ("Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max")]
    return {(at, name): int(value) for at, row in enumerate(rows) for name, value in zip(names, row[1:]) if value not in ("0", "") and name != "End"}


def test_cmake(run, tandem, tmp_path):
    """Begins and ends of commands: the time in each, and how often."""
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(x NONE)\nforeach(i RANGE 9)\n  message(STATUS ${i})\nendforeach()\n")
    run("cmake", "--profiling-output=cmake.json", "--profiling-format=google-trace", "-S", ".", "-B", "b", check=True)
    events, open_, spans = json.loads((tmp_path / "cmake.json").read_text()), [], collections.defaultdict(list)
    for event in events:
        if event["ph"] == "B":
            open_.append(event)
        else:
            begin = open_.pop()
            spans[0].append((begin["ts"] * 1000, event["ts"] * 1000, begin["name"]))
    trace = imported(run, tandem, tmp_path, "cmake.json")
    assert told_times(run, tandem) == own_times(spans) and len(events) > 50
    assert trace.end == max(end for _, end, _ in spans[0]) - min(begin for begin, _, _ in spans[0])


def test_clang(run, tandem, tmp_path):
    """Complete events, the inner ones first, on many threads."""
    (tmp_path / "a.c").write_text("#include <stdio.h>\n#include <math.h>\nint main(void) { return (int)sin(1.0); }\n")
    run("clang", "-O2", "-ftime-trace", "-ftime-trace-granularity=0", "-c", "a.c", "-o", "a.o", check=True)
    spans = collections.defaultdict(list)
    for event in json.loads((tmp_path / "a.json").read_text())["traceEvents"]:
        if event["ph"] == "X":
            spans[event["pid"], event["tid"]].append((event["ts"] * 1000, (event["ts"] + event["dur"]) * 1000, event["name"]))
    spans = dict(enumerate(spans[key] for key in sorted(spans)))
    trace = imported(run, tandem, tmp_path, "a.json")
    assert told_times(run, tandem) == own_times(spans) and len(trace.places) == len(spans) > 3


ODD = r"""[
{"ph":"M","pid":7,"name":"process_name","args":{"name":"server \u00e9"}}, {"ph":"M","pid":7,"tid":2,"name":"thread_name","args":{"name":"io"}},
{"ph":"X","pid":7,"tid":1,"ts":1000001.5,"dur":2.25,"name":"inner","cat":"a","args":{"detail":{"deep":[1,2,{"ph":"X"}]}}},
{"ph":"X","pid":7,"tid":1,"ts":1000001.5,"dur":10,"name":"outer"},
{"ph":"s","pid":7,"tid":1,"ts":1000002,"name":"go","cat":"flow","id":1},
{"ph":"f","pid":7,"tid":2,"ts":1000020,"name":"go","cat":"flow","id":1,"bp":"e"},
{"ph":"C","pid":7,"tid":1,"ts":1000003,"name":"queue","args":{"value":3}}, {"ph":"C","pid":7,"tid":1,"ts":1000004,"name":"queue","args":{"value":2.5}},
{"ph":"C","pid":7,"tid":1,"ts":1000005,"name":"mem","args":{"used":10,"free":20}},
{"ph":"i","pid":7,"tid":2,"ts":1000021,"name":"tick","s":"t"},
{"ph":"B","pid":7,"tid":2,"ts":1000022,"name":"open"},
{"ph":"E","pid":8,"tid":1,"ts":1000023}, {"ph":"b","pid":7,"tid":2,"ts":1000000,"name":"async","id":"0x1"},
{"ph":"X","pid":7,"tid":1,"ts":1000030,"dur":5,"name":"a"}, {"ph":"X","pid":7,"tid":1,"ts":1000032,"dur":9,"name":"b"}"""


def test_all_kinds(run, tandem, tmp_path):
    """The end of the array may be missing, and the file may be compressed."""
    (tmp_path / "odd.json.gz").write_bytes(gzip.compress(ODD.encode()))
    result = run(tandem, "convert", "odd.json.gz", check=True)
    assert result.stdout.startswith("odd.prv: 3 rows, ") and result.stderr.startswith("tandem: odd.json.gz: 3 events left out; of the first one, ")
    assert "valid;" in run(tandem, "check", "odd.prv", check=True).stdout
    trace = Trace(tmp_path / "odd.prv")
    assert trace.places == [(1, 1, 1), (1, 1, 2), (1, 2, 1)] and trace.end == 39500
    named = [(at, trace.labels.get((type_, value), value)) for at, type_, value in trace.events[0] if type_ == FUNCTIONS]
    assert named == [(0, "outer"), (0, "inner"), (2250, "outer"), (10000, "End"), (28500, "a"), (30500, "b"), (33500, "End")]
    assert [(at, trace.labels.get((type_, value), value)) for at, type_, value in trace.events[1] if type_ == FUNCTIONS] == [(20500, "open"), (39500, "End")]
    others = [(at, trace.types[type_], trace.labels.get((type_, value), value)) for row in (0, 1) for at, type_, value in trace.events[row] if type_ != FUNCTIONS]
    assert others == [(1500, "queue", 3000000), (2500, "queue", 2500000), (3500, "mem: used", 10), (3500, "mem: free", 20), (19500, "Instant event", "tick")]
    assert trace.messages == [(0, 1, 500, 500, 18500, 18500, 0, 0)]
    rows = (tmp_path / "odd.row").read_text()
    assert "server \u00e9" in rows and "server \u00e9: io" in rows.splitlines() and "queue" in (tmp_path / "odd.pcf").read_text()


@pytest.mark.parametrize("name", ["mpi-collectives", "py-mpi4py", "hybrid"])
def test_what_comes_back(run, tandem, root, tmp_path, name):
    """The calls of MPI with their numbers and times, and the names of rows."""
    prv = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    run(tandem, "convert", "--to", "chrome", "-o", "there.json", prv, check=True)
    before, after = Trace(prv), imported(run, tandem, tmp_path, "there.json")
    mpi = [{row: [event for event in of_row if 50000001 <= event[1] <= 50000005] for row, of_row in trace.events.items()} for trace in (before, after)]
    assert mpi[0] == mpi[1] and (after.places, after.end) == (before.places, before.end)
    assert [line for line in (tmp_path / "out.row").read_text().splitlines() if line.startswith("THREAD")] == \
        [line for line in prv.with_suffix(".row").read_text().splitlines() if line.startswith("THREAD")]


def test_samples_come_back(run, tandem, sampled_trace, tmp_path):
    run(tandem, "convert", "--to", "chrome", "-o", "there.json", sampled_trace, check=True)
    imported(run, tandem, tmp_path, "there.json")
    expected = samples_of(sampled_trace)
    # Without weights, each sample counts as one.
    expected = {place: [(stack, weight or 1) for stack, weight in of] for place, of in expected.items()}
    found = samples_of(tmp_path / "out.prv")
    assert sorted(found.values()) == sorted(expected.values())


@pytest.mark.parametrize("text, sentence", [
    ('{"traceEvents":[\n{"ph":"X",}]}', "line 2, byte 28: is no JSON: "),
    ('{"traceEvents":[{"ph":"X","ts":1', "line 1, byte 32: is no JSON: "),
    ('{"traceEvents":[\n{"args":' + "[" * 3000000 + "]" * 3000000 + "}]}",
     "line 2, byte 535: is nested in more than 512 levels\n"),
    ("[" * 3000000, "line 1, byte 513: is nested in more than 512 levels\n"),
    ('{"a":' * 3000000 + "1" + "}" * 3000000, "line 1, byte 2561: is nested in more than 512 levels\n"),
    ('{"traceEvents":[]}', "there is nothing in it that a trace could show"),
    ('{"other":[{"ph":"X","ts":1,"dur":1,"name":"a"}]}', "there is nothing in it that a trace could show"),
], ids=range(7))
def test_what_is_wrong_is_said(run, tandem, tmp_path, text, sentence):
    (tmp_path / "bad.json").write_text(text)
    result = run(tandem, "convert", "bad.json", "-o", "out.prv", timeout=20)
    assert (result.returncode, result.stdout) == (1, "") and result.stderr.startswith(f"tandem: bad.json: {sentence}"), result.stderr
    assert not (tmp_path / "out.prv").exists()
