# SPDX-License-Identifier: GPL-3.0-or-later
"""Who called MPI: function and line of each level, as the program itself says them."""
import collections
import pathlib
import re

import pytest

LEVELS = 3
FUNCTION, LINE = 70000000, 80000000
MPI_TYPES = range(50000001, 50000006)


def read_labels(pcf):
    """{(type, value): label}"""
    labels, types = {}, []
    for block in pcf.read_text().split("\n\n"):
        if "EVENT_TYPE" in block:
            types = [int(line.split()[1]) for line in re.findall(r"^\d+ +\d+ .*$", block.split("VALUES")[0], re.M)]
            for value, label in re.findall(r"^(\d+) +(.*)$", block.partition("VALUES")[2], re.M):
                labels.update({(type_, int(value)): label for type_ in types})
    return labels


def read_calls(prv):
    """[(MPI call, [(function, line) of each level])] in the order of time."""
    labels = read_labels(prv.with_suffix(".pcf"))
    for line in prv.read_text().splitlines():
        fields = line.split(":")
        if fields[0] != "2":
            continue
        events = {int(type_): int(value) for type_, value in zip(fields[6::2], fields[7::2])}
        for type_ in MPI_TYPES:
            if events.get(type_) and FUNCTION + 1 in events:
                levels = [
                    (labels[FUNCTION + n, events[FUNCTION + n]], labels[LINE + n, events[LINE + n]])
                    for n in range(1, 100)
                    if FUNCTION + n in events
                ]
                yield labels[type_, events[type_]], levels


def short(function):
    """The name as __func__ has it."""
    return re.sub(r"\(.*", "", function).split("::")[-1]


@pytest.fixture
def record(run, mpirun, tandem, compile_program, tmp_path):
    """record(n_ranks, optimise, *options) -> (what the program says, the trace)."""

    def record_program(n_ranks, optimise, *options):
        flags = [optimise, "-fno-optimize-sibling-calls"]
        program = compile_program("mpi_callers.cc", mpi=True, compiler="mpicxx", flags=flags)
        plugin = compile_program("mpi_callers_plugin", mpi=True, flags=[*flags, "-shared", "-fPIC"], name="plugin.so")
        command = [tandem, "record", "--mpi-local", "all", *options, "-o", tmp_path / "out.prv", "--", *mpirun(n_ranks), program, plugin]
        return run(*command, check=True).stdout.splitlines(), tmp_path / "out.prv"

    return record_program


@pytest.mark.parametrize("optimise, unwind", [("-O0", "auto"), ("-O1", "auto"), ("-O2", "auto"), ("-O3", "auto"), ("-O2", "libunwind")])
def test_levels_are_what_the_program_says(record, optimise, unwind):
    told, prv = record(1, optimise, "--callers", LEVELS, "--unwind", unwind)
    calls = list(read_calls(prv))
    assert len(told) == len(calls) == 14
    for line, (call, levels) in zip(told, calls):
        name, *frames = line.split()
        assert name == call and 1 <= len(levels) <= LEVELS
        frames = [tuple(frame.split(":")) for frame in frames]
        # The MPI library's own frames (it calls a reduction back) end what the program can say.
        levels = [level for level in levels if re.fullmatch(r"mpi_callers(\.cc|_plugin\.c):\d+", level[1])]
        assert len(levels) >= min(len(frames), 1 if name == "MPI_Initialized" else LEVELS), (line, levels)
        for level, ((function, place), frame) in enumerate(zip(levels, frames)):
            # Of a function that was inlined libbfd may know the line alone, and names the one around it.
            around = frames[level:] if optimise != "-O0" else [frame]
            assert short(function) in [f for f, _ in around], (line, levels)
            assert frame[1] in ("0", place.split(":")[1]), (line, levels)


def test_labels(record):
    """Names are demangled, and a line has one value for all ranks and all addresses."""
    _, prv = record(2, "-O1", "--callers", "10")
    labels = read_labels(prv.with_suffix(".pcf"))
    functions = {label for (type_, _), label in labels.items() if type_ == FUNCTION + 1}
    assert "outer::inner::Solver<double>::solve(int)" in functions
    for type_ in (FUNCTION + 1, LINE + 1):
        times = collections.Counter(label for (of_type, _), label in labels.items() if of_type == type_)
        assert times and max(times.values()) == 1


