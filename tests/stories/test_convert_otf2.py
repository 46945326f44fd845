# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert --to otf2: what otf2-print reads back are the events of the trace's text, at the same times."""
import collections
import os
import re
import signal
import subprocess
import time

import pytest

import resident
from otf2_text import Trace, definitions, events, needs_otf2
from samples import make_trace, sampled_trace, samples_of  # noqa: F401 (a fixture)

TRACES = ["mpi-collectives", "mpi-pingpong", "hybrid", "py-mpi4py", "omp-tasks", "synthetic-16"]
MPI = range(50000001, 50000006)
COLLECTIVE = range(50100001, 50100005)
pytestmark = needs_otf2


@pytest.fixture(scope="module", params=TRACES)
def both(request, tandem, root, tmp_path_factory):
    """A trace, its text and the archive that was made of it."""
    prv = root / "tests" / "data" / "traces" / request.param / f"{request.param}.prv"
    archive = tmp_path_factory.mktemp(request.param) / "out"
    resident.run(tandem, "convert", "--to", "otf2", "-o", archive, prv, check=True)
    return Trace(prv), archive


def regions_of(archive):
    """{number: (name, label of the event type)}."""
    return {number: re.match(r'Name: "(.*)" <\d+> \(Aka.*Descr\.: "(.*)" <\d+>, Role', text).groups() for number, text in definitions(archive)["REGION"].items()}


def test_calls(both):
    """Each begin and end of an MPI call, and all calls within each other."""
    trace, archive = both
    labels, expected, found, open_ = {trace.types.get(type_) for type_ in MPI}, [], [], collections.defaultdict(list)
    for row, of_row in trace.events.items():
        now = {}
        for at, type_, value in of_row:
            if type_ not in MPI:
                continue
            if now.get(type_):
                expected.append(("LEAVE", row, at, now[type_]))
            now[type_] = trace.labels.get((type_, value)) if value else None
            if value:
                expected.append(("ENTER", row, at, now[type_]))
        expected += [("LEAVE", row, trace.end, name) for name in now.values() if name]
    regions = regions_of(archive)
    for kind, row, at, text in events(archive):
        if kind not in ("ENTER", "LEAVE"):
            continue
        number = int(re.search(r"<(\d+)>", text)[1])
        assert kind == "ENTER" or open_[row].pop() == number
        if kind == "ENTER":
            open_[row].append(number)
        if regions[number][1] in labels:
            found.append((kind, row, at, regions[number][0]))
    assert sorted(found) == sorted(expected) and not any(open_.values())


def test_messages(both):
    """Both ends of each message, with all four times, between the begin and the end of the calls that they are of."""
    trace, archive = both
    tasks = {place[:2]: at for at, place in enumerate(trace.tasks)}
    expected, found, depth = [], [], collections.Counter()
    for sender, receiver, lsend, psend, lrecv, precv, size, tag in trace.messages:
        if 60000000 <= tag <= 60000002:
            continue
        to, of = (tasks[trace.places[row][:2]] for row in (receiver, sender))
        expected += [("MPI_SEND", sender, lsend, to, tag, size, psend), ("MPI_RECV", receiver, max(lrecv, precv), of, tag, size, min(lrecv, precv))]
    for kind, row, at, text in events(archive):
        depth[row] += {"ENTER": 1, "LEAVE": -1}.get(kind, 0)
        if kind in ("MPI_SEND", "MPI_RECV"):
            assert depth[row] > 0 or "synthetic" in str(archive)
            partner, tag, size = (int(re.search(rf"\b(?:{word}): (\d+)", text)[1]) for word in ("Receiver|Sender", "Tag", "Length"))
            other = re.search(r"UINT64; (\d+)", text)
            assert '"MPI_COMM_WORLD"' in text
            found.append((kind, row, at, partner, tag, size, int(other[1]) if other else at))
    assert sorted(found) == sorted(expected)


