# SPDX-License-Identifier: GPL-3.0-or-later
"""Views that are formulas come to what one computes by hand, from the text of a trace and from `tandem dump`: of a program with
threads, of ranks, of Python."""
import collections
import csv
import io
import re

import pytest

PYTHON = "/usr/bin/python3"
STEPS = 6

# In each step of each row some work and some bytes at moments of their own; `who` tells the rows apart.
PROGRAM = r"""
#include <pthread.h>
#include <stdint.h>
#include <tandem.h>
#include <time.h>
#ifdef RANKS
#include <mpi.h>
#endif

static void rest(int us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static void *work(void *data)
{
    long who = (intptr_t)data;
    tandem_counter items = tandem_counter_register("items"), bytes = tandem_counter_register("bytes");
    tandem_counter step = tandem_counter_register("step"), row = tandem_counter_register("who");
    tandem_counter_set(row, who);
    for (int i = 1; i <= 6; i++) {
        tandem_counter_set(step, i);
        rest(200);
        for (int j = 0; j < 3; j++) {
            tandem_counter_set(items, who * 1000 + i * i + 7 * j);
            rest(100 + 50 * j);
            tandem_counter_set(bytes, (i + j) % 4 * 512);
            rest(150);
        }
    }
    tandem_counter_set(step, 0);
    tandem_counter_set(items, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    long rank = 0;
#ifdef RANKS
    int number;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank = number;
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)(intptr_t)(2 * rank + 2));
    work((void *)(intptr_t)(2 * rank + 1));
    pthread_join(thread, NULL);
#ifdef RANKS
    MPI_Finalize();
#endif
    return 0;
}
"""

PYTHON_PROGRAM = """
import time
import tandem
items, bytes_, step, who = (tandem.counter(name) for name in ("items", "bytes", "step", "who"))
who.set(1)
for i in range(1, 7):
    step.set(i)
    for j in range(4):
        items.set(i * 11 - j)
        time.sleep(0.0003)
        bytes_.set((i * j) % 5)
        time.sleep(0.0002)
step.set(0)
items.set(3)
"""

# A formula, and the same by hand: of functions from a name to bursts.
FORMULAS = {
    "ratio": ("counter:items / counter:bytes", lambda c, h: both(c("items"), c("bytes"), lambda a, b: a / b if b else 0)),
    "product": ('user-events:items * "user-events:bytes" - 3',
                lambda c, h: both(h("items"), h("bytes"), lambda a, b: a * b - 3)),
    "rate": ("per-second(counter:items) / 1000", lambda c, h: [(b, e, v * 1e6 / (e - b)) for b, e, v in c("items")]),
    "change": ("change-per-second(user-events:bytes)", lambda c, h: changes(h("bytes"))),
    "nested": ("maximum(ratio, 2) + minimum(counter:bytes, 600)",
               lambda c, h: both(both(c("items"), c("bytes"), lambda a, b: max(a / b if b else 0, 2)), c("bytes"),
                                 lambda a, b: a + min(b, 600))),
}


def held(events, end):
    """Bursts (begin, end, value): each value holds until the next one."""
    times = [0] + [time for time, _ in events] + [end]
    values = [0] + [value for _, value in events]
    return [burst for burst in zip(times, times[1:], values) if burst[1] > burst[0]]


def counted(events, end):
    """Each value was counted since the one before."""
    times = [0] + [time for time, _ in events] + [end]
    values = [value for _, value in events] + [0]
    return [burst for burst in zip(times, times[1:], values) if burst[1] > burst[0]]


def both(ones, others, combine):
    ends = sorted({end for _, end, _ in ones} | {end for _, end, _ in others})
    begins = [min(ones[0][0], others[0][0])] + ends[:-1]
    return [(begin, end, combine(value_at(ones, begin), value_at(others, begin))) for begin, end in zip(begins, ends)]


def value_at(bursts, time):
    return next((value for begin, end, value in bursts if begin <= time < end), 0)


def changes(bursts):
    nexts = [value for _, _, value in bursts[1:]] + [bursts[-1][2]]
    return [(begin, end, (new - value) * 1e9 / (end - begin)) for (begin, end, value), new in zip(bursts, nexts)]


def integral(bursts, begin, end):
    """As Paraver has it: of magnitudes."""
    return sum(abs(value) * max(0, min(until, end) - max(since, begin)) for since, until, value in bursts)


def of_trace(path):
    """{who: {counter: [(ns, value)]}} of the text of a trace, and its end."""
    labels = dict(re.findall(r"^\d+ +(920001\d\d) +(\w+)$", path.with_suffix(".pcf").read_text(), re.M))
    lines = path.read_text().splitlines()
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for fields in (line.split(":") for line in lines if line.startswith("2:")):
        for type_, value in zip(fields[6::2], fields[7::2]):
            if type_ in labels:
                rows[tuple(fields[2:5])][labels[type_]].append((int(fields[5]), int(value)))
    return by_who(rows), int(re.search(r":(\d+)_ns:", lines[0])[1])


