# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of SPARC, big-endian, 32 bits, linked statically with the board's library and with GNU's own OpenMP library: they
run under qemu-sparc32plus, and their traces have the counts that the same programs have on this machine, recorded by
preloading. What is written is seen from outside, by the emulator."""
import collections
import re

import pytest

from pieces import records_of, streams_of

THREADS = 4
EVENT = 18  # formats/record.h
LU = ("5", "48", "sparse")
PROGRAMS = {"lu_for": LU, "lu_tasks": LU, "image_pipeline": ("4", "128")}
OPENMP = {"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}
# Values that are addresses, lines, or say how the threads met.
OF_THE_RUN = {60000028, 60000032, 60000118, 60000123, 60000124}


def source_of(root, name):
    return next(path for path in (root / "tests/gr740" / f"{name}.c", root / "tests/stories/programs" / f"{name}.c") if path.exists())


@pytest.fixture
def run_board(run, link_board, root, tmp_path):
    """run_board(name, arguments, env) -> what it printed and the sizes of its writes to files; x.pieces is written."""

    def run_one(name, *arguments, **env):
        program = link_board(source_of(root, name))
        result = run("qemu-sparc32plus", "-strace", program, *arguments, timeout=60,
                     env={**OPENMP, "TANDEM_PROGRAM": name, "TANDEM_OUTPUT": "x.pieces", **env})
        assert result.returncode == 0, result.stderr
        # A call and its result are printed apart, perhaps with a call of another thread between them, so that the file's number
        # is not known; programs and libraries write nothing but it and their output.
        sizes = [int(size) for file, size in re.findall(r"\bwrite\((\d+),\w+,(\d+)\)", result.stderr) if int(file) > 2]
        assert sum(sizes) == ((tmp_path / "x.pieces").stat().st_size if sizes else 0)
        messages = re.findall(r"tandem: .*", result.stderr)
        return program, result.stdout, sizes, messages

    return run_one


def labels_of(pcf):
    """{type: {value: label}}, lines of files left out."""
    labels = {}
    for block in pcf.read_text().split("\n\n"):
        if "EVENT_TYPE" in block:
            types, _, values = block.partition("VALUES")
            named = {int(v): re.sub(r" \(.*", "", text.strip()) for v, text in re.findall(r"^(\d+) +(.*)$", values, re.M)}
            for type_ in re.findall(r"^\d+ +(\d+) ", types, re.M):
                labels[int(type_)] = named
    return labels


def counts_of(prv):
    """{type: how often each value is there}, by the values' labels, of OpenMP and of regions; and the lines of tasks."""
    counts, labels = collections.defaultdict(collections.Counter), labels_of(prv.with_suffix(".pcf"))
    for line in prv.read_text().splitlines():
        if line[:2] == "2:":
            fields = [int(field) for field in line.split(":")[6:]]
            for type_, value in zip(fields[::2], fields[1::2]):
                if (60000000 <= type_ < 60001000 and type_ not in OF_THE_RUN) or type_ in (92000010, 92000020, 92000021, 92000022):
                    counts[type_][labels.get(type_, {}).get(value, value)] += 1
        elif line[:2] == "3:":
            counts["lines"][0] += 1
    return counts


