# SPDX-License-Identifier: GPL-3.0-or-later
"""Fortran programs that call MPI are recorded like those in C, whichever way they call it."""
import collections
import pathlib
import re
import shutil

import pytest

import streams
from counting import NAMES, ROOT, check_counts, check_openmp, compile_counter, names_of_openmp, symbols
from messages import match

WAYS = ["F77", "MODULE", "F08"]  # of mpi_fortran.F90
BY_LOWER = {name.lower(): name for name in NAMES.values()}


def c_name(symbol):
    """The call that one of its names in C or Fortran stands for, None: another function."""
    return symbol if symbol in BY_LOWER.values() else BY_LOWER.get(re.sub("(_f08|_cptr)?_$", "", symbol))


@pytest.fixture(scope="session")
def counter(libmpi, compile_program, tmp_path_factory):
    """A library that counts calls of MPI, by its names in C and in Fortran, where it says the name in C, and of libgomp."""
    found = symbols(libmpi, r"(MPI_[A-Z][a-z]\w+)")
    for name, pattern in ("mpifh", r"(mpi_\w+[a-z]_)"), ("usempif08", r"(mpi_\w+_f08_)"):
        library = next(pathlib.Path(libmpi).parent.glob(f"libmpi_{name}.so.*"))
        found |= {s for s in symbols(str(library), pattern) if c_name(s)}
    return compile_counter(found | names_of_openmp(), compile_program, tmp_path_factory)


def in_c_names(counts):
    named = {}
    for pid, counted in counts.items():
        named[pid] = collections.Counter()
        for symbol, n in filter(lambda item: c_name(item[0]), counted.items()):
            named[pid][c_name(symbol)] += n
    return {pid: dict(counted) for pid, counted in named.items()}


def read_did(directory):
    """What the ranks of mpi_fortran.F90 say that they did: {rank: {what: [numbers]}}."""
    did = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in directory.glob("did.*"):
        for what, *numbers in map(str.split, path.read_text().splitlines()):
            did[int(path.suffix[1:])][what].append(tuple(map(int, numbers)))
    return did


def read_trace(path):
    """Messages of a trace, as (sender, receiver, tag, bytes), and its events by rank: {rank: {type: [value]}}."""
    messages, events = [], collections.defaultdict(lambda: collections.defaultdict(list))
    for line in path.read_text().splitlines():
        fields = line.split(":")
        if fields[0] == "3":
            messages.append((int(fields[3]) - 1, int(fields[9]) - 1, int(fields[14]), int(fields[13])))
        elif fields[0] == "2":
            for type_, value in zip(fields[6::2], fields[7::2]):
                events[int(fields[3]) - 1][int(type_)].append(int(value))
    return messages, events


