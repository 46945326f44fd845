# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces made of traces: `tandem cut`, `filter` and `shift`.  Views and histograms of a cut are those of the whole in that
stretch of time, on the traces of tests/data and on random ones: TANDEM_RANDOM_TRACES=500 makes so many of them,
TANDEM_RANDOM_SEED=N others."""
import csv
import gzip
import io
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

import resident
from processes import unfinished

TRACES = pathlib.Path(__file__).resolve().parent.parent / "data" / "traces"
NAMES = sorted(path.name for path in TRACES.iterdir())
SEED = int(os.environ.get("TANDEM_RANDOM_SEED", "1"))
N_RANDOM = int(os.environ.get("TANDEM_RANDOM_TRACES", "12"))
VIEWS = ["state", "mpi-calls", "mpi-p2p", "openmp-regions", "sampled-functions", "cpu", "user-events", "parallelism"]
RANDOM_VIEWS = ["state", "mpi-calls", "mpi-other", "counter:42000050", "counter:42000059", "temperature", "energy", "heap",
                "heap-allocated", "user-events:7", "user-events:7,8", "parallelism"]


@pytest.fixture
def use(tandem, tmp_path):
    """use(*words) -> what it printed."""
    return lambda *words: resident.run(tandem, *words, cwd=tmp_path, check=True).stdout


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def joined(bursts):
    """Without what has no length, neighbours of one value as one."""
    made = []
    for begin, end, value in bursts:
        if begin == end:
            continue
        if made and made[-1][1] == begin and made[-1][2] == value:
            made[-1] = (made[-1][0], end, value)
        else:
            made.append((begin, end, value))
    return made


def timeline(text, low, high, offset):
    """{row: bursts between low and high}, moved by an offset."""
    rows = {}
    for name, begin, duration, value, *_ in rows_of(text)[1:]:
        begin = int(begin.split(".")[0])
        end = begin + int(duration.split(".")[0])
        rows.setdefault(name, []).append((max(begin, low) - offset, min(end, high) - offset, value))
    return {name: joined(burst for burst in bursts if burst[0] < burst[1]) for name, bursts in rows.items()}


def view_of(use, trace, view, low, high, offset=0):
    text = use("timeline", trace, "--view", view, "--begin", f"{low}ns", "--end", f"{high}ns", "--decimals", "9")
    return timeline(text, low, high, offset)


def table_of(use, trace, view, statistic, low, high):
    return rows_of(use("histogram", trace, "--view", view, "--statistic", statistic, "--begin", f"{low}ns", "--end", f"{high}ns",
                       "--decimals", "3", "--csv", "-"))


def without_empty_columns(table):
    """What has no value in the window is a column of the whole's, not of the cut's.  Without the names of columns: where
    nothing of a view is left, it has none."""
    kept = [i for i in range(len(table[0])) if i == 0 or any(row[i] not in ("", "0.000") for row in table[1:])]
    return [[row[i] for i in kept] for row in table[1:]]


def has_view(use, trace, view):
    return re.search(r",[^,]*[1-9]", use("timeline", trace, "--view", view, "--decimals", "0").split("\n", 1)[1]) is not None


def compare(use, whole, low, high, views, histograms=True):
    """The views of the cut are those of the whole; the cut is valid."""
    directory = whole.parent
    use("cut", whole, "-t", f"{low}ns:{high}ns", "-o", directory / "part.prv", "--force")
    for view in views:
        expected = view_of(use, whole, view, low, high, low)
        assert view_of(use, directory / "part.prv", view, 0, high - low) == expected, (view, low, high)
        if not histograms or view == "parallelism":
            continue
        for statistic in ("time", "bursts"):
            expected = without_empty_columns(table_of(use, whole, view, statistic, low, high))
            assert without_empty_columns(table_of(use, directory / "part.prv", view, statistic, 0, high - low)) == expected, \
                (view, statistic, low, high)


@pytest.mark.parametrize("name", NAMES)
def test_cut_shows_what_the_whole_shows(use, tandem, run, tmp_path, name):
    """Any stretch of a trace that was recorded: its views, of those that the trace has anything for."""
    dice = random.Random(f"{SEED} {name}")
    for path in (TRACES / name).glob(f"{name}.*"):
        shutil.copy(path, tmp_path)
    whole = tmp_path / f"{name}.prv"
    end = int(re.match(r"#Paraver \([^)]*\):(\d+)_ns", whole.read_text()).group(1))
    views = [view for view in VIEWS if has_view(use, whole, view)]
    assert views
    counters = sorted(set(re.findall(r":(42\d{6}):", whole.read_text())))
    views += [f"counter:{counter}" for counter in counters[:2]]
    times = sorted({int(line.split(":")[5]) for line in whole.read_text().splitlines() if line[:2] == "2:"})
    for low, high in ((dice.choice(times), dice.choice(times)), (dice.randrange(end), dice.randrange(end))):
        low, high = min(low, high), max(low, high) + 1
        compare(use, whole, low, high, views)
        assert run(tandem, "check", "part.prv").returncode == 0


def random_events(dice, end, steps):
    """Lines of events of one row: codes that are entered and left, values that hold, counters, readings.  What tells of
    the time before it is read at the begin, as counters of threads are."""
    lines = [(0, [(kind, 0) for kind in (42000050, 42000059, 92012000, 92020001)])]
    at = 0
    while at < end:
        pairs = []
        for _ in range(dice.randint(1, 3)):
            kind = dice.choice((50000001, 50000002, 50000003, 7, 8, 40000033, 42000050, 42000059, 92010001, 92010002, 92012000,
                                92020000, 92020001))
            if kind not in [pair[0] for pair in pairs]:
                pairs.append((kind, dice.choice((0, 1, 5, 31)) if kind < 10 or kind // 10000000 == 5 else dice.randint(0, 2) if kind == 40000033 else dice.randint(0, 999)))
        lines.append((at, pairs))
        at += dice.choice((0, 1, 1, dice.randint(1, steps)))
    return lines


def random_states(dice, end, steps, is_wild):
    """States one after another; wild: with gaps, of no length, within others, and with no end."""
    lines = []
    at = 0
    while at < end:
        length = dice.randint(1, steps)
        until = min(at + length, end)
        if is_wild and dice.random() < 0.1:
            until = dice.choice((at, -1, min(at + 4 * length, end)))
        lines.append((at, until, dice.randint(0, 13)))
        at += length
    return lines


def write_random(dice, path, is_wild):
    """A small trace of any shape; its end."""
    end = dice.choice((50, 400, 3000))
    tasks = [(dice.randint(1, 3), dice.randint(1, 2)) for _ in range(dice.randint(1, 4))]
    steps = dice.choice((3, 20, end))
    records = []
    for task, (n_threads, _) in enumerate(tasks, 1):
        for thread in range(1, n_threads + 1):
            place = f"0:1:{task}:{thread}"
            for begin, until, state in random_states(dice, end, steps, is_wild):
                records.append((begin, f"1:{place}:{begin}:{until}:{state}"))
            for at, pairs in random_events(dice, end, steps):
                records.append((at, f"2:{place}:{at}" + "".join(f":{kind}:{value}" for kind, value in pairs)))
    for _ in range(dice.randint(0, 10)):
        sent = dice.randrange(end)
        received = dice.randrange(sent, end)
        sender, receiver = (dice.randint(1, len(tasks)) for _ in range(2))
        records.append((sent, f"3:0:1:{sender}:1:{sent}:{sent}:0:1:{receiver}:1:{received}:{received}:{dice.randint(0, 99)}:7"))
    records.sort(key=lambda record: record[0])
    shape = ",".join(f"{n_threads}:{node}" for n_threads, node in tasks)
    path.write_text(f"#Paraver (01/01/2026 at 00:00):{end}_ns:2(1,1):1:{len(tasks)}({shape})\n" +
                    "".join(text + "\n" for _, text in records) + "#tandem:sensor=92010001 1 0\n" * dice.randint(0, 1))
    return end


@pytest.mark.parametrize("number", range(N_RANDOM))
def test_cut_of_a_random_trace(use, tmp_path, number):
    dice = random.Random(f"{SEED} {number}")
    whole = tmp_path / "whole.prv"
    end = write_random(dice, whole, is_wild=number % 2)
    text = whole.read_text()
    views = [view for view in RANDOM_VIEWS if ":4" not in view or view.split(":")[1] in text]
    low = dice.randrange(end)
    compare(use, whole, low, dice.randint(low + 1, end), views)


def lines_of(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as file:
        return file.read().splitlines()


def records_of(path):
    return [line for line in lines_of(path) if line[:2] in ("1:", "2:", "3:")]


@pytest.fixture
def app(tmp_path):
    """A small trace of two applications, with names, a communicator of each, and one between tasks 1 and 3."""
    (tmp_path / "app.prv").write_text("""#Paraver (01/01/2026 at 00:00):1000_ns:2(2,2):2:3(2:1,1:1,1:2),1(1:2),3
