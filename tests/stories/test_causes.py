# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report --causes: wait states made on purpose, whose time the program tells; who is blamed, where, in which function."""
import pathlib
import re

import pytest

import retries

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
SOURCE = PROGRAMS / "wait_states.c"
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
TIME = r"([\d.]+) ([mun]?s)"

# Name: kind of wait, call that waits; rank to blame, call before which it was late, and the line in the function of that name.
CASES = {
    "late_sender": ("Late sender", "MPI_Recv", 0, "MPI_Send", "send(1, 1)"),
    "wrong_order": ("Late sender, wrong order", "MPI_Recv", 2, "MPI_Send", "send(1, 2)"),
    "late_receiver": ("Late receiver", "MPI_Ssend", 2, "MPI_Recv", "receive(0, 1)"),
    "relayed": ("Late sender", "MPI_Recv", 0, "MPI_Send", "send(1, 1)"),
    "late_in_waitall": ("Late sender", "MPI_Waitall", 2, "MPI_Send", "send(1, 1)"),
    "n_to_n": ("Wait at N x N", "MPI_Allreduce", 1, "MPI_Allreduce", "MPI_Allreduce"),
    "one_to_n": ("Late root (1 x N)", "MPI_Bcast", 2, "MPI_Bcast", "MPI_Bcast"),
    "n_to_one": ("Early root (N x 1)", "MPI_Reduce", 1, "MPI_Reduce", "MPI_Reduce"),
    "nonblocking": ("Wait at N x N", "MPI_Wait", 0, "MPI_Ibarrier", "MPI_Ibarrier"),
    "barrier": ("Wait at MPI barrier", "MPI_Barrier", 2, "MPI_Barrier", "MPI_Barrier"),
}

# Name: kind of wait, whether the first thread is to blame (rows of the others are in the order in which they started), what it did.
OF_THREADS = {
    "barrier": ("Wait at barrier", False, "before barrier"),
    "region_end": ("Wait at end of region", False, "before end of region"),
    "no_region": ("No parallel region", True, "before parallel"),
    "lock": ("Lock held by another", False, "before unlock"),
}


def seconds(number, unit):
    return float(number) * UNITS[unit]


def read_report(text):
    """([(lost, kind, thread, where)], [(lost, kind, thread, what, its functions)])."""
    waiters, culprits = [], []
    into = None
    for line in text.splitlines():
        if line.startswith("Who waits"):
            into = waiters
        elif line.startswith("Who causes"):
            into = culprits
        if into is waiters and (found := re.match(rf" +{TIME} +[\d,]+  (.{{26}}) (.{{16}})  (.*)$", line)):
            waiters.append((seconds(found[1], found[2]), found[3].strip(), found[4].strip(), found[5]))
        elif into is culprits and (found := re.match(rf" +{TIME} +{TIME}  (.{{26}}) (.{{16}})  (.*)$", line)):
            culprits.append([seconds(found[1], found[2]), found[5].strip(), found[6].strip(), found[7], ""])
        elif into is culprits and "of its samples: " in line:
            culprits[-1][4] = line.split("of its samples: ")[1]
    return waiters, culprits


def line_of(function, text):
    """The number of the line with this text in a function."""
    inside = False
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        inside = inside or re.match(rf"static void {function}\(void\)$", line) is not None
        if inside and text in line:
            return number
    raise AssertionError((function, text))


# Name: calls that wait, and calls that they wait for, by rank; of each, one is taken of `step`, from `first` on.
ALL = range(3)
PAIRS = {
    "late_sender": [({1: "MPI_Recv"}, {0: "MPI_Send"}, 1, 0)],
    "wrong_order": [({1: "MPI_Recv"}, {2: "MPI_Send"}, 2, (0, 1))],
    "late_receiver": [({0: "MPI_Ssend"}, {2: "MPI_Recv"}, 1, 0)],
    "relayed": [({1: "MPI_Recv"}, {0: "MPI_Send"}, 1, 0), ({2: "MPI_Recv"}, {1: "MPI_Send"}, 1, 0)],
    "late_in_waitall": [({1: "MPI_Waitall"}, {0: "MPI_Send", 2: "MPI_Send"}, 1, 0)],
    "n_to_n": [(dict.fromkeys(ALL, "MPI_Allreduce"), dict.fromkeys(ALL, "MPI_Allreduce"), 1, 0)],
    "one_to_n": [({0: "MPI_Bcast", 1: "MPI_Bcast"}, {2: "MPI_Bcast"}, 1, 0)],
    "n_to_one": [({0: "MPI_Reduce"}, dict.fromkeys(ALL, "MPI_Reduce"), 1, 0)],
    "nonblocking": [(dict.fromkeys(ALL, "MPI_Wait"), dict.fromkeys(ALL, "MPI_Ibarrier"), 1, 0)],
    "barrier": [(dict.fromkeys(ALL, "MPI_Barrier"), dict.fromkeys(ALL, "MPI_Barrier"), 2, 1)],
}
VALUES = {"MPI_Send": 1, "MPI_Recv": 2, "MPI_Wait": 5, "MPI_Waitall": 6, "MPI_Ssend": 34, "MPI_Bcast": 7, "MPI_Barrier": 8, "MPI_Reduce": 9,
          "MPI_Allreduce": 10, "MPI_Ibarrier": 156}


