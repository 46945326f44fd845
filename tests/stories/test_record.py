# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem record`: the program's status, one trace, one line."""
import re
import signal
import subprocess
import time

import pytest


def names(place):
    return sorted(path.name for path in place.iterdir())


@pytest.fixture(scope="module")
def life(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program("life", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api", "-ldl"])


def test_trace_and_line(run, tandem, life, tmp_path):
    result = run(tandem, "record", "--", life, "fork")
    assert result.returncode == 0
    assert sorted(result.stdout.splitlines()) == ["child ended with 2", "child ended with 7", "returns"]
    line = r"tandem: life\.prv: 3 processes, 3 threads, \d+ records, 0 lost, overhead \S+ \S+\n"
    assert re.fullmatch(line, result.stderr), result.stderr
    assert names(tmp_path) == ["life.pcf", "life.prv", "life.row"]


@pytest.mark.parametrize("command, status", [("exit 3", 3), ("kill -9 $$", 137), ("kill -11 $$", 139), ("exit 200", 200)])
def test_status_is_the_program_s(run, tandem, command, status):
    assert run(tandem, "record", "sh", "-c", command).returncode == status


def test_options_end_where_the_command_begins(run, tandem, tmp_path):
    result = run(tandem, "record", "--keep", "echo", "--keep", "-o", "x")
    assert result.stdout == "--keep -o x\n"
    assert "echo.tandem" in names(tmp_path)


def test_names_of_traces(run, tandem, tmp_path):
    for options in ([], [], ["-o", "mine.prv"], ["-o", "zipped.prv.gz"]):
        run(tandem, "record", *options, "true", check=True)
    assert [name for name in names(tmp_path) if ".prv" in name] == ["mine.prv", "true.2.prv", "true.prv", "zipped.prv.gz"]
    before = (tmp_path / "true.prv").stat().st_mtime_ns
    run(tandem, "record", "--force", "true", check=True)
    assert (tmp_path / "true.prv").stat().st_mtime_ns > before
    assert "true.3.prv" not in names(tmp_path)


def test_settings_reach_the_program(run, tandem):
    result = run(tandem, "record", "--buffer", "1M", "--no-mpi", "--", "env")
    assert {"TANDEM_BUFFER=1M", "TANDEM_MPI=0"} <= set(result.stdout.splitlines())


@pytest.mark.parametrize(
    "words, status, says",
    [
        (["--buffer", "1k", "true"], 2, 'tandem: record: --buffer: got "1k", takes 64k to 64M'),
        (["--sampling-clock", "sun", "true"], 2, 'tandem: record: --sampling-clock: got "sun", takes'),
        (["--nonsense", "true"], 2, "tandem: record: "),
        ([], 2, "tandem: record: takes a command"),
        (["/nonexistent"], 127, "tandem: /nonexistent: No such file or directory"),
        (["/etc/passwd"], 126, "tandem: /etc/passwd: Permission denied"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, tandem, tmp_path, words, status, says):
    result = run(tandem, "record", *words)
    assert result.returncode == status
    assert result.stderr.startswith(says) and len(result.stderr.splitlines()) == 1
    assert not names(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_are_passed_on(tandem, clean_environment, tmp_path, number):
    script = f"trap 'echo caught; exit 5' {number.name[3:]}; echo ready; while :; do sleep 0.05; done"
    process = subprocess.Popen(
        [tandem, "record", "sh", "-c", script], cwd=tmp_path, env=clean_environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.stdout.readline() == "caught\n"
    assert process.wait(timeout=60) == 5
    process.stdout.close()
    assert "sh.prv" in names(tmp_path)


def test_program_that_cannot_be_recorded(run, tandem, compile_program, tmp_path):
    program = compile_program('#include <stdio.h>\nint main(void) { puts("static"); return 4; }\n', flags=["-static"])
    result = run(tandem, "record", program)
    assert (result.returncode, result.stdout) == (4, "static\n")
    assert result.stderr.startswith("tandem: record: nothing was recorded: ")
    assert not names(tmp_path)


def test_killed_program_is_recorded(run, tandem, life, tmp_path):
    result = run(tandem, "record", life, "kill")
    assert result.returncode == 137
    assert (tmp_path / "life.prv").read_text().count(":1000:") == 20000


def test_process_that_goes_on(run, tandem, tmp_path):
    """What still runs when the command has ended is told, and its records stay."""
    result = run(tandem, "record", "sh", "-c", "sleep 10 >/dev/null 2>&1 & exit 0")
    assert result.returncode == 0
    assert "kept: there are processes in it that still run" in result.stderr
    assert "sh.tandem" in names(tmp_path) and "sh.prv" in names(tmp_path)


@pytest.mark.parametrize("inside", [False, True])
def test_launcher(run, tandem, mpirun, life, tmp_path, inside):
    """Ranks that are no MPI programs, to be quick; whichever way round, one trace of all."""
    launcher, record = mpirun(3), [tandem, "record", "--"]
    result = run(*(launcher + record if inside else record + launcher), life, "names")
    assert result.returncode == 0, result.stderr
    assert [name for name in names(tmp_path) if name.endswith(".prv")] == ["life.prv"]
    assert len(re.findall("^tandem: ", result.stderr, re.MULTILINE)) == 1
    assert not list(tmp_path.glob("*.tandem"))
    assert (tmp_path / "life.prv").read_text().count(":1000:") == 30


def test_launcher_with_the_library_alone(run, tandem, libtandem, mpirun, life, tmp_path):
    result = run(*mpirun(3), "-x", f"LD_PRELOAD={libtandem}", life, "names")
    assert result.returncode == 0 and result.stderr == ""
    deadline = time.monotonic() + 20
    while not (tmp_path / "life.prv").exists() or list(tmp_path.glob("*.tandem")):
        assert time.monotonic() < deadline, names(tmp_path)
        time.sleep(0.05)
    assert names(tmp_path) == ["life.pcf", "life.prv", "life.row"]
