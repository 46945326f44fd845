# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem record`: the program's status, one trace, one line."""
import os
import re
import resource
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
    line = r"tandem: life\.prv: 3 processes, 3 threads, \d+ records(, \d+ samples?)?, 0 lost, sampling period 10 ms, overhead \S+ \S+\n"
    assert re.fullmatch(line, result.stderr), result.stderr
    assert names(tmp_path) == ["life.pcf", "life.prv", "life.row"]


@pytest.mark.parametrize("command, status", [("exit 3", 3), ("kill -9 $$", -9), ("exit 200", 200), ("exit 137", 137)])
def test_status_is_the_program_s(run, tandem, command, status):
    assert run(tandem, "record", "sh", "-c", command).returncode == status


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGINT, signal.SIGALRM, signal.SIGRTMIN + 3])
def test_the_command_dies_as_the_program(tandem, clean_environment, tmp_path, number):
    """Of the same signal, however that is handled here, when the trace is made; and without a second core file."""
    hide = lambda: (dump_core(), signal.signal(number, signal.SIG_IGN), signal.pthread_sigmask(signal.SIG_BLOCK, [number]))
    program = "import os, signal, sys; n = int(sys.argv[1]); signal.signal(n, signal.SIG_DFL); " \
              "signal.pthread_sigmask(signal.SIG_UNBLOCK, [n]); os.kill(os.getpid(), n)"
    words = [tandem, "record", "-o", "out", "--", "/usr/bin/python3", "-c", program, str(int(number))]
    process = subprocess.Popen(words, cwd=tmp_path, env=clean_environment, preexec_fn=hide, stderr=subprocess.DEVNULL)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = status
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number and not os.WCOREDUMP(status)
    assert (tmp_path / "out.prv").exists()


@pytest.mark.parametrize("limit", [0, 1, 64 << 10])
def test_a_limit_of_files_is_the_program_s(run, tandem, tmp_path, limit):
    """It gets the signal that ends it, and what it had to say before; then it is said why there is no trace."""
    program = "import os, resource; print(resource.getrlimit(resource.RLIMIT_FSIZE), flush=True); open('f', 'w').write('x' * 99999)"
    limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    command = ["/usr/bin/python3", "-c", "import signal; signal.signal(25, 0);" + program]
    result = run(tandem, "record", "-o", "out", "--", *command, preexec_fn=limits)
    assert (result.returncode, result.stdout) == (-signal.SIGXFSZ, f"({limit}, -1)\n"), result.stderr
    assert re.search(r"^tandem: record: nothing was recorded: .*ulimit -f", result.stderr, re.M), result.stderr
    assert names(tmp_path) == ["f"] and (tmp_path / "f").stat().st_size == limit


