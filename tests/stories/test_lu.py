# SPDX-License-Identifier: GPL-3.0-or-later
"""An LU factorisation by blocks, as parallel loops and as tasks: it stays right, and its trace says what the algorithm
does. The graph of the tasks is worked out here from the algorithm, without looking at what was recorded."""
import collections
import re

import pytest

N, THREADS = 5, 4
# Compiled so that a region's last barrier is a jump, whose caller cannot be seen.
FLAGS = ("-O2", "-fopenmp")


def is_there(kind, i, j):
    near, even = abs(i - j) <= 1, i % 2 == 0 and j % 2 == 0
    return kind == "dense" or near or (even and min(i, j) % 3 == 0)


def algorithm(kind):
    """Tasks by step; number of edges; length of the longest chain; most tasks at one place of their chains."""
    present = {(i, j) for i in range(N) for j in range(N) if is_there(kind, i, j)}
    counts, levels, last = collections.Counter(), collections.Counter(), {}
    n_edges = 0

    def add(step, block, *read):
        nonlocal n_edges
        before = [last[b] for b in (block, *read) if b in last]
        n_edges += len(before)
        last[block] = max(before, default=0) + 1
        counts[step] += 1
        levels[last[block]] += 1

    for k in range(N):
        rest = range(k + 1, N)
        add("main", (k, k))
        row, column = [(k, j) for j in rest if (k, j) in present], [(i, k) for i in rest if (i, k) in present]
        for block in row:
            add("make_row", block, (k, k))
        for block in column:
            add("make_column", block, (k, k))
        for i, _ in column:
            for _, j in row:
                present.add((i, j))
                add("update", (i, j), (i, k), (k, j))
    return counts, n_edges, max(levels), max(levels.values())


def said(counts):
    return ("diagonal {main} row {make_row} column {make_column} update {update}: right\n").format(**counts)


@pytest.fixture
def record(run, tandem, compile_program):
    def record_one(program, *arguments):
        env = {"OMP_NUM_THREADS": THREADS, "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}
        result = run(tandem, "record", "-o", "lu.prv", "--", compile_program(program, flags=FLAGS), N, *arguments,
                     env=env, check=True)
        run(tandem, "check", "lu.prv", check=True)
        return result.stdout

    return record_one


@pytest.mark.parametrize("kind, width", [("sparse", 9), ("dense", 16)])
def test_graph_of_tasks(record, run, tandem, kind, width):
    counts, n_edges, height, wide = algorithm(kind)
    assert (height, wide) == (3 * (N - 1) + 1, width)
    assert record("lu_tasks", 48, kind) == said(counts)
    report = run(tandem, "tasks", "lu.prv", check=True).stdout
    told = {name: int(value) for name, value in re.findall(r"^  (tasks|dependences|alone|height|width) +(\d+)", report, re.M)}
    assert told == {"tasks": counts.total(), "dependences": n_edges, "alone": 0, "height": height, "width": width}
    of_functions = dict(re.findall(r"^  (\w+)\.\S+ \S+ +(\d+) ", report, re.M))
    assert {name: int(n) for name, n in of_functions.items()} == counts
    exposed, exploited, most = (float(re.search(rf"^ +{word} +([\d.]+) ", report, re.M)[1])
                                for word in ("exposed", "exploited", "at most"))
    assert 1 <= exposed and 1 <= exploited <= most <= THREADS


def test_loops(record, tmp_path):
    counts = algorithm("sparse")[0]
    assert record("lu_for", 48) == said(counts)
    values = collections.defaultdict(collections.Counter)
    chunk_begins, state_begins = set(), set()
    for line in (tmp_path / "lu.prv").read_text().splitlines():
        if line.startswith("2:"):
            thread, time, *fields = [int(field) for field in line.split(":")[4:]]
            for type_, value in zip(fields[::2], fields[1::2]):
                values[type_][value] += 1
                if type_ == 92000022:
                    chunk_begins.add((thread, time))
        elif line.startswith("1:"):
            state_begins.add(tuple(int(field) for field in line.split(":")[4:6]))
    regions, worksharing, barriers, chunks = (values[t] for t in (60000001, 60000002, 60000005, 92000022))
    assert regions == {3: 1, 0: 1}
    # Of every step: a single, and three loops, of which an empty one is still shared out.
    assert worksharing[6] == N * THREADS
    assert worksharing[4] == 3 * N * THREADS
    assert barriers[1] == N * THREADS
    assert chunk_begins <= state_begins  # so that a chunk's length is that of a state
    assert chunks[1] == sum(2 * m + m * m for m in range(N))
