# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tools do with files that are not what they seem: headers that claim more than there is, names that are
something else than a file, outputs whose name is taken."""
import fcntl
import os
import resource
import signal
import subprocess
import tempfile
import time

import pytest

HEADER = "#Paraver (01/01/2026 at 00:00):1000_ns:"


def measured(*command, **options):
    """(exit status, stdout, stderr, the most memory in MB) of a command that may have 6 GB of address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # Memory that Meson's MALLOC_PERTURB_ fills is in use.
        env = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limit,
                                   env=env, **options)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = [(file.seek(0), file.read().decode())[1] for file in (out, err)]
        return process.returncode, *texts, usage.ru_maxrss / 1024


@pytest.mark.parametrize("objects", ["1(1):1:1(2000000:1)", "16000000:1:1(1:1)", "16000000:1:1(2000000:16000000)"])
def test_claims_of_a_header_take_no_memory(tandem, tview, tmp_path, objects):
    """Threads and nodes that a header tells of, and no record, take little; what would take a row of a table or of a
    picture each is refused with a sentence."""
    trace = tmp_path / "claims.prv"
    trace.write_text(f"{HEADER}{objects}\n1:0:1:1:1:0:1000:1\n")
    status, out, err, peak_mb = measured(tandem, "stat", trace)
    assert (status, err) == (0, "") and "THREAD 1.1.1 " in out and peak_mb < 700
    status, out, err, peak_mb = measured(tandem, "timeline", trace, "--rows", "1.1.1", "--csv", "-")
    assert (status, err) == (0, "") and len(out.splitlines()) == 2 and peak_mb < 700
    if "2000000" not in objects:
        return
    status, out, err, peak_mb = measured(tandem, "histogram", trace)
    assert (status, out) == (1, "") and "so many rows" in err and len(err.splitlines()) == 1 and peak_mb < 700
    status, out, err, peak_mb = measured(tandem, "histogram", trace, "--rows", "1.1.1")
    assert (status, err) == (0, "") and "over 1 thread" in out and peak_mb < 700
    status, out, err, peak_mb = measured(tview, trace, "--export", tmp_path / "all.png")
    assert (status, out) == (1, "") and "choose some of them (--rows)" in err and peak_mb < 700
    status, out, err, peak_mb = measured(tview, trace, "--rows", "1-9", "--export", tmp_path / "some.png")
    assert (status, out, err) == (0, "", "") and peak_mb < 700


def make_other(path, kind):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_files_beside_a_trace_that_are_none(run, tandem, tview, tmp_path, kind):
    """A pipe, a directory or a device with the name of a file that belongs to a trace is not read, nor waited for."""
    trace = tmp_path / "app.prv"
    trace.write_text(f"{HEADER}1(1):1:1(1:1)\n1:1:1:1:1:0:1000:1\n")
    for ending in ("pcf", "row", "prv.tvx"):
        make_other(tmp_path / f"app.{ending}", kind)
    for words in ([tandem, "stat", trace], [tandem, "check", trace], [tview, trace, "--export", tmp_path / "app.png"],
                  [tandem, "filter", trace, "--states", "1", "-o", tmp_path / "new.prv"]):
        result = run(*words, timeout=20)
        assert result.returncode in (0, 1), result.stderr
        assert words[1] == "filter" or result.returncode == 0


