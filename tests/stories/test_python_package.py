# SPDX-License-Identifier: GPL-3.0-or-later
"""The package `tandem`: regions, events and counters of a program that counts them itself; nothing without tandem; and
`python3 -m tandem`."""
import ast
import collections
import os

import pytest

import streams

PYTHON = "/usr/bin/python3"
REGION = 92000010
DEFINE_REGION = 1


@pytest.fixture(scope="module")
def package(root, tandem):
    """An environment with the package and the command in their paths."""
    return {"PYTHONPATH": root / "python", "PATH": f"{tandem.parent}:{os.environ['PATH']}"}


@pytest.fixture
def program(root):
    return root / "tests" / "stories" / "programs" / "python_tells.py"


def read_main(directory):
    """Records of each stream."""
    rings = streams.rings(directory)
    assert rings
    return [list(streams.read_stream(ring)) for ring in rings]


def count_regions(threads):
    """{name: how often begun}; what begins and ends is balanced in each thread."""
    begun, names = collections.Counter(), {}
    for records in threads:
        names.update({r.id: streams.told(r) for r in records if r.kind == streams.DEFINE and r.aux == DEFINE_REGION})
        depth = 0
        for r in records:
            if r.kind in (streams.ENTER, streams.LEAVE) and r.id == REGION:
                depth += 1 if r.kind == streams.ENTER else -1
                assert depth >= 0
                begun[r.aux] += r.kind == streams.ENTER
        assert depth == 0
    return {names[number]: n for number, n in begun.items() if number}


def test_nothing_without_tandem(package, program, run):
    result = run(PYTHON, program, env=package)
    assert (result.returncode, result.stderr.split()) == (3, ["recording", "False", "False"])
    told = run(PYTHON, "-c", "import tandem; print(tandem.region('x')(dir) is dir, tandem.event(1, 2))", env=package)
    assert told.stdout == "True None\n"


@pytest.mark.parametrize("how", ["preload", "record", "module"])
def test_counts(how, package, program, run, tandem, libtandem, tmp_path):
    plain = run(PYTHON, program, env=package)
    if how == "preload":
        traced = run(PYTHON, program, env={**package, "TANDEM_OUTPUT": tmp_path / "t", "TANDEM_KEEP": "1"}, preload=libtandem)
    elif how == "record":
        traced = run(tandem, "record", "--keep", "-o", "t.prv", "--", PYTHON, program, env=package)
    else:
        traced = run(PYTHON, "-m", "tandem", "--keep", "-o", "t.prv", "--python=none", program, env=package)
    assert traced.returncode == 3 and traced.stdout == plain.stdout, traced.stderr
    assert traced.stderr.splitlines()[0] == "recording True True"
    assert run(tandem, "check", "t.prv").returncode == 0

    threads = read_main(tmp_path / "t.tandem")
    assert count_regions(threads) == ast.literal_eval(plain.stdout.splitlines()[-1])
    events = [r.words[0] if r.words else r.aux for records in threads for r in records if r.kind == streams.EVENT and r.id == 4711]
    assert events == [1, 2, 1, 2, (1 << 64) - 7, 0]
    values = [r.words[0] for records in threads for r in records if r.kind == streams.COUNTER]
    assert values == [3, 1 << 40]
    labels = (tmp_path / "t.pcf").read_text()
    assert "Step of mine" in labels and "second" in labels and "residual" in labels


@pytest.mark.parametrize(
    "words, input, stdout, status",
    [
        (["script.py", "-x", "--keep"], "", "script.py -x --keep\n", 5),
        (["--sampling-period", "10ms", "-o", "t.prv", "--", "script.py"], "", "script.py\n", 5),
        (["-c", "import sys; print(sys.argv); sys.exit(4)", "a"], "", "['-c', 'a']\n", 4),
        (["-m", "script", "b"], "", "script.py b\n", 5),
        (["-", "c"], "import sys; print(sys.argv)", "['-', 'c']\n", 0),
    ],
)
def test_module(words, input, stdout, status, package, run, tmp_path):
    (tmp_path / "script.py").write_text(
        "import os, sys\nprint(os.path.basename(sys.argv[0]), *sys.argv[1:])\nsys.exit(5)\n"
    )
    result = run(PYTHON, "-m", "tandem", "--force", *words, env=package, input=input)
    assert (result.returncode, result.stdout) == (status, stdout), result.stderr
    assert result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1
    assert len(list(tmp_path.glob("*.prv"))) == 1


def test_module_in_a_run(package, run, tandem):
    """What is recorded already is not recorded twice, and gets the settings."""
    told = "import os; print(os.environ['TANDEM_PYTHON'], os.environ['TANDEM_MPI'], os.environ['TANDEM_CALLERS'])"
    module = [PYTHON, "-X", "utf8", "-m", "tandem", "--no-mpi", "--callers=3", "-c", told]
    result = run(tandem, "record", "-o", "t.prv", "--", *module, env=package)
    assert (result.returncode, result.stdout) == (0, "all 0 3\n")
    assert result.stderr.startswith("tandem: t.prv: 1 process")


@pytest.mark.parametrize("words", [["--nonsense", "x.py"], ["-o"], ["--sensors", "--keep", "x.py"], []])
def test_module_says_what_is_wrong(words, package, run, tmp_path):
    result = run(PYTHON, "-m", "tandem", *words, env=package)
    assert result.returncode == 2 and result.stderr.startswith("tandem: python: ")
    assert not list(tmp_path.iterdir())