def graph_of(run, tandem, prv):
    report = run(tandem, "tasks", prv).stdout
    return dict(re.findall(r"^  (tasks|dependences|alone|height|width) +(\d+)", report, re.M))


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_counts(name, run_board, run, tandem, compile_program, root, build_dir, tmp_path):
    program, printed, sizes, messages = run_board(name, *PROGRAMS[name], TANDEM_BUFFER="8k")
    assert messages == [] and sizes and max(sizes) <= 8192
    assert (tmp_path / "x.pieces").read_bytes()[:12] == b"tndpiece\1\2\3\4"  # big-endian
    said = run(tandem, "merge", "--binary", program, "x.pieces", check=True).stdout
    assert f" {THREADS} threads" in said and " 0 lost" in said
    run(tandem, "check", "x.prv", check=True)
    library = build_dir / "runtime" / "libtandem-api.so.0"
    native = compile_program(source_of(root, name), flags=("-O2", "-fopenmp"), libraries=(library, f"-Wl,-rpath,{library.parent}"))
    result = run(tandem, "record", "-o", "native.prv", "--", native, *PROGRAMS[name], env=OPENMP, check=True)
    assert result.stdout == printed
    there, here = counts_of(tmp_path / "x.prv"), counts_of(tmp_path / "native.prv")
    assert sum(here[60000001].values()) >= 2
    assert there == here
    assert graph_of(run, tandem, "x.prv") == graph_of(run, tandem, "native.prv")
    if name == "lu_tasks":  # the graph of the published figure
        assert graph_of(run, tandem, "x.prv") == {"tasks": "39", "dependences": "70", "alone": "0", "height": "13", "width": "9"}
        assert "update" in run(tandem, "tasks", "x.prv").stdout and "lu_tasks.c:4" in run(tandem, "tasks", "x.prv").stdout


@pytest.mark.parametrize("piece", [512, 8192])
def test_pieces(piece, run_board, run, tandem, tmp_path):
    _, _, sizes, _ = run_board("image_pipeline", 12, 256, TANDEM_BUFFER="8k", TANDEM_PIECE=piece)
    assert max(sizes) == piece and len(sizes) > 10
    assert " 0 lost" in run(tandem, "merge", "x.pieces", check=True).stdout
    graph = graph_of(run, tandem, "x.prv")
    assert (graph["tasks"], graph["dependences"]) == (str(12 * 64), str(12 * 56))


@pytest.mark.parametrize("full", ["stop", "ring"])
def test_full(full, run_board, run, tandem, tmp_path):
    """Nothing is written before the end, and what is lost is counted."""
    _, printed, sizes, messages = run_board("image_pipeline", 12, 256, TANDEM_BUFFER="8k", TANDEM_FULL=full)
    assert printed.startswith("codes ") and max(sizes) <= 8192
    assert sum(sizes) < THREADS * (2 * 8192 + 4096 + 200)
    assert [line for line in messages if "not recording" not in line] == [] and len(messages) == (full == "stop")
    said = run(tandem, "merge", "x.pieces", check=True).stdout
    assert int(re.search(r" (\d+) lost", said)[1]) > 100
    run(tandem, "check", "x.prv", check=True)
    regions = sum((tmp_path / "x.prv").read_text().count(f":92000010:{value}") for value in (4, 5))
    first, last = ((tmp_path / "x.prv").read_text().splitlines()[at] for at in (3, -1))
    assert regions > 0 and first and last


def test_wrong_values(run_board, run, tandem, tmp_path):
    _, printed, sizes, messages = run_board("lu_for", *LU, TANDEM_FULL="sometimes", TANDEM_PIECE="3", TANDEM_BUFFER="lots")
    assert "right" in printed and sizes
    assert [re.match(r'tandem: (\w+): got "(\w+)", takes .*; using (\w+)$', line).groups() for line in messages] == [
        ("TANDEM_BUFFER", "lots", "64k"), ("TANDEM_PIECE", "3", "8k"), ("TANDEM_FULL", "sometimes", "flush")]


def test_no_output(run_board):
    _, printed, sizes, messages = run_board("lu_for", *LU, TANDEM_OUTPUT="nowhere/x.pieces")
    assert "right" in printed and sizes == []
    assert messages == ["tandem: writing records: error 2; not recording"]


