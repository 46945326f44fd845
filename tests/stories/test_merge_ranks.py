# SPDX-License-Identifier: GPL-3.0-or-later
"""`mpirun -n N tandem merge`: several ranks make the trace that one makes, to the byte, or none of them makes any."""
import array
import contextlib
import os
import pathlib
import re
import signal
import struct
import subprocess
import time

import pytest

from processes import children

ENDINGS = (".prv", ".pcf", ".row")
MPICH = "mpirun.mpich"
N_STEPS = 8

# Messages around the ring of all, and around that of the even or the odd ones; a collective call a step.
RINGS = f"""
#include <mpi.h>
#include <stdlib.h>
/* One address, two callers. */
static inline __attribute__((always_inline)) int add(int value)
{{
    int sum;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}}
int main(int argc, char **argv)
{{
    int rank, n, place, m, value = 1, sum = 0, from[2], *size = malloc(5000);
    MPI_Comm half;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &place);
    MPI_Comm_size(half, &m);
    for (int step = 0; step < {N_STEPS}; step++) {{
        MPI_Irecv(from, 1, MPI_INT, MPI_ANY_SOURCE, step % 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&value, 1, MPI_INT, (rank + 1) % n, step % 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Sendrecv(size, rank, MPI_INT, (place + 1) % m, 0, from, 2, MPI_INT, MPI_PROC_NULL, 0, half, MPI_STATUS_IGNORE);
        MPI_Recv(size, 1000, MPI_INT, (place + m - 1) % m, 0, half, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sum = add(value);
    }}
    return MPI_Finalize() || sum != n;
}}
"""


@pytest.fixture(scope="module")
def big(tandem, build_dir, compile_program, clean_environment, tmp_path_factory):
    """A run of 64 ranks with samples and callers, merged by one process."""
    directory = tmp_path_factory.mktemp("big")
    program = compile_program(RINGS, mpi=True, name="rings")
    record = [tandem, "record", "--keep", "--callers", "2", "--sampling-period", "5ms", "-o", directory / "big.prv", "--"]
    words = [*record, "mpirun", "--oversubscribe", "-n", "64", program]
    subprocess.run(words, env=clean_environment, check=True, timeout=120, capture_output=True)
    merge = [tandem, "merge", "-j", "1", "-f", "-o", directory / "big.prv", directory / "big.tandem"]
    subprocess.run(merge, env=clean_environment, check=True, timeout=60, capture_output=True)
    return directory / "big.prv"


def assert_same(one, other):
    for ending in ENDINGS:
        assert one.with_suffix(ending).read_bytes() == other.with_suffix(ending).read_bytes(), ending


@pytest.mark.parametrize("launcher, n", [("mpirun", 2), ("mpirun", 7), (MPICH, 3)])
def test_ranks_give_the_same_bytes(run, tandem, tmp_path, big, launcher, n):
    """Seven ranks are more than this machine has cores, and more than some passes have work for."""
    output = tmp_path / "ranks.prv"
    result = run(launcher, *oversubscribed(launcher), "-n", n, tandem, "merge", "-o", output, big.with_suffix(".tandem"))
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 1 and lines[0].startswith("ranks.prv: 64 processes"), lines
    assert_same(big, output)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted("ranks" + ending for ending in ENDINGS)


def oversubscribed(launcher):
    return [] if launcher == MPICH else ["--oversubscribe"]


@pytest.mark.parametrize("n_threads", [0, 5, 65])
def test_threads_give_the_same_bytes(run, tandem, tmp_path, big, n_threads):
    """None: one for each core; 65: more than there are processes."""
    output = tmp_path / "threads.prv"
    run(tandem, "merge", "--jobs", n_threads, "-o", output, big.with_suffix(".tandem"), check=True)
    assert_same(big, output)


def test_the_trace_is_right(run, tandem, big):
    """What ranks and threads are compared with holds 64 ranks whose messages all met."""
    run(tandem, "check", big, check=True)
    header = big.open().readline()
    of_ranks = re.search(r":1:64\(([\d:,]*)\)", header)[1].split(",")  # a rank may have a row for a thread of its MPI library
    assert [r.split(":")[1] for r in of_ranks] == ["1"] * 64, header
    facts = dict(line[8:].strip().split("=", 1) for line in big.open() if line.startswith("#tandem:"))
    assert int(facts["messages"]) == 2 * 64 * N_STEPS and int(facts["samples"]) > 0
    assert "add" in big.with_suffix(".pcf").read_text().split()  # it is inlined, and a level of its own all the same
    assert "unmatched-sends" not in facts and "unmatched-receives" not in facts


def test_compressed_by_ranks(run, mpirun, tandem, tmp_path, big):
    run_directory = big.with_suffix(".tandem")
    run(tandem, "merge", "-j", "1", "-o", tmp_path / "one.prv.gz", run_directory, check=True)
    run(*mpirun(3), tandem, "merge", "-o", tmp_path / "ranks.prv.gz", run_directory, check=True)
    assert (tmp_path / "one.prv.gz").read_bytes() == (tmp_path / "ranks.prv.gz").read_bytes()


