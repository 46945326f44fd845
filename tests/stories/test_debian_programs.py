# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs and libraries of Debian that use MPI or OpenMP and know nothing of tandem: they say what they say without it,
the trace is valid, and every call is in it.  docs/tested-programs.md has these and larger ones, with what was seen."""
import collections
import random
import re
import shutil
import subprocess

import pytest

import streams
from counting import ROOT, check_counts, check_openmp, compile_counter, names_of_openmp, read_counts
from messages import match

DATA = ROOT / "tests" / "data" / "debian"
FUNCTIONS = ("60000018", "60000023")  # event types whose values are what regions and tasks run
ONE_SIDED = {"OMPI_MCA_osc": "^ucx"}  # Open MPI 4.1's UCX windows need a network card


def without_times(text):
    """LAMMPS ends with how fast it was."""
    return re.sub(r"CPU = \S+", "CPU", text.split("Loop time")[0])


def check_functions(labels, *modules):
    """What regions and tasks run is named: by the place in these modules, as Debian's programs are stripped."""
    types = re.findall(r"^EVENT_TYPE\n(.*?)\nVALUES\n(.*?)\n\n", labels, re.M | re.S)
    values = [line for heads, lines in types if any(type_ in heads for type_ in FUNCTIONS) for line in lines.splitlines()]
    names = {line.split(maxsplit=1)[1] for line in values} - {"End"}
    assert {name.split("+0x")[0] for name in names if "+0x" in name} >= set(modules), names


@pytest.fixture
def follow(record, run, mpirun, tandem, tmp_path):
    """follow(n_ranks, words...) -> (calls of all ranks by name, records by rank), of a program that is run without tandem,
    then with; says is what of its output is the same every time."""

    def follow_program(n_ranks, *words, says=str, env={}):
        alone = run(*mpirun(n_ranks), *words, env=env, check=True)
        result, ranks, counts = record(n_ranks, *words, env=env)
        assert result.returncode == 0, result.stderr
        assert sorted(says(result.stdout).splitlines()) == sorted(says(alone.stdout).splitlines()) != []
        assert sorted(ranks) == list(range(n_ranks))
        check_counts(ranks, counts)
        run(tandem, "merge", "out.tandem", "-o", "out.prv", check=True)
        run(tandem, "check", "out.prv", check=True)
        return sum(map(collections.Counter, counts.values()), collections.Counter()), ranks

    return follow_program


@pytest.fixture(scope="session")
def openmp_counter(compile_program, tmp_path_factory):
    """A library that counts all calls of libgomp by itself."""
    return compile_counter(names_of_openmp(), compile_program, tmp_path_factory)


@pytest.fixture
def follow_threads(run, tandem, libtandem, openmp_counter, tmp_path):
    """follow_threads(words...) -> {what of OpenMP: how many}, of a program without MPI."""

    def follow_program(*words, says=str, env={}, modules=()):
        env = {"OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", **env}
        alone = run(*words, env=env, check=True)
        recording = {"TANDEM_OUTPUT": tmp_path / "out", "TANDEM_MERGE": "0", "COUNTS": tmp_path / "counts"}
        traced = run(*words, env={**env, **recording}, preload=f"{openmp_counter}:{libtandem}", check=True)
        assert says(traced.stdout) == says(alone.stdout) != ""
        processes = collections.defaultdict(list)
        for ring in streams.rings(tmp_path / "out.tandem"):
            processes[streams.read_header(ring).pid] += streams.read_stream(ring)
        asked = check_openmp(processes, read_counts(tmp_path))
        run(tandem, "merge", "out.tandem", "-o", "out.prv", check=True)
        run(tandem, "check", "out.prv", check=True)
        check_functions((tmp_path / "out.pcf").read_text(), *modules)
        return asked

    return follow_program


def lines_of_messages(directory):
    with open(directory / "out.prv", encoding="ascii") as trace:
        return sum(line.startswith("3:") for line in trace)