def test_damaged_files(run_board, run, tandem, tmp_path):
    run_board("lu_for", *LU)
    whole = (tmp_path / "x.pieces").read_bytes()
    # A serial line on which the program prints, too.
    at = whole.index(b"tndpiece", 8)
    (tmp_path / "noisy.pieces").write_bytes(b"booting\n" + whole[:at] + b"temperature 54 C\n" + whole[at:])
    assert " 0 lost" in run(tandem, "merge", "noisy.pieces", check=True).stdout
    assert run(tandem, "merge", "-o", "plain.prv", "x.pieces").returncode == 0
    header = re.compile(r"^#.*\n")
    assert header.sub("", (tmp_path / "noisy.prv").read_text()) == header.sub("", (tmp_path / "plain.prv").read_text())
    (tmp_path / "cut.pieces").write_bytes(whole[:-100])
    result = run(tandem, "merge", "cut.pieces")
    assert result.returncode == 0 and "cut.pieces: the last piece lacks 100 bytes" in result.stderr
    (tmp_path / "text.pieces").write_text("no pieces\n" * 100)
    result = run(tandem, "merge", "text.pieces")
    assert result.returncode == 1 and result.stderr == "tandem: text.pieces: neither a run directory nor pieces that a board wrote\n"
    assert list(tmp_path.glob("*.tandem")) == []


SETTINGS = """
#include "tandem_board.h"
#include "tandem.h"
#include <stdlib.h>
const char *const tandem_settings[] = {"TANDEM_OUTPUT=table.pieces", "TANDEM_PROGRAM=settled", NULL};
char tandem_pool[300000] __attribute__((aligned(8)));
const size_t tandem_pool_bytes = sizeof tandem_pool;
int main(void)
{
    tandem_event(7, 1);
    setenv("TANDEM_BUFFER", "8k", 1);
    tandem_board_start();
    tandem_board_start();
    tandem_event(7, 2);
    tandem_board_end();
    tandem_event(7, 3);
    return 0;
}
"""


def test_settings_of_the_program(link_board, run, tandem, tmp_path):
    (tmp_path / "settled.c").write_text(SETTINGS)
    program = link_board(tmp_path / "settled.c", wraps=("--no-main", "--no-openmp"))
    assert run("qemu-sparc32plus", program, env={"TANDEM_OUTPUT": None}, check=True).stderr == ""
    run(tandem, "merge", "table.pieces", check=True)
    events = re.findall(r":7:(\d+)$", (tmp_path / "table.prv").read_text(), re.M)
    assert events == ["2"]
    assert "settled" in (tmp_path / "table.pcf").read_text()


GOING_ON = """
#include "tandem.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
static int n_recording;
static void *record(void *arg)
{
    for (int i = 1 << 16;; i++) { /* smaller ones have no payload */
        tandem_event(7, i);
        if (i == 1 << 16)
            __atomic_fetch_add(&n_recording, 1, __ATOMIC_RELEASE);
    }
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, record, NULL);
    while (__atomic_load_n(&n_recording, __ATOMIC_ACQUIRE) < 3)
        sched_yield();
    nanosleep(&(struct timespec){0, atoi(argv[1]) * 1000000}, NULL);
    return 0;
}
"""


@pytest.mark.parametrize("full", ["flush", "ring"])
def test_end_while_others_record(full, link_board, run, tmp_path):
    """Threads that are in the middle of writing out their records when the program ends: none is written twice, or damaged."""
    (tmp_path / "going_on.c").write_text(GOING_ON)
    program = link_board(tmp_path / "going_on.c", wraps=("--no-openmp",))
    for ms in range(10, 50, 2):
        env = {"TANDEM_FULL": full, "TANDEM_BUFFER": "16k", "TANDEM_PIECE": "1k", "TANDEM_OUTPUT": "x.pieces"}
        assert run("qemu-sparc32plus", program, ms, env=env, timeout=60, check=True).stderr == ""
        # What a thread was about to record when it could no longer write is lost.
        streams = streams_of((tmp_path / "x.pieces").read_bytes(), most_lost=1 if full == "flush" else 1 << 32)
        told = [[record.words[0] for record in records_of(stream) if record.kind == EVENT and record.id == 7]
                for stream in streams.values()]
        assert sum(bool(values) for values in told) == 3
        assert all(values == list(range(values[0], values[0] + len(values))) for values in told if values), ms


