# SPDX-License-Identifier: GPL-3.0-or-later
"""OTF2 archives, as otf2-print tells of them; and the records of a trace, read from its text."""
import collections
import functools
import re
import shutil
import subprocess

import pytest

needs_otf2 = pytest.mark.skipif(not shutil.which("otf2-print"), reason="needs otf2-print (otf2-tools)")


@functools.cache
def printed(archive, *words):
    """Once for each: no test changes an archive that it has looked into."""
    result = subprocess.run(["otf2-print", *words, archive / "traces.otf2"], capture_output=True, text=True, check=True)
    assert result.stderr == "" and "INVALID" not in result.stdout
    return result.stdout


def definitions(archive):
    """{kind: {number: text}}; what has no number is 0."""
    found = collections.defaultdict(dict)
    for kind, number, text in re.findall(r"^([A-Z0-9_]+) +(\d*)  (.*)$", printed(archive, "-G"), re.M):
        found[kind][int(number or 0)] = text
    return found


def events(archive):
    """[(kind, location, time, text)], with the attributes of an event at the end of its text; each location in the order of time."""
    found, last = [], collections.defaultdict(int)
    for line in printed(archive).split("\n" + "-" * 80 + "\n")[1].splitlines():
        if match := re.match(r"([A-Z0-9_]+) +(\d+) +(\d+)  (.*)$", line):
            kind, location, time, text = match[1], int(match[2]), int(match[3]), match[4]
            assert time >= last[location], line
            last[location] = time
            found.append((kind, location, time, text))
        elif match := re.match(r" +ADDITIONAL ATTRIBUTES: (.*)$", line):
            found[-1] = (*found[-1][:3], found[-1][3] + " " + match[1])
    return found


class Trace:
    """Rows are those of the header, from 0; messages and events have the rows that they are of."""

    def __init__(self, prv):
        head, *lines = prv.read_text().splitlines()
        tasks = [[int(task.split(":")[0]) for task in inner.split(",")] for inner in re.findall(r"\d+\(([\d:,]+)\)", head.split("):", 1)[1].split(":", 3)[-1])]
        places = [(a, t, th) for a, of in enumerate(tasks, 1) for t, n in enumerate(of, 1) for th in range(1, n + 1)]
        self.rows = {place: row for row, place in enumerate(places)}
        self.places, self.tasks = places, [(a, t) for a, of in enumerate(tasks, 1) for t in range(1, len(of) + 1)]
        self.end = int(re.search(r"\):(\d+)", head)[1])
        self.communicators, self.states, self.events, self.messages = {}, [], collections.defaultdict(list), []
        for line in lines:
            kind, *fields = line.split(":")
            if kind == "c":
                self.communicators[int(fields[0]), int(fields[1])] = [(int(fields[0]), int(task)) for task in fields[3:]]
                continue
            if kind not in "123":
                continue
            numbers = [int(field) for field in fields]
            row = self.rows[tuple(numbers[1:4])]
            if kind == "1":
                self.states.append((row, *numbers[4:7]))
            elif kind == "2":
                self.events[row] += [(numbers[4], *pair) for pair in zip(numbers[5::2], numbers[6::2])]
            else:
                lsend, psend, _, *receiver, lrecv, precv, size, tag = numbers[4:]
                self.messages.append((row, self.rows[tuple(receiver)], lsend, psend, lrecv, precv, size, tag))
        for of_row in self.events.values():
            of_row.sort(key=lambda event: event[0])
        self.labels, self.types = {}, {}
        for block in re.split(r"^EVENT_TYPE\n", prv.with_suffix(".pcf").read_text(), flags=re.M)[1:]:
            types, _, values = re.split(r"\n\n", block)[0].partition("VALUES\n")
            for type_, label in re.findall(r"^\d+ +(\d+) +(.*?) *$", types, re.M):
                self.types[int(type_)] = label
                for value, name in re.findall(r"^(-?\d+) +(.*?) *$", values, re.M):
                    self.labels[int(type_), int(value)] = name
