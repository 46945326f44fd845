# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of MPI, of libgomp, and of libraries, as tandem recorded them, held against what a library that knows nothing but names has
counted."""
import collections
import pathlib
import re
import subprocess

import streams

LIBRARY_FUNCTION, LIBRARY_NAMES = 92000040, 14  # event type; role of a DEFINE
ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_names():
    """{(type, value): name of the call}"""
    names = {}
    for line in (ROOT / "formats" / "event_types.tsv").read_text().splitlines():
        fields = line.split("\t") + [""] * 6
        if fields[0].isdigit() and fields[5].startswith("MPI_"):
            names[int(fields[0]), int(fields[4])] = fields[5]
    return names


NAMES = read_names()
TYPES = {type_ for type_, _ in NAMES}


def symbols(library, pattern):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {match[1] for match in re.finditer(rf" [TW] {pattern}(?:@.*)?$", lines, re.MULTILINE)}


def library_calls(directory):
    """({function: calls that were recorded}, {function: calls that were counted}) of wrapped libraries, of all processes."""
    recorded, counted = collections.Counter(), collections.Counter()
    for process in directory.iterdir():
        records = [r for ring in streams.rings(process) for r in streams.read_stream(ring)] if process.is_dir() else []
        names = {r.id: streams.told(r).split("\n")[0] for r in records if r.kind == streams.DEFINE and r.aux == LIBRARY_NAMES}
        recorded.update(names[r.aux] for r in records if r.kind == streams.ENTER and r.id == LIBRARY_FUNCTION)
        for r in records:
            if r.kind == streams.COUNTED and r.id == LIBRARY_FUNCTION:
                counted[names[r.aux]] += r.words[0]
    return recorded, counted


def read_counts(directory):
    """{pid: {name: calls}} as the counter wrote them."""
    return {
        int(path.suffix[1:]): {name: int(n) for name, n in map(str.split, path.read_text().splitlines())}
        for path in directory.glob("counts.*")
    }


def check_counts(ranks, counts):
    """Every process's calls are those that were counted."""
    seen = {}
    for records in ranks.values():
        pid = next(r.id for r in records if r.kind == streams.PROCESS)
        seen[pid] = dict(streams.count_calls(records, NAMES))
        is_open = []  # calls nest: MPI calls the program's reduction, which calls MPI
        for r in records:
            if r.kind == streams.ENTER and r.id in TYPES:
                is_open.append(r.id)
            elif r.kind == streams.LEAVE and r.id in TYPES:
                assert is_open.pop() == r.id
        assert not is_open
    of_mpi = {pid: {name: n for name, n in counted.items() if name[:4] == "MPI_"} for pid, counted in counts.items()}
    assert seen == {pid: counted for pid, counted in of_mpi.items() if counted}


# What a record is of: kind, id, aux (None: any), and the calls of libgomp that make one each.
TASK, CREATE, OF_WAIT = 64, 0, 32
OPENMP = {
    "regions": (streams.ENTER, 60000001, None, r"GOMP_parallel(?!\w*_end)\w*|GOMP_teams_reg"),
    "tasks": (TASK, None, CREATE, r"GOMP_task"),
    "taskloops": (streams.ENTER, 60000029, None, r"GOMP_taskloop(_ull)?"),
    "taskwaits": (streams.ENTER, 60000022, None, r"GOMP_taskwait(_depend)?"),
    "taskgroups": (streams.ENTER, 60000027, None, r"GOMP_taskgroup_start"),
    "chunks": (streams.EVENT, 92000022, None, r"GOMP_(loop|sections2?)_(?!end)(\w+_)?(start|next)"),
    "joins": (streams.ENTER, 60000016, None, r"GOMP_(loop|sections)_end(_cancel)?"),
    "singles": (streams.ENTER, 60000002, 6, r"GOMP_single(_copy)?_start"),
    "barriers": (streams.ENTER, 60000005, None, r"GOMP_barrier(_cancel)?|GOMP_single_copy_end"),
    "criticals": (streams.ENTER, 60000007, 3, r"GOMP_(critical|atomic)_start"),
    "locks": (streams.ENTER, 60000006, 3, r"GOMP_critical_name_start|omp_(set|test)_(nest_)?lock_?"),
    "ordered": (streams.ENTER, 60000033, 3, r"GOMP_ordered_start|GOMP_doacross_(ull_)?wait"),
}


def count_openmp(records):
    """{what: how many} that was recorded."""
    seen = collections.Counter()
    for r in records:
        for what, (kind, id_, aux, _) in OPENMP.items():
            if r.kind == kind and id_ in (None, r.id) and aux in (None, r.aux):
                seen[what] += not (kind == TASK and r.words[1] >> 32 & OF_WAIT)
    return +seen


def sum_openmp(counts):
    """{what: how many}, of one process's calls."""
    seen = collections.Counter()
    for name, n in counts.items():
        for what, (*_, pattern) in OPENMP.items():
            seen[what] += n * bool(re.fullmatch(pattern, name))
    return +seen


def check_openmp(processes, counts):
    """processes: {pid: records}.  What OpenMP's library was asked for, of all: {what: how many}."""
    seen = {pid: count_openmp(records) for pid, records in processes.items()}
    assert seen == {pid: sum_openmp(counts.get(pid, {})) for pid in processes}
    return sum(seen.values(), collections.Counter())


def names_of_openmp():
    words = ["gcc", "-print-file-name=libgomp.so.1"]
    libgomp = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    return symbols(libgomp, "((?:" + "|".join(pattern for *_, pattern in OPENMP.values()) + "))")


def compile_counter(names, compile_program, tmp_path_factory):
    """A library that counts calls by these names, by itself."""
    listed = tmp_path_factory.mktemp("counter") / "names.h"
    listed.write_text("".join(f"COUNT({name})\n" for name in sorted(names)))
    flags = ["-O0", "-w", "-shared", "-fPIC", f'-DNAMES="{listed}"']
    return compile_program("call_counter", flags=flags, name="libcounter.so")


def names_of_mpi(libmpi):
    return symbols(libmpi, r"P(MPI_[A-Z][a-z]\w+)")