TWO_FILES = """#include <mpi.h>
int main(void)
{
#line 5 "/one/place.c"
    MPI_Init(0, 0);
#line 5 "/other/../two/place.c"
    MPI_Barrier(MPI_COMM_WORLD);
#line 6
    MPI_Finalize();
}
"""


def test_files_of_one_name(run, tandem, compile_program, tmp_path):
    """A line has its file's path where it needs it to be told from another."""
    program = compile_program(TWO_FILES, mpi=True)
    run(tandem, "record", "--mpi-local", "all", "--callers", "1", "-o", "out.prv", "--", program, check=True)
    assert [levels[0][1] for _, levels in read_calls(tmp_path / "out.prv")] == [
        "place.c:5 [/one/place.c]",
        "place.c:5 [/two/place.c]",
        "place.c:6",
    ]


@pytest.mark.parametrize("compiler", ["mpif90.openmpi", "mpif90.mpich"])
@pytest.mark.parametrize("way", ["F77", "MODULE", "F08"])
def test_fortran(run, tandem, compile_program, tmp_path, compiler, way):
    """The first level is the program's line, not one of MPI's library for Fortran."""
    flags = ["-O0", "-w", "-fallow-argument-mismatch", f"-D{way}"]
    program = compile_program("mpi_called.F90", mpi=True, compiler=compiler, flags=flags, name="called")
    run(tandem, "record", "--mpi-local", "all", "--callers", "2", "-o", "out.prv", "--", program, check=True)
    source = pathlib.Path(__file__).with_name("programs") / "mpi_called.F90"
    at = collections.defaultdict(list)
    for n, line in enumerate(source.read_text().splitlines(), 1):
        at.update({name: [*at[name], f"{source.name}:{n}"] for name in re.findall(r"call (\w+)", line)})
    calls = [(call, *(place for _, place in levels)) for call, levels in read_calls(tmp_path / "out.prv")]
    inner = ["MPI_Allreduce", "MPI_Bcast", "MPI_Barrier"]
    # gfortran has the first and the last call of a main program in the line of its name.
    assert [call for call, *_ in calls] == ["MPI_Init", "MPI_Comm_rank", *inner, *inner, "MPI_Finalize"]
    assert all(place.startswith(f"{source.name}:") for _, place, *_ in calls), calls
    assert calls[2:-1] == [(call, at[call.lower()][0], step) for step in at["step"] for call in inner]


def test_views(run, tandem, record):
    """As many bursts of a line as calls were made there."""
    told, prv = record(1, "-O0", "--callers", "1")
    table = run(tandem, "histogram", prv, "--view", "call-sites", "--statistic", "bursts", "--csv", "-", check=True).stdout
    rows = {line.split(",")[0]: line.split(",") for line in table.splitlines()}
    wanted = collections.Counter(line.split()[1].split(":")[1] for line in told)
    cells = zip(table.splitlines()[0].split(","), rows["Total"])
    assert {column.split(":")[1]: float(n) for column, n in cells if ":" in column} == wanted, table
    line, n_calls = next(iter(wanted.items()))
    within = ["--within", f"call-sites:mpi_callers.cc:{line}", "--view", "mpi-calls", "--statistic", "bursts"]
    table = run(tandem, "histogram", prv, *within, "--csv", "-", check=True).stdout.splitlines()
    cells = dict(zip(table[0].split(","), table[1].split(",")))
    assert sum(float(n) for name, n in cells.items() if name.startswith("MPI_")) == n_calls, table
    callers = run(tandem, "histogram", prv, "--view", "callers", "--csv", "-", check=True).stdout
    assert "outer::inner::Solver<double>::solve(int)" in callers


def test_without_callers(record):
    _, prv = record(1, "-O1")
    assert list(read_calls(prv)) == []