def test_collectives(both):
    """Communicator, bytes and root: of a call with a root, all members say the same one, who says so itself in the trace."""
    trace, archive = both
    expected, found, begun = [], [], collections.Counter()
    for row, of_row in trace.events.items():
        now = None
        for at, type_, value in of_row:
            if type_ == 50000002:
                if now:
                    expected.append((now["name"], row, at, now.get(50100004), now.get(50100001, 0), now.get(50100002, 0), bool(now.get(50100003))))
                name = trace.labels.get((type_, value), "").removeprefix("MPI_").upper()
                now = {"name": name} if value and not name.startswith(("I", "NEIGHBOR")) else None
            elif type_ in COLLECTIVE and now:
                now[type_] = value
    comms, counts, roots = definitions(archive), collections.Counter(), collections.defaultdict(set)
    groups = {number: [int(rank) for rank in re.findall(r"(\d+) \(", text.split("Member")[1])] for number, text in comms["GROUP"].items() if "COMM_GROUP" in text}
    for kind, row, at, text in events(archive):
        begun[row] += kind == "MPI_COLLECTIVE_BEGIN"
        if kind != "MPI_COLLECTIVE_END":
            continue
        begun[row] -= 1
        name, comm, root, sent, received = re.match(r"Operation: (\w+), Communicator: .* <(\d+)>, Root: (.*?), Sent: (\d+), Received: (\d+)", text).groups()
        group = int(re.search(r'Group: ".*?" <(\d+)>', comms["COMM"][int(comm)])[1])
        members = [trace.tasks[rank] for rank in groups[group]]
        number = next(number for (_, number), of in trace.communicators.items() if of == members) if trace.communicators else None
        has_root = name in ("BCAST", "REDUCE", "GATHER", "GATHERV", "SCATTER", "SCATTERV")
        assert has_root == (root != "NONE") or not trace.communicators
        is_own = has_root and root != "NONE" and members[int(root.split()[0])] == trace.places[row][:2]
        found.append((name, row, at, number, int(sent), int(received), is_own))
        roots[number, name, counts[number, name, row]].add(root)
        counts[number, name, row] += 1
    assert all(len(told) == 1 for told in roots.values())
    assert sorted(found) == sorted(expected) and not any(begun.values())


def test_parameters(both):
    """All other events, with their labels; and the counters."""
    trace, archive = both
    written = {text.split('"')[1] for text in definitions(archive)["PARAMETER"].values()}
    regions = {name for _, name in regions_of(archive).values()} | {trace.types.get(30000000)}
    metrics = {text.split('"')[1] for text in definitions(archive)["METRIC_MEMBER"].values()}
    expected, found, blocking = [], [], {}
    for row, of_row in trace.events.items():
        for at, type_, value in of_row:
            label = trace.types.get(type_, str(type_))
            if type_ == 50000002:
                name = trace.labels.get((type_, value), "")
                blocking[row] = value and not name.startswith(("MPI_I", "MPI_Neighbor"))
            if label in regions or (60000000 < type_ < 60000036 and not any(value for _, of, value in of_row if of == type_)) or (type_ in COLLECTIVE and blocking.get(row)) or 30000000 <= type_ < 30000200:
                continue
            expected.append((row, at, label, trace.labels.get((type_, value), str(value))))
    for kind, row, at, text in events(archive):
        if kind.startswith("PARAMETER"):
            label, value = re.match(r'Parameter: "(.*)" <\d+>, Value: (.*)$', text).groups()
            found.append((row, at, label, value.rsplit(" <", 1)[0].strip('"') if kind == "PARAMETER_STRING" else value))
        elif kind == "METRIC":
            found.append((row, at, *re.search(r'Value: \("(.*)" <\d+>; INT64; (-?\d+)\)', text).groups()))
    assert sorted(found) == sorted(expected) and (written or metrics)


def test_places(run, tandem, root, tmp_path):
    prv = root / "tests" / "data" / "traces" / "hybrid-nodes" / "hybrid-nodes.prv"
    run(tandem, "convert", "--to", "otf2", "-o", tmp_path / "out", prv, check=True)
    trace, found = Trace(prv), definitions(tmp_path / "out")
    groups = {number: re.search(r'Parent: ".*::(.*)" <', text)[1] for number, text in found["LOCATION_GROUP"].items()}
    nodes = prv.with_suffix(".row").read_text().split("LEVEL NODE SIZE")[1].split("\n\n")[0].split("\n")[1:]
    of_tasks = [int(node) for node in re.findall(r"\d+:(\d+)", prv.read_text().split("\n")[0].rsplit("(", 1)[1])]
    assert [groups[at] for at in range(len(groups))] == [nodes[node - 1] for node in of_tasks] and len(set(groups.values())) > 1
    assert len(found["LOCATION"]) == len(trace.places)
    assert f"Length: {trace.end + 1}," in found["CLOCK_PROPERTIES"][0] and "Ticks per Seconds: 1000000000," in found["CLOCK_PROPERTIES"][0]


