# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem.trace: the numbers of `tandem histogram` and `tandem timeline`, and records as they stand in the file."""
import collections
import csv
import io
import os
import signal
import subprocess
import sys
import time

import numpy
import pytest

import resident

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
DATA = ("hybrid", "hybrid-nodes", "malloc", "mpi-collectives", "omp-tasks", "py-mpi4py", "sampling", "synthetic-16")


@pytest.fixture(scope="module")
def traces(root, build_dir):
    """The module, of the build under test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TANDEM_BUILD", str(build_dir))
        patch.syspath_prepend(str(root / "python"))
        import tandem.trace

        yield tandem.trace


@pytest.fixture(scope="module")
def recorded(root, tandem, compile_program, run_in, tmp_path_factory):
    """The demo's program on 4 ranks, with all that can be recorded of it."""
    place = tmp_path_factory.mktemp("recorded")
    program = compile_program(root / "demo" / "halo.c", mpi=True)
    run_in(place, tandem, "record", "--heap", "values", "--sensors", "process", "--sampling-period", "1ms", "--stack", "--callers", "2", "-o",
           "halo.prv", "--", "mpirun", "-n", "4", program, "1600", "70")  # fmt: skip
    return place / "halo.prv"


@pytest.fixture(scope="module")
def run_in(clean_environment):
    def run_command(place, *command):
        result = subprocess.run([str(word) for word in command], cwd=place, env=clean_environment, timeout=120,
                                capture_output=True, text=True)  # fmt: skip
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run_command


@pytest.fixture(scope="module", params=[*DATA, "recorded"])
def path(request, root):
    if request.param == "recorded":
        return request.getfixturevalue("recorded")
    return root / "tests" / "data" / "traces" / request.param / f"{request.param}.prv"


def table_of(text):
    return list(csv.reader(io.StringIO(text)))


def lines_of(table):
    """The lines of a table of bursts, as `tandem timeline` writes them."""
    names = table.texts["row"]
    return [
        (names[row], begin, end - begin, value)
        for row, begin, end, value in zip(table.row.tolist(), table.begin_ns.tolist(), table.end_ns.tolist(), table.value.tolist())
    ]


def printed_lines(text):
    head, *lines = table_of(text)
    unit = UNITS[head[1].split("[")[1].rstrip("]")]
    return [(row, float(begin) * unit, float(length) * unit, float(value)) for row, begin, length, value, *_ in lines]


def assert_same_bursts(table, text):
    ours, printed = lines_of(table), printed_lines(text)
    assert [line[0] for line in ours] == [line[0] for line in printed]
    for column in (1, 2, 3):
        assert [line[column] for line in ours] == pytest.approx([line[column] for line in printed], rel=1e-12, abs=1e-9)


def assert_same_table(histogram, text):
    head, *lines = table_of(text)
    unit = histogram.unit and f" [{histogram.unit}]"
    assert histogram.columns == [name.removesuffix(unit) for name in head[1:]]
    assert histogram.rows + list(histogram.TOTALS) == [line[0] for line in lines]
    cells, totals = histogram.cells, histogram.totals
    for ours, line in zip([*numpy.nan_to_num(cells), *totals], lines):  # empty cells are printed as 0
        assert ours.tolist() == pytest.approx([float(cell) for cell in line[1:]], rel=1e-9, abs=1e-9)
    assert numpy.nanmean(cells, axis=0) == pytest.approx(totals[1], rel=1e-9)  # over those that are not empty


def test_every_view_has_the_numbers_of_the_commands(traces, path, tandem):
    with traces.open(path) as trace:
        names = [name for name in trace.views() if name != "counter" or "counter" in trace.views()]
        assert len(names) >= 3
        for name in names:
            view = trace.view(name)
            assert_same_bursts(view.bursts(), resident.run(tandem, "timeline", path, "--view", name, "--decimals", "14", check=True).stdout)
            for statistic in ("time", "bursts", "average-value"):
                command = ["--view", name, "--statistic", statistic, "--decimals", "14", "--csv", "-"]
                assert_same_table(view.histogram(statistic), resident.run(tandem, "histogram", path, *command, check=True).stdout)


