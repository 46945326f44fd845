# SPDX-License-Identifier: GPL-3.0-or-later
"""What stories may ask for."""
import re
import shutil
import subprocess

import pytest

import streams
from counting import compile_counter, names_of_mpi, read_counts


@pytest.fixture(scope="session")
def libmpi():
    listed = subprocess.run(["ldd", shutil.which("ompi_info")], capture_output=True, text=True, check=True).stdout
    return re.search(r"libmpi\.so\S* => (\S+)", listed)[1]


@pytest.fixture(scope="session")
def counter(libmpi, compile_program, tmp_path_factory):
    """A library that counts all MPI calls by itself."""
    return compile_counter(names_of_mpi(libmpi), compile_program, tmp_path_factory)


@pytest.fixture(scope="session")
def papi(compile_program):
    """The environment in which libpapi is the fake."""
    library = compile_program("fake_papi.c", flags=["-shared", "-fPIC", "-w"], name="libpapi.so.7.0")
    return {"LD_LIBRARY_PATH": str(library.parent)}


@pytest.fixture
def record(run, mpirun, libtandem, counter, tmp_path):
    """record(n_ranks, program...) -> (result, records by rank, calls by rank as the counter saw them)."""

    def record_ranks(n_ranks, *program, launcher_too=False, env={}, **options):
        env = {"TANDEM_OUTPUT": tmp_path / "out", "TANDEM_MERGE": "0", "COUNTS": tmp_path / "counts", **env}
        preload = f"{counter}:{libtandem}"
        if launcher_too:
            result = run(*mpirun(n_ranks), *program, env=env, preload=preload, **options)
        else:
            result = run(*mpirun(n_ranks), "env", f"LD_PRELOAD={preload}", *program, env=env, **options)
        runs = list(tmp_path.glob("out*.tandem"))
        assert len(runs) == 1, result.stderr
        return result, streams.read_run(runs[0]), read_counts(tmp_path)

    return record_ranks