@pytest.mark.parametrize("way", WAYS)
def test_everything(record, run, tandem, compile_program, tmp_path, way):
    program = compile_program("mpi_fortran.F90", mpi=True, flags=[f"-D{way}", "-fallow-argument-mismatch", "-w"])
    result, ranks, counts = record(4, program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    check_counts(ranks, in_c_names(counts))
    did = read_did(tmp_path)
    assert sorted(did) == sorted(ranks) == [0, 1, 2, 3]
    sent = collections.Counter((rank, *numbers) for rank in did for numbers in did[rank]["sent"])
    messages, matchers = match(ranks)
    assert collections.Counter(messages) == sent
    asked, moved = 50000110, 92000030
    for rank, records in ranks.items():
        assert [c[1:] for c in matchers[rank].collectives] == did[rank]["collective"]
        assert [group for _, group in matchers[rank].told] == did[rank]["comm"]
        remote = [(r.words[1], r.id) for r in records if r.kind == streams.REMOTE and r.aux]
        assert remote == did[rank]["one-sided"]
        files = [(r.id, r.words[0]) for r in records if r.kind == streams.EVENT and r.id in (asked, moved)]
        assert [(value,) for type_, value in files if type_ == asked and value] == did[rank]["io"]
        assert [value for type_, value in files if type_ == moved] == [40, 40]

    run(tandem, "merge", tmp_path / "out.tandem", check=True)
    run(tandem, "check", tmp_path / "out.prv", check=True)
    messages, events = read_trace(tmp_path / "out.prv")
    assert collections.Counter(messages) == sent
    send_size, receive_size, is_root = 50100001, 50100002, 50100003
    for rank in did:
        sizes = list(zip(events[rank][send_size], events[rank][receive_size], strict=True))
        assert sizes == [numbers[1:] for numbers in did[rank]["collective"]]
        assert len(events[rank][is_root]) == sum(numbers[0] == rank for numbers in did[rank]["collective"])


def test_with_c(record, compile_program, root):
    part = root / "tests" / "stories" / "programs" / "mpi_mixed_part.c"
    program = compile_program("mpi_mixed.f90", mpi=True, libraries=[str(part)])
    result, ranks, counts = record(4, program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    check_counts(ranks, in_c_names(counts))
    messages, matchers = match(ranks)
    assert collections.Counter(messages) == {(rank, (rank + 2) % 4, tag, 4): 1 for rank in range(4) for tag in (1, 2, 3, 4)}
    for rank in ranks:
        half = ((2, 0), (3, 1))[rank % 2]
        assert [group for _, group in matchers[rank].told] == [(0, 1, 2, 3), (rank,), half, half]


def test_every_spelling(record, compile_program):
    result, ranks, counts = record(2, compile_program("mpi_spelled", mpi=True, libraries=["-lmpi_mpifh"]))
    assert (result.returncode, result.stdout) == (0, "2 0\n" * 8)
    for records in ranks.values():
        assert streams.count_calls(records, NAMES) == {"MPI_Init": 1, "MPI_Comm_size": 2, "MPI_Finalize": 1}


def test_namesakes(run, libtandem, compile_program):
    """Functions that are called like MPI's but are not get their calls."""
    library = compile_program("mpi_namesakes", flags=["-shared", "-fPIC", "-DLIBRARY"], name="libnamesakes.so")
    program = compile_program("mpi_namesakes", libraries=[str(library)])
    result = run(program, preload=libtandem, env={"TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, result.stderr) == (0, "54321 x 41 0 7 42\n" * 3, "")
    hidden = run(
        "/usr/bin/python3", "-c",
        "import ctypes, sys\nlibrary = ctypes.CDLL(sys.argv[1])\n"
        "print([getattr(library, 'mpi_send')(1, 2, 3, 4, 5) for i in range(2)])", library,
        preload=libtandem, env={"TANDEM_MERGE": "0"},
    )
    assert (hidden.returncode, hidden.stdout) == (0, "[54321, 54321]\n")


def check_like_untraced(record, run, tandem, mpirun, counter, tmp_path, n_ranks, *program, timing, **options):
    """What a program prints is what it prints untraced, its calls are those that are counted, its trace is valid.
    The counter is there in both runs: its way of handing on arguments shows in the flags of floating point."""
    plain = run(*mpirun(n_ranks), "-x", f"LD_PRELOAD={counter}", *program, check=True, **options)
    result, ranks, counts = record(n_ranks, *program, **options)
    assert (result.returncode, result.stderr) == (0, plain.stderr)
    printed = [[re.sub(timing, "", line) for line in r.stdout.splitlines()] for r in (plain, result)]
    assert printed[0] == printed[1] and len(printed[0]) > 50
    check_counts(ranks, in_c_names(counts))
    messages, _ = match(ranks)
    run(tandem, "merge", tmp_path / "out.tandem", check=True)
    run(tandem, "check", tmp_path / "out.prv", check=True)
    assert collections.Counter(read_trace(tmp_path / "out.prv")[0]) == collections.Counter(messages)
    return messages


def test_mumps(record, run, tandem, mpirun, counter, tmp_path):
    """A solver all in Fortran, by mpif.h: packed messages that are probed for, communicators of its own."""
    place = pathlib.Path("/usr/lib/mumps")
    messages = check_like_untraced(
        record, run, tandem, mpirun, counter, tmp_path, 4, place / "dsimpletest", timing=r"(?i) time .*=.*",
        input=(place / "input_simpletest_real").read_text(),
    )
    assert messages


def test_scalapack(record, run, tandem, mpirun, counter, tmp_path):
    """A Fortran program whose calls are made by a C library that gets Fortran's communicators."""
    tests = pathlib.Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests")
    text = (tests / "LU.dat").read_text()
    (tmp_path / "LU.dat").write_text(re.sub("^3\t", "1\t", text, flags=re.MULTILINE))  # one size of block, of right sides
    messages = check_like_untraced(
        record, run, tandem, mpirun, counter, tmp_path, 4, tests / "xdlu", timing=r"( +[\d.*]+){3}(?= PASSED)"
    )
    assert len(messages) > 1000


def test_elk(record, run, tandem, mpirun, tmp_path):
    """MPI and OpenMP: regions within regions, critical sections, locks."""
    shutil.copy(ROOT / "tests" / "data" / "debian" / "elk.in", tmp_path)
    env = {"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"}
    plain = run(*mpirun(2), "elk-lapw", env=env, check=True)
    energies = (tmp_path / "TOTENERGY.OUT").read_text().split()
    result, ranks, counts = record(2, "elk-lapw", env=env, check=True)
    traced = (tmp_path / "TOTENERGY.OUT").read_text().split()
    assert sorted(result.stdout.splitlines()) == sorted(plain.stdout.splitlines())
    assert list(map(float, traced)) == pytest.approx(list(map(float, energies)), abs=1e-8) and len(traced) == 3
    check_counts(ranks, in_c_names(counts))
    pids = {next(r.id for r in records if r.kind == streams.PROCESS): records for records in ranks.values()}
    asked = check_openmp(pids, counts)
    assert asked["regions"] > 200 and asked["locks"] > 500 and asked["chunks"] > 100
    run(tandem, "merge", tmp_path / "out.tandem", check=True)
    run(tandem, "check", tmp_path / "out.prv", check=True)