@pytest.mark.parametrize("window", ["mpi_call", "state_as_is", "useful_task", "parallelism_workload", "state_node", "state_cpu"])
def test_windows_of_configurations(traces, root, tandem, window):
    path = root / "tests/data/traces/hybrid/hybrid.prv"
    cfg = root / "tests" / "data" / "cfgs" / f"{window}.cfg"
    with traces.open(path) as trace, trace.view(cfg) as view:
        assert_same_bursts(view.bursts(), resident.run(tandem, "timeline", path, "--view", cfg, "--decimals", "14", check=True).stdout)
        assert len(view.rows) == {"useful_task": 2, "parallelism_workload": 1, "state_node": 1}.get(window, len(view.rows))
        if window == "state_cpu":
            with pytest.raises(traces.Error, match="the rows of this view are CPUs"):
                view.bursts(rows="1.1")


@pytest.mark.parametrize("n_windows", [2, 3])
def test_histograms_of_configurations(traces, root, tandem, tmp_path, n_windows):
    path = root / "tests/data/traces/synthetic-16/synthetic-16.prv"
    lines = (root / "tests/data/cfgs/histo_3d.cfg").read_text().splitlines(keepends=True)
    cfg = tmp_path / "histogram.cfg"
    cfg.write_text("".join(line for line in lines if n_windows == 3 or "Analyzer2D.3D" not in line))
    with traces.open(path) as trace:
        for asked, options in (({}, []), ({"statistic": "time-percent", "rows": "1.1-3"}, ["--statistic", "time-percent", "--rows", "1.1-3"]),
                               ({"begin": 1_000_000, "end": 2_000_000}, ["--begin", "1ms", "--end", "2ms"])):  # fmt: skip
            planes = trace.histograms(cfg, **asked)
            command = ["histogram", path, "--cfg", cfg, "--decimals", "14", "--csv", "-", *options]
            printed = resident.run(tandem, *command, check=True).stdout.split("\n")
            assert asked or (len(planes) > 2 and None not in planes if n_windows == 3 else set(planes) == {None})
            for plane, histogram in planes.items():
                if plane is not None:  # its name is a line
                    assert printed.pop(0) == plane
                n_lines = 1 + len(histogram.rows) + len(traces.Histogram.TOTALS)
                assert_same_table(histogram, "\n".join(printed[:n_lines]))
                del printed[:n_lines]
                while printed and not printed[0]:
                    del printed[0]
            assert not any(printed)
        with pytest.raises(traces.Error, match="there is no histogram 9; it has 1"):
            trace.histograms(cfg, 9)
        with pytest.raises(traces.Error, match="no such row|9.9"):
            trace.histograms(cfg, rows="9.9")


def test_cells_as_a_table(traces, root):
    with traces.open(root / "tests/data/traces/synthetic-16/synthetic-16.prv") as trace:
        histogram = trace.view("mpi-calls").histogram("bytes-sent")
    table, cells = histogram.table(), histogram.cells
    assert len(table) == (cells == cells).sum() < cells.size
    assert (cells[table.row, table.column] == table.value).all()
    assert table.texts["row"] == histogram.rows and table.texts["column"] == histogram.columns


def test_a_view_from_a_file(root, build_dir, run, tmp_path):
    (tmp_path / "halves.view").write_text("[View]\nTitle=Halves\nFormula=useful-duration / 2\n")
    (tmp_path / "Bad.view").write_text("[View]\n")
    program = """import sys, tandem.trace
tandem.trace.add_view("halves.view")
trace = tandem.trace.open(sys.argv[1])
whole, half = (trace.view(name).bursts().value.sum() for name in ("useful-duration", "halves"))
print(whole > 0, half * 2 == whole, trace.view("halves").title)
tandem.trace.add_view("Bad.view")
"""
    path = root / "tests/data/traces/hybrid/hybrid.prv"
    told = run("/usr/bin/python3", "-c", program, path, env={"PYTHONPATH": root / "python", "TANDEM_BUILD": build_dir})
    assert told.stdout == "True True Halves\n" and "Error: Bad.view: a file of a view is called NAME.view" in told.stderr


def test_formulas(traces, root, tandem):
    path = root / "tests/data/traces/hybrid/hybrid.prv"
    with traces.open(path) as trace:
        doubled, plain = trace.view("useful-duration * 2"), trace.view("useful-duration")
        assert doubled.bursts().value.sum() == 2 * plain.bursts().value.sum() > 0
        printed = resident.run(tandem, "timeline", path, "--view", "useful-duration * 2", "--decimals", "9", check=True).stdout
        assert_same_bursts(doubled.bursts(), printed)
        for name, said in (("useful-duration * nix", 'no view is called "nix"'), ("useful-duration *", "column 18: "), ("nix", "no view is called")):
            with pytest.raises(traces.Error, match=said):
                trace.view(name)
            assert said in resident.run(tandem, "timeline", path, "--view", name).stderr


