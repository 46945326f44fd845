# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces at the ends of what there may be: 65,000 rows, one, none; 10,000 event types; times to 10^18 ns and values near 2^63; and
traces spoiled in ways that change no record, or that are seen."""
import csv
import gzip
import io
import re

import pytest

import resident

MPI = 50000001
# A window of Paraver's: how many rows of a level are in state 1.
IN_STATE = """#ParaverCFG
ConfigFile.Version: 3.4
ConfigFile.NumWindows: 1
< NEW DISPLAYING WINDOW Parallelism >
window_name Parallelism
window_type single
window_id 1
window_units Nanoseconds
window_level {level}
window_object appl {{ 1, {{ All }} }}
window_selected_functions {{ 14, {{ {{cpu, Active Thd}}, {{appl, {group}}}, {{task, {group}}}, {{thread, In State}}, {{node, {group}}}, \
{{system, {group}}}, {{workload, {group}}}, {{from_obj, All}}, {{to_obj, All}}, {{tag_msg, All}}, {{size_msg, All}}, {{bw_msg, All}}, \
{{evt_type, All}}, {{evt_value, All}} }} }}
window_semantic_module thread In State {{ 1, {{ 1 1.000000000000 }} }}
"""


def header(end, n_rows):
    return f"#Paraver (d):{end}_ns:1({n_rows}):1:{n_rows}({','.join(['1:1'] * n_rows)})\n"


@pytest.fixture
def run(tandem, tmp_path):
    """Writes the trace, if there is one, and runs a command on it: what it prints, or the line that it complains with."""
    def call(trace, command, *options, name="a.prv"):
        if trace is not None:
            (tmp_path / name).write_bytes(trace if isinstance(trace, bytes) else trace.encode())
        result = resident.run(tandem, command, name, *options, cwd=tmp_path)
        assert result.returncode in (0, 1)
        return result.stderr.rstrip("\n") or result.stdout
    return call


def bursts(text):
    """Of each row (begin, duration, value), as written."""
    rows = {}
    for row, *fields in list(csv.reader(io.StringIO(text)))[1:]:
        rows.setdefault(row, []).append(tuple(fields[:3]))
    return rows


def test_many_rows(run, tmp_path):
    n, long = 65000, 10
    run(header(n + long, n) + "".join(f"1:{i + 1}:1:{i + 1}:1:{i}:{i + long}:1\n" for i in range(n)), "shift", "-f", "-q", "--", "0s")
    lines = run(None, "histogram", "--view", "state", "--csv", "-").splitlines()
    assert len(lines) == 1 + n + 6
    assert lines[-6].endswith(f",{n * long}.0000000000")

    def window(level, group):
        (tmp_path / "a.cfg").write_text(IN_STATE.format(level=level, group=group))
        return bursts(run(None, "timeline", "--cfg", "a.cfg", "--decimals", "0"))

    counts = [min(time + 1, long, n + long - 1 - time) for time in range(n + long - 1)]
    expected = [(str(time), "1", str(count)) for time, count in enumerate(counts)] + [(str(n + long - 1), "1", "0")]
    assert window("workload", "Adding") == {"": expected}
    assert {value for _, _, value in window("system", "Maximum")[""][:-1]} == {"1"}
    tasks = window("task", "Adding")
    assert len(tasks) == n
    assert tasks["1.65000"] == [("0", "64999", "0"), ("64999", "10", "1"), ("65009", "1", "0")]


def test_many_partners(run):
    """A table of 65,000 x 65,000, of which each row has three cells: what it sent, sent and got, and only got."""
    n = 65000
    places = [f"{i + 1}:1:{i + 1}:1" for i in range(n)]
    trace = header(n, n) + "".join(
        f"3:{here}:{i}:{i}:{there}:{i}:{i}:{size}:0\n" for i, here in enumerate(places)
        for there, size in ((places[(i + 1) % n], i), (here, 5)))
    lines = run(trace, "histogram", "--statistic", "bytes-sent", "--csv", "-", "--long", "--decimals", "0").splitlines()
    assert lines[0] == "row,column,value"
    cells = list(csv.reader(lines[1:]))
    assert len(cells) == 3 * n
    expected = sorted((here, there, size) for i in range(n)
                      for here, there, size in ((i, (i + 1) % n, i), (i, i, 5), (i, (i - 1) % n, 0)))
    name = [f"THREAD 1.{i + 1}.1" for i in range(n)]
    assert cells == [[name[here], f"{name[there]} [B]", str(size)] for here, there, size in expected]


def test_one_row(run):
    trace = header(9, 1) + "2:1:1:1:1:0:50000001:1\n2:1:1:1:1:4:50000001:0\n"
    assert bursts(run(trace, "timeline", "--view", "mpi-calls", "--decimals", "0")) == {
        "THREAD 1.1.1": [("0", "4", "1"), ("4", "5", "0")]}


@pytest.mark.parametrize("command", [("stat",), ("histogram",), ("timeline", "--view", "state"), ("cut", "-t", "0:5"),
                                     ("filter", "--no-events"), ("shift", "--", "1us")])
def test_without_records(run, command):
    assert run(header(10, 2), *command).endswith("a trace without records")


def test_many_types(run):
    n = 10000
    trace = header(n, 1) + "".join(f"2:1:1:1:1:{i}:{42000000 + i}:{i}\n" for i in range(n))
    assert bursts(run(trace, "timeline", "--view", "counter:42009000", "--decimals", "0")) == {
        "THREAD 1.1.1": [("0", "9000", "9000"), ("9000", "1000", "0")]}
    run(None, "filter", "-q", "--events", "42009000-42009999")
    assert run(None, "check", "--no-notes", name="a.filter.prv").endswith("0 states, 1000 events, 0 messages of 1 thread\n")


def test_long_times(run, tmp_path):
    """Exact where a double has no more room for the last digits."""
    end = 10**18
    times = [1, 2**53 + 1, 2**59 + 1, end - 3]
    trace = header(end, 1) + "".join(f"2:1:1:1:1:{time}:{MPI}:{i % 2 + 1}\n" for i, time in enumerate(times))
    steps = [0] + times + [end]
    expected = [(str(begin), str(until - begin), str(value))
                for begin, until, value in zip(steps, steps[1:], ["0", "1", "2", "1", "2"])]
    assert bursts(run(trace, "timeline", "--view", "mpi-calls", "--decimals", "0")) == {"THREAD 1.1.1": expected}
    run(None, "cut", "-q", "-t", f"{2**59}ns:{end}ns", "-o", "cut.prv")
    run(None, "shift", "-q", "-o", "shift.prv", "--", "5ns")
    cut, shifted = ([int(line.split(":")[5]) for line in (tmp_path / name).read_text().splitlines() if line[0] == "2"]
                    for name in ("cut.prv", "shift.prv"))
    assert cut[-2:] == [1, end - 3 - 2**59]
    assert shifted == [time + 5 for time in times]


def test_large_values(run, tmp_path):
    """Records are whole; the values of views are doubles, as Paraver's are, exact to 2^53."""
    values = [2**63 - 1, -2**63, 2**53 + 1, -(2**62) - 1, 2**63 - 2]
    trace = header(60, 1) + "".join(f"2:1:1:1:1:{10 * i}:{MPI}:{value}\n" for i, value in enumerate(values))
    shown = bursts(run(trace, "timeline", "--view", "mpi-calls", "--decimals", "0"))["THREAD 1.1.1"]
    assert [value for _, _, value in shown] == [f"{float(value):.0f}" for value in values]
    for value in values:
        run(None, "filter", "-q", "-f", "--events", f"{MPI}:{value}")
        found = (tmp_path / "a.filter.prv").read_text().splitlines()[1:]
        assert found[0].endswith(f":{value}") and all(line.endswith(":0") for line in found[1:])