def test_netpipe(follow, tmp_path):
    """C, blocking messages of growing sizes, to and fro."""
    calls, ranks = follow(2, "NPopenmpi", "-u", "2048", "-n", "5", "-o", "np.out")
    messages, _ = match(ranks)
    assert calls["MPI_Send"] == calls["MPI_Recv"] == len(messages) == lines_of_messages(tmp_path) > 1000
    assert max(message[3] for message in messages) == 2048 + 3  # it tries sizes a little larger too


def test_lammps(follow, tmp_path):
    """C++, a grid of ranks: what is not blocking, Sendrecv, reductions."""
    shutil.copy(DATA / "melt.lammps", tmp_path)
    calls, ranks = follow(4, "lmp", "-in", "melt.lammps", says=without_times, env={"OMP_NUM_THREADS": "1"})
    assert calls["MPI_Irecv"] > 1000 and calls["MPI_Sendrecv"] > 100 and calls["MPI_Cart_create"] >= 4
    assert len(match(ranks)[0]) == calls["MPI_Send"] + calls["MPI_Sendrecv"] == lines_of_messages(tmp_path)


def test_mpi4py_fft(follow, tmp_path):
    """Python, a library loaded late: Alltoallw of subarrays on communicators of a grid."""
    shutil.copy(DATA / "transform.py", tmp_path)
    calls, _ = follow(4, "/usr/bin/python3", "transform.py")
    assert calls["MPI_Alltoallw"] == 4 * 2 * 20  # two turns in each of twenty transforms


def test_coarrays(follow, clean_environment, tmp_path):
    """Fortran that names no MPI: one-sided, through OpenCoarrays."""
    compiler = ["caf", "-g", "-o", tmp_path / "heat", DATA / "heat.f90"]
    subprocess.run(compiler, check=True, env=clean_environment, cwd=tmp_path, timeout=60)
    calls, ranks = follow(4, "./heat", env=ONE_SIDED)
    assert calls["MPI_Put"] == 4 * 2 * 50
    moved = [r.words[1] for records in ranks.values() for r in records if r.kind == streams.REMOTE and len(r.words) >= 4]
    assert moved == [4] * calls["MPI_Put"]
    assert lines_of_messages(tmp_path) == 0  # each tells the others by MPI_Send that it ends, and nobody listens


def make_sequences(path, n_sequences, length, letters):
    """Relatives of one random sequence, in FASTA."""
    chance = random.Random(1)
    first = chance.choices(letters, k=length)
    with open(path, "w", encoding="ascii") as file:
        for i in range(n_sequences):
            print(f">s{i}", "".join(chance.choice(letters) if chance.random() < 0.15 else c for c in first), sep="\n", file=file)


def test_fasttree(follow_threads, tmp_path):
    """C: sections, dynamic loops, locks."""
    make_sequences(tmp_path / "dna.fasta", 40, 200, "ACGT")
    asked = follow_threads("fasttreeMP", "-nt", "dna.fasta", modules=["fasttreeMP"])
    assert asked["regions"] > 100 and asked["chunks"] > 1000 and asked["joins"] > 500 and asked["locks"]


def test_kalign(follow_threads, tmp_path):
    """C: tasks that make tasks and wait for them; a shell script around it."""
    make_sequences(tmp_path / "proteins.fasta", 60, 120, "ACDEFGHIKLMNPQRSTVWY")
    asked = follow_threads("kalign", "-n", "4", "-i", "proteins.fasta", says=lambda text: text[text.index(">") :])
    assert asked["tasks"] > 50 and asked["taskwaits"] > 50 and asked["regions"] == 3


def test_primecount(follow_threads):
    """C++, in a library."""
    asked = follow_threads("primecount", "1e11", "-t4", modules=["libprimecount.so.7"])
    assert asked["regions"] > 5 and asked["locks"] > 10


def test_pykdtree(follow_threads, tmp_path):
    """Python and NumPy: two threads that open regions at once; OpenMP's library is loaded where the program cannot see it."""
    shutil.copy(DATA / "nearest.py", tmp_path)
    module = "kdtree.cpython-311-x86_64-linux-gnu.so"
    assert follow_threads("/usr/bin/python3", "nearest.py", modules=[module]) == {"regions": 10}
