# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the encoding of protocol buffers, without a schema: what an independent reader of the files needs."""
import struct


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        at, number, shift = at + 1, number | (byte & 0x7F) << shift, shift + 7
        if byte < 0x80:
            return number, at


def fields(data):
    """{number of the field: [its values]}: numbers, doubles, or bytes of texts and of messages within."""
    found, at = {}, 0
    while at < len(data):
        head, at = varint(data, at)
        kind = head & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            assert kind == 2, f"encoding {kind}"
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size
        found.setdefault(head >> 3, []).append(value)
    return found


def signed(number):
    return number - (1 << 64) if number >= 1 << 63 else number
