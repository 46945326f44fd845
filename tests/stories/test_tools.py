# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools given what they did not expect: one line that says where and what, and the right status."""
import gzip
import os
import pty
import re
import shutil
import signal
import subprocess
import time

import pytest

from processes import unfinished

COMMANDS = ["record", "stat", "histogram", "merge", "cut", "filter", "shift", "check", "dump"]
READERS = ["stat", "histogram", "check"]


@pytest.fixture
def place(root, tmp_path):
    """One of each kind of thing that somebody may hand to a tool."""
    source = root / "tests" / "data" / "traces" / "mpi-collectives" / "mpi-collectives.prv"
    shutil.copy(source, tmp_path / "good.prv")
    (tmp_path / "empty.prv").write_bytes(b"")
    (tmp_path / "binary.prv").write_bytes(bytes(range(256)) * 1000)
    packed = gzip.compress(source.read_bytes())
    (tmp_path / "cut.prv.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "bad.prv.gz").write_bytes(packed[:1000] + b"\xff" * 1000 + packed[2000:])
    for name in ("folder.prv", "folder", "run.tandem"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_given(run, tandem, command):
    result = run(tandem, command)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"tandem: {command}: takes ") and result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_help(run, tandem, command):
    asked = [run(tandem, *words, check=True).stdout for words in ([command, "--help"], ["help", command], [command, "-h"])]
    assert len(set(asked)) == 1 and asked[0].startswith(f"Usage:\n  tandem {command} [OPTION")


@pytest.mark.parametrize("words", [["nothing"], ["--nothing"], ["stat", "--nothing"], ["help", "nothing"]])
def test_no_such_word(run, tandem, words):
    result = run(tandem, *words)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["stat", "histogram"])
@pytest.mark.parametrize(
    "name, what",
    [
        ("missing.prv", "No such file or directory"),
        ("folder.prv", "Is a directory"),
        ("folder", "Is a directory"),
        ("run.tandem", "a run directory: `tandem merge` makes the trace of it"),
        ("empty.prv", "an empty file"),
        ("binary.prv", 'line 1: not a .prv: its first line does not begin with "#Paraver "'),
        ("cut.prv.gz", "the compressed file ends in the middle"),
        ("bad.prv.gz", "the compressed file is damaged"),
    ],
)
def test_no_trace(run, tandem, place, command, name, what):
    result = run(tandem, command, name)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", f"tandem: {name}: {what}\n")


@pytest.mark.parametrize("name", ["missing.prv", "folder.prv", "run.tandem", "empty.prv", "binary.prv", "cut.prv.gz", "bad.prv.gz"])
def test_check_refuses(run, tandem, place, name):
    result = run(tandem, "check", name)
    assert result.returncode == 1 and name in result.stdout + result.stderr


@pytest.mark.parametrize("command", ["merge", "dump", "dump --trace-time"])
@pytest.mark.parametrize("name", ["missing.tandem", "folder", "empty.prv", "binary.prv"])
def test_no_run_directory(run, tandem, place, command, name):
    before = sorted(place.iterdir())
    result = run(tandem, *command.split(), name)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"tandem: {name}: ") and result.stderr.count("\n") == 1
    assert sorted(place.iterdir()) == before


@pytest.mark.parametrize("words", [["stat", "good.prv"], ["histogram", "good.prv"], ["histogram", "good.prv", "--csv", "-"],
                                   ["check", "good.prv"], ["--help"], ["stat", "--help"]])
