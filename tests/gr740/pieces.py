# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what a board wrote, without tandem: pieces, and the records of their streams (formats/piece.h, formats/record.h)."""
import collections
import struct

HEAD = struct.Struct(">8sIHHIIIIQ")
Record = collections.namedtuple("Record", "time id aux kind words")


def streams_of(data, most_lost=0):
    """{(slot, context): its bytes}; bytes between pieces are an error, and so are more records that a stream has lost."""
    streams, at = collections.defaultdict(bytes), 0
    while at < len(data):
        magic, order, version, context, slot, n_bytes, n_lost, error, offset = HEAD.unpack_from(data, at)
        assert (magic, order, version, error) == (b"tndpiece", 0x01020304, 4, 0) and n_lost <= most_lost
        assert offset == len(streams[slot, context])
        streams[slot, context] += data[at + HEAD.size: at + HEAD.size + n_bytes]
        at += HEAD.size + n_bytes
    assert at == len(data)
    return streams


def records_of(stream):
    at = 0
    while at < len(stream):
        time, id_, aux, kind, n_words = struct.unpack_from(">QIHBB", stream, at)
        yield Record(time, id_, aux, kind, struct.unpack_from(f">{n_words}Q", stream, at + 16))
        at += 16 + 8 * n_words
    assert at == len(stream)
