# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem replay` of random programs against a naive simulator that knows the program."""
import os
import random

import pytest

import resident
from programs_of_messages import Network, Simulation, make_program, read_calls, write_trace

N_PROGRAMS = int(os.environ.get("TANDEM_RANDOM_TRACES", 60))
SEED = int(os.environ.get("TANDEM_RANDOM_SEED", 1))


def record(tmp_path, rng, n_ranks, n_steps):
    """A program, and the trace of a run of it whose calls take random times."""
    program = make_program(rng, n_ranks, n_steps)
    run = Simulation(program, Network(latency=700, bandwidth=2e9), noise=lambda: rng.randint(1, 400))
    assert run.run(), "buffered messages let every program end"
    write_trace(tmp_path / "run.prv", run)
    return program, run


def options_of(network):
    return [
        f"--latency={network.latency}ns",
        f"--bandwidth={'inf' if network.bandwidth == float('inf') else int(network.bandwidth)}",
        f"--buses={network.buses}",
        f"--eager-limit={network.eager}",
        f"--ranks-per-node={network.ranks_per_node}",
        f"--local-latency={network.local_latency}ns",
    ]


def random_network(rng):
    return Network(
        latency=rng.choice([0, 0, 500, 20000]),
        bandwidth=rng.choice([float("inf"), 1e9, 3e7]),
        buses=rng.choice([0, 0, 1, 2]),
        eager=rng.choice([10**9, 10**9, 1000, 0]),
        ranks_per_node=rng.choice([1, 1, 2]),
        local_latency=rng.choice([0, 90]),
    )


@pytest.mark.parametrize("number", range(N_PROGRAMS))
def test_random_programs(tandem, tmp_path, number):
    rng = random.Random(f"replay {SEED} {number}")
    program, _ = record(tmp_path, rng, rng.randint(2, 6), rng.randint(1, 60))
    network = random_network(rng)
    naive = Simulation(program, network)
    ends = naive.run()
    result = resident.run(tandem, "replay", tmp_path / "run.prv", "-o", tmp_path / "new.prv", *options_of(network))
    if not ends:
        assert result.returncode == 1 and "deadlock: THREAD " in result.stderr, result.stderr
        assert not (tmp_path / "new.prv").exists()
        return
    assert result.returncode == 0, result.stderr
    assert read_calls(tmp_path / "new.prv") == [list(zip(*times)) for times in zip(naive.begins, naive.ends)]
    resident.run(tandem, "check", tmp_path / "new.prv", check=True)


@pytest.mark.parametrize("number", range(10))
def test_unchanged(tandem, tmp_path, number):
    """On the network of the run, everything comes when it came."""
    record(tmp_path, random.Random(f"unchanged {SEED} {number}"), 4, 50)
    resident.run(tandem, "replay", tmp_path / "run.prv", "-o", tmp_path / "new.prv", check=True)
    assert sorted((tmp_path / "new.prv").read_text().splitlines()) == sorted((tmp_path / "run.prv").read_text().splitlines())


HEADER = "#Paraver (01/01/2026 at 12:00):100_ns:1(1):1:1(1:1),1\nc:1:1:1:1\n"


@pytest.mark.parametrize("factor, end", [("2", 75), ("0.5", 150), ("1", 100)])
def test_faster_function(tandem, tmp_path, factor, end):
    """A region of 50 ns, in which another one runs."""
    lines = ["1:1:1:1:1:0:100:1", "2:1:1:1:1:20:92000010:1", "2:1:1:1:1:30:92000010:2", "2:1:1:1:1:40:92000010:1", "2:1:1:1:1:70:92000010:0"]
    (tmp_path / "run.prv").write_text(HEADER + "".join(line + "\n" for line in lines))
    (tmp_path / "run.pcf").write_text("EVENT_TYPE\n0 92000010 Region\nVALUES\n0 End\n1 solve\n2 solver\n")
    resident.run(tandem, "replay", tmp_path / "run.prv", "-o", tmp_path / "new.prv", f"--faster=solve={factor}", check=True)
    assert f":{end}_ns:" in (tmp_path / "new.prv").read_text()
    assert f"\n1:1:1:1:1:0:{end}:1\n" in (tmp_path / "new.prv").read_text()


@pytest.mark.parametrize("options, status, words", [
    (["--latency=soon"], 2, '--latency: got "soon", takes a time'),
    (["--bandwidth=0"], 2, '--bandwidth: got "0", takes bytes a second'),
    (["--buses=-1"], 2, "--buses: takes a number from 0 up"),
    (["--eager-limit=-5"], 2, '--eager-limit: got "-5", takes a size'),
    (["--faster=solve"], 2, '--faster: got "solve", takes FUNCTION=FACTOR'),
    (["--faster=solve=0"], 2, '--faster: got "solve=0", takes FUNCTION=FACTOR'),
    (["--faster=nosuch=2"], 1, 'there is no function "nosuch" that was recorded or sampled'),
])
def test_faults(tandem, tmp_path, options, status, words):
    (tmp_path / "run.prv").write_text(HEADER + "1:1:1:1:1:0:100:1\n")
    result = resident.run(tandem, "replay", tmp_path / "run.prv", *options)
    assert (result.returncode, result.stdout) == (status, "") and words in result.stderr
    assert sorted(path.name for path in tmp_path.glob("run*")) == ["run.prv"]
