# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert of an OTF2 archive: what was written comes back, and archives of others become valid traces."""
import collections
import os
import shutil
import signal
import subprocess
import time

import pytest

from otf2_text import Trace, definitions, needs_otf2
from samples import sampled_trace, samples_of  # noqa: F401 (a fixture)

TRACES = ["mpi-collectives", "mpi-pingpong", "hybrid", "synthetic-16"]
pytestmark = needs_otf2


def there_and_back(run, tandem, prv, tmp_path):
    run(tandem, "convert", "--to", "otf2", "-o", "there", prv, check=True)
    run(tandem, "convert", "there/traces.otf2", "-o", "back.prv", check=True)
    assert "valid;" in run(tandem, "check", "back.prv", check=True).stdout
    return tmp_path / "back.prv"


def labelled(trace):
    """Counter of (row, time, type, value), with labels in place of numbers where there are any."""
    return collections.Counter((row, at, trace.types.get(type_, str(type_)), trace.labels.get((type_, value), str(value)))
                               for row, of_row in trace.events.items() for at, type_, value in of_row)


@pytest.mark.parametrize("name", TRACES)
def test_what_comes_back(run, tandem, root, tmp_path, name):
    """All events, messages, communicators and the end; but not the 0 of a type that has no begin, nor lines between tasks."""
    prv = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    before, after = Trace(prv), Trace(there_and_back(run, tandem, prv, tmp_path))
    begun = {(row, type_) for row, of_row in before.events.items() for _, type_, value in of_row if value}
    for row, of_row in before.events.items():
        before.events[row] = [(at, type_, value) for at, type_, value in of_row if (row, type_) in begun or not 60000000 < type_ < 60000036]
    lost, new = labelled(before) - labelled(after), labelled(after) - labelled(before)
    assert lost == {}
    # A call that is open at the end ends there.
    assert all(at == before.end for _, at, _, _ in new)
    sent = [message for message in before.messages if not 60000000 <= message[-1] <= 60000002]
    # Messages that overtake each other, which MPI does not allow, are matched in another way.
    cut = slice(4) if name.startswith("synthetic") else slice(8)
    assert sorted(message[cut] for message in after.messages) == sorted(message[cut] for message in sent)
    assert (after.communicators, after.end, after.places) == (before.communicators, before.end, before.places)
    names = [prv.with_suffix(".row").read_text(), (tmp_path / "back.row").read_text()]
    assert [name for name in names[1].splitlines() if name.startswith("THREAD ")] == [name for name in names[0].splitlines() if name.startswith("THREAD ")]


@pytest.mark.parametrize("name, views", [("mpi-collectives", ["mpi-calls", "state"]), ("hybrid-nodes", ["mpi-calls"]), ("py-mpi4py", ["mpi-calls"])])
def test_views_of_what_comes_back(run, tandem, root, tmp_path, name, views):
    prv = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    back = there_and_back(run, tandem, prv, tmp_path)
    for view in views:
        words = ["--csv", "-", "--decimals", "0", "--long"]
        tables = [run(tandem, "histogram", "--view", view, *words, trace, check=True).stdout.splitlines() for trace in (prv, back)]
        # States that no call tells of are not in an archive.
        unknown = ("Running", "Not created", "I/O", "Tracing Disabled", "Idle")
        tables = [{line for line in table if not any(f",{word}" in line or f',"{word}' in line for word in unknown) and not line.endswith(",0")} for table in tables]
        assert tables[0] == tables[1] and len(tables[0]) > 4


def test_samples_come_back(run, tandem, sampled_trace, tmp_path):
    assert samples_of(there_and_back(run, tandem, sampled_trace, tmp_path)) == samples_of(sampled_trace)


