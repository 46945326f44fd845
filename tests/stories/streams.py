# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the streams of a run directory: a second, slow and simple implementation, after the words of formats/stream.h and
formats/record.h, to hold the first one against."""
import collections
import dataclasses
import pathlib
import struct

import packed

CLOCK, PROCESS, PROCESS_END, THREAD, THREAD_END, TEXT, MODULE, PAD, PEER_CLOCK = range(1, 10)
ENTER, LEAVE, EVENT, COUNTER, DEFINE, SWITCH = range(16, 22)
COUNTED = 27
SAMPLE, SAMPLING, SAMPLING_COST = 32, 33, 35
REST = 4  # flag of a SAMPLE: no sample, but what was used after the last
RANK, COMM, SEND, RECV, POST, DONE, COLLECTIVE = range(48, 55)
REMOTE = 56
NOBODY = 0xFFFFFFFF
NOTE = 6  # a TEXT that is a sentence for the user
TEXT_BEGINS = {TEXT: 0, DEFINE: 2, MODULE: 3}

Header = collections.namedtuple(
    "Header", "magic byte_order version context slot pid ring_bytes base published n_lost stop_errno n_turns stride"
)
Record = collections.namedtuple("Record", "time id aux kind words")


HEADER = struct.Struct("<8sIHHIIQQQQIIQ")
PAGE = 4096


def find_ring(ring_path):
    """Which file has the ring "SLOT.CONTEXT.ring" of a directory, and where: its own, or the one of all slots."""
    if ring_path.exists():
        return ring_path, 0
    path = ring_path.with_name("rings")
    slot, context, _ = ring_path.name.split(".")
    with open(path, "rb") as file:
        first = Header._make(HEADER.unpack(file.read(HEADER.size)))
    return path, int(slot) * first.stride + (PAGE + first.ring_bytes) * (context == "signal")


def read_header(ring_path):
    path, at = find_ring(ring_path)
    with open(path, "rb") as file:
        file.seek(at)
        header = Header._make(HEADER.unpack(file.read(HEADER.size)))
    assert header.magic == b"tandem\r\n" and header.byte_order == 0x01020304
    return header


def rings_of_image(image):
    yield from image.glob("*.ring")
    path = image / "rings"
    stride = Header._make(HEADER.unpack(path.read_bytes()[: HEADER.size])).stride if path.exists() else 0
    for slot in range(-(-path.stat().st_size // stride) if stride else 0):
        for context in ("main", "signal"):
            ring, at = find_ring(image / f"{slot}.{context}.ring")
            with open(ring, "rb") as file:
                file.seek(at)
                if ring == path and file.read(8) == b"tandem\r\n":
                    yield image / f"{slot}.{context}.ring"


def rings(directory, context="main"):
    """The rings of an image's directory or of all those of a run, for read_stream; of both contexts with context="*"."""
    directory = pathlib.Path(directory)
    images = [directory] + sorted(path for path in directory.glob("*") if path.is_dir())
    return sorted(ring for image in images for ring in rings_of_image(image) if ring.match(f"*.{context}.ring"))


def read_stream(ring_path):
    """The records of the stream whose ring this is; samples that are packed have their whole stacks."""
    header = read_header(ring_path)
    stream_path = ring_path.with_suffix(".stream")
    data = stream_path.read_bytes()[: header.base] if stream_path.exists() else b""
    assert len(data) == header.base
    path, at = find_ring(ring_path)
    with open(path, "rb") as ring:
        ring.seek(at + PAGE)
        data += ring.read(header.published - header.base)
    at, unpacker = 0, packed.Unpacker()
    while at < len(data):
        time, id_, aux, kind, n_words = struct.unpack_from("<QIHBB", data, at)
        assert kind != 0, f"{ring_path}: a damaged record at {at}"
        if kind == packed.PACKED:
            for sample in unpacker.unpack(time, aux, data[at + 16 : at + 16 + 8 * n_words]):
                yield Record(*sample)
        elif kind != PAD:
            yield Record(time, id_, aux, kind, struct.unpack_from(f"<{n_words}Q", data, at + 16))
        at += 16 + 8 * n_words
    assert at == len(data)


def told(record):
    """Text of a TEXT, MODULE or DEFINE."""
    length = record.words[1] if record.kind == DEFINE else record.aux
    words = record.words[TEXT_BEGINS[record.kind] :]
    return struct.pack(f"<{len(words)}Q", *words)[:length].decode()


def notes(run_directory):
    """Sentences for the user that the processes of a run left, in short texts."""
    return [told(record) for ring in rings(run_directory) for record in read_stream(ring) if (record.kind, record.id) == (TEXT, NOTE)]


def read_run(directory):
    """{rank: [records of its main streams]}, of those processes that have one."""
    ranks = {}
    for process in sorted(p for p in pathlib.Path(directory).iterdir() if p.is_dir()):
        records = [r for ring in rings(process) for r in read_stream(ring)]
        for record in records:
            if record.kind == RANK:
                assert record.id not in ranks
                ranks[record.id] = records
    return ranks


def count_calls(records, names):
    """Calls by name, those included that were counted instead of recorded; names is {(type, value): name}."""
    calls = collections.Counter(names[r.id, r.aux] for r in records if r.kind == ENTER and (r.id, r.aux) in names)
    for r in records:
        if r.kind == COUNTED:
            calls[names[r.id, r.aux]] += r.words[0]
    return calls


@dataclasses.dataclass
class SampledThread:
    """What the signal streams say of one thread."""

    pid: int
    clock: int = 0
    refusal: int = 0
    cpu_ns: int = 0
    rest_ns: int = 0
    signal_ns: int = 0
    took_ns: int = 0
    rest_times: list = dataclasses.field(default_factory=list)
    samples: list = dataclasses.field(default_factory=list)

    @property
    def weight_ns(self):
        return sum(sample.id for sample in self.samples)


def with_stack(sample, before):
    """The sample with its whole stack: of the outermost frames, those that are the same as in the sample before are not written."""
    n_common = sample.aux >> 8
    assert n_common <= (len(before[0].words) if before else 0)
    return sample._replace(words=sample.words + before[0].words[-n_common:] if n_common else sample.words)


def sampled_threads(run_directory):
    """{tid: SampledThread} of all processes of a run."""
    threads = {}
    for ring in rings(run_directory, "signal"):
        pid, thread = read_header(ring).pid, None
        for record in read_stream(ring):
            if record.kind == THREAD:
                thread = threads.setdefault(record.words[0] & NOBODY, SampledThread(pid))
            elif record.kind == SAMPLING:
                thread.clock = record.id
                thread.refusal = record.words[1] & NOBODY
            elif record.kind == SAMPLING_COST:
                thread.signal_ns = record.words[0]
                thread.took_ns += record.words[1]
            elif record.kind == SAMPLE and record.aux & REST:
                thread.rest_ns += record.id
                thread.rest_times.append(record.time)
            elif record.kind == SAMPLE:
                thread.samples.append(with_stack(record, thread.samples[-1:]))
            elif record.kind == THREAD_END:
                thread.cpu_ns += record.words[0]  # an exec keeps the number
    return threads