def begins_of(prv, rank, call):
    """When the calls of a rank begin, as the text of the trace says."""
    return [int(line.split(":")[5]) for line in prv.splitlines()
            if re.match(rf"2:\d+:1:{rank + 1}:1:\d+:.*\b5000000[12]:{VALUES[call]}\b", line)]


def waited_by_the_text(prv, name):
    """The seconds from the begins of calls that wait to those of the last ones that they wait for."""
    sum_ns = 0
    for waiting, late, step, first in PAIRS[name]:
        first_waiting, first_late = first if isinstance(first, tuple) else (first, first)
        late_at = [max(times) for times in zip(*(begins_of(prv, rank, call)[first_late::step] for rank, call in late.items()))]
        for rank, call in waiting.items():
            sum_ns += sum(max(0, last - begin) for begin, last in zip(begins_of(prv, rank, call)[first_waiting::step], late_at))
    return sum_ns / 1e9


@pytest.mark.parametrize("name", CASES)
def test_wait_states(run, tandem, compile_program, mpirun, tmp_path, name):
    kind, call, rank, late_call, text = CASES[name]
    program = compile_program(SOURCE, mpi=True, flags=["-O1", "-g"])

    def attempt(_):
        words = ["record", "--force", "--callers", "5", "--sampling-period", "1ms", "-o", "a.prv", "--", *mpirun(3), program, name, "100", "0.005"]
        noted = float(run(tandem, *words, check=True).stdout)
        waited = waited_by_the_text((tmp_path / "a.prv").read_text(), name)
        report = run(tandem, "report", "--causes", "--all", "a.prv", check=True).stdout
        waiters, culprits = read_report(report)
        found = sum(lost for lost, of_kind, _, where in waiters if of_kind == kind and where.startswith(f"in {call} in ") and name in where)
        assert found == pytest.approx(waited, rel=2e-3), report
        return abs(noted / waited - 1) > 0.015, noted, found, culprits, report

    _, noted, found, culprits, report = retries.retry("preempted-after-note", attempt)
    assert noted > 0.02 and found == pytest.approx(noted, rel=0.02), report  # 0.5, less what ranks wait for CPUs
    _, _, thread, what, functions = next(culprit for culprit in culprits if culprit[1] == kind)
    assert thread == f"THREAD 1.{rank + 1}.1", report
    assert what.startswith(f"before {late_call} in ") and f"{name} (wait_states.c:{line_of(name, text)})" in what, report
    assert "delay" in functions.split(" < "), report


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", OF_THREADS)
def test_threads(run, tandem, compile_program, name, compiler):
    kind, is_first, what = OF_THREADS[name]
    program = compile_program(PROGRAMS / "wait_threads.c", flags=["-O1", "-g", "-fopenmp"], compiler=compiler)

    def attempt(_):
        words = ["record", "--force", "-o", "a.prv", "--", program, name, "100", "0.005"]
        noted, n_preempted = run(tandem, *words, env={"OMP_WAIT_POLICY": "passive"}, check=True).stdout.split()
        report = run(tandem, "report", "--causes", "--all", "a.prv", check=True).stdout
        waiters, culprits = read_report(report)
        found = sum(lost for lost, of_kind, _, _ in waiters if of_kind == kind)
        is_off = found != pytest.approx(float(noted), rel=0.02)
        return is_off and int(n_preempted) > 0, float(noted), found, culprits, report

    _, noted, found, culprits, report = retries.retry("preempted-after-note", attempt)
    assert noted > 0.1 and found == pytest.approx(noted, rel=0.02), report
    _, _, thread, did, _ = next(culprit for culprit in culprits if culprit[1] == kind)
    assert (thread == "THREAD 1.1.1") == is_first and did.startswith(what), report