c:1:1:3:1:2:3
c:2:2:1:1
i:1:3:1:2
# made by hand
1:1:1:1:1:0:400:1
1:0:1:1:2:0:1000:2
1:2:1:2:1:0:1000:1
1:3:1:3:1:0:300:1
1:4:2:1:1:0:1000:1
2:1:1:1:1:100:50000001:1:42000050:500
3:1:1:1:1:100:120:2:1:2:1:90:200:64:7
2:2:1:2:1:150:7:3
2:1:1:1:1:200:50000001:0:42000050:900
3:1:1:1:1:210:220:3:1:3:1:400:600:2048:9
1:3:1:3:1:300:310:5
1:3:1:3:1:310:1000:1
1:1:1:1:1:400:450:3
2:1:1:1:1:400:50000001:5
1:1:1:1:1:450:1000:1
2:1:1:1:1:450:50000001:0:42000050:70
2:3:1:3:1:500:50000002:8
2:3:1:3:1:800:50000002:0
2:1:1:1:1:900:42000050:80
#tandem:command=./app 3
#tandem:records=77
""")
    (tmp_path / "app.pcf").write_text("STATES\n0 Idle\n1 Running\n3 Waiting a message\n5 Synchronization\n\nEVENT_TYPE\n"
                                      "9 50000001 MPI Point-to-point\nVALUES\n0 Outside MPI\n1 MPI_Send\n5 MPI_Wait\n\n"
                                      "EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n0 Outside MPI\n8 MPI_Barrier\n\n"
                                      "EVENT_TYPE\n0 7 Phase: solver, inner\n")
    (tmp_path / "app.row").write_text("LEVEL THREAD SIZE 5\nmain\nhelper\nworker 2\nworker 3\nother\n")
    return tmp_path / "app.prv"


def test_cut_by_hand(use, app):
    """What crosses the edges, what holds there, and what the files beside it become."""
    said = use("cut", app, "-t", "180ns:420ns")
    assert said == f"{app.parent}/app.cut.prv: 5 rows, 8 states, 7 event values, 0 messages, 240 ns\n"
    lines = lines_of(app.parent / "app.cut.prv")
    assert lines[0] == "#Paraver (01/01/2026 at 00:00):240_ns:2(2,2):2:3(2:1,1:1,1:2),1(1:2),3"
    assert lines[1:4] == ["c:1:1:3:1:2:3", "c:2:2:1:1", "i:1:3:1:2"]
    assert re.fullmatch(r'#\d{14}:CUTTER:ORIGINAL:"app.prv":180:180:420', lines[4])
    assert lines[5:] == [
        "# made by hand", "1:1:1:1:1:0:220:1", "1:0:1:1:2:0:240:2", "1:2:1:2:1:0:240:1", "1:3:1:3:1:0:120:1",
        "1:4:2:1:1:0:240:1",
        "2:1:1:1:1:0:50000001:1",  # holds at the begin
        "2:2:1:2:1:0:7:3", "2:1:1:1:1:20:50000001:0:42000050:900", "1:3:1:3:1:120:130:5", "1:3:1:3:1:130:240:1",
        "1:1:1:1:1:220:240:3", "2:1:1:1:1:220:50000001:5",
        "2:1:1:1:1:240:50000001:0:42000050:70",  # closed; what the counter counts to
        "#tandem:command=./app 3"]
    for ending in ("pcf", "row"):
        assert (app.parent / f"app.cut.{ending}").read_bytes() == (app.parent / f"app.{ending}").read_bytes()


def test_cut_keeps_times(use, app):
    use("cut", app, "-t", "40%:", "--keep-times", "-o", app.parent / "late.prv")
    lines = lines_of(app.parent / "late.prv")
    assert lines[0].startswith("#Paraver (01/01/2026 at 00:00):1000_ns:")
    assert "1:0:1:1:2:400:1000:2" in lines and "2:1:1:1:1:400:50000001:5" in lines
    assert "2:1:1:1:1:400:50000001:0" not in lines and ":0:400:1000" in "".join(lines[:6])


def test_cut_without_begin_or_end_is_the_trace(use, app):
    use("cut", app, "-t", "0s:", "-o", app.parent / "same.prv")
    assert records_of(app.parent / "same.prv") == records_of(app)


def test_messages_that_are_all_within(use, app):
    use("cut", app, "-t", "90ns:210ns", "-o", app.parent / "m.prv")
    assert [line for line in records_of(app.parent / "m.prv") if line[0] == "3"] == ["3:1:1:1:1:10:30:2:1:2:1:0:110:64:7"]


@pytest.mark.parametrize("rows, names", [
    ("1.1.*,1.3", ["main", "helper", "worker 3"]), ("1.1,1.3", ["main", "helper", "worker 3"]),
    ("main,helper,worker 3", ["main", "helper", "worker 3"]), ("1.1-2", ["main", "helper", "worker 2"]),
    ("rank:0", ["main", "helper", "other"]), ("1", ["main", "helper", "other"]), ("work*", ["worker 2", "worker 3"]),
    ("*.1.2", ["helper"]), ("2.*", ["other"])])
def test_rows(use, tandem, run, app, rows, names):
    """Those that are chosen, numbered anew, with their names; the trace is valid."""
    use("cut", app, "--rows", rows)
    part = app.parent / "app.cut.prv"
    assert run(tandem, "check", part).returncode == 0
    whole = timeline(use("timeline", app, "--decimals", "0"), 0, 1000, 0)
    assert timeline(use("timeline", part, "--decimals", "0"), 0, 1000, 0) == {name: whole[name] for name in names}


def test_communicators_of_chosen_rows(use, app):
    use("cut", app, "--rows", "1.3,1.1.1")
    lines = lines_of(app.parent / "app.cut.prv")
    assert lines[0].endswith(":2(2,2):1:2(1:1,1:2),2") and lines[1:3] == ["c:1:1:2:1:2", "i:1:3:1:2"]
    assert [line for line in lines if line[0] == "3"] == ["3:1:1:1:1:210:220:3:1:2:1:400:600:2048:9"]
    names = (app.parent / "app.cut.row").read_text()
    assert "LEVEL TASK SIZE 2\nTASK 1.1\nTASK 1.3\n" in names and "LEVEL THREAD SIZE 2\nmain\nworker 3\n" in names
    use("cut", app, "--rows", "1.3,1.1.1", "--keep-rows", "--force")
    lines = lines_of(app.parent / "app.cut.prv")
    assert lines[0] == lines_of(app)[0] and "3:1:1:1:1:210:220:3:1:3:1:400:600:2048:9" in lines
    assert not [line for line in records_of(app.parent / "app.cut.prv") if ":1:2:1:" in line[:11]]


def filtered(use, app, *words):
    use("filter", app, *words, "-o", app.parent / "f.prv", "--force")
    return records_of(app.parent / "f.prv")


def events_of(lines):
    return [tuple(line.split(":")[5:]) for line in lines if line[0] == "2"]


@pytest.mark.parametrize("words, types", [
    (["-e", "50000001"], {"50000001"}), (["-e", "50000001-50000003"], {"50000001", "50000002"}),
    (["-e", "MPI*"], {"50000001", "50000002"}), (["-e", "MPI Collective Comm,7"], {"50000002", "7"}),
    (["-e", "Phase: solver, inner", "-e", "42000050"], {"7", "42000050"}), (["-e", "MPI*:*"], {"50000001", "50000002"}),
    (["--drop-events", "42000050"], {"50000001", "50000002", "7"}), (["-e", "MPI*", "--drop-events", "50000002"], {"50000001"}),
    (["--no-events"], set())])
def test_filter_events(use, app, words, types):
    """Of each line what is wanted; states and messages stay."""
    lines = filtered(use, app, *words)
    whole = [event for event in events_of(records_of(app))]
    expected = []
    for time, *pairs in whole:
        kept = [word for pair in zip(pairs[::2], pairs[1::2]) if pair[0] in types for word in pair]
        if kept:
            expected.append((time, *kept))
    assert events_of(lines) == expected
    assert [line for line in lines if line[0] != "2"] == [line for line in records_of(app) if line[0] != "2"]


def test_filter_values(use, app):
    """A value that is not kept ends one that is, and is not there else."""
    values = [event for event in events_of(filtered(use, app, "-e", "50000001:MPI_Wait,50000002:8"))]
    assert values == [("400", "50000001", "5"), ("450", "50000001", "0"), ("500", "50000002", "8"), ("800", "50000002", "0")]
    values = [event for event in events_of(filtered(use, app, "-e", "MPI*", "--drop-events", "50000001:2|5"))]
    assert values[:2] == [("100", "50000001", "1"), ("200", "50000001", "0")] and len(values) == 4


@pytest.mark.parametrize("words, states", [
    (["-s", "Running"], {1}), (["-s", "1,5"], {1, 5}), (["-s", "2-4"], {2, 3}), (["--drop-states", "Running,Wait*"], {2, 5}),
    (["--no-states"], set())])
def test_filter_states(use, app, words, states):
    lines = [line for line in records_of(app) if line[0] != "1" or int(line.split(":")[7]) in states]
    assert filtered(use, app, *words) == lines


def test_filter_by_duration_and_size(use, app):
    def lasts(line):
        return int(line.split(":")[6]) - int(line.split(":")[5])

    states = [line for line in records_of(app) if line[0] == "1"]
    kept = filtered(use, app, "--state-duration", "50ns:600ns", "--no-events", "--no-messages")
    assert kept == [line for line in states if 50 <= lasts(line) <= 600]
    small, large = (line for line in records_of(app) if line[0] == "3")
    for words, expected in [(["--message-size", "1k:"], [large]), (["--message-size", ":64"], [small]),
                            (["--message-duration", "100ns:"], [large]), (["--message-duration", ":80ns"], [small]),
                            (["--message-tags", "1-8"], [small]), (["--message-tags", "7,9"], [small, large])]:
        assert [line for line in filtered(use, app, *words) if line[0] == "3"] == expected, words


def moved(bursts, offset, end):
    """What a row shows after it was moved."""
    shown = [(max(begin + offset, 0), begin + duration + offset, value) for begin, duration, value in bursts]
    if offset > 0:
        shown.insert(0, (0, offset, "0"))
    return joined([(begin, min(until, end), value) for begin, until, value in shown if until > 0] +
                  [(shown[-1][1], end, "0")] * (shown[-1][1] < end))


def bursts_by_row(use, trace, view):
    rows = {}
    for name, begin, duration, value, *_ in rows_of(use("timeline", trace, "--view", view, "--decimals", "0"))[1:]:
        rows.setdefault(name, []).append((int(begin), int(duration), value))
    return rows


@pytest.mark.parametrize("words, offsets", [
    (["--", "1us"], {"": 1000}), (["--", "-100ns"], {"": -100}), (["--rows", "1.1.*", "--", "-250ns"], {"main": -250, "helper": -250}),
    (["--rows", "main", "--", "450ns"], {"main": 450}), (["--offsets", "by-name"], {"main": 30, "worker 2": -20, "worker 3": 700}),
    (["--offsets", "by-order"], {"main": 0, "helper": 5, "worker 2": -7, "worker 3": 9, "other": 0})])
def test_shift(use, tandem, run, app, words, offsets):
    """Every row shows what it showed, later or earlier; records are in the order of time."""
    (app.parent / "by-name").write_text("# rows and times\nmain 30ns\n1.2\t-20ns\nworker 3 0.7us\n")
    (app.parent / "by-order").write_text("0\n5\n-7\n9\n")
    use("shift", *words[:2 if words[0] != "--" else 0], app, *words[2 if words[0] != "--" else 0:])
    part = app.parent / "app.shift.prv"
    assert "earlier" not in run(tandem, "check", part).stdout
    end = 1000 + max([offsets.get(name, offsets.get("", 0)) for name in ("main", "helper", "worker 2", "worker 3", "other")])
    assert lines_of(part)[0].split(":")[2] == f"{end}_ns"
    for view in ("state", "mpi-calls"):
        whole = bursts_by_row(use, app, view)
        for name, bursts in bursts_by_row(use, part, view).items():
            expected = moved(whole[name], offsets.get(name, offsets.get("", 0)), end)
            assert joined([(begin, begin + duration, value) for begin, duration, value in bursts]) == expected, (view, name)


def test_shift_moves_both_ends_of_messages(use, app):
    use("shift", "--rows", "1.1", app, "--", "10ns")
    assert "3:1:1:1:1:110:130:2:1:2:1:90:200:64:7" in lines_of(app.parent / "app.shift.prv")


def test_compressed_traces(use, app):
    """Out as it came in, unless the name says else; the same text."""
    packed = app.parent / "zip.prv.gz"
    packed.write_bytes(gzip.compress(app.read_bytes()))
    use("filter", app, "-e", "50000001")
    use("filter", packed, "-e", "50000001")
    use("filter", packed, "-e", "50000001", "-o", app.parent / "plain.prv")
    texts = [lines_of(app.parent / name) for name in ("app.filter.prv", "zip.filter.prv.gz", "plain.prv")]
    assert texts[0] == texts[1] == texts[2]


def test_other_units_become_ns(use, app):
    app.write_text(app.read_text().replace("1000_ns", "1000_us"))
    use("cut", app, "-t", "180us:420us")
    assert "2:1:1:1:1:20000:50000001:0:42000050:900" in lines_of(app.parent / "app.cut.prv")


def test_names_that_are_taken(use, app):
    """The trace that had the name gets another one, with all three files; with --force it is replaced."""
    use("cut", app, "-t", ":10%", "-q")
    said = use("cut", app, "-t", ":50%")
    assert said.startswith(f"{app.parent}/app.cut.prv: ") and said.endswith(f"; the trace before it is {app.parent}/app.cut.1.prv\n")
    use("cut", app, "-t", ":20%", "--force", "-q")
    ends = {path.name: lines_of(path)[0].split(":")[2] for path in app.parent.glob("app.cut*.prv")}
    assert ends == {"app.cut.1.prv": "100_ns", "app.cut.prv": "200_ns"} and not list(app.parent.glob(".*"))


@pytest.mark.parametrize("words, status, says", [
    (["cut", "-t", "5:4", "app.prv"], 2, "cut: app.prv: nothing is between 5000000000 ns and 4000000000 ns"),
    (["cut", "-t", "soon:", "app.prv"], 2, 'cut: --time: got "soon:", takes BEGIN:END, two times'),
    (["cut", "-t", "1ms", "app.prv"], 2, 'cut: --time: got "1ms", takes'),
    (["cut", "app.prv"], 2, "cut: takes --time or --rows"),
    (["cut", "-t", "5s:", "app.prv"], 1, "app.prv: no record is left"),
    (["cut", "--rows", "1.1,nobody", "app.prv"], 2,
     'cut: --rows: got "1.1,nobody", takes rows, as 1.2.*, 1.1-4, rank:0-3 or a name, separated by commas: no row of the trace is '
     '"nobody"'),
    (["cut", "-t", ":1s", "none.prv"], 1, "none.prv: No such file or directory"),
    (["cut", "-t", ":1s", "bad.prv"], 1, 'bad.prv: line 1: not a .prv: its first line does not begin with "#Paraver "'),
    (["cut", "-t", ":1s", "half.prv.gz"], 1, "half.prv.gz: the compressed file ends in the middle"),
    (["cut", "-t", ":1s", "app.prv", "-o", "no/x.prv"], 1, "no: No such file or directory"),
    (["filter", "-e", "MPI Nothing", "app.prv"], 2,
     'filter: --events: got "MPI Nothing", takes numbers, ranges and labels of event types: "MPI Nothing" is none of these'),
    (["filter", "-s", "Sleeping", "app.prv"], 2, 'filter: --states: got "Sleeping", takes numbers and names of states'),
    (["filter", "--state-duration", "9", "app.prv"], 2, 'filter: --state-duration: got "9", takes MIN:MAX, as 10us: or :2ms'),
    (["filter", "--no-events", "--no-states", "--no-messages", "app.prv"], 1, "app.prv: no record is left"),
    (["shift", "app.prv", "far"], 2, 'shift: got "far", takes a time, as 20us or -1.5ms'),
    (["shift", "app.prv", "--offsets", "app.pcf"], 1, 'app.pcf:1: got "STATES", takes rows and a time, as 1.2.* -1.5ms'),
    (["shift", "app.prv", "--offsets", "none"], 1, "none: No such file or directory"),
    (["shift", "app.prv"], 2, "shift: takes a trace and a time, or --offsets"),
])
def test_refusals(tandem, run, app, words, status, says):
    """One line that says what is wrong; no file is left."""
    (app.parent / "bad.prv").write_text("something else\n")
    (app.parent / "half.prv.gz").write_bytes(gzip.compress(app.read_bytes())[:200])
    before = sorted(app.parent.iterdir())
    result = run(tandem, *words)
    assert (result.returncode, result.stdout) == (status, "")
    assert result.stderr.startswith(f"tandem: {says}")
    assert result.stderr.count("\n") == 1 and sorted(app.parent.iterdir()) == before


def test_faulty_lines_are_left_out(run, tandem, app):
    app.write_text(app.read_text() + "2:1:9:1:1:950:7:1\n")
    result = run(tandem, "filter", app, "-e", "7")
    assert result.returncode == 0
    assert result.stderr == f"tandem: {app}: 1 faulty line left out; the first is line 27: an application that the header " \
                            "does not have\n"


def test_interrupted(tandem, tmp_path, clean_environment):
    """A signal leaves no half trace, and the shell knows."""
    os.mkfifo(tmp_path / "endless.prv")
    command = subprocess.Popen([tandem, "filter", "endless.prv", "-e", "7", "-o", "made.prv"], cwd=tmp_path,
                               env=clean_environment, stderr=subprocess.PIPE, text=True)
    feeder = subprocess.Popen(["/usr/bin/python3", "-c", "import sys\n"
                               "sys.stdout.write('#Paraver (d):1_ns:0:1:1(1:0)\\n')\n"
                               "try:\n    while True: sys.stdout.write('2:0:1:1:1:5:7:1\\n' * 1000)\n"
                               "except BrokenPipeError: pass\nsys.stderr.close()"], stdout=open(tmp_path / "endless.prv", "w"),
                              stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not any(unfinished(tmp_path)) and time.monotonic() < end:
        time.sleep(0.01)
    command.send_signal(signal.SIGINT)
    said = command.communicate(timeout=60)[1]
    feeder.wait(timeout=60)
    assert command.returncode == -signal.SIGINT and said == "tandem: endless.prv: cancelled\n"
    assert [path.name for path in tmp_path.iterdir()] == ["endless.prv"]