def test_wrap_flags(run, board_dir):
    flags = run(board_dir / "tandem-wrap-flags", check=True).stdout.split()
    assert {"-Wl,--wrap=main", "-Wl,--wrap=GOMP_parallel", "-Wl,--wrap=GOMP_task", "-Wl,--wrap=GOMP_taskloop_ull",
            "-Wl,--wrap=omp_set_nest_lock_", "-Wl,--wrap=GOMP_doacross_wait"} <= set(flags)
    assert len(flags) == len(set(flags)) > 100
    assert run(board_dir / "tandem-wrap-flags", "--ld", "--no-openmp", check=True).stdout.split() == ["--wrap=main"]
    result = run(board_dir / "tandem-wrap-flags", "--everything")
    assert result.returncode == 2 and "--everything: no such option" in result.stderr


def events_of(prv, type_):
    found = []
    for line in prv.read_text().splitlines():
        if line[:2] == "2:":
            fields = [int(field) for field in line.split(":")[6:]]
            found += [value for named, value in zip(fields[::2], fields[1::2]) if named == type_]
    return found


def test_functions_and_heap(link_board, root, run, tandem, board_dir, tmp_path):
    """Named functions keep their arguments and results; the heap's calls are counted."""
    names = "of_eight,of_doubles,fibonacci,deep"
    wrappers = tmp_path / "wrappers.s"
    words = ("--heap", "--functions", names, "--wrappers", wrappers)
    run(board_dir / "tandem-wrap-flags", *words, check=True)
    here = root / "tests" / "gr740"
    program = link_board(here / "functions_main.c", here / "functions.c", wrappers, wraps=words)
    plain = run("qemu-sparc32plus", program, env={"TANDEM_RECORD": "0", "TANDEM_OUTPUT": "off.pieces"}, check=True).stdout
    assert plain == "1234567890 4.75 55 100\n"
    result = run("qemu-sparc32plus", program, env={"TANDEM_HEAP": "calls", "TANDEM_HEAP_THRESHOLD": "1000", "TANDEM_OUTPUT": "f.pieces"},
                 check=True)
    assert (result.stdout, result.stderr) == (plain, "")
    assert run(tandem, "merge", "--binary", program, "f.pieces", check=True).stderr == ""  # no notes
    run(tandem, "check", "f.prv", check=True)
    labels = labels_of(tmp_path / "f.pcf")[92000010]
    regions = collections.Counter(labels[value] for value in events_of(tmp_path / "f.prv", 92000010) if value)
    # Calls within functions.c are not seen, but for the one through a pointer, which are counted until they are 64 deep; the
    # region around is entered again where one ends.
    assert regions["of_eight"] == regions["of_doubles"] == 1
    assert regions["fibonacci"] == 11 and regions["deep"] == 64 + 63
    calls = collections.Counter(events_of(tmp_path / "f.prv", 40000040))
    sizes = collections.Counter(events_of(tmp_path / "f.prv", 40000041))
    assert (sizes[1000], sizes[3000]) == (100, 50) and calls[2] >= 100
    live = events_of(tmp_path / "f.prv", 92020000)
    assert max(live) - live[-1] >= 50 * 3000 + 50 * 1000
    run("qemu-sparc32plus", program, env={"TANDEM_HEAP": "sites", "TANDEM_OUTPUT": "s.pieces"}, check=True)
    assert "heap: a board has no table of sites" in run(tandem, "merge", "s.pieces", check=True).stderr
    assert run(board_dir / "tandem-wrap-flags", "--functions", "a;b").returncode == 2
    assert run(board_dir / "tandem-wrap-flags", "--functions").returncode == 2
