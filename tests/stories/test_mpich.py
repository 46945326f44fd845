# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of MPICH: the same facts as with Open MPI, the right library for each, and no harm from the wrong one."""
import collections
import pathlib
import re
import subprocess

import pytest

import streams
from counting import compile_counter, names_of_mpi
from test_mpi import (  # noqa: F401
    test_communicators_and_collectives,
    test_every_call_of_the_library_has_a_wrapper,
    test_messages_of_every_kind,
)
from test_rank_dies import (  # noqa: F401
    program,
    status_untraced,
    test_nobody_is_left_to_merge,
    test_what_the_ranks_recorded_is_merged,
)

WRONG = "tandem: MPI calls are not recorded: the program's MPI is {}, so preload {} (tandem record --mpi-library {})\n"


@pytest.fixture(scope="session")
def libtandem(build_dir):
    return build_dir / "libtandem-mpich.so"


@pytest.fixture(scope="session")
def libmpi():
    words = ["pkg-config", "--variable=libdir", "mpich"]
    return str(pathlib.Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip(), "libmpich.so"))


@pytest.fixture(scope="session")
def compile_program(compile_program):
    def compile_one(source, mpi=False, **options):
        return compile_program(source, compiler="mpicc.mpich" if mpi else None, **options)

    return compile_one


@pytest.fixture(scope="session")
def mpirun():
    return lambda n_ranks: ["mpirun.mpich", "-n", str(n_ranks)]


@pytest.fixture(scope="session")
def counter(libmpi, compile_program, tmp_path_factory):
    return compile_counter(names_of_mpi(libmpi), compile_program, tmp_path_factory)


@pytest.fixture
def launched(run, mpirun, build_dir, tmp_path):
    """launched(library, words before the program, program) -> (result, records by rank)"""

    def launch(library, launcher, program):
        env = {"TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out"}
        result = run(*launcher, "env", f"LD_PRELOAD={build_dir / library}", program, env=env, timeout=60)
        return result, streams.read_run(tmp_path / "out.tandem")

    return launch


@pytest.mark.parametrize("of_mpich", [True, False], ids=["mpich", "openmpi"])
def test_wrong_library(run, launched, compile_program, mpirun, of_mpich, tmp_path):
    """The program ends well, one rank says one line, no MPI is recorded."""
    program = compile_program("mpi_groups", mpi=True, flags=["-w"], name=f"groups{of_mpich}")
    launcher, library, right = mpirun(4), "libtandem.so", ("MPICH", "libtandem-mpich.so", "mpich")
    if not of_mpich:
        program = tmp_path / "groups"
        source = pathlib.Path(__file__).with_name("programs") / "mpi_groups.c"
        root = pathlib.Path(__file__).resolve().parents[2]
        run("mpicc.openmpi", "-w", f"-I{root}", "-o", program, source, check=True)
        launcher = ["mpirun.openmpi", "--oversubscribe", "-n", "4"]
        library, right = "libtandem-mpich.so", ("Open MPI", "libtandem.so", "openmpi")
    result, ranks = launched(library, launcher, program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", WRONG.format(*right))
    assert not [r for records in ranks.values() for r in records if r.kind in (streams.RANK, streams.SEND)]


def test_two_jobs_at_once(run, tandem, compile_program, tmp_path):
    """mpirun in front of tandem: each job is one run, whatever runs beside it."""
    program = compile_program("mpi_groups", mpi=True, flags=["-w"])
    command = f"mpirun.mpich -n 4 {tandem} record -- {program}"
    result = run("sh", "-c", f"{command} & {command} & wait", check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"mpi_groups{n}.{ending}" for n in (".2", "") for ending in ("pcf", "prv", "row")
    ], result.stderr
    for name in ("mpi_groups.prv", "mpi_groups.2.prv"):
        counts = collections.Counter(line[0] for line in (tmp_path / name).read_text().splitlines())
        assert counts["3"] == 46


@pytest.mark.parametrize("form", ["{run} -n 2 env A=b {program}", "sh -c '{run} -n 2 {program}'", "sh script"])
def test_record_picks(run, tandem, compile_program, tmp_path, form):
    program = compile_program("mpi_messages", mpi=True)
    (tmp_path / "script").write_text(f"# it's MPICH's\nmpirun.mpich -n 2 {program}\n")
    words = form.format(run="mpirun.mpich", program=program)
    result = run("sh", "-c", f"{tandem} record -o out.prv -- {words}", check=True)
    assert re.search(r"out.prv: 2 processes", result.stderr), result.stderr


def test_record_asks_the_launcher_of_what_links_nothing(run, tandem):
    show = "import os; print(os.environ['LD_PRELOAD'])"
    for words, library in (
        (["mpirun.mpich", "-n", "1"], "libtandem-mpich.so"),
        (["mpirun.openmpi", "-n", "1"], "libtandem.so"),
        ([], "libtandem.so"),
    ):
        result = run(tandem, "record", "--no-merge", "--", *words, "/usr/bin/python3", "-c", show, check=True)
        assert result.stdout.strip().endswith(f"/{library}")
    result = run(tandem, "record", "--no-merge", "--mpi-library", "mpich", "--", "/usr/bin/python3", "-c", show)
    assert result.stdout.strip().endswith("/libtandem-mpich.so")


PARTITIONED = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, parts[8] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(parts, 4, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(parts, 2, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        for (int part = 0; rank == 0 && part < 4; part++)
            MPI_Pready(part, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
}
"""


def test_partitioned(run, tandem, compile_program, mpirun, tmp_path):
    """Each start is one message, however many parts either side sees in it."""
    program = compile_program(PARTITIONED, mpi=True)
    run(tandem, "record", "-o", "out.prv", "--", *mpirun(2), program, check=True)
    lines = [line.split(":") for line in (tmp_path / "out.prv").read_text().splitlines() if line.startswith("3:")]
    assert [(line[3], line[9], *line[13:]) for line in lines] == [("1", "2", "32", "5")] * 3