def test_output_that_cannot_be_written(run, tandem, place, words):
    with open("/dev/full", "w") as full:
        result = run(tandem, *words, stdout=full, stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (1, "tandem: standard output: No space left on device\n")


def test_no_trace_can_be_written_here(run, tandem):
    result = run(tandem, "record", "true", cwd="/proc")
    assert (result.returncode, result.stderr) == (1, "tandem: true.tandem: cannot be made: No such file or directory; --output "
                                                  "FOLDER/app.prv writes elsewhere\n")


@pytest.mark.parametrize("words", [["stat", "good.prv"], ["histogram", "good.prv", "--csv", "-", "--long"]])
def test_reader_that_has_seen_enough(run, tandem, place, words):
    shell = f"'{tandem}' {' '.join(words)} | head -n 1"
    result = run("bash", "-c", shell, check=True)
    assert result.stdout.count("\n") == 1 and result.stderr == ""


@pytest.mark.parametrize(
    "words, status, says",
    [
        (["-o", "folder/", "true"], 2, 'tandem: record: --output: got "folder/", takes a file\'s name, x.prv\n'),
        (["-o", "no/such/x.prv", "true"], 1, "tandem: no/such/x.tandem: cannot be made: No such file or directory\n"),
        (["./empty.prv"], 126, "tandem: ./empty.prv: Permission denied\n"),
        (["./folder"], 126, "tandem: ./folder: Permission denied\n"),
        (["--", "no-such-command"], 127, "tandem: no-such-command: No such file or directory\n"),
        (["--"], 2, "tandem: record: takes a command (see `tandem record --help`)\n"),
    ],
)
def test_record_refuses(run, tandem, place, words, status, says):
    before = sorted(place.iterdir())
    result = run(tandem, "record", *words)
    assert (result.returncode, result.stdout, result.stderr) == (status, "", says)
    assert sorted(place.iterdir()) == before


@pytest.mark.parametrize("inside", [False, True])
def test_command_that_is_not_there(run, tandem, mpirun, tmp_path, inside):
    """Said once by each that tries; nothing stays, under a launcher, too."""
    words = [tandem, "record", "--", "no-such-command"]
    result = run(*(mpirun(2) if inside else []), *words)
    assert result.returncode == 127
    said = {line for line in result.stderr.splitlines() if line.startswith("tandem: ")}
    assert said == {"tandem: no-such-command: No such file or directory"}
    assert not list(tmp_path.iterdir())


def test_record_from_another_place(run, tandem, place):
    """Paths are relative to where the command was given, wherever the program goes."""
    (place / "folder" / "hello.sh").write_text("#!/bin/sh\ncd /\ncat\nexec true\n")
    (place / "folder" / "hello.sh").chmod(0o755)
    result = run(tandem, "record", "-o", "../trace", "--", "./hello.sh", cwd=place / "folder", input="through\n")
    assert (result.returncode, result.stdout) == (0, "through\n")
    assert sorted(path.name for path in place.glob("trace*")) == ["trace.pcf", "trace.prv", "trace.row"]
    assert run(tandem, "check", "trace.prv").returncode == 0


def test_threads_one_after_another(run, tandem, place):
    """More threads than rows: record and stat count the same threads."""
    program = "import threading\nfor _ in range(50): t = threading.Thread(target=int); t.start(); t.join()"
    said = run(tandem, "record", "-o", "many", "--", "/usr/bin/python3", "-c", program, check=True).stderr
    assert "1 process, 51 threads" in said
    # join() may return a moment before its thread has given its row back.
    assert re.search(r"1 process, 51 threads in [2-5] rows, 1 node", run(tandem, "stat", "many.prv", check=True).stdout)


def big_trace(place, n_lines):
    """A trace that takes seconds to read."""
    lines = "".join(f"2:1:1:1:1:{time}:{7 + time % 3}:{time}\n" for time in range(1000))
    with (place / "big.prv").open("w") as file:
        file.write("#Paraver (d):1000_ns:1(1):1:1(1:1)\n")
        for _ in range(n_lines // 1000):
            file.write(lines)
    return "big.prv"


@pytest.mark.parametrize("command", ["stat", "histogram"])
def test_progress_on_a_terminal(tandem, place, clean_environment, command):
    """Shown once it takes a second; Ctrl-C ends it as it ends any command."""
    name = big_trace(place, 16_000_000)
    ours, theirs = pty.openpty()
    process = subprocess.Popen([tandem, command, name], cwd=place, env=clean_environment, stdin=theirs, stderr=theirs,
                               stdout=subprocess.DEVNULL)
    os.close(theirs)
    try:
        time.sleep(0.1)  # by itself it may be done within the second
        process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        process.send_signal(signal.SIGCONT)
        assert os.read(ours, 100).startswith(b"\rtandem: reading: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == -signal.SIGINT
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_interrupted_after_the_program(tandem, place, libtandem, compile_program, clean_environment):
    """Ctrl-C while `tandem record` makes the trace: no half of one, and what was recorded is kept."""
    source = """
#include <tandem.h>
int main(void) { for (long i = 1; i <= 5000000; i++) tandem_event(7, i); return 0; }
"""
    program = compile_program(source, name="long", libraries=[str(libtandem), f"-Wl,-rpath,{libtandem.parent}"])
    process = subprocess.Popen([tandem, "record", program], cwd=place, env=clean_environment, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not unfinished(place):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == -signal.SIGINT
    assert "cancelled" in said and "long.tandem: kept" in said
    assert [path.name for path in place.glob("*long*")] == ["long.tandem"] and not list(place.glob(".*"))


@pytest.mark.parametrize("view, how", [("temperature", " (tandem record --sensors temperature)"), ("openmp-regions", ""),
                                       ("python-functions", " (tandem record --python auto)")])
def test_nothing_of_a_view_is_said(run, tandem, place, view, how):
    """Instead of a table without columns, or one called 0; lines for a program stay what they are."""
    says = rf"tandem: {view}: this view has nothing to show in good{re.escape(how)}; views that have: state, .*mpi-calls.*\n"
    result = run(tandem, "histogram", "--view", view, "good.prv")
    assert (result.returncode, result.stdout) == (1, "") and re.fullmatch(says, result.stderr)
    assert run(tandem, "histogram", "--view", view, "--csv", "-", "good.prv", check=True).stdout
    result = run(tandem, "timeline", "--view", view, "good.prv", check=True)
    assert result.stdout.startswith("row,begin") and re.fullmatch(says, result.stderr)


def test_no_messages_is_said(run, tandem, place):
    result = run(tandem, "histogram", "--statistic", "bytes-sent", "--begin", "0ns", "--end", "1ns", "good.prv")
    assert (result.returncode, result.stdout) == (1, "") and "no messages in this stretch of time" in result.stderr


def test_codes_have_labels(run, tandem, place):
    head, *lines = run(tandem, "timeline", "--view", "mpi-calls", "good.prv", check=True).stdout.splitlines()
    assert head == "row,begin [ns],duration [ns],value,label"
    labels = {tuple(line.split(",")[3:5]) for line in lines}
    assert ("31.00", "MPI_Init") in labels and len({value for value, _ in labels}) == len(labels) > 5
    assert run(tandem, "timeline", "--view", "useful-duration", "good.prv", check=True).stdout.splitlines()[0].endswith(",value")