def test_an_archive_of_others(run, tandem, root, tmp_path):
    """What tests/stories/programs/foreign_otf2.py says: times in ns, Paraver's numbers, messages by their requests."""
    program = root / "tests" / "stories" / "programs" / "foreign_otf2.py"
    if subprocess.run(["/usr/bin/python3", "-c", "import otf2"], capture_output=True).returncode:
        pytest.skip("needs OTF2's Python module (python3-otf2)")
    run("/usr/bin/python3", program, "other.otf2", check=True)
    result = run(tandem, "convert", "other.otf2", check=True)
    assert result.stdout == "other.prv: 3 rows, 19 states, 41 event values, 2 messages, 500 us\n" and result.stderr == ""
    trace = Trace(tmp_path / "other.prv")
    assert trace.places == [(1, 1, 1), (1, 1, 2), (1, 2, 1)] and trace.end == 500000 and trace.communicators == {(1, 1): [(1, 1), (1, 2)]}
    assert sorted(trace.messages) == [(0, 2, 105000, 105000, 55000, 195000, 64, 3), (2, 0, 105000, 105000, 55000, 195000, 65, 3)]
    types = collections.defaultdict(list)
    for at, type_, value in trace.events[0]:
        types[trace.types[type_]].append((at, trace.labels.get((type_, value), value)))
    assert types["MPI Point-to-point"] == [(50000, "MPI_Irecv"), (60000, "Outside MPI"), (100000, "MPI_Isend"), (110000, "Outside MPI"), (150000, "MPI_Waitall"), (200000, "Outside MPI")]
    assert types["User function"] == [(0, "main"), (300000, "solve(double*)"), (355000, "main"), (500000, "End")]
    assert types["Parallel (OMP)"] == [(305000, "!$omp parallel @x.c:7"), (350000, 0) if (60000001, 0) not in trace.labels else (350000, trace.labels[60000001, 0])]
    assert types["PAPI_TOT_CYC"] == [(0, 5000), (200000, 600)] and types["load"] == [(275000, 250000)]
    assert (250000, 50100003, 1) in trace.events[2] and (250000, 50100001, 8) in trace.events[2] and (250000, 50100001, 0) in trace.events[0]
    assert [state for state in trace.states if state[0] == 0 and state[3] != 1] == [(0, 50000, 60000, 11), (0, 100000, 110000, 10), (0, 150000, 200000, 8), (0, 250000, 275000, 13)]
    nodes = (tmp_path / "other.row").read_text().split("LEVEL NODE SIZE 2\n")[1]
    assert nodes.splitlines()[:2] == ["n1", "n2"] and "MPI Rank 0: OMP thread 1" in (tmp_path / "other.row").read_text()
    # The typed name is not overwritten.
    result = run(tandem, "convert", "other.otf2", "-o", "other.prv")
    assert (result.returncode, result.stderr) == (1, "tandem: other.prv: exists (--force overwrites it)\n")
    run(tandem, "convert", "other.otf2", "-o", "other.prv", "--force", check=True)


def test_what_is_wrong_is_said(run, tandem, root, tmp_path):
    prv = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    run(tandem, "convert", "--to", "otf2", "-o", "good", prv, check=True)
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "empty").mkdir()
    shutil.copytree(tmp_path / "good", tmp_path / "short")
    events = tmp_path / "short" / "traces" / "1.evt"
    events.write_bytes(events.read_bytes()[:100])
    shutil.copytree(tmp_path / "good", tmp_path / "part")
    (tmp_path / "part" / "traces.def").unlink()
    before = sorted(os.listdir(tmp_path))
    for path, sentence in [("nowhere", "nowhere: Error opening file"), ("text", "text: is not a trace that tandem can read"), ("empty", "empty/traces.otf2: Error opening"),
                           ("short", "short/traces.otf2: "), ("part", "part/traces.otf2: ")]:
        result = run(tandem, "convert", path, "-o", "out.prv")
        assert (result.returncode, result.stdout) == (1, "") and result.stderr.startswith(f"tandem: {sentence}"), (path, result.stderr)
        assert result.stderr.count("\n") == 1 and sorted(os.listdir(tmp_path)) == before


def test_a_signal_leaves_nothing(run, tandem, tmp_path):
    n = 1000000
    with (tmp_path / "large.prv").open("w") as file:
        file.write(f"#Paraver (01/01/2026 at 00:00):{10 * n}_ns:1(1):1:1(1:1)\n")
        file.writelines(f"2:1:1:1:1:{10 * at}:50000001:{at & 1}\n" for at in range(n))
    run(tandem, "convert", "--to", "otf2", "-o", "large.otf2", "large.prv", check=True)
    before = sorted(os.listdir(tmp_path))
    begin = time.monotonic()
    run(tandem, "convert", "large.otf2", "-o", "whole.prv", check=True)
    lasts, before = time.monotonic() - begin, sorted([*before, "whole.pcf", "whole.prv", "whole.row"])
    for part in (0.2, 0.4):
        process = subprocess.Popen([tandem, "convert", "large.otf2", "-o", "out.prv"], cwd=tmp_path)
        time.sleep(part * lasts)
        process.send_signal(signal.SIGINT)
        assert process.wait() == -signal.SIGINT and sorted(os.listdir(tmp_path)) == before


def test_a_recorded_program_comes_back(run, tandem, tmp_path):
    """Functions of Python, samples, the heap and sensors of the process: views say the same of what comes back."""
    (tmp_path / "work.py").write_text("import json\ndef build(n):\n    return [dict(a=i, b=str(i)) for i in range(n)]\n"
                                      "for i in range(40):\n    json.loads(json.dumps(build(2000)))\n")
    run(tandem, "record", "--heap", "values", "--sensors", "process", "--python", "all", "--sampling-period", "2ms", "-o", "app.prv", "--",
        "/usr/bin/python3", "work.py", check=True)
    back = there_and_back(run, tandem, tmp_path / "app.prv", tmp_path)
    for view in ("python-functions", "heap", "sampled-functions", "rss", "page-faults"):
        tables = [sorted(run(tandem, "histogram", "--view", view, "--csv", "-", "--long", trace, check=True).stdout.splitlines()) for trace in ("app.prv", back)]
        assert tables[0] == tables[1] and len(tables[0]) > 1, view
    assert samples_of(back) == samples_of(tmp_path / "app.prv")
    metrics = [line for line in definitions(tmp_path / "there")["METRIC_INSTANCE"].values()]
    assert metrics and all('Scope: LOCATION_GROUP "' in line for line in metrics)