def test_a_stretch_of_time_and_rows(traces, root, tandem):
    path = root / "tests/data/traces/hybrid/hybrid.prv"
    with traces.open(path) as trace, trace.view("mpi-calls") as view, trace.view("state") as state:
        begin, end = 57000000, 90000000
        times = ["--begin", f"{begin}ns", "--end", f"{end}ns", "--rows", "1.1.1,1.2"]
        command = ["--view", "mpi-calls", "--decimals", "14", *times]
        assert_same_bursts(view.bursts(begin, end, "1.1.1,1.2"), resident.run(tandem, "timeline", path, *command, check=True).stdout)
        within = ["--within", "state:Running", "--data", "state", "--statistic", "average-value", "--csv", "-"]
        ours = view.histogram("average-value", begin, end, "1.1.1,1.2", data=state, within=(state, "Running"))
        assert_same_table(ours, resident.run(tandem, "histogram", path, *command, *within, check=True).stdout)
        long = trace.view("useful-duration")
        for asked, option in (
            ({"limits": (1e5, 1e6)}, "100000:1000000"),
            ({"limits": (1e5, 1e6), "columns": 7}, "100000:1000000/7"),
            ({"limits": (1e5, 1e6), "width": 1e5}, "100000:1000000:100000"),
            ({"columns": 5}, "/5"),
        ):
            command = ["--view", "useful-duration", "--columns", option, "--decimals", "14", "--csv", "-"]
            assert_same_table(long.histogram(**asked), resident.run(tandem, "histogram", path, *command, check=True).stdout)


def records_of(path):
    """The lines of the file: of events (row, time, type, value), and of messages, by the numbers of rows."""
    numbers, events, messages = {}, [], []
    for line in path.read_text().splitlines():
        fields = line.split(":")
        if line[:2] in ("1:", "2:", "3:"):
            numbers.setdefault(tuple(map(int, fields[2:5])), None)
        if line[:2] == "2:":
            pairs = list(map(int, fields[6:]))
            events += [(tuple(map(int, fields[2:5])), int(fields[5]), *pair) for pair in zip(pairs[::2], pairs[1::2])]
        if line[:2] == "3:":
            at = list(map(int, fields[1:]))
            messages.append((tuple(at[1:4]), tuple(at[7:10]), at[4], at[5], at[10], at[11], at[12], at[13]))
    return events, messages


def test_records_are_those_of_the_file(traces, path):
    events, messages = records_of(path)
    with traces.open(path) as trace:
        places = [(place.application, place.task, place.thread) for place in trace.rows]
        table = trace.events()
        ours = list(zip([places[row] for row in table.row.tolist()], table.time_ns.tolist(), table.type.tolist(), table.value.tolist()))
        assert collections.Counter(ours) == collections.Counter(events) and len(events) > 0
        assert [event[:2] for event in ours] == sorted(event[:2] for event in events)
        counts = collections.Counter(event[2] for event in events)
        assert {type: n for type, (_, n) in trace.types().items()} == counts
        two = [type for type, _ in counts.most_common(2)]
        half = trace.duration_ns // 2
        assert len(trace.events(*two, begin=half)) == sum(event[2] in two and event[1] >= half for event in events)
        assert len(trace.events(*two, end=half)) == sum(event[2] in two and event[1] < half for event in events)
        table = trace.messages()
        ours = list(zip(*([places[row] for row in table[end].tolist()] for end in ("sender", "receiver")),
                        *(table[name].tolist() for name in table.columns[2:])))  # fmt: skip
        assert collections.Counter(ours) == collections.Counter(messages)
        late = trace.messages(begin=half, rows=trace.rows[0].name)
        wanted = [message for message in messages if max(message[2:6]) >= half and places[0] in message[:2]]
        assert len(late) == len(wanted)


def test_samples_are_those_of_the_stacks(traces, recorded, tandem):
    with traces.open(recorded) as trace:
        frame = trace.samples().frame()
    on_cpu = frame[frame.kind != "waiting"]
    printed = resident.run(tandem, "convert", recorded, "--to", "collapsed", "-o", "-", check=True).stdout.splitlines()
    stacks = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in printed}
    ours = on_cpu.groupby("call_path", observed=True).weight_ns.sum()
    assert ours[ours > 0].to_dict() == stacks and len(stacks) > 3
    assert set(on_cpu.function) == {stack.rsplit(";")[-1] for stack in on_cpu.call_path.unique()}
    assert on_cpu.line.astype(str).str.startswith("halo.c:").any()
    assert frame.groupby("row", observed=True).time_ns.apply(lambda times: times.is_monotonic_increasing).all()


