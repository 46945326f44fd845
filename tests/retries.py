# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests may try again, and why: all of it is in this table, and how often it was needed is told at the end of each run.

A retry excuses what others do, never tandem: what it looks for was seen, at the rate that stands here, without tandem.  A test
asks `retry(name, attempt)`.
"""
import collections
import dataclasses
import signal
import subprocess
import typing


@dataclasses.dataclass(frozen=True)
class Retry:
    most: int  # attempts, the first included
    rate: str  # how often it was needed, measured
    why: str
    is_excused: typing.Callable  # what an attempt gave -> whether another one is allowed


def died_relaying(attempt):
    """The launcher itself, which is not traced, where it passes on what ranks say: a rank that died is told by mpirun."""
    stderr = attempt[0].stderr
    is_there = "mca_rml_oob.so" in stderr or "libpmix.so" in stderr
    return attempt[0].returncode == -signal.SIGSEGV and is_there and "noticed that process" not in stderr


def compiler_died(error):
    """Rather than found a fault in the program."""
    return "internal compiler error" in error.stderr or "PLEASE submit a bug report" in error.stderr


RETRIES = {
    "mpirun-dies": Retry(
        6,
        "8 of 250 jobs that abort on two nodes without tandem, with MALLOC_PERTURB_, which tests had then, on a busy machine; 0 of 150 "
        "else; 0 of 300 jobs on one node, where it was seen once since, beside four processes that yield all the time; "
        "2 of 820 such jobs, two at once, in libpmix, 0 of 820 traced",
        "Open MPI 4.1's mpirun uses memory that is not its own any more when it passes on what an aborting rank says",
        died_relaying,
    ),
    "mpich-hangs": Retry(
        3,
        "1 of 3000 jobs that abort, without tandem, with MALLOC_PERTURB_, two jobs at once beside others' compilers",
        "MPICH 4.0's mpirun says that a rank aborts, and goes on waiting for the others; asked again is the run without tandem, never "
        "the other",
        lambda untraced: isinstance(untraced, subprocess.TimeoutExpired) and b"Abort(" in (untraced.stderr or b""),
    ),
    "compiler-dies": Retry(
        6,
        "4 of 25 files of 25 programs with gcc, 5 of 25 with g++, 0 of 25 with clang",
        "some random programs crash the compiler, which says so; others take their place",
        lambda attempt: attempt[0] is not None and compiler_died(attempt[0]),
    ),
    "preempted-after-note": Retry(
        6,
        "at least 2 of 36 runs while two cores compiled and ran tests of others, 0 of 72 at a load of 7",
        "programs note the time before a call; a thread that loses its core between the two makes others wait longer than its note says",
        lambda attempt: attempt[0],
    ),
    "machine-takes-more": Retry(
        2,
        "of eight threads on two cores without tandem, 6 of 450 runs took 16 to 23 % more CPU time than half of them did; with it 4 of 450; "
        "the test itself failed at 30 %, in one case of some 500",
        "the kernel counts as a thread's what the machine does in its time",
        lambda attempt: not attempt[-1],
    ),
    "random-program": Retry(
        2,
        "1 of 300 programs: one that dies within LLVM's runtime in 4 of 2,000 runs without tandem, at the instruction where it did with it",
        "some random programs give one sum or another by themselves, or die, which four runs may not show: one whose sum differs under "
        "tandem is run a hundred times more without it, one that died 3,000 times, and is wrong if it never did anything else",
        lambda attempt: True,
    ),
}

needed = collections.defaultdict(lambda: [0, 0])  # name: [how often it was needed, of how many]


def note(name, n_needed, n_of):
    assert name in RETRIES
    needed[name][0] += n_needed
    needed[name][1] += n_of


def retry(name, attempt):
    """What attempt(number) gives, from the first one on that the retry does not excuse, or of the last that is allowed."""
    rule = RETRIES[name]
    note(name, 0, 1)
    for number in range(rule.most):
        if number:
            note(name, 1, 0)
        result = attempt(number)
        if not rule.is_excused(result):
            break
    return result


def summary():
    """The line for the end of a run; "": nothing could have been tried again."""
    parts = [f"{name} {n} of {of}" for name, (n, of) in sorted(needed.items())]
    return f"retries: {', '.join(parts)}" if parts else ""
