# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches the messages of a run's ranks: a second, slow and simple implementation, after the words of formats/record.h, to
hold the merge against."""
import collections
import struct

from streams import COLLECTIVE, COMM, DONE, NOBODY, POST, RECV, SEND


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
        self.parts += [half for word in r.words[3:] for half in (word & NOBODY, word >> 32)]
        if r.aux & 1:
            return
        group, self.parts = tuple(self.parts[:size]), []
        made_of = self.comms[r.words[2]][0] if r.words[2] else None
        if not r.aux & 2:
            assert group[r.words[1] >> 32] == self.rank
            assert r.id == self.told.count((made_of, group))
            self.told.append((made_of, group))
            self.comms[r.words[0]] = ((group, made_of, r.id), group)
        elif not r.aux & 4:
            self.local = group
        else:
            self.comms[r.words[0]] = (((min(group, self.local), max(group, self.local)), made_of, r.id), group)

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