def test_notebook(root, build_dir, run, recorded):
    """The example runs as it stands: as a script, and cell by cell as a notebook would run it."""
    example = root / "docs" / "examples" / "trace_notebook.py"
    environment = {"PYTHONPATH": root / "python", "TANDEM_BUILD": build_dir}
    told = run("/usr/bin/python3", "-W", "error", example, recorded, env=environment, check=True).stdout
    running = collections.Counter()
    for line in recorded.read_text().splitlines():
        if line.startswith("1:") and line.endswith(":1"):
            fields = line.split(":")
            running[tuple(fields[2:5])] += int(fields[6]) - int(fields[5])
    assert f"load balance: {sum(running.values()) / len(running) / max(running.values()):.4f}\n" in told
    cells = example.read_text().split("\n# %%")
    assert len(cells) > 10
    by_cell = "".join(f"exec({cell.lstrip(' [markdown]')!r}, space)\n" for cell in cells)
    again = run("/usr/bin/python3", "-c", "space = {}\n" + by_cell, cwd=recorded.parent, env=environment, check=True).stdout
    assert again.splitlines()[1:] == told.splitlines()[1:]


def test_frames_share_the_memory(traces, root):
    with traces.open(root / "tests/data/traces/hybrid/hybrid.prv") as trace:
        table = trace.view("mpi-calls").bursts()
        frame = table.frame()
        types = {name: str(frame[name].dtype) for name in frame}
    assert types == {"row": "category", "begin_ns": "int64", "end_ns": "int64", "value": "float64", "label": "category"}
    for name in ("begin_ns", "end_ns", "value"):
        assert numpy.shares_memory(frame[name].to_numpy(), table[name])
    assert numpy.shares_memory(frame.label.cat.codes.to_numpy(), table.label)
    total = frame.end_ns.sum()
    del table
    assert frame.end_ns.sum() == total  # the trace is closed, and the table is gone
    assert frame[frame.label == "MPI_Sendrecv"].value.unique().tolist() == [41]


def test_rows_of_the_same_name(traces, root, tmp_path):
    """Their names differ in a frame, because categories have to; codes are the numbers of the rows in any case."""
    for ending in (".prv", ".pcf"):
        (tmp_path / f"same{ending}").write_bytes((root / f"tests/data/traces/hybrid/hybrid{ending}").read_bytes())
    (tmp_path / "same.row").write_text("LEVEL THREAD SIZE 4\nworker\nworker\nmaster\nworker (2)\n")
    with traces.open(tmp_path / "same.prv") as trace:
        table = trace.view("state").bursts()
    frame = table.frame()
    assert table.texts["row"] == ["worker", "worker", "master", "worker (2)"]
    assert len(set(frame.row.cat.categories)) == 4 and (frame.row.cat.codes == table.row).all()
    assert len(frame[frame.row == frame.row.cat.categories[2]]) == (table.row == 2).sum() > 0


def test_grid(traces, root):
    with traces.open(root / "tests/data/traces/hybrid/hybrid.prv") as trace:
        view, calls = trace.view("useful-duration"), trace.view("mpi-calls")
        table = view.bursts()
        grid = view.grid(200, mode="maximum")
        assert grid.shape == (len(view.rows), 200)
        for row in range(len(view.rows)):
            assert grid[row].max() == table.value[table.row == row].max()
        assert set(calls.grid(50).ravel()) <= set(calls.bursts().value)
        with pytest.raises(traces.Error, match='no mode is called "nix", but time, '):
            view.grid(10, mode="nix")
        with pytest.raises(traces.Error, match="codes have no average"):
            calls.grid(10, mode="average")


