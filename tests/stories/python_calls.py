# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of Python as tandem recorded them, by name, of each process of a run."""
import collections
import dataclasses
import pathlib
import struct
import time

import streams
from counting import NAMES

FUNCTION = 60000100
DEFINE_PYTHON = 5
COMMAND_LINE = 2  # role of a TEXT


@dataclasses.dataclass
class Process:
    """One process: a name is module.function."""

    pid: int
    parent: int
    command: str
    calls: collections.Counter  # {name: how often it began or went on}
    within: collections.Counter  # {(name of the one that it ran in or None, name): how often}
    mpi: collections.Counter  # {(name of the innermost, call of MPI): how often}
    n_open: int  # begun, but not ended
    n_threads: int  # those that ran Python
    has_ended: bool

    def own(self, module="__main__"):
        """{function of this module: calls}"""
        return {name[len(module) + 1 :]: n for name, n in self.calls.items() if name.startswith(module + ".")}


def read_threads(ring):
    """The records of each thread that used this stream, one after the other."""
    threads = [[]]
    for record in streams.read_stream(ring):
        if record.kind == streams.THREAD and any(r.kind == streams.THREAD for r in threads[-1]):
            threads.append([])
        threads[-1].append(record)
    return threads


def read_process(directory):
    threads = [records for ring in streams.rings(directory) for records in read_threads(ring)]
    everything = [r for records in threads for r in records]
    names = {
        r.id: streams.told(r).split("\n")[0] for r in everything if r.kind == streams.DEFINE and r.aux == DEFINE_PYTHON
    }
    calls, within, mpi = collections.Counter(), collections.Counter(), collections.Counter()
    n_open, n_threads = 0, 0
    for records in threads:
        is_open = []
        for r in records:
            if r.id == FUNCTION and r.kind == streams.ENTER:
                name = names[r.aux]
                calls[name] += 1
                within[is_open[-1] if is_open else None, name] += 1
                is_open.append(name)
            elif r.id == FUNCTION and r.kind == streams.LEAVE:
                is_open.pop()
            elif r.kind == streams.ENTER and is_open and (r.id, r.aux) in NAMES:
                mpi[is_open[-1], NAMES[r.id, r.aux]] += 1
        n_open += len(is_open)
        n_threads += any(r.id == FUNCTION and r.kind == streams.ENTER for r in records)
    begin = next(r for r in everything if r.kind == streams.PROCESS)
    command = "".join(streams.told(r) for r in everything if r.kind == streams.TEXT and r.id == COMMAND_LINE)
    has_ended = any(r.kind == streams.PROCESS_END for r in everything)
    parent = struct.unpack("<II", struct.pack("<Q", begin.words[0]))[0]
    return Process(begin.id, parent, command, calls, within, mpi, n_open, n_threads, has_ended)


def read_run(directory):
    """The processes of a run, those that ran no Python too, by their numbers, and what one ran after the other."""
    places = [p for p in directory.iterdir() if p.is_dir() and streams.rings(p)]
    places = sorted(places, key=lambda p: [int(n) for n in p.name.rsplit(".", 2)[1:]])
    deadline = time.monotonic() + 20  # multiprocessing's helpers may outlive the program, or only begin when it ends
    while any(pathlib.Path("/proc", p.name.rsplit(".", 2)[1]).exists() for p in places) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [read_process(p) for p in places]
