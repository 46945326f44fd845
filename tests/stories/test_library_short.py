# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of a library's functions that are too short to be recorded: they are counted, exactly."""
import collections
import itertools
import platform
import re

import pytest

import streams
from counting import library_calls

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has trampolines")

# By the program's text: of two threads, and of the child.
CALLS = {"s_short": 100_100, "s_mixed": 10_000, "s_long": 3004, "s_calls": 6000, "s_value": 6000}
MOST = 2400  # calls of a short function that are recorded: those that are tried by two threads, and some that took long


@pytest.fixture
def record(compile_program, run, tandem, tmp_path):
    """record(options...) -> what was said, calls that are recorded, calls that are counted."""
    library = compile_program("short_functions.c", flags=["-fPIC", "-shared"], name="libshort_functions.so")
    program = compile_program("short_calls.c", libraries=[library, f"-Wl,-rpath,{library.parent}", "-pthread"])

    def record_calls(*options, arguments=()):
        words = [tandem, "record", "--keep", "--force", "-o", "out.prv", "--library", "short_functions", *options]
        result = run(*words, "--", program, *arguments, check=True)
        run(tandem, "check", "out.prv", check=True)
        return result.stderr, *library_calls(tmp_path / "out.tandem")

    return record_calls


def test_short_calls_are_counted(record, run, tandem, tmp_path):
    said, recorded, counted = record()
    assert recorded + counted == collections.Counter(CALLS)
    assert set(counted) == {"s_short", "s_mixed", "s_calls", "s_value"}
    assert all(1000 <= recorded[name] <= MOST for name in counted), recorded
    n = sum(counted.values())
    assert f"library: {n} short calls of 4 functions were counted instead of recorded (--library-short all" in said
    size = (tmp_path / "out.prv").stat().st_size
    table = run(tandem, "stat", "out.prv", check=True).stdout
    assert re.search(r"\n  s_short +100,100 .* \*\n", table) and f"* with {n:,} calls that were so short" in table
    _, recorded, counted = record("--library-short", "all")
    assert recorded == collections.Counter(CALLS) and not counted
    assert (tmp_path / "out.prv").stat().st_size > 5 * size


def test_a_long_call_of_a_short_function_is_recorded(record, run, tandem):
    """Two in each thread take 1 ms, and come when its calls are counted; a call of s_long comes before each.

    A short call that the kernel interrupts for long is recorded, too."""
    record()
    table = run(tandem, "timeline", "out.prv", "--view", "library-functions", "--csv", "-", check=True).stdout
    rows = [line.split(",") for line in table.splitlines()[1:]]
    calls = [row for row in rows if row[4].startswith("s_")]
    marked = [call for before, call in itertools.pairwise(calls) if (before[4], call[4]) == ("s_long", "s_mixed")]
    assert len([call for call in marked if float(call[2]) >= 900_000]) == 4, marked


def test_calls_whose_values_are_wished_for_are_recorded(record):
    said, recorded, counted = record("--library-values", "s_value(n)")
    assert recorded["s_value"] == CALLS["s_value"] and "s_value" not in counted and counted["s_short"]


def test_a_process_that_ends_early_has_its_counts(record):
    """The main thread ends the process; what it has counted is written."""
    _, recorded, counted = record(arguments=["early"])
    assert recorded["s_short"] + counted["s_short"] >= 50_000


def test_a_wrong_value_is_refused(run, tandem):
    result = run(tandem, "record", "--library-short", "some", "--", "true")
    assert result.returncode == 2 and "--library-short" in result.stderr