def test_samples(run, tandem, sampled_trace, tmp_path):
    run(tandem, "convert", "--to", "otf2", "-o", tmp_path / "out", sampled_trace, check=True)
    contexts = {}
    for number, text in definitions(tmp_path / "out")["CALLING_CONTEXT"].items():
        name, parent = re.match(r'Region: "(.*?)" <\d+>, .*Parent: (.*)$', text).groups()
        parent = re.search(r"<(\d+)>$", parent)
        contexts[number] = (*(contexts[int(parent[1])] if parent else ()), name)
    found = collections.defaultdict(list)
    for kind, row, _, text in events(tmp_path / "out"):
        if kind == "CALLING_CONTEXT_SAMPLE" and '"CPU time"' in text:
            weight = re.search(r"UINT64; (\d+)", text)
            found[row].append((list(contexts[int(re.search(r"<(\d+)>", text)[1])]), int(weight[1]) if weight else None))
    rows = Trace(sampled_trace).rows
    assert found == {rows[tuple(map(int, place))]: of for place, of in samples_of(sampled_trace).items()}


def test_of_some_threads(run, tandem, root, tmp_path):
    prv = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    run(tandem, "convert", "--to", "otf2", "--rows", "1.2.*", "-o", tmp_path / "out", prv, check=True)
    assert {row for kind, row, _, _ in events(tmp_path / "out") if kind != "MEASUREMENT_ON_OFF"} == {2, 3}
    assert len(definitions(tmp_path / "out")["LOCATION"]) == 4


def test_what_stands_there(run, tandem, tmp_path):
    """An archive is replaced, anything else is left as it is."""
    make_trace(tmp_path / "made.prv")
    words = [tandem, "convert", "-t", "otf2", "made.prv", "-o"]
    for _ in range(2):
        run(*words, "out/", check=True)
    assert sorted(os.listdir(tmp_path / "out")) == ["traces", "traces.def", "traces.otf2"]
    (tmp_path / "out" / "profile.cubex").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for path in ("out", "file", "."):
        result = run(*words, path)
        assert (result.returncode, result.stderr) == (1, f"tandem: {path}: exists, and is not such an archive alone: give another --output, or delete it\n")
    assert (tmp_path / "file").read_text() == (tmp_path / "out" / "profile.cubex").read_text() == "mine"
    result = run(*words, "no/where")
    assert (result.returncode, result.stderr) == (1, "tandem: no/where: No such file or directory\n")
    for output in ([], ["-o", "-"]):
        result = run(tandem, "convert", "-t", "otf2", "made.prv", *output)
        assert (result.returncode, result.stderr) == (2, "tandem: convert: --to otf2 writes a directory: --output says which\n")
    assert sorted(os.listdir(tmp_path)) == ["file", "made.pcf", "made.prv", "out"]


def large_trace(prv, n):
    with prv.open("w") as file:
        file.write(f"#Paraver (01/01/2026 at 00:00):{10 * n}_ns:1(1):1:1(1:1)\n")
        for at in range(n):
            file.write(f"2:1:1:1:1:{10 * at}:50000001:{at & 1}\n")


def test_a_signal_leaves_nothing(tandem, tmp_path):
    large_trace(tmp_path / "large.prv", 3000000)
    process = subprocess.Popen([tandem, "convert", "-t", "otf2", "large.prv", "-o", "out"], cwd=tmp_path)
    while not any(name.startswith(".out.") and (tmp_path / name / "traces").exists() for name in os.listdir(tmp_path)):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    assert [name for name in os.listdir(tmp_path) if "out" in name] == []


def test_rows_without_anything(run, tandem, root, tmp_path):
    """libotf2 3.0 reads freed memory where a location has no event, which is seen where freed memory is overwritten."""
    prv = root / "tests" / "data" / "traces" / "hybrid-nodes" / "hybrid-nodes.prv"
    run(tandem, "convert", "--to", "otf2", "-o", "out", prv, check=True)
    run("otf2-print", "out/traces.otf2", env={"MALLOC_PERTURB_": "71"}, check=True)
    ons = [location for kind, location, _, _ in events(tmp_path / "out") if kind == "MEASUREMENT_ON_OFF"]
    assert len(ons) == 12
    run(tandem, "convert", "out/traces.otf2", "-o", "back.prv", env={"MALLOC_PERTURB_": "71"}, check=True)
