# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of OpenMP that count themselves, by either compiler, on any number of threads: the trace has their counts."""
import collections
import re

import pytest

import streams
from samples import labels_of

PARALLEL, WORKSHARING, FUNCTION, SCHEDULE, CHUNK = 60000001, 60000002, 60000018, 92000020, 92000022
TASK_FUNCTIONS, LINE = (60000023, 60000024), 100  # a line's type is so much more than its function's
NAMED_LOCK, UNNAMED_LOCK, JOIN, ORDERED = 60000006, 60000007, 60000016, 60000033
CODE, TASK, CREATE, BEGIN, OF_LOOP, DYNAMIC = 23, 64, 0, 2, 16, 2
DEPENDENCE_TAG = "60000001"
CHUNKS = 2  # place in what count() returns
# Loops, the ordered one's 1 + 2 + ... + 37; sections, sums over arrays; tasks' and taskloops' sums.
FORTRAN_ANSWER = 14 * 37 + 37 * 38 // 2 + 60 + 300 + 1 + 300 + 10 + (2**10 - 11) + 2 * 210


def count(directory):
    """[regions, threads in them, chunks of dynamic loops, their iterations, tasks, shares of taskloops]"""
    seen, tasks, of_loops = collections.Counter(), set(), set()
    for ring in streams.rings(directory):
        schedules = []
        for r in streams.read_stream(ring):
            if r.kind == streams.ENTER and r.id == WORKSHARING:
                schedules.append(None)
            elif r.kind == streams.LEAVE and r.id == WORKSHARING:
                schedules.pop()
            elif r.kind == streams.EVENT and r.id == SCHEDULE:
                schedules[-1] = r.aux
            elif r.kind == streams.EVENT and r.id == CHUNK and schedules and schedules[-1] == DYNAMIC:
                size = (r.words or (r.aux,))[0]
                seen["chunks"] += size > 0
                seen["iterations"] += size
            elif r.kind == TASK and r.aux in (CREATE, BEGIN) and len(r.words) == 2 and r.words[1] >> 32 & OF_LOOP:
                of_loops.add(r.id)  # its CREATE or its BEGIN says so
            elif r.kind == TASK and r.aux == BEGIN:
                tasks.add(r.id)
            seen["regions"] += r.kind == streams.ENTER and r.id == PARALLEL
            seen["parts"] += r.kind == CODE and r.id == FUNCTION
    return [seen["regions"], seen["parts"], seen["chunks"], seen["iterations"], len(tasks - of_loops), len(of_loops)]


def recordings(run, tandem, program, tmp_path):
    """For some numbers of threads: (threads, name of the run, lines of numbers that the program prints)"""
    for n_threads in (1, 2, 4, 8):
        name = f"out{n_threads}"
        env = {"OMP_WAIT_POLICY": "passive"}
        out = run(tandem, "record", "--keep", "-o", f"{name}.prv", "--", program, n_threads, env=env, check=True)
        run(tandem, "check", f"{name}.prv", check=True)
        yield n_threads, tmp_path / name, [[int(field) for field in line.split()] for line in out.stdout.splitlines()]


def count_all(path):
    """What the program counts, from the run directory and the trace."""
    lines = path.with_suffix(".prv").read_text().splitlines()
    n_edges = sum(line.startswith("3:") and line.endswith(f":{DEPENDENCE_TAG}") for line in lines)
    return [*count(path.with_suffix(".tandem")), n_edges]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_counts(run, tandem, compile_program, tmp_path, compiler):
    program = compile_program("openmp_counts", flags=["-fopenmp"], compiler=compiler)
    for n_threads, path, [told] in recordings(run, tandem, program, tmp_path):
        seen = count_all(path)
        if compiler == "clang" and n_threads == 1:
            told[CHUNKS] = seen[CHUNKS]  # LLVM's library gives all to the only thread at once
        assert seen == told, f"{n_threads} threads"


def count_entered(directory, *wanted):
    """How often each (type, value) was entered."""
    records = (r for ring in streams.rings(directory) for r in streams.read_stream(ring))
    entered = collections.Counter((r.id, r.aux) for r in records if r.kind == streams.ENTER)
    return [entered[pair] for pair in wanted]


def outlined(path, more=0):
    """The compiler's functions of regions and tasks, or their lines (LINE): the labels of what events have.  Where a
    sampled thread waits has the same labels."""
    prv, types, found = path.with_suffix(".prv"), {type_ + more for type_ in (FUNCTION, *TASK_FUNCTIONS)}, set()
    for line in prv.read_text().splitlines():
        if line.startswith("2:"):
            numbers = [int(number) for number in line.split(":")[6:]]
            found |= {value for type_, value in zip(numbers[::2], numbers[1::2]) if type_ in types and value}
    labels = labels_of(prv, FUNCTION + more)
    return {labels[value] for value in found}


def test_fortran(run, tandem, compile_program, root, tmp_path):
    source = root / "tests" / "stories" / "programs" / "openmp_fortran.f90"
    program = compile_program(source, flags=["-fopenmp"])
    pattern = re.compile(r" *!\$omp (parallel|task|taskloop)\b")  # GNU's compiler names these, or what they begin with
    directives = [number for number, line in enumerate(source.read_text().splitlines(), 1) if pattern.match(line)]
    for n_threads, path, (told, others, answer) in recordings(run, tandem, program, tmp_path):
        assert answer == [FORTRAN_ANSWER]
        assert count_all(path) == told, f"{n_threads} threads"
        pairs = [(UNNAMED_LOCK, 3), (NAMED_LOCK, 3), (ORDERED, 3), (WORKSHARING, 5), (WORKSHARING, 6)]
        assert count_entered(path.with_suffix(".tandem"), *pairs) == others, f"{n_threads} threads"
        lines = sorted(int(label.removeprefix("openmp_fortran.f90:")) for label in outlined(path, LINE))
        assert len(lines) == len(directives) and all(0 <= line - at <= 2 for line, at in zip(lines, directives))
        functions = {label.split("._omp_fn.")[0] for label in outlined(path)}
        assert functions == {"MAIN__", "counted::loops", "counted::constructs", "counted::tasks", "counted::nested"}


REDUCTION = """
#include <stdio.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < 9; i++)
#pragma omp task in_reduction(+ : sum)
        sum += i;
    printf("%d\\n", sum);
    return 0;
}
"""


def test_task_reduction(run, tandem, compile_program, tmp_path):
    """At the end of such a loop GNU's library waits twice: for the loop, and for what tasks added."""
    program = compile_program(REDUCTION, flags=["-fopenmp"], name="reduction")
    assert run(tandem, "record", "--keep", "-o", "a.prv", "--", program, check=True).stdout == "36\n"
    assert count_entered(tmp_path / "a.tandem", (WORKSHARING, 4), (JOIN, 1)) == [3, 6]
