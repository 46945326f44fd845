# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a run directory's streams and matches its messages: a second, slow and simple implementation, after the words of
formats/stream.h and formats/record.h, to hold the first one against."""
import collections
import pathlib
import struct

CLOCK, PROCESS, PAD, ENTER, LEAVE, EVENT = 1, 2, 8, 16, 17, 18
RANK, COMM, SEND, RECV, POST, DONE, COLLECTIVE = 48, 49, 50, 51, 52, 53, 54
NOBODY = 0xFFFFFFFF

Record = collections.namedtuple("Record", "time id aux kind words")


def read_stream(ring_path):
    ring = ring_path.read_bytes()
    magic, order, _, _, _, _, _, base, published = struct.unpack_from("<8sIHHIIQQQ", ring)
    assert magic == b"tandem\r\n" and order == 0x01020304
    stream_path = ring_path.with_suffix(".stream")
    data = stream_path.read_bytes()[:base] if stream_path.exists() else b""
    assert len(data) == base
    data += ring[4096 : 4096 + published - base]
    at = 0
    while at < len(data):
        time, id_, aux, kind, n_words = struct.unpack_from("<QIHBB", data, at)
        if kind != PAD:
            yield Record(time, id_, aux, kind, struct.unpack_from(f"<{n_words}Q", data, at + 16))
        at += 16 + 8 * n_words
    assert at == len(data)


def read_run(directory):
    """{rank: [records of its main streams]}, of those processes that have one."""
    ranks = {}
    for process in sorted(p for p in pathlib.Path(directory).iterdir() if p.is_dir()):
        records = [r for ring in sorted(process.glob("*.main.ring")) for r in read_stream(ring)]
        for record in records:
            if record.kind == RANK:
                assert record.id not in ranks
                ranks[record.id] = records
    return ranks


def count_calls(records, names):
    """Calls by name; names is {(type, value): name}."""
    return collections.Counter(names[r.id, r.aux] for r in records if r.kind == ENTER and (r.id, r.aux) in names)


def signed(word):
    return struct.unpack("<i", struct.pack("<I", word & 0xFFFFFFFF))[0]


class Matcher:
    """One rank's records, turned into sends and receives, in the order in which they match."""

    def __init__(self, rank, records):
        self.rank, self.comms, self.open, self.pending, self.persistent = rank, {}, {}, {}, {}
        self.sends, self.receives, self.collectives = [], [], []
        self.parts, self.told = [], []
        for record in records:
            handler = {COMM: self.comm, SEND: self.send, RECV: self.recv, POST: self.post, DONE: self.done}.get(record.kind)
            if handler:
                handler(record)
            if record.kind == COLLECTIVE:
                self.collectives.append((self.comms[record.words[0]][0], signed(record.id), *record.words[1:]))

    def comm(self, r):
        size = r.words[1] & NOBODY
        self.parts += [half for word in r.words[2:] for half in (word & NOBODY, word >> 32)]
        if r.aux & 1:
            return
        group, self.parts = tuple(self.parts[:size]), []
        if not r.aux & 2:
            assert group[r.words[1] >> 32] == self.rank
            assert r.id == self.told.count(group)
            self.told.append(group)
            self.comms[r.words[0]] = ((group, r.id), group)
        elif not r.aux & 4:
            self.local = group
        else:
            self.comms[r.words[0]] = (((min(group, self.local), max(group, self.local)), r.id), group)

    def name(self, handle, partner, tag):
        """Communicator, world rank of the partner, tag."""
        key, group = self.comms[handle]
        return key, group[partner], tag

    def send(self, r):
        self.sends.append((*self.name(r.words[0], signed(r.words[2]), signed(r.id)), r.words[1]))

    def recv(self, r):
        self.receives.append((*self.name(r.words[0], signed(r.words[2]), signed(r.id)), r.words[1]))

    def place(self, comm):
        """Room for a receive that is not complete, where its place in the order is."""
        self.receives.append(None)
        return comm, len(self.receives) - 1

    def post(self, r):
        comm, request = r.words[:2]
        if r.id == 0:
            self.pending[request] = self.place(comm)
        elif r.id == 1:
            self.persistent[request] = (comm, None)
        elif r.id == 2:
            partner, tag = signed(r.words[3]), signed(r.words[3] >> 32)
            self.persistent[request] = (comm, (*self.name(comm, partner, tag), r.words[2]))
        elif r.id == 3 and request in self.persistent:
            comm, send = self.persistent[request]
            if send:
                self.sends.append(send)
            else:
                self.pending[request] = self.place(comm)
        elif r.id == 4:
            self.persistent.pop(request, None)
        elif r.id == 5:
            self.pending[request] = self.pending.pop(r.words[2])

    def done(self, r):
        if r.words[0] in self.pending:
            comm, at = self.pending.pop(r.words[0])
            if not r.aux:
                self.receives[at] = (*self.name(comm, signed(r.words[2]), signed(r.id)), r.words[1])


def match(ranks):
    """Messages [(sender, receiver, tag, bytes)]; asserts that each was sent and received, in order and of one size."""
    matchers = {rank: Matcher(rank, records) for rank, records in ranks.items()}
    sent = collections.defaultdict(list)
    received = collections.defaultdict(list)
    for rank, m in matchers.items():
        for comm, partner, tag, size in m.sends:
            sent[comm, rank, partner, tag].append(size)
        for comm, partner, tag, size in filter(None, m.receives):
            received[comm, partner, rank, tag].append(size)
    assert sent == received
    return [(key[1], key[2], key[3], size) for key, sizes in sent.items() for size in sizes], matchers
