# SPDX-License-Identifier: GPL-3.0-or-later
"""What --help says, and every option that it lists with a value that it does not take."""
import re
import shutil

import pytest

OPTION = re.compile(r"^ +(?:-\w, )?--([\w-]+)(?:=(\S+))?", re.M)
WRONG = {"TIME": "soon", "SIZE": "big", "N": "-7x", "FACTOR": "fast"}

# What a command needs besides the option that is tried, so that nothing else is wrong.
REST = {"record": ["--", "touch", "ran"], "merge": ["none.tandem"], "shift": ["app.prv", "1ms"], "cut": ["--time", "0:1ms", "app.prv"],
        "dump": ["none.tandem"], "wrap": ["z"], "compare": ["app.prv", "app.prv"], "convert": ["--to", "collapsed", "app.prv"], "tview": ["app.prv", "--export", "x.png"]}

# Patterns that are allowed to match nothing, and labels; and the tests' own way to the kernel's files.
ANYTHING = {("record", name) for name in ("openmp-functions", "openmp-exclude", "pthread-functions", "pthread-exclude", "python-exclude", "mpi-functions", "mpi-exclude", "library",
                                          "library-functions", "library-exclude", "library-values", "counters", "sysfs-root")}


@pytest.fixture
def helps(run, tandem, tview):
    """{command: its help}"""
    ask = lambda *words: run(*words, check=True).stdout
    commands = re.findall(r"^  ([a-z]+)  +\S", ask(tandem, "--help"), re.M)
    assert len(commands) > 15
    return {command: ask(tandem, command, "--help") for command in commands} | {"tview": ask(tview, "--help"), "": ask(tandem, "--help")}


def test_fits_a_terminal(helps):
    wide = [(command, line) for command, text in helps.items() for line in text.splitlines() if len(line) > 80]
    assert not wide


def test_examples_are_of_options_that_there_are(helps):
    for command, text in helps.items():
        if not command:
            continue
        options, examples = {name for name, _ in OPTION.findall(text)}, text.partition("\nExample:\n")[2]
        assert examples, command
        for line in examples.splitlines():
            line = line.partition(" -- ")[0]
            if f" {command}" in f" {line}".replace("tandem ", ""):
                used = set(re.findall(r"--([\w-]+)", line))
                assert used <= options, (command, line)


def wrong_values(helps):
    for command, text in helps.items():
        for name, value in OPTION.findall(text):
            if value and (command, name) not in ANYTHING:
                yield command, name, value


def test_wrong_values(run, helps, tandem, tview, root, tmp_path):
    """Words that an option does not know are wrong usage, a file that is not there is a failure; either is said in a sentence."""
    for path in (root / "tests" / "data" / "traces" / "sampling").iterdir():
        shutil.copy(path, tmp_path / path.name.replace("sampling", "app"))
    n, faults = 0, []
    for command, name, value in wrong_values(helps):
        is_file = re.match("FILE|TRACE|DIRECTORY", value) or name in ("csv", "source")
        words, rest = [tview] if command == "tview" else [tandem, command], REST.get(command, ["app.prv"])
        if f"--{name}" in rest:
            rest = ["app.prv"]
        result = run(*words, f"--{name}={WRONG.get(value, '%/no/%')}", *rest)
        lines = result.stderr.splitlines()
        n += 1
        if not (result.returncode in ((1, 2) if is_file else (2,)) and lines and re.match("tandem: |tview: ", lines[-1])):
            faults.append((command, name, value, result.returncode, result.stderr))
    assert not faults and n > 80
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("words, says", [
    (["statt"], "tandem: statt: no such command; did you mean stat?"),
    (["stat", "--al", "app.prv"], "tandem: stat: Unknown option --al; did you mean --all?"),
    (["record", "--sampling-perod=1ms", "--", "true"], "tandem: record: Unknown option --sampling-perod=1ms; did you mean --sampling-period?"),
    (["histogram", "--statistic=tiem", "app.prv"], 'tandem: histogram: no such statistic as "tiem"; did you mean time?'),
    (["timeline", "--view=mpicalls", "app.prv"], 'tandem: no view is called "mpicalls"; did you mean mpi-calls?'),
])
def test_did_you_mean(run, tandem, root, tmp_path, words, says):
    shutil.copy(root / "tests" / "data" / "traces" / "mpi-collectives" / "mpi-collectives.prv", tmp_path / "app.prv")
    result = run(tandem, *words)
    assert (result.returncode, result.stderr) == (2, says + "\n")


def test_version(run, tandem, tview):
    said = [run(*words, check=True).stdout for words in ([tandem, "--version"], [tandem, "-V"], [tview, "--version"], [tview, "-V"])]
    assert said[0] == said[1] and said[2] == said[3] and re.fullmatch(r"tandem \d+\.\d+\.\d+\S*\n", said[0])


def test_a_time_before_zero_needs_no_dashes(run, tandem, root, tmp_path):
    shutil.copy(root / "tests" / "data" / "traces" / "mpi-collectives" / "mpi-collectives.prv", tmp_path / "app.prv")
    for words in (["app.prv", "-1us"], ["-1us", "app.prv"], ["app.prv", "--", "-1us"], ["-q", "app.prv", "-1us", "-o", "x.prv", "-f"]):
        run(tandem, "shift", *words, check=True)
    texts = {(tmp_path / name).read_bytes() for name in ("app.shift.prv", "app.shift.1.prv", "app.shift.2.prv", "x.prv")}
    assert len(texts) == 1
