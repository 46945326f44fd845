# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans of time that are within each other, as other tools write calls."""
import collections


def own_times(spans, are_nested=False):
    """{(row, name): ns} of spans (begin, end, name) of each row, less what is in spans within them; are_nested: asserts that all are."""
    times = collections.Counter()
    for row, of_row in spans.items():
        open_ = []
        for begin, end, name in sorted(of_row, key=lambda span: (span[0], -span[1])):
            while open_ and open_[-1][0] <= begin:
                open_.pop()
            assert not are_nested or not open_ or end <= open_[-1][0], (row, begin, end, name)
            if open_:
                times[row, open_[-1][1]] -= end - begin
            times[row, name] += end - begin
            open_.append((end, name))
    return {key: time for key, time in times.items() if time}
