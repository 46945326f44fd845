# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that call MPI: every call is there, every message is there, and the program does not notice."""
import collections
import pathlib
import re
import shutil

import pytest

import streams
from counting import NAMES, check_counts, read_counts, symbols
from messages import match
from retries import retry

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_every_call_of_the_library_has_a_wrapper(libmpi, libtandem):
    of_library = symbols(libmpi, r"P(MPI_(?:T_[a-z]|[A-Z][a-z])\w+)")
    of_ours = symbols(str(libtandem), r"(MPI_\w+)")
    assert of_library - of_ours == set()


def test_messages_of_every_kind(record, compile_program):
    result, ranks, counts = record(2, compile_program("mpi_messages", mpi=True))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    check_counts(ranks, counts)
    messages, _ = match(ranks)
    one_way = {101: 4, 102: 8, 103: 12, 104: 16, 201: 4, 202: 8, 203: 12, 204: 16, 206: 24, 502: 16}
    expected = collections.Counter({(0, 1, tag, n_bytes): 1 for tag, n_bytes in one_way.items()})
    expected.update({(a, 1 - a, tag, n): 1 for a in (0, 1) for tag, n in ((105, 20), (106, 24))})
    many = {301: 100, 302: 10, 303: 40, 304: 100, 305: 7, 306: 7, 307: 50}
    expected.update({(0, 1, tag, 4): n for tag, n in many.items()})
    expected.update({(0, 1, 400 + i, 4 * i): 5 for i in (1, 2, 3)})
    expected.update({(0, 1, 501, 4 * i): 1 for i in (1, 2, 3)})
    assert collections.Counter(messages) == expected


def rings(*groups):
    """Messages from each member of a group to the next."""
    return {(group[i], group[(i + 1) % len(group)]) for group in groups for i in range(len(group))}


def test_communicators_and_collectives(record, compile_program):
    result, ranks, counts = record(4, compile_program("mpi_groups", mpi=True, flags=["-w"]), launcher_too=True)
    assert (result.returncode, result.stdout) == (0, "")
    check_counts(ranks, counts)
    messages, matchers = match(ranks)
    by_tag = collections.defaultdict(set)
    for sender, receiver, tag, _ in messages:
        by_tag[tag].add((sender, receiver))
    world, halves, pair = (0, 1, 2, 3), ((2, 0), (3, 1)), ((0, 1), (1, 0), (2, 3), (3, 2))
    assert by_tag == {
        **{tag: rings(world) for tag in (1, 2, 3, 5, 7, 12)},
        4: rings(*halves),
        6: set(pair),
        8: rings((2, 0, 3, 1)),
        9: rings((3, 1)),
        10: {(i, i) for i in world},
        11: set(pair),
    }
    assert len(messages) == sum(len(pairs) for pairs in by_tag.values())

    each = range(4)
    expected = [  # root, and for each rank: sent, received
        (-1, [(12, 12)] * 4),  # Neighbor_alltoall
        (-1, [(16, 16)] * 4),  # Neighbor_allgather on a grid
        (-1, [(0, 0)] * 4),  # Barrier
        (2, [(40, 0) if i == 2 else (0, 40) for i in each]),  # Bcast
        (1, [(20, 20 if i == 1 else 0) for i in each]),  # Reduce
        (0, [(20, 20 if i == 0 else 0) for i in each]),  # Reduce in place
        (-1, [(24, 24)] * 4),  # Allreduce
        (0, [(8, 32 if i == 0 else 0) for i in each]),  # Gather
        (3, [(4 * (i + 1), 40 if i == 3 else 0) for i in each]),  # Gatherv
        (1, [(48 if i == 1 else 0, 12) for i in each]),  # Scatter, in place
        (0, [(40 if i == 0 else 0, 4 * (i + 1)) for i in each]),  # Scatterv
        (-1, [(8, 32)] * 4),  # Allgather in place
        (-1, [(4 * (i + 1), 40) for i in each]),  # Allgatherv in place
        (-1, [(32, 32)] * 4),  # Alltoall
        (-1, [(16, 16)] * 4),  # Alltoallv
        (-1, [(16, 16)] * 4),  # Alltoallw
        (-1, [(40, 4 * (i + 1)) for i in each]),  # Reduce_scatter
        (-1, [(32, 8)] * 4),  # Reduce_scatter_block
        (-1, [(28, 28)] * 4),  # Scan
        (-1, [(32, 32)] * 4),  # Exscan
        (-1, [(36, 36)] * 4),  # Iallreduce
        (-1, [(0, 0)] * 4),  # Ibarrier
    ]
    for rank in each:
        seen = [(root, (sent, received)) for _, root, sent, received in matchers[rank].collectives]
        assert seen == [(root, sizes[rank]) for root, sizes in expected]
        assert [group for _, group in matchers[rank].told].count(world) == 7  # the world, four copies of it, the grid, the graph