@pytest.mark.parametrize("how", ["record", "preloaded"])
@pytest.mark.parametrize("letter", ["a", "\N{EURO SIGN}"])
def test_long_names(run, tandem, libtandem, tmp_path, how, letter):
    """The trace's name, its number and its endings still are one; no character is cut."""
    program = tmp_path / (letter * (240 // len(letter.encode())))
    program.symlink_to("/bin/true")
    for _ in range(3):
        run(*([tandem, "record", "--"] if how == "record" else []), program, preload=None if how == "record" else libtandem, check=True)
    stem = letter * (223 // len(letter.encode()))
    assert [name for name in names(tmp_path) if name.endswith(".prv")] == [f"{stem}.1.prv", f"{stem}.2.prv", f"{stem}.prv"]
    run(tandem, "stat", f"{stem}.prv", check=True)


def test_options_end_where_the_command_begins(run, tandem, tmp_path):
    result = run(tandem, "record", "--keep", "echo", "--keep", "-o", "x")
    assert result.stdout == "--keep -o x\n"
    assert "echo.tandem" in names(tmp_path)


def test_names_of_traces(run, tandem, tmp_path):
    """The newest trace is found by the plain name, the others have numbers in their order; all three files move."""
    traces = lambda: {name: (tmp_path / name).read_bytes() for name in names(tmp_path) if ".prv" in name}
    seen = []
    for n in range(3):
        result = run(tandem, "record", "true", check=True)
        assert ("; the trace before it is" in result.stderr) == (n > 0) and (n == 0 or result.stderr.endswith(f" true.{n}.prv\n"))
        seen.append((tmp_path / "true.prv").read_bytes())
    assert traces() == {"true.1.prv": seen[0], "true.2.prv": seen[1], "true.prv": seen[2]}
    assert [name for name in names(tmp_path) if name.endswith(".row")] == ["true.1.row", "true.2.row", "true.row"]
    run(tandem, "record", "-f", "true", check=True)
    assert list(traces()) == ["true.1.prv", "true.2.prv", "true.prv"] and traces()["true.prv"] != seen[2]


@pytest.mark.parametrize("how", ["record", "preloaded", "launched", "executed"])
def test_names_of_scripts(run, tandem, libtandem, mpirun, tmp_path, how):
    """A script of Python is the program that people name, whoever begins the run."""
    (tmp_path / "solver.py").write_text("#!/usr/bin/python3\nprint('solved')\n")
    (tmp_path / "solver.py").chmod(0o755)
    command = ["./solver.py"] if how == "executed" else ["/usr/bin/python3", "-B", "solver.py"]
    if how == "preloaded":
        result = run(*command, env={"LD_PRELOAD": libtandem}, check=True)
    else:
        result = run(tandem, "record", "--", *(mpirun(1) if how == "launched" else []), *command, check=True)
    assert result.stdout == "solved\n"
    assert [name for name in names(tmp_path) if name != "solver.py"] == ["solver.pcf", "solver.prv", "solver.row"]


def test_a_name_of_the_users(run, tandem, tmp_path):
    """One that is taken is refused before the command runs."""
    for name in ("mine.prv", "zipped.prv.gz"):
        run(tandem, "record", "-o", name, "true", check=True)
        before = (tmp_path / name).read_bytes()
        again = run(tandem, "record", "-o", name, "touch", "ran")
        assert (again.returncode, again.stderr) == (1, f"tandem: {name}: exists (--force overwrites it)\n")
        assert (tmp_path / name).read_bytes() == before and "ran" not in names(tmp_path)
    assert run(tandem, "record", "-o", "mine", "touch", "ran").returncode == 1  # the same name
    run(tandem, "record", "-f", "-o", "mine", "touch", "ran", check=True)
    assert "ran" in names(tmp_path) and (tmp_path / "mine.prv").read_bytes() != before
    cut = run(tandem, "cut", "--time", "0:1s", "-o", "mine.prv", "mine.prv")
    assert (cut.returncode, cut.stderr) == (1, "tandem: mine.prv: exists (--force overwrites it)\n")


def test_forms_share_a_name(run, tandem, tmp_path):
    """x.prv and x.prv.gz have one .pcf and one .row."""
    run(tandem, "record", "-o", "app.prv", "true", check=True)
    rows = (tmp_path / "app.row").read_bytes()
    result = run(tandem, "record", "-o", "app.prv.gz", "sh", "-c", "true; true", check=True)
    assert result.stderr.endswith("; the trace before it is app.1.prv\n")
    assert (tmp_path / "app.1.row").read_bytes() == rows != (tmp_path / "app.row").read_bytes()


def test_names_that_are_something_else(run, tandem, tmp_path):
    """A link that leads nowhere has the name; of a number only the labels are left, which another trace must not get."""
    (tmp_path / "true.prv").symlink_to("nowhere")
    (tmp_path / "true.1.pcf").write_text("of a trace that is gone")
    result = run(tandem, "record", "true", check=True, timeout=30)
    assert result.stderr.endswith("; the trace before it is true.2.prv\n")
    assert os.readlink(tmp_path / "true.2.prv") == "nowhere" and (tmp_path / "true.1.pcf").read_text() == "of a trace that is gone"
    run(tandem, "check", "true.prv", check=True)


@pytest.mark.parametrize("launcher", ["mpirun", "mpirun.mpich"])
def test_a_launcher_alone_is_no_result(run, tandem, tmp_path, launcher):
    """The trace that was there stays under its name."""
    (tmp_path / "no_such_program").write_text("")
    (tmp_path / "no_such_program.prv").write_text("of a run that went well")
    result = run(tandem, "record", "--", launcher, "-n", "2", "./no_such_program")
    assert result.returncode not in (0, None) and "tandem: no trace: only " in result.stderr, result.stderr
    assert sorted(names(tmp_path)) == ["no_such_program", "no_such_program.prv"]



def test_settings_reach_the_program(run, tandem):
    result = run(tandem, "record", "--buffer", "1M", "--no-mpi", "--", "env")
    assert {"TANDEM_BUFFER=1M", "TANDEM_MPI=0"} <= set(result.stdout.splitlines())


@pytest.mark.parametrize(
    "words, status, says",
    [
        (["--buffer", "1k", "true"], 2, 'tandem: record: --buffer: got "1k", takes 64k to 64M'),
        (["--sampling-clock", "sun", "true"], 2, 'tandem: record: --sampling-clock: got "sun", takes'),
        (["--sampling-clock=papi:PAPI_TOT_INS", "true"], 2, 'tandem: record: --sampling-clock: got "papi:PAPI_TOT_INS", takes'),
        (["--sampling-clock=perf:@5", "true"], 2, 'tandem: record: --sampling-clock: got "perf:@5", takes auto|perf|'),
        (["--sampling-clock=perf:cycles@0", "true"], 2, 'tandem: record: --sampling-clock: got "perf:cycles@0", takes'),
        (["--sampling-period", "1", "true"], 2, 'tandem: record: --sampling-period: got "1", takes 500us, 1ms, 0.5s; 0: '),
        (["--sampling-period=0.2ns", "true"], 2, 'tandem: record: --sampling-period: got "0.2ns", takes 500us, 1ms'),
        (["--heap-period=3", "true"], 2, 'tandem: record: --heap-period: got "3", takes 1ms, 0.1s'),
        (["--sensors-period=1", "true"], 2, 'tandem: record: --sensors-period: got "1", takes 1ms to 3600s'),
        (["--sensors=bogus", "true"], 2, 'tandem: record: --sensors: got "bogus", takes some of temperature, power, other, '),
        (["--sensors", "power,wind,all", "true"], 2, 'tandem: record: --sensors: got "wind", takes some of temperature'),
        (["--counters-at=mpi,moon", "true"], 2, 'tandem: record: --counters-at: got "moon", takes some of mpi, openmp, '),
        (["--counters", "A@1ms/B,C@soon", "true"], 2, 'tandem: record: --counters: got "soon", takes names, separated by'),
        (["--heap=all", "true"], 2, 'tandem: record: --heap: got "all", takes none|values|sites|leaks|calls'),
        (["--pthread", "some", "true"], 2, 'tandem: record: --pthread: got "some", takes none|waits|all'),
        (["--unwind=", "true"], 2, 'tandem: record: --unwind: got "", takes auto|fp|tables|none'),
        (["--sensors", "--heap", "values", "true"], 2, 'tandem: record: --sensors: got no value before "--heap"'),
        (["--keep", "--callers", "--", "true"], 2, 'tandem: record: --callers: got no value before "--"'),
        (["-o", "--keep", "true"], 2, 'tandem: record: -o: got no value before "--keep"'),
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


@pytest.mark.parametrize(
    "variable, value, says",
    [
        ("SAMPLING_PERIOD", "1", "takes 500us, 1ms, 0.5s; 0: no sampling"),
        ("TANDEM_SAMPLING_PERIOD", "often", "takes 500us, 1ms, 0.5s; 0: no sampling"),
        ("TANDEM_SENSORS", "bogus", "takes some of temperature, power, other, process, numa, all, none"),
    ],
)
def test_a_bad_variable_is_a_bad_option(run, tandem, libtandem, tmp_path, variable, value, says):
    """To the command, which has not begun; the library alone says so and takes the default."""
    result = run(tandem, "record", "true", env={variable: value})
    assert (result.returncode, result.stderr) == (2, f'tandem: record: {variable}: got "{value}", {says}\n')
    assert not names(tmp_path)
    default = "none" if "SENSORS" in variable else "0"
    alone = run("true", preload=libtandem, env={variable: value, "TANDEM_MERGE": "0"})
    assert (alone.returncode, alone.stderr) == (0, f'tandem: {variable}: got "{value}", {says}; using {default}\n')


def test_an_option_holds_against_a_bad_variable(run, tandem):
    for variable in "SAMPLING_PERIOD", "TANDEM_SAMPLING_PERIOD":
        result = run(tandem, "record", "--sampling-period", "5ms", "--", "env", env={variable: "1"}, check=True)
        assert "TANDEM_SAMPLING_PERIOD=5ms" in result.stdout.splitlines() and result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["histogram", "--view", "--csv", "-"], ["merge", "--jobs", "--", "x"], ["timeline", "-e", "--begin", "1"]])
def test_no_command_takes_an_option_for_a_value(run, tandem, words):
    result = run(tandem, *words)
    assert (result.returncode, result.stdout) == (2, "")
    says = f'tandem: {words[0]}: {words[1]}: got no value before "{words[2]}" (see `tandem {words[0]} --help`)\n'
    assert result.stderr == says


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


def dump_core():
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def test_program_that_cannot_be_recorded(run, tandem, compile_program, tmp_path):
    program = compile_program('#include <stdio.h>\nint main(void) { puts("static"); return 4; }\n', flags=["-static"])
    result = run(tandem, "record", program, preexec_fn=dump_core)
    assert (result.returncode, result.stdout) == (4, "static\n")
    assert result.stderr.startswith("tandem: record: nothing was recorded: ")
    assert not names(tmp_path)


def test_killed_program_is_recorded(run, tandem, life, tmp_path):
    result = run(tandem, "record", life, "kill")
    assert result.returncode == -signal.SIGKILL
    assert (tmp_path / "life.prv").read_text().count(":1000:") == 20000


def test_a_process_is_called_by_what_was_executed(run, tandem, life, tmp_path):
    """Not by the file that a link leads to, nor by the interpreter of a script."""
    (tmp_path / "server").symlink_to(life)
    (tmp_path / "script").write_text(f"#!/bin/sh\n{tmp_path}/server names >/dev/null\n{life} names >/dev/null\n")
    (tmp_path / "script").chmod(0o755)
    run(tandem, "record", "-o", "out.prv", "--", "./script", check=True)
    names_of_tasks = (tmp_path / "out.row").read_text().split("LEVEL TASK")[1].split("LEVEL")[0].splitlines()[1:]
    assert [name for name in names_of_tasks if name] == ["script", "server", "life"]


def test_process_that_goes_on(run, tandem, tmp_path):
    """What still runs when the command has ended is told, and its records stay."""
    result = run(tandem, "record", "sh", "-c", "sleep 10 >/dev/null 2>&1 & exit 0")
    assert result.returncode == 0
    assert "kept: processes of the run are still running" in result.stderr
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
