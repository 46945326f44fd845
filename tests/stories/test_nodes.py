# SPDX-License-Identifier: GPL-3.0-or-later
"""One job on two nodes: where its ranks are, clocks that are far apart, directories that the other node does not see."""
import re
import statistics

import pytest

from nodes import Nodes, events_of_tasks

NOW = 7
STEPS = 40


@pytest.fixture
def nodes(tmp_path):
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
