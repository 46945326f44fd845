# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of Python programs: the functions of Python stand in the stack in place of the interpreter's own, C functions
of libraries as they are."""
import collections

import pytest

import streams

PYTHON = "/usr/bin/python3"
DEFINE_PYTHON = 5
IS_PYTHON = 1 << 63
NATIVE = "native"


def read_stacks(directory):
    """[(ns, innermost first: names of Python's functions without their module's, or NATIVE)] of all threads."""
    names = {}
    for ring in streams.rings(directory):
        for record in streams.read_stream(ring):
            if record.kind == streams.DEFINE and record.aux == DEFINE_PYTHON:
                module, name = streams.told(record).split("\n")[0].split(".", 1)
                names[record.id] = name if module == "__main__" else f"{module}.{name}"
    return [
        (sample.id, [names[word ^ IS_PYTHON] if word & IS_PYTHON else NATIVE for word in sample.words])
        for thread in streams.sampled_threads(directory).values()
        for sample in thread.samples
    ]


def sum_by(stacks, key):
    total = collections.Counter()
    for ns, stack in stacks:
        total[key(stack)] += ns
    return total


def python_of(stack):
    return [name for name in stack if name != NATIVE]


@pytest.fixture
def sampled(run, root, libtandem, tmp_path):
    """sampled(env) -> (what the program says it spent, its stacks)"""

    def run_sampled(**env):
        program = root / "tests" / "stories" / "programs" / "python_spins.py"
        env = {"SAMPLING_PERIOD": "1ms", "TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out", **env}
        result = run(PYTHON, program, preload=libtandem, env=env, check=True)
        assert result.stderr == ""
        spent = {name: int(ns) for name, ns in (line.split() for line in result.stdout.splitlines())}
        return spent, read_stacks(tmp_path / "out.tandem")

    return run_sampled


@pytest.mark.parametrize("python, clock", [("none", "auto"), ("all", "real")])
def test_shares_of_time(sampled, python, clock):
    spent, stacks = sampled(TANDEM_PYTHON=python, TANDEM_SAMPLING_CLOCK=clock, TANDEM_SAMPLING_DEPTH="64")
    innermost = sum_by(stacks, lambda stack: (python_of(stack) or [""])[0])
    found = {name: innermost[name] for name in ("compress", "generate")}
    found["sort"] = innermost["Order.__call__"] + innermost["sort"]
    found["order"] = sum_by(stacks, lambda stack: "order" in stack)[True]
    found["deep"] = sum_by(stacks, lambda stack: "deep" in stack)[True]
    found["thread"] = sum_by(stacks, lambda stack: python_of(stack)[:2] == ["spin", "threading.Thread.run"])[True]
    found["spin"] = innermost["spin"] - found["deep"] - found["thread"]
    assert found == pytest.approx(spent, rel=0.04, abs=8e6)


def test_stacks(sampled):
    _, stacks = sampled(TANDEM_SAMPLING_DEPTH="32")
    deep = [python_of(stack) for _, stack in stacks if "deep" in stack]
    whole = [stack for stack in deep if stack[-9:] == ["deep"] * 7 + ["main", "<module>"]]
    on_its_way = [["deep"] * n + ["main", "<module>"] for n in range(1, 7)]  # a host may stand still just then
    assert len(whole) > 0.95 * len(deep) > 0 and [stack for stack in deep if stack not in whole + on_its_way] == []
    # The interpreter's own C is not there, neither inside nor between.
    for name, outer in (("Order.__call__", "sort"), ("generate", "main"), ("spin", "main")):
        found = [stack for _, stack in stacks if name in stack and outer in stack and "deep" not in stack]
        between = sum_by([(1, stack) for stack in found], lambda stack: stack.index(outer) - stack.index(name))
        assert between[1] > 0.95 * len(found) > 50, between
    # A library's is.
    compress = [stack for _, stack in stacks if "compress" in stack]
    assert sum(stack[0] == NATIVE for stack in compress) > 0.8 * len(compress)
    called = [stack for _, stack in stacks if "called_back" in stack]
    assert called and all(NATIVE in stack[stack.index("called_back"):stack.index("order")] for stack in called)
    assert all(stack[-1] == NATIVE for _, stack in stacks)


def test_depth_counts_each_function(sampled):
    _, stacks = sampled(TANDEM_SAMPLING_DEPTH="3")
    assert max(len(stack) for _, stack in stacks) == 3
    assert sum_by(stacks, tuple)["spin", "deep", "deep"] > 100_000_000
    assert sum_by(stacks, tuple)["spin", "main", "<module>"] > 200_000_000
