# SPDX-License-Identifier: GPL-3.0-or-later
"""What every pytest file may ask for.  The build under test is $TANDEM_BUILD, else build/ of this clone."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import processes
import resident
import retries
from machine import Machine, namespaces_refusal

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Open MPI refuses root, and more ranks than cores, unless told; harmless otherwise.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
}


@pytest.fixture(scope="session")
def root():
    """The clone."""
    return ROOT


@pytest.fixture(scope="session")
def build_dir():
    """The build tree under test."""
    directory = pathlib.Path(os.environ.get("TANDEM_BUILD", ROOT / "build")).resolve()
    assert (directory / "build.ninja").exists(), f"{directory}: not a build tree; run ./dev build"
    return directory


def existing(path):
    assert path.exists(), f"{path} is not built"
    return path


@pytest.fixture(scope="session")
def tandem(build_dir):
    """The built `tandem`."""
    return existing(build_dir / "cli" / "tandem")


@pytest.fixture(scope="session")
def tview(build_dir):
    """The built `tview`."""
    return existing(build_dir / "viewer" / "tview")


@pytest.fixture(scope="session")
def libtandem(build_dir):
    """The library to preload."""
    return existing(build_dir / "libtandem.so")


@pytest.fixture(scope="session")
def clean_environment(tmp_path_factory):
    """That of processes, for jobs of MPI too.  Open MPI's directory is this session's own: two jobs that begin at once may both
    want to make a common one."""
    directory = str(tmp_path_factory.mktemp("ompi"))
    return {**processes.clean_environment(), "OMPI_MCA_orte_tmpdir_base": directory, **MPI_ENVIRONMENT}


@pytest.fixture
def run(tmp_path, clean_environment):
    """run(*command, env={}, preload=path, cwd=tmp_path, timeout=120, check=False, ...) -> CompletedProcess with text.

    env is added to a clean environment (a value of None takes a variable out); preload is put into LD_PRELOAD.
    check=True: a failure raises with what the command said.  The rest goes to subprocess.Popen.
    """

    def run_command(*command, env=None, preload=None, cwd=None, timeout=120, check=False, **options):
        environment = dict(clean_environment)
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        for name, value in (env or {}).items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = str(value)
        if "stdin" not in options and "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        if options.pop("capture_output", not {"stdout", "stderr"} & options.keys()):
            options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        options.setdefault("text", True)
        if options["text"]:
            options.setdefault("errors", "replace")
        given = options.pop("input", None)
        if given is not None:
            options["stdin"] = subprocess.PIPE
        with subprocess.Popen([str(word) for word in command], env=environment, cwd=cwd or tmp_path, **options) as process:
            try:
                told = process.communicate(given, timeout=timeout)
            except BaseException:
                processes.kill_with_descendants(process.pid)
                raise
        result = subprocess.CompletedProcess(process.args, process.returncode, *told)
        if check:
            assert result.returncode == 0, f"{command}: status {result.returncode}\n{result.stdout}\n{result.stderr}"
        return result

    return run_command


@pytest.fixture(scope="session")
def compile_program(tmp_path_factory, clean_environment):
    """compile_program(source, mpi=False, flags=(), libraries=(), name=None, compiler=None) -> path of the program.

    source: a file's name under tests/stories/programs/, a path, or, if it has a newline, the text itself.
    Fortran (.f90, and .F90 that goes through the preprocessor) too: its modules are made beside the program.
    Compiled once a session for the same arguments, with debug information, -O1 unless flags say otherwise.
    """
    directory = tmp_path_factory.mktemp("programs")
    made = {}

    def compile_one(source, mpi=False, flags=(), libraries=(), name=None, compiler=None):
        key = (str(source), mpi, tuple(flags), tuple(libraries), name, compiler)
        if key in made:
            return made[key]
        place = directory / str(len(made))
        place.mkdir(exist_ok=True)
        if "\n" in str(source):
            path = place / f"{name or 'program'}.c"
            path.write_text(source)
        else:
            path = pathlib.Path(source)
            if not path.is_absolute():
                path = ROOT / "tests" / "stories" / "programs" / path
            if not path.suffix:
                path = path.with_suffix(".c")
        program = place / (name or path.stem)
        fortran = path.suffix.lower() == ".f90"
        plain, of_mpi = ("gfortran", "mpif90") if fortran else ("g++" if path.suffix == ".cc" else "gcc", "mpicc")
        compiler = compiler or (of_mpi if mpi else plain)
        assert shutil.which(compiler), f"{compiler} is not installed: ./dev setup"
        command = [compiler, "-g", "-O1", "-pthread", "-D_GNU_SOURCE", f"-I{ROOT / 'runtime'}", f"-I{ROOT}"]
        command += [f"-J{place}"] * fortran + [*flags]
        command += ["-o", str(program), str(path), *libraries, "-lm"]
        compiled = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", env=clean_environment, timeout=120)
        sys.stderr.write(compiled.stderr)
        compiled.check_returncode()
        made[key] = program
        return program

    return compile_one


@pytest.fixture(scope="session")
def machine(compile_program, clean_environment):
    """What the kernel gives here, asked without tandem (machine.py)."""
    return Machine(compile_program(ROOT / "tests" / "machine_probe.c"), clean_environment)


@pytest.fixture(scope="session")
def namespaces():
    """Skips where the kernel gives a user no namespaces to mount in."""
    if namespaces_refusal():
        pytest.skip(f"no namespaces here: {namespaces_refusal()}")


@pytest.fixture
def refusing(compile_program):
    """refusing(*what) -> words before a command that runs it where the kernel refuses that: perf, namespaces, mounts."""
    program = compile_program(ROOT / "tests" / "refusing.c")
    return lambda *what: [program, ",".join(what)]


@pytest.fixture(scope="session")
def mpirun():
    """Words that start a number of ranks: [*mpirun(4), program]."""

    def words(n_ranks):
        return ["mpirun", "--oversubscribe", "-n", str(n_ranks)]

    return words


@pytest.fixture(scope="session", autouse=True)
def residents_end():
    """Programs that stay do so until the end, and then have nothing to say."""
    yield
    resident.end_all()


def pytest_terminal_summary(terminalreporter):
    """How often tests had to try again, for tests/count.py."""
    if retries.summary():
        terminalreporter.write_line(retries.summary())
