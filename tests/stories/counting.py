# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of MPI as tandem recorded them, held against what a library that knows nothing but names has counted."""
import pathlib
import re
import subprocess

import streams

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


def symbols(library, pattern):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {match[1] for match in re.finditer(rf" [TW] {pattern}$", lines, re.MULTILINE)}


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
            if r.kind == streams.ENTER:
                is_open.append(r.id)
            elif r.kind == streams.LEAVE:
                assert is_open.pop() == r.id
        assert not is_open
    assert seen == {pid: counted for pid, counted in counts.items() if counted}


def compile_counter(libmpi, compile_program, tmp_path_factory):
    """A library that counts all calls of this MPI by itself."""
    names = tmp_path_factory.mktemp("counter") / "names.h"
    names.write_text("".join(f"COUNT({name})\n" for name in sorted(symbols(libmpi, r"P(MPI_[A-Z][a-z]\w+)"))))
    return compile_program(
        "mpi_counter", flags=["-O0", "-w", "-shared", "-fPIC", f'-DNAMES="{names}"'], name="libcounter.so"
    )