def test_what_is_wrong_is_said(traces, root, tmp_path):
    with pytest.raises(traces.Error, match="none.prv: No such file or directory"):
        traces.open(tmp_path / "none.prv")
    trace = traces.open(root / "tests/data/traces/hybrid/hybrid.prv")
    view = trace.view("state")
    with pytest.raises(traces.Error, match="no statistic is called"):
        view.histogram("nix")
    for columns in ({"limits": (5, 1)}, {"width": -1}, {"columns": 2_000_000}):
        with pytest.raises(traces.Error, match="there are no such columns"):
            trace.view("useful-duration").histogram(**columns)
    with pytest.raises(traces.Error, match="9.9"):
        view.bursts(rows="9.9")
    with pytest.raises(traces.Error, match="has no samples"):
        trace.samples()
    with pytest.raises(ValueError, match="takes a time after begin"):
        view.bursts(begin=5, end=5)
    with pytest.raises(ValueError, match="from 0 on"):
        view.bursts(begin=-1)
    with pytest.raises(TypeError, match="takes a number of ns"):
        view.bursts(begin="soon")
    with pytest.raises(TypeError, match="rows: got \\[0, 1\\], takes a text"):
        view.bursts(rows=[0, 1])
    with pytest.raises(KeyError):
        view.value("nix")
    with pytest.raises(AttributeError):
        view.bursts().nix
    trace.close()
    trace.close()
    for use in (view.bursts, lambda: view.rows, lambda: trace.rows, lambda: trace.view("state")):
        with pytest.raises(ValueError, match="is closed"):
            use()


def test_nothing_is_imported_before_it_is_asked_for(root, build_dir, run):
    program = """import sys, tandem.trace
trace = tandem.trace.open(sys.argv[1])
view = trace.view("state")
print(len(view.bursts()), len(view.histogram().rows), "numpy" in sys.modules, "pandas" in sys.modules)
view.bursts().value
print("numpy" in sys.modules, "pandas" in sys.modules)
sys.modules["pandas"] = None
view.bursts().frame()
"""
    path = root / "tests/data/traces/hybrid/hybrid.prv"
    told = run("/usr/bin/python3", "-c", program, path, env={"PYTHONPATH": root / "python", "TANDEM_BUILD": build_dir})
    assert told.stdout == "350 4 False False\nTrue False\n", told.stderr
    assert told.stderr.endswith("ImportError: frames need pandas (Debian: python3-pandas)\n")


@pytest.fixture(scope="module")
def long_trace(tmp_path_factory):
    """A trace that takes a second or so to open."""
    path = tmp_path_factory.mktemp("long") / "long.prv"
    lines = (f"2:1:1:1:1:{10 * i}:50000002:{i % 7}" for i in range(2_000_000))
    path.write_text("#Paraver (01/01/2026 at 00:00):20000000_ns:1(1):1:1(1:1)\n" + "\n".join(lines) + "\n")
    return path


class Hurry(Exception):
    pass


def test_long_work_is_interrupted(traces, long_trace):
    """By a signal, as Ctrl-C is one, and by the progress; both leave nothing behind that would keep it from working."""

    def hurry(*_):
        raise Hurry

    before = signal.signal(signal.SIGALRM, hurry)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            began = time.monotonic()
            with pytest.raises(Hurry):
                traces.open(long_trace)
            assert time.monotonic() - began < 10
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    told = []
    with traces.open(long_trace, progress=told.append) as trace:
        assert told == sorted(told) and told[-1] == 1
        assert len(trace.view("mpi-calls").bursts(progress=told.append)) == pytest.approx(2_000_000, rel=0.2)

        def refuse(_):
            raise Hurry

        with pytest.raises(Hurry):
            trace.view("mpi-calls").histogram(progress=refuse)
        assert trace.view("mpi-calls").histogram().cells.sum() == trace.duration_ns
    assert "tandem" not in sys.modules["threading"].enumerate()


def test_ctrl_c(long_trace, root, build_dir, tmp_path):
    """It ends a program that opens traces, as it ends any, and leaves no unfinished file."""
    program = """import os, sys, tandem.trace
print("begun", flush=True)
while True:
    tandem.trace.open(sys.argv[1]).close()
    if os.path.exists(sys.argv[1] + ".tvx"):
        os.remove(sys.argv[1] + ".tvx")
"""
    copy = tmp_path / "long.prv"
    copy.write_bytes(long_trace.read_bytes())
    environment = {**os.environ, "PYTHONPATH": str(root / "python"), "TANDEM_BUILD": str(build_dir)}
    with subprocess.Popen(["/usr/bin/python3", "-c", program, str(copy)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                          text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) as opening:  # fmt: skip
        assert opening.stdout.readline() == "begun\n"
        time.sleep(0.1)
        opening.send_signal(signal.SIGINT)
        _, said = opening.communicate(timeout=30)
    assert opening.returncode == -signal.SIGINT and said.endswith("KeyboardInterrupt\n"), said
    assert {path.name for path in tmp_path.iterdir()} <= {"long.prv", "long.prv.tvx"}