@pytest.mark.parametrize("name, n_ranks", [("mpi_messages", 2), ("mpi_groups", 4)])
def test_trace_has_these_messages(record, run, tandem, compile_program, tmp_path, name, n_ranks):
    """The merge that users get and the one of messages.py agree."""
    _, ranks, _ = record(n_ranks, compile_program(name, mpi=True, flags=["-w"]))
    expected, _ = match(ranks)
    run(tandem, "merge", tmp_path / "out.tandem", check=True)
    messages = []
    for line in (tmp_path / "out.prv").read_text().splitlines():
        if line.startswith("3:"):
            fields = [int(field) for field in line.split(":")]
            logical_send, physical_send, logical_receive, physical_receive = fields[5], fields[6], fields[11], fields[12]
            assert logical_send <= physical_send and logical_receive <= physical_receive
            assert logical_send <= physical_receive
            messages.append((fields[3] - 1, fields[9] - 1, fields[14], fields[13]))
    assert collections.Counter(messages) == collections.Counter(expected)


@pytest.mark.parametrize("outside", [True, False], ids=["record mpirun", "mpirun record"])
def test_hpcc(run, mpirun, libtandem, tandem, counter, tmp_path, outside):
    """One trace either way round, hpcc is content, and nothing is missing: its calls differ in number every time, so the
    counter is beside tandem in the same run."""
    shutil.copy(ROOT / "tests" / "data" / "hpcc" / "hpccinf.txt", tmp_path)
    record = [tandem, "record", "--keep", "-o", tmp_path / "out.prv", "--"]
    count = ["env", f"LD_PRELOAD={counter}:{libtandem}"]
    words = [*record, *mpirun(2), *count, "hpcc"] if outside else [*mpirun(2), *record, *count, "hpcc"]
    result = run(*words, env={"COUNTS": tmp_path / "counts"}, timeout=300)
    assert result.returncode == 0, result.stderr
    assert re.search(r"^Success=1$", (tmp_path / "hpccoutf.txt").read_text(), re.MULTILINE)
    assert [path.name for path in tmp_path.glob("*.prv")] == ["out.prv"], result.stderr
    run(tandem, "check", tmp_path / "out.prv", check=True)
    ranks = streams.read_run(tmp_path / "out.tandem")
    assert sorted(ranks) == [0, 1]
    check_counts(ranks, read_counts(tmp_path))
    messages, _ = match(ranks)
    with open(tmp_path / "out.prv", encoding="ascii") as trace:
        assert sum(line.startswith("3:") for line in trace) == len(messages) > 10000