# Every command that writes a file which is no trace: the program, the trace, the words before the file, its ending.
OUTPUTS = [("tandem", "mpi-collectives", ["histogram", "TRACE", "--csv"], "csv"),
           ("tandem", "mpi-collectives", ["timeline", "TRACE", "--csv"], "csv"),
           ("tandem", "mpi-collectives", ["compare", "TRACE", "TRACE", "--csv"], "csv"),
           ("tandem", "mpi-collectives", ["compare", "TRACE", "TRACE", "-o"], "html"),
           ("tandem", "omp-tasks", ["tasks", "TRACE", "--dot"], "dot"),
           ("tandem", "sampling", ["report", "TRACE", "--flame"], "svg"),
           ("tandem", "sampling", ["report", "TRACE", "-o"], "html"),
           ("tandem", "sampling", ["convert", "TRACE", "--to", "chrome", "-o"], "json"),
           ("tview", "mpi-collectives", ["TRACE", "--export"], "png"),
           ("tview", "mpi-collectives", ["TRACE", "--export"], "svg"),
           ("tview", "mpi-collectives", ["TRACE", "--export"], "cfg"),
           ("tview", "mpi-collectives", ["TRACE", "--histogram", "time", "--csv"], "csv")]


@pytest.mark.parametrize("number", range(len(OUTPUTS)))
def test_outputs_follow_no_link(run, root, request, tmp_path, number):
    """What a link leads to is as it was, whatever wrote to the link's name; pipes and descriptors are written to."""
    program, name, words, ending = OUTPUTS[number]
    trace = root / "tests" / "data" / "traces" / name / f"{name}.prv"
    command = [request.getfixturevalue(program), *(trace if word == "TRACE" else word for word in words)]
    plain, link, dangling, victim = (tmp_path / f"{stem}.{ending}" for stem in ("plain", "link", "dangling", "victim"))
    run(*command, plain, check=True)
    assert plain.stat().st_size > 0
    victim.write_text("precious")
    link.symlink_to(victim)
    dangling.symlink_to(tmp_path / "nothing")
    for path in (link, dangling):
        result = run(*command, path)
        assert victim.read_text() == "precious" and not (tmp_path / "nothing").exists()
        if ending != "cfg":  # a new file takes the place of a link
            assert result.returncode == 1 and f"{path.name}: a symbolic link, which is not followed" in result.stderr
            assert path.is_symlink()
    if ending in ("csv", "dot", "json"):
        assert plain.read_text() in run(*command, "/dev/stdout", check=True).stdout
        with open(tmp_path / "out", "w", encoding="utf-8") as out:
            run(*command, "/dev/stdout", stdout=out, stderr=subprocess.DEVNULL, check=True)
        assert plain.read_text() in (tmp_path / "out").read_text()
        run(*command, "/dev/null", check=True)


PROGRAM = """
#include <tandem.h>
int main(void)
{
    tandem_region work = tandem_region_register("work");
    for (int i = 0; i < 200000; i++) {
        tandem_region_begin(work);
        tandem_region_end(work);
    }
    return 0;
}
"""