@pytest.fixture
def hybrid(root):
    """A trace of MPI and OpenMP, its lines by what they are."""
    lines = (root / "tests/data/traces/hybrid/hybrid.prv").read_text().splitlines()
    return lines[:4], lines[4:]  # the header and its communicators


def shown_of(run, trace, name="a.prv"):
    (_, *first), *others = (
        run(trace if i == 0 else None, *words, name=name) for i, words in enumerate([
            ("timeline", "--view", "mpi-calls"), ("timeline", "--view", "state"), ("timeline", "--view", "cpu"),
            ("histogram", "--view", "mpi-calls", "--statistic", "bytes-sent", "--csv", "-")]))
    return first, others


def test_spoiled_but_the_same(run, hybrid):
    """Lines in another order, CR LF, CPUs that are not known, compressed, compressed in pieces: the same records."""
    top, body = hybrid
    text = "\n".join(top + body) + "\n"
    expected = shown_of(run, text)
    assert all(expected)
    by_row = sorted(body, key=lambda line: (line.split(":")[2:5], line.split(":")[0] == "3"))
    without_cpus = [":".join(line.split(":")[:1] + ["0"] + line.split(":")[2:]) if line[0] in "12" else line for line in body]
    halves = gzip.compress(text[:20000].encode()) + gzip.compress(text[20000:].encode())
    for spoiled in ("\n".join(top + by_row) + "\n", text.replace("\n", "\r\n"), text.rstrip("\n"), "\n".join(top + without_cpus),
                    text.replace("\n1:", "\n\n1:").replace("\n3:", "\n#\n3:"), "\n".join(top + body + ["", "4:1:1"])):
        assert shown_of(run, spoiled) == expected
    for compressed in (gzip.compress(text.encode()), halves):
        assert shown_of(run, compressed, name="b.prv.gz") == expected