def test_no_overwriting(run, mpirun, tandem, tmp_path, big):
    (tmp_path / "app.prv").write_text("of another run")
    result = run(*mpirun(2), tandem, "merge", "-q", "-o", tmp_path / "app.prv", big.with_suffix(".tandem"))
    assert result.returncode == 1 and result.stderr.count("app.prv: exists (--force overwrites it)") == 1
    assert [path.name for path in tmp_path.glob("app*")] == ["app.prv"] and (tmp_path / "app.prv").read_text() == "of another run"


@pytest.mark.parametrize("words, status, said", [
    (["RUN", "-o", "no/such/place.prv"], 1, "no/such: No such file or directory"),
    (["nothing.tandem"], 1, "nothing.tandem: No such file or directory"),
    (["RUN", "--soon"], 2, "merge: Unknown option --soon (see `tandem merge --help`)"),
])  # fmt: skip
def test_one_message_of_all_ranks(run, mpirun, tandem, tmp_path, big, words, status, said):
    words = [big.with_suffix(".tandem") if word == "RUN" else word for word in words]
    result = run(*mpirun(3), tandem, "merge", *words)
    assert result.returncode == status
    assert [line for line in result.stderr.splitlines() if line.startswith("tandem:")] == [f"tandem: {said}"]
    assert list(tmp_path.iterdir()) == []


def test_full_disk(run, tandem, namespaces, tmp_path, big):
    """A disk of 300 kB: an error on some rank ends all of them, and nothing is left."""
    script = f"""
        mount -t tmpfs -o size=300k tmpfs {tmp_path} && cd {tmp_path} || exit 90
        mpirun --oversubscribe -n 3 {tandem} merge -o full.prv {big.with_suffix(".tandem")}
        echo $? "$(ls -A {tmp_path})" >&2
    """
    result = run("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, cwd=tmp_path.parent)
    assert result.stderr.splitlines()[-1] == "1 ", result.stderr
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("tandem:")]
    assert "writing the trace" in line


@pytest.fixture(scope="module")
def long_run(root, tmp_path_factory):
    """A process that called MPI for a long time: enough to be interrupted in."""
    directory = tmp_path_factory.mktemp("long") / "long.tandem"
    n_records = 6_000_000
    image = directory / "node.7.0"
    image.mkdir(parents=True)
    words = [(1000, 7, 0, 2, (0, 0, 7)), (1000, 0, 0, 1, (1000, 10**18 + 1000)), (1000, 0, 0, 4, (7,))]
    head = b"".join(struct.pack(f"<QIHBB{len(w)}Q", t, i, a, k, len(w), *w) for t, i, a, k, w in words)
    records = array.array("Q", bytes(16 * n_records))
    records[0::2] = array.array("Q", range(2000, 2000 + 10 * n_records, 10))
    records[1::4] = array.array("Q", [50000003 | 3 << 32 | 16 << 48]) * (n_records // 2)
    records[3::4] = array.array("Q", [50000003 | 17 << 48]) * (n_records // 2)
    data = head + records.tobytes()
    (image / "0.main.stream").write_bytes(data)
    (version,) = re.findall(r"#define TND_RECORD_VERSION (\d+)", (root / "formats" / "record.h").read_text())
    ring = struct.pack("<8sIHHIIQQQQII", b"tandem\r\n", 0x01020304, int(version), 0, 0, 7, 4096, len(data), len(data), 0, 0, 0)
    (image / "0.main.ring").write_bytes(ring.ljust(4096, b"\0"))
    return directory


def goes_on(pid):
    """Whether it neither has ended nor has a SIGTERM that waits for it."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    waiting = [int(mask, 16) for mask in re.findall(r"^(?:SigPnd|ShdPnd):\s*(\w+)$", status, re.M)]
    return not re.search(r"^State:\s*Z", status, re.M) and not any(mask >> (signal.SIGTERM - 1) & 1 for mask in waiting)


def hold(pids, is_over):
    """Processes stand still until then, whoever lets them go on meanwhile."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP if not is_over else signal.SIGCONT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(tandem, mpirun, clean_environment, tmp_path, long_run, number):
    """Ctrl-C while the file is being written: it is taken away.  The launcher takes its time, in which ranks would finish."""
    place = tmp_path / "place"
    place.mkdir()

    def written():
        """Not Open MPI's own file, with which it tests locks at first."""
        return [file for file in place.glob(".long.prv.*") if "locktest" not in file.name]

    words = [*mpirun(2), tandem, "merge", "-q", "-f", "-o", place / "long.prv", long_run]
    with subprocess.Popen(words, env=clean_environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as launched:
        while not written() and launched.poll() is None:
            time.sleep(0.002)
        ranks = children(launched.pid)
        hold(ranks, False)
        assert len(ranks) == 2 and written(), "they ended before the signal"
        pathlib.Path(f"{written()[0]}.locktest.9").touch()  # which Open MPI leaves if it is killed meanwhile
        launched.send_signal(number)
        while any(goes_on(rank) for rank in ranks):
            hold(ranks, False)
            time.sleep(0.001)
        hold(ranks, True)
        launched.communicate(timeout=60)
    assert launched.returncode != 0
    end = time.monotonic() + 30
    while list(place.iterdir()) and time.monotonic() < end:  # who takes it away outlives the ranks by a moment
        time.sleep(0.01)
    assert list(place.iterdir()) == []