def of_dump(text):
    """The same of the text of a run's streams, with times as the trace has them."""
    names, rows = {}, collections.defaultdict(lambda: collections.defaultdict(list))
    lines = [line.split() for line in text.splitlines()]
    for process, _, _, kind, *rest in lines:
        if kind == "define" and rest[1] == "2":
            names[process, rest[0]] = rest[4].strip('"')
    for process, stream, time, kind, *rest in lines:
        if kind == "counter":
            rows[process, stream][names[process, rest[0]]].append((int(time), int(rest[2])))
    return by_who(rows)


def by_who(rows):
    return {row["who"][0][1]: row for row in rows.values() if "who" in row}


def steps_of(row):
    """{step: (begin, end)}"""
    times = row["step"]
    return {value: (begin, end) for (begin, value), (end, _) in zip(times, times[1:])}


def by_hand(row, end, formula):
    bursts = FORMULAS[formula][1](lambda name: counted(row[name], end), lambda name: held(row[name], end))
    return {step: integral(bursts, *stretch) for step, stretch in steps_of(row).items()}


def by_tandem(run, tandem, trace, files, formula):
    """{row's name: {step: integral}}; a column of nothing but 0 is not in the table."""
    added = [word for path in files for word in ("--view-file", path)]
    table = run(tandem, "histogram", trace, *added, "--view", "user-events:step", "--data", formula, "--statistic", "integral",
                "--long", "--csv", "-", check=True).stdout
    found = collections.defaultdict(dict)
    for line in csv.DictReader(io.StringIO(table)):
        found[line["row"]][int(re.match(r"\d+", line["column"])[0])] = float(line["value"])
    return found


def in_order(bursts):
    """Values one after another, each once while it holds; nothing but 0: none."""
    values = [value for begin, end, value in bursts if end > begin]
    values = [value for i, value in enumerate(values) if i == 0 or value != values[i - 1]]
    return tuple(values) if any(values) else ()


def values_by_tandem(run, tandem, trace, files, formula):
    """The same of each row of a view."""
    added = [word for path in files for word in ("--view-file", path)]
    table = run(tandem, "timeline", trace, *added, "--view", formula, "--decimals", "12", check=True).stdout
    rows = collections.defaultdict(list)
    for line in csv.DictReader(io.StringIO(table)):
        rows[line["row"]].append((0, float(line["duration [ns]"]), float(line["value"])))
    return sorted(filter(None, map(in_order, rows.values())))


@pytest.fixture
def recorded(run, tandem, root, build_dir, compile_program, mpirun, tmp_path):
    def record(kind):
        api = next(build_dir.rglob("libtandem-api.so"))
        libraries = [api, f"-Wl,-rpath,{api.parent}"]
        env = None
        if kind == "threads":
            command = [compile_program(PROGRAM, libraries=libraries, name="threads")]
        elif kind == "ranks":
            command = [*mpirun(2), compile_program(PROGRAM, mpi=True, flags=["-DRANKS"], libraries=libraries, name="ranks")]
        else:
            (tmp_path / "app.py").write_text(PYTHON_PROGRAM)
            command, env = [PYTHON, tmp_path / "app.py"], {"PYTHONPATH": root / "python"}
        run(tandem, "record", "-o", tmp_path / "out.prv", "--keep", "--", *command, env=env, check=True)
        return tmp_path / "out.prv", run(tandem, "dump", "--trace-time", tmp_path / "out.tandem", check=True).stdout
    return record


@pytest.mark.parametrize("kind, n_rows", [("threads", 2), ("ranks", 4), ("python", 1)])
def test_formulas_are_what_one_computes(recorded, run, tandem, tmp_path, kind, n_rows):
    trace, dump = recorded(kind)
    rows, end = of_trace(trace)
    dumped = of_dump(dump)
    assert len(rows) == n_rows and dumped == rows
    files = []
    for name, (formula, _) in FORMULAS.items():
        files.append(tmp_path / f"{name}.view")
        files[-1].write_text(f"[View]\nTitle={name}\nFormula={formula}\n")
    for formula in FORMULAS:
        found = sorted(tuple(row.get(step, 0) for step in range(1, STEPS + 1))
                       for row in by_tandem(run, tandem, trace, files, formula).values())
        wanted = sorted(tuple(by_hand(row, end, formula)[step] for step in range(1, STEPS + 1)) for row in dumped.values())
        assert len(found) == n_rows and any(value != 0 for row in found for value in row)
        assert found == [pytest.approx(row, rel=1e-12, abs=1e-6) for row in wanted], formula
        values = sorted(in_order(FORMULAS[formula][1](lambda name: counted(row[name], end), lambda name: held(row[name], end)))
                        for row in dumped.values())
        assert values_by_tandem(run, tandem, trace, files, formula) == [
            pytest.approx(row, rel=1e-9, abs=1e-9) for row in values], formula