def test_cut_off(run, hybrid):
    """What is whole of it is there; the line that is not, a state without its value, is refused with its number."""
    top, body = hybrid
    whole = "\n".join(top + body[:100]) + "\n"
    assert re.fullmatch(r"1:\d+:1:1:1:\d+:\d+:\d", body[100])
    n_states, n_events, n_messages = (sum(line[0] == kind for line in body[:100]) for kind in "123")
    counted = f"{n_states} states, {n_events} events, {n_messages} messages of 4 threads"
    for n in range(len(body[100])):
        said = run(whole + body[100][:n], "check", "--no-notes")
        assert said.startswith("a.prv:105: too few fields\na.prv: 1 fault" if n else "a.prv: valid") and counted in said
    compressed = gzip.compress(whole.encode())
    for command in (["histogram"], ["filter", "--no-states"], ["check"]):
        assert "b.prv.gz: the compressed file ends in the middle\n" in run(compressed[:-30], *command, name="b.prv.gz") + "\n"


@pytest.mark.parametrize("line, said", [
    ("2:9:1:1:1:5:1:1", "a CPU that the header does not have"),
    ("2:2:1:3:1:5:1:1", "a task that the header does not have"),
    ("1:2:1:1:1:5:7:1", "a CPU that is not on the node of the task"),
    ("2:1:1:1:1:-5:1:1", "a negative time"),
])
def test_line_is_left_out(run, tmp_path, line, said):
    """As the loader of Paraver's does, but it is said where."""
    top = "#Paraver (d):10_ns:2(1,1):1:2(1:1,1:2)\n2:1:1:1:1:0:50000001:1\n"
    assert run(top + line + "\n", "check", "--no-notes").startswith(f"a.prv:3: {said}\n")
    assert run(None, "filter", "-q", "-o", "b.prv") == f"tandem: a.prv: 1 faulty line left out; the first is line 3: {said}"
    assert (tmp_path / "b.prv").read_text().splitlines()[1:] == top.splitlines()[1:]


@pytest.mark.parametrize("head, said", [
    ("2(1,1):1:2(1:1,1:3)", "line 1: a task on a node that the header does not have"),
    ("1(0):1:1(1:1)", "line 1: a node without CPUs in the header"),
    ("2(16000000,16000000):1:1(1:1)", "line 1: more CPUs in the header than there can be"),
    ("1(1):1:2(16000000:1,16000000:1)", "line 1: more threads in the header than there can be"),
])
def test_header_is_refused(run, head, said):
    assert run(f"#Paraver (d):10_ns:{head}\n2:0:1:1:1:0:1:1\n", "timeline", "--view", "state") == f"tandem: a.prv: {said}"
