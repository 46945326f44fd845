# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of a run directory, read as formats/stream.h says: for tests that look at what was recorded before a merge."""
import dataclasses
import pathlib
import struct

THREAD, THREAD_END, CLOCK, PAD, SAMPLE, SAMPLING = 4, 5, 1, 8, 32, 33


@dataclasses.dataclass
class Record:
    time: int
    id: int
    aux: int
    kind: int
    words: tuple


def records(ring):
    """The records of the stream whose ring file this is, in this machine's byte order."""
    content = pathlib.Path(ring).read_bytes()
    base, published = struct.unpack_from("=QQ", content, 32)
    stream = pathlib.Path(ring).with_suffix(".stream")
    written = stream.read_bytes()[:base] if stream.exists() else b""
    data = written + content[4096 : 4096 + published - base]
    place = 0
    while place + 16 <= len(data):
        time, number, aux, kind, n_words = struct.unpack_from("=QIHBB", data, place)
        assert kind != 0, f"{ring}: a damaged record at {place}"
        if kind != PAD:
            yield Record(time, number, aux, kind, struct.unpack_from(f"={n_words}Q", data, place + 16))
        place += 16 + 8 * n_words


@dataclasses.dataclass
class SampledThread:
    """What the signal stream says of one thread's life."""

    pid: int
    clock: int = 0
    refusal: int = 0
    cpu_ns: int = 0
    samples: list = dataclasses.field(default_factory=list)

    @property
    def weight_ns(self):
        return sum(sample.id for sample in self.samples)


def sampled_threads(run_directory):
    """{tid: SampledThread} of all processes of a run."""
    threads = {}
    for ring in sorted(pathlib.Path(run_directory).glob("*/*.signal.ring")):
        pid = struct.unpack_from("=I", ring.read_bytes(), 20)[0]
        thread = None
        for record in records(ring):
            if record.kind == THREAD:
                thread = threads.setdefault(record.words[0] & 0xFFFFFFFF, SampledThread(pid))
            elif record.kind == SAMPLING:
                thread.clock = record.id
                thread.refusal = record.words[1] & 0xFFFFFFFF
            elif record.kind == SAMPLE:
                thread.samples.append(record)
            elif record.kind == THREAD_END:
                thread.cpu_ns += record.words[0]  # an exec keeps the number
    return threads
