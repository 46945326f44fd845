# SPDX-License-Identifier: GPL-3.0-or-later
"""One job on two nodes: where its ranks are, clocks that are far apart, directories that the other node does not see."""
import re
import statistics

import pytest

from nodes import Nodes, events_of_tasks
from retries import retry

NOW = 7
STEPS = 40


@pytest.fixture
def nodes(namespaces, tmp_path):
    return Nodes(tmp_path)


@pytest.fixture(scope="module")
def program(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program("mpi_nodes", mpi=True, flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])


@pytest.fixture(scope="module")
def fake_clock(compile_program):
    return compile_program("fake_clock", flags=["-shared", "-fPIC"], name="libfake_clock.so")


def fact(prv, key):
    found = re.search(rf"^#tandem:{key}=(.*)$", prv.read_text(), re.MULTILINE)
    return found and found[1]


def test_clocks_of_two_nodes(run, tandem, libtandem, program, fake_clock, nodes, tmp_path):
    """The other node's clocks are 7 s ahead and gain 1/1000; in the trace what happens at once is at one time."""
    words = [*nodes.mpirun(4), "-x", f"LD_PRELOAD={fake_clock}:{libtandem}", program]
    env = {"FAKE_CLOCK": "0 1", "FAKE_CLOCK_ELSEWHERE": "7000000000 1.001"}
    result = run(*words, env=env)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    prv = tmp_path / "mpi_nodes.prv"
    run(tandem, "check", prv, check=True)
    assert re.search(r"_ns:2\(\d+,\d+\):1:4\(1:1,1:1,1:2,1:2\)", prv.read_text().splitlines()[0])
    row = (tmp_path / "mpi_nodes.row").read_text()
    assert f"LEVEL NODE SIZE 2\n{nodes.here}\n{nodes.other}\n" in row
    assert "clocks of 2 nodes aligned" in fact(prv, "note")
    error_ns = int(fact(prv, "clock-error-ns"))
    assert 0 < error_ns < 20e6
    offsets = {task: [time - value for time, value in events] for task, events in events_of_tasks(prv, NOW).items()}
    assert {task: len(of_task) for task, of_task in offsets.items()} == {task: 2 * STEPS for task in (1, 2, 3, 4)}
    zero = statistics.median(offsets[1])
    for task in (2, 3, 4):
        for half in (offsets[task][:STEPS], offsets[task][STEPS:]):
            assert abs(statistics.median(half) - zero) < 3 * error_ns + 100e3


def messages(prv):
    return [line for line in prv.read_text().splitlines() if line.startswith("3:")]


@pytest.mark.parametrize("outside", [False, True], ids=["preload", "record mpirun"])
def test_directories_that_the_other_node_does_not_see(run, tandem, libtandem, program, nodes, tmp_path, outside):
    """Each node has a run directory of its own and says so; both together make the trace."""
    record = [tandem, "record", "-o", "mpi_nodes", "--"] if outside else []
    passed = ["-x", "LD_PRELOAD", "-x", "TANDEM_RUN"] if outside else ["-x", f"LD_PRELOAD={libtandem}"]
    result = run(*record, *nodes.mpirun(4, *passed), program, cwd=nodes.disk)
    assert (result.returncode, result.stdout) == (0, "")
    runs = [directory / "mpi_nodes.tandem" for directory in (nodes.disk, nodes.others_disk)]
    assert [path.is_dir() for path in runs] == [True, True], result.stderr
    assert result.stderr.count("kept: the job has ranks on other nodes") == 2 == len(result.stderr.splitlines())
    merged = run(tandem, "merge", *runs, "-o", tmp_path / "out.prv", check=True)
    assert "without a receive" not in merged.stdout
    run(tandem, "check", tmp_path / "out.prv", check=True)
    assert ":1:4(1:1,1:1,1:2,1:2)" in (tmp_path / "out.prv").read_text().splitlines()[0]
    assert len(messages(tmp_path / "out.prv")) == 4 * STEPS


def test_some_ranks_of_two_nodes(run, tandem, libtandem, program, nodes, tmp_path):
    """Nothing of ours is sent where not all ranks are traced: it would hang."""
    words = nodes.mpirun(4)[:-2]
    result = run(*words, "-n", "3", "env", f"LD_PRELOAD={libtandem}", program, ":", *words[1:], "-n", "1", program, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    prv = tmp_path / "mpi_nodes.prv"
    assert sorted(task for task, events in events_of_tasks(prv, NOW).items() if events) == [1, 2, 3]
    assert fact(prv, "clock-error-ns") is None


@pytest.mark.parametrize("how", ["preload", "mpirun record"])
def test_directories_of_the_nodes_own(run, tandem, libtandem, program, nodes, tmp_path, how):
    """Each node records on its own disk; MPI_Finalize brings everything to rank 0's node, which makes the trace where the
    user is.  After it, ranks of the other node are not recorded any more."""
    if how == "preload":
        words = [*nodes.mpirun(4, "-x", f"LD_PRELOAD={libtandem}", "-x", f"TANDEM_LOCAL_DIRECTORY={nodes.disk}"), program]
    else:
        words = [*nodes.mpirun(4), tandem, "record", "--local-directory", nodes.disk, "--", program]
    result = run(*words)
    assert (result.returncode, result.stdout) == (0, "")
    said = [line for line in result.stderr.splitlines() if "mpi_nodes.prv: 4 processes" not in line]
    assert said == []
    assert list(nodes.disk.iterdir()) == list(nodes.others_disk.iterdir()) == []
    prv = tmp_path / "mpi_nodes.prv"
    run(tandem, "check", prv, check=True)
    assert ":1:4(1:1,1:1,1:2,1:2)" in prv.read_text().splitlines()[0]
    assert len(messages(prv)) == 4 * STEPS
    n_events = {task: len(events) for task, events in events_of_tasks(prv, NOW).items() if events}
    assert n_events == {1: 2 * STEPS, 2: 2 * STEPS, 3: STEPS, 4: STEPS}
    assert fact(prv, "open-calls") is None
    assert int(fact(prv, "clock-error-ns")) > 0


def test_job_that_is_aborted(run, tandem, libtandem, program, namespaces, tmp_path):
    """What the ranks left stays on their nodes' disks, and makes one trace."""

    def abort(number):
        place = tmp_path / str(number)
        place.mkdir()
        nodes = Nodes(place)
        preload = ["-x", f"LD_PRELOAD={libtandem}", "-x", f"TANDEM_LOCAL_DIRECTORY={nodes.disk}"]
        return run(*nodes.mpirun(4, *preload), program, "abort", cwd=place), nodes

    result, nodes = retry("mpirun-dies", abort)
    assert result.returncode == 5, result.stderr
    runs = [directory / "mpi_nodes.tandem" for directory in (nodes.disk, nodes.others_disk)]
    assert [path.is_dir() for path in runs] == [True, True]
    run(tandem, "merge", *runs, "-o", tmp_path / "out.prv", check=True)
    run(tandem, "check", tmp_path / "out.prv", check=True)
    assert ":1:4(1:1,1:1,1:2,1:2)" in (tmp_path / "out.prv").read_text().splitlines()[0]
    assert len(messages(tmp_path / "out.prv")) == 4 * STEPS
