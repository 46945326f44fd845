# SPDX-License-Identifier: GPL-3.0-or-later
"""Unpacks the samples of a stream: a second, slow and simple implementation, after the words of formats/pack.h."""

SAMPLE, WAIT, PACKED = 32, 34, 128
RESET = 1  # aux of a PACKED
ENTRY_IS_WAIT, FLAGS, REST = 16, 15, 4
PYTHON = 1 << 63
MOST_STACKS, MOST_ADDRESSES = 32767, 16383


def take_number(data):
    number = shift = 0
    while True:
        byte = next(data)
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7


class Unpacker:
    """Of one stream.  A stack is a tuple of frames, the innermost first."""

    def __init__(self):
        self.stacks, self.addresses, self.newest = [()], [None], 0

    def take_frame(self, data):
        """-> (frame, whether it has a number)"""
        code = take_number(data)
        if code >= 2:
            return self.addresses[code - 1], True
        number = take_number(data)
        if code == 1:
            frame = PYTHON | number
        else:
            self.newest = frame = (self.newest + (number >> 1 if number % 2 == 0 else -(number >> 1) - 1)) % 2**64
        has_number = len(self.addresses) <= MOST_ADDRESSES
        if has_number:
            self.addresses.append(frame)
        return frame, has_number

    def take_stack(self, data):
        stack = self.stacks[take_number(data)]
        n, known = take_number(data), True
        for i in range(n):
            frame, has_number = self.take_frame(data)
            stack = (frame,) + stack
            known = known and has_number and len(self.stacks) <= MOST_STACKS
            if known and i < n - 1:
                self.stacks.append(stack)
        return stack

    def unpack(self, time, aux, words):
        """(time, id, flags, kind, words) of each entry, with whole stacks."""
        if aux & RESET:
            self.__init__()
        data = iter(words)
        while first := next(data, 0):
            assert first & 128
            time = (time + take_number(data)) % 2**64
            id_ = take_number(data)
            behind = (take_number(data), take_number(data)) if first & ENTRY_IS_WAIT else ()
            stack = () if first & REST else self.take_stack(data)
            yield time, id_, first & FLAGS, WAIT if behind else SAMPLE, stack + behind