def hidden_in(directory):
    return [path.name for path in directory.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("output", ["app.prv", "app.prv.gz"])
def test_a_killed_merge_leaves_nothing(run, tandem, compile_program, build_dir, clean_environment, tmp_path, output):
    """Whenever a merge is killed, and with whatever signal, no file is left but those of whole traces."""
    api = build_dir / "runtime"
    program = compile_program(PROGRAM, libraries=(f"-L{api}", "-ltandem-api", f"-Wl,-rpath,{api}"))
    run(tandem, "record", "--no-merge", "-o", tmp_path / "app.prv", "--", program, check=True)
    words = [tandem, "merge", "--force", "-o", output, tmp_path / "app.tandem"]
    begin = time.monotonic()
    run(*words, check=True)
    whole_s, n_ended = time.monotonic() - begin, 0
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        for step in range(8):
            with subprocess.Popen([str(word) for word in words], cwd=tmp_path, env=clean_environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(whole_s * (step + 0.5) / 8)
                process.send_signal(number)
                n_ended += process.wait(60) == -number
            assert hidden_in(tmp_path) == [], (number, step)
            assert (tmp_path / "app.tandem").is_dir()
    assert n_ended >= 6
    run(*words, check=True)
    assert run(tandem, "check", tmp_path / output).returncode == 0


def test_what_a_killed_writer_left_is_removed(run, tandem, root, tmp_path):
    """Hidden files of a trace that nobody writes any more are removed by the next writer; no others are."""
    trace = root / "tests" / "data" / "traces" / "mpi-collectives" / "mpi-collectives.prv"
    left = [tmp_path / name for name in (".new.prv.0123abcd", ".new.pcf.99999999", ".new.row.00000000")]
    others = [tmp_path / name for name in (".new.prv.0123abcx", ".new.prv", ".other.prv.0123abcd", ".new.prv.0123abcde",
                                           ".new.prv.aaaaaaaa")]
    for path in [*left, *others]:
        path.write_text("")
    with open(others[-1], encoding="utf-8") as written:
        fcntl.flock(written, fcntl.LOCK_EX)
        run(tandem, "filter", trace, "--no-messages", "-o", tmp_path / "new.prv", check=True)
    assert sorted(hidden_in(tmp_path)) == sorted(path.name for path in others)
    assert (tmp_path / "new.pcf").stat().st_mode & 0o777 == (tmp_path / "new.prv").stat().st_mode & 0o777


EVIL = "\x1b]0;evil\x07\x1b[31m\x9b32m\x08\x7f"


def is_plain(text):
    return not any(ord(sign) < 32 and sign != "\n" or 127 <= ord(sign) < 160 for sign in text)


def test_terminals_and_spreadsheets_obey_nothing(run, tandem, tview, tmp_path):
    """Texts of a trace have no control characters when they are printed, and are no formulas in CSV."""
    trace = tmp_path / f"a{EVIL}b.prv"
    trace.write_text(f"#Paraver ({EVIL}):1000_ns:1(1):1:1(1:1)\n# {EVIL}\n#tandem:command={EVIL}\n#tandem:note={EVIL}\n"
                     "1:1:1:1:1:0:1000:1\n2:1:1:1:1:5:7:1:50000001:31:42000050:9\n2:1:1:1:1:500:50000001:0:7:0\n",
                     encoding="utf-8")
    (tmp_path / f"a{EVIL}b.pcf").write_text(f"STATES\n1 Run{EVIL}\n\nEVENT_TYPE\n0 7 Type{EVIL}\nVALUES\n1 =HYPERLINK({EVIL})\n"
                                            f"\nEVENT_TYPE\n0 50000001 P2P{EVIL}\nVALUES\n31 @call{EVIL}\n", encoding="utf-8")
    (tmp_path / f"a{EVIL}b.row").write_text(f"LEVEL NODE SIZE 1\nnode{EVIL}\n\nLEVEL THREAD SIZE 1\n+thread{EVIL}\n", encoding="utf-8")
    outputs = []
    for words in (["stat"], ["stat", "--all"], ["histogram"], ["histogram", "--view", "mpi-calls"], ["timeline"], ["report"], ["heap"],
                  ["tasks"], ["check"], ["histogram", "--csv", "-"], ["timeline", "--csv", "-"], ["timeline", "--view", "mpi-calls", "--csv", "-"],
                  ["convert", "--to", "csv"], ["histogram", "--view", "none"], ["dump"]):
        result = run(tandem, words[0], trace, *words[1:])
        assert result.returncode >= 0 and is_plain(result.stdout), (words, result.stdout)
        assert is_plain(result.stderr), (words, result.stderr)
        outputs.append(result.stdout)
    assert "'+thread?" in outputs[9] and "\n'+thread?" in outputs[10] and "'@call?" in outputs[11]
    result = run(tandem, "filter", trace, "--no-messages", "-o", tmp_path / f"new{EVIL}.prv")
    assert result.returncode == 0 and is_plain(result.stdout + result.stderr)
    for program, words in ((tandem, ["stat"]), (tview, ["--export", tmp_path / "a.png"])):
        result = run(program, *words, tmp_path / f"none{EVIL}.prv")
        assert result.returncode == 1 and result.stderr and is_plain(result.stderr)
