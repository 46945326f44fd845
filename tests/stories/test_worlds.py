# SPDX-License-Identifier: GPL-3.0-or-later
"""Several programs in one run: mpirun a : b, and processes that were spawned.  Each is an application of one trace, and
messages between them are what the programs say they sent."""
import collections

import pytest


def read_trace(path):
    """(c: and i: lines, messages as those who sent them print them)."""
    lines = path.read_text().splitlines()
    tops = [line for line in lines if line[0] in "ci"]
    messages = collections.Counter()
    for line in lines:
        if line.startswith("3:"):
            f = line.split(":")
            messages[f"{f[2]}.{f[3]} {f[8]}.{f[9]} {f[14]} {f[13]}"] += 1
    return tops, messages


STARTS = {
    "record mpirun": lambda tandem, library, mpirun: [tandem, "record", "-o", "out.prv", "--", *mpirun],
    "mpirun record": lambda tandem, library, mpirun: [*mpirun, tandem, "record", "-o", "out.prv", "--"],
    "mpirun -x": lambda tandem, library, mpirun: [*mpirun, "-x", f"LD_PRELOAD={library}", "-x", "TANDEM_OUTPUT=out.prv"],
}


@pytest.mark.parametrize("start", STARTS)
def test_spawned_processes_are_applications_of_the_same_trace(run, mpirun, tandem, libtandem, compile_program, tmp_path,
                                                              start):
    program = compile_program("mpi_worlds", mpi=True)
    result = run(*STARTS[start](tandem, libtandem, mpirun(2)), program)
    assert result.returncode == 0, result.stderr
    assert [path.name for path in tmp_path.glob("*.prv")] == ["out.prv"], result.stderr
    run(tandem, "check", "out.prv", check=True)
    tops, messages = read_trace(tmp_path / "out.prv")
    said = collections.Counter(result.stdout.splitlines())
    port = [message for message in messages if message.startswith("1.1 2.1 9 ")]
    assert len(port) == 1
    assert said == messages - collections.Counter(port)
    header = (tmp_path / "out.prv").read_text().splitlines()[0]
    assert ":4:2(1:1,1:1),1(1:1),2(1:1,1:1),1(1:1)," in header
    assert "unmatched" not in (tmp_path / "out.prv").read_text()
    # COMM_WORLD of the parents; of the children in two applications; the merged communicators in three.
    groups = collections.defaultdict(set)
    for line in tops:
        if line[0] == "c":
            _, application, number, n, *tasks = line.split(":")
            assert int(n) == len(tasks)
            groups[number].add((application, *tasks))
    merged = {("1", "1", "2"), ("2", "1"), ("3", "1", "2")}
    assert list(groups.values()).count(merged) == 2
    assert list(groups.values()).count({("1", "1", "2")}) == 1
    assert list(groups.values()).count({("2", "1"), ("3", "1", "2")}) == 1
    inter = sorted([sorted(groups[n]) for n in line.split(":")[3:]] for line in tops if line[0] == "i")
    parents, children = [("1", "1", "2")], [("2", "1"), ("3", "1", "2")]
    assert inter == sorted([[parents, children], [[("1", "1")], [("2", "1")]], [[("2", "1")], [("4", "1")]]])


RING = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv_replace(&n, 1, MPI_INT, (rank + 1) % size, 5, (rank + size - 1) % size, 5, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"""


def test_programs_of_one_world_are_applications(run, mpirun, tandem, compile_program, tmp_path):
    a, b = (compile_program(RING, mpi=True, name=name) for name in ("a", "b"))
    run(tandem, "record", "-o", "out.prv", "--", *mpirun(1), a, ":", "-n", "2", b, check=True)
    run(tandem, "check", "out.prv", check=True)
    tops, messages = read_trace(tmp_path / "out.prv")
    assert messages == {"1.1 2.1 5 4": 1, "2.1 2.2 5 4": 1, "2.2 1.1 5 4": 1}
    assert tops == ["c:1:1:1:1", "c:2:1:2:1:2", "c:1:2:1:1", "c:2:3:1:1", "c:2:4:1:2"]
    assert "rank 0\nrank 1\nrank 2\n" in (tmp_path / "out.row").read_text()


STRANGERS = """
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm other, merged;
    MPI_Info info;
    int n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        MPI_Recv(&n, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
        MPI_Intercomm_merge(other, 1, &merged);
        MPI_Recv(&n, 1, MPI_INT, 0, 2, merged, MPI_STATUS_IGNORE);
    } else {
        MPI_Info_create(&info);
        MPI_Info_set(info, "env", "OF_THE_PROGRAM=1");
        MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 1, info, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        MPI_Send(&n, 1, MPI_INT, 0, 1, other);
        MPI_Intercomm_merge(other, 0, &merged);
        MPI_Send(&n, 1, MPI_INT, 1, 2, merged);
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
"""


def test_children_that_are_not_recorded(run, mpirun, tandem, compile_program, tmp_path):
    """Both sides end well, the program's own wishes for the environment count, and the trace says what it lacks."""
    program = compile_program(STRANGERS, mpi=True)
    child = tmp_path / "child.sh"
    child.write_text(f'#!/bin/sh\n[ "$OF_THE_PROGRAM" = 1 ] || exit 3\nLD_PRELOAD= TANDEM_RUN=none exec {program}\n')
    child.chmod(0o755)
    result = run(*mpirun(1), tandem, "record", "-o", "out.prv", "--", program, child)
    assert result.returncode == 0, result.stderr
    run(tandem, "check", "out.prv", check=True)
    tops, messages = read_trace(tmp_path / "out.prv")
    assert not messages and [line for line in tops if line[0] == "i"] == ["i:1:3:1:0"]
    text = (tmp_path / "out.prv").read_text()
    assert "#tandem:unmatched-sends=2\n" in text and "processes that this run did not record" in text