def test_mpi4py(record, tmp_path):
    (tmp_path / "case.py").write_text(
        "from mpi4py import MPI\n"
        "comm = MPI.COMM_WORLD\n"
        "right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size\n"
        "for i in range(20):\n"
        "    assert comm.sendrecv(b'x' * i, dest=right, sendtag=i, source=left) == b'x' * i\n"
        "thing = {'from': comm.rank, 'list': list(range(10000))}\n"
        "assert comm.sendrecv(thing, dest=right, sendtag=77, source=left)['from'] == left\n"
        "request = comm.isend(('to', right), dest=right, tag=78)\n"
        "assert comm.recv(source=left, tag=78) == ('to', comm.rank)\n"
        "request.wait()\n"
        "assert comm.gather(comm.rank, root=1) == (list(range(comm.size)) if comm.rank == 1 else None)\n"
        "assert comm.bcast({'a': 1} if comm.rank == 2 else None, root=2) == {'a': 1}\n"
        "assert comm.allreduce(1) == comm.size\n"
        "comm.Dup().Barrier()\n"
    )
    result, ranks, counts = record(3, "/usr/bin/python3", "case.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    check_counts(ranks, counts)
    messages, _ = match(ranks)
    assert collections.Counter(m[:3] for m in messages)[0, 1, 7] == 1
    assert len([m for m in messages if m[2] > 0]) == (19 + 2) * 3
    assert [size > 10000 for _, _, tag, size in messages if tag == 77] == [True] * 3


def test_library_that_hides_its_mpi(run, mpirun, libtandem, compile_program, tmp_path):
    hidden = compile_program("mpi_messages", mpi=True, flags=["-shared", "-fPIC", "-Dmain=begin"], name="hidden.so")
    (tmp_path / "case.py").write_text(
        "import ctypes\n"
        f"hidden = ctypes.CDLL({str(hidden)!r})\n"
        "assert not hasattr(ctypes.CDLL(None), 'PMPI_Send')\n"  # until MPI_Init: Open MPI then shows itself
        "assert hidden.begin(0, None) == 0\n"
    )
    words = [*mpirun(2), "-x", f"LD_PRELOAD={libtandem}", "/usr/bin/python3", "case.py"]
    result = run(*words, env={"TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out"})
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    messages, _ = match(streams.read_run(tmp_path / "out.tandem"))
    assert len(messages) == 346


def test_before_and_after_mpi(record, compile_program):
    early = compile_program("mpi_early.cc", compiler="mpicxx")
    result, ranks, counts = record(2, early)
    assert (result.returncode, result.stdout) == (0, "0 0 1 2 1\n" * 2)
    for records in ranks.values():
        calls = streams.count_calls(records, NAMES)
        assert (calls["MPI_Comm_dup"], calls["MPI_Init_thread"], calls["MPI_Finalized"]) == (1000, 1, 1)
        told = [r for r in records if r.kind == streams.COMM and r.words[1] & 0xFFFFFFFF == 1]
        assert [r.id for r in told] == [0, *range(1000)]  # COMM_SELF, and copies of it


def test_abort(record, compile_program, tmp_path):
    program = compile_program("mpi_early.cc", compiler="mpicxx")

    def abort(_):
        for before in tmp_path.glob("out*.tandem"):
            shutil.rmtree(before)
        return record(2, program, "abort")

    result, ranks, _ = retry("mpirun-dies", abort)
    assert result.returncode == 7
    assert sorted(ranks) == [0, 1]
    last = [r for r in ranks[0] + ranks[1] if r.kind == streams.ENTER and NAMES.get((r.id, r.aux)) == "MPI_Abort"]
    assert last


def test_error_handlers_are_called_as_often(record, run, compile_program):
    """By Open MPI; MPICH does not tell whether a handle is one without calling them."""
    program = compile_program("mpi_invalid", mpi=True)
    alone = run(program)
    result, ranks, _ = record(1, program)
    assert (result.returncode, result.stdout) == (alone.returncode, alone.stdout) == (0, "5 errors\n")
    assert len([r for r in ranks[0] if r.kind == streams.COLLECTIVE]) == 5


def test_switched_off(record, compile_program):
    result, ranks, counts = record(2, compile_program("mpi_messages", mpi=True), env={"TANDEM_MPI": "0"})
    assert (result.returncode, result.stderr) == (0, "")
    assert sorted(ranks) == [0, 1]
    assert not [r for records in ranks.values() for r in records if r.kind == streams.SEND or r.id // 1000000 == 50]


def test_some_ranks_only(run, mpirun, libtandem, compile_program, tmp_path):
    program = compile_program("mpi_messages", mpi=True)
    words = [*mpirun(1), "env", f"LD_PRELOAD={libtandem}", program, ":", "-n", "1", program]
    result = run(*words, env={"TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out"}, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    assert list(streams.read_run(tmp_path / "out.tandem")) == [0]


@pytest.fixture
def strangers(run, mpirun, compile_program, tmp_path):
    """strangers(preload...): a rank for each, in a directory of its own, whom no word of the launcher's brings together."""
    script = tmp_path / "rank.sh"
    script.write_text(
        "mkdir $OMPI_COMM_WORLD_RANK && cd $OMPI_COMM_WORLD_RANK || exit 1\n"
        "export JOB=$OMPI_MCA_ess_base_jobid NAMESPACE=$PMIX_NAMESPACE\n"
        "unset OMPI_MCA_ess_base_jobid PMIX_NAMESPACE\n"
        f"LD_PRELOAD=$1 exec {compile_program('mpi_strangers', mpi=True)}\n"
    )

    def run_strangers(*preloads):
        words = " : ".join(f"-n 1 sh {script} {preload}" for preload in preloads).split()
        result = run(*mpirun(1)[:-2], *words, env={"TANDEM_MERGE": "0"}, timeout=60)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        return sorted(tmp_path.glob("*/*.tandem"))

    return run_strangers


def test_ranks_that_do_not_know_each_other(run, tandem, strangers, libtandem, tmp_path):
    """Each has a run of its own, with a note of it, and `tandem merge` makes one trace of them."""
    runs = strangers(libtandem, libtandem, libtandem)
    assert [path.parent.name for path in runs] == ["0", "1", "2"]
    assert [list(streams.read_run(path)) for path in runs] == [[0], [1], [2]]
    result = run(tandem, "merge", "-o", "all.prv", *runs, check=True)
    assert "note: the launcher does not say which ranks are one job" in result.stderr
    facts = dict(line[8:].strip().split("=", 1) for line in (tmp_path / "all.prv").open() if line.startswith("#tandem:"))
    assert (facts["processes"], facts["messages"]) == ("3", "3000")


def test_some_strangers_only(strangers, libtandem):
    """Nothing of ours waits for the rank that is not traced."""
    (traced,) = strangers(libtandem, "")
    assert list(streams.read_run(traced)) == [0]


def test_program_without_mpi_never_loads_it(run, libtandem):
    result = run("cat", "/proc/self/maps", preload=libtandem, env={"TANDEM_MERGE": "0"})
    assert "libtandem" in result.stdout and "libmpi" not in result.stdout
