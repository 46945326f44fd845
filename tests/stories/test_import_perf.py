# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem convert of what perf script prints: texts of several shapes, and what perf recorded of a program here."""
import collections
import re
import subprocess

import pytest

from otf2_text import Trace
from samples import samples_of

MOST_FUNCTIONS = 100  # of a stack: it has as many event types


def imported(run, tandem, tmp_path, name):
    result = run(tandem, "convert", name, "-o", "out.prv", "--force", check=True)
    assert "valid;" in run(tandem, "check", "out.prv", check=True).stdout
    return Trace(tmp_path / "out.prv"), result


WITH_STACKS = """# ========
# captured on    : Tue Nov 24 14:00:00 2026

Web Content 100/101 [003]    10.000500:    1000000 cpu-clock:u:
\t    55d1a2b3 deep(char, int) const+0x43 (/usr/lib/with space/lib.so)
  deep.c:12
\t    55d1a2c4 main+0xe (/tmp/app (deleted))
\t    7ffd0000 [unknown] (/usr/lib/libc.so.6)

Web Content 100/100 [001]    10.001000:    2000000 cpu-clock:u:
\tffffffff8100 schedule ([kernel.kallsyms])

Web Content 100/101 [003]    10.002500:    1000000 cpu-clock:u:
\t    55d1a2c4 main+0x10 (/tmp/app (deleted))

Web Content 100/101 [003]    10.002600:          1 sched:sched_switch: prev_comm=a prev_pid=101 ==> next_comm=b
other 7/7 [003]    10.003000:    500000 cpu-clock:u:
nonsense
"""


def test_stacks(run, tandem, tmp_path):
    (tmp_path / "perf.txt").write_text(WITH_STACKS)
    trace, result = imported(run, tandem, tmp_path, "perf.txt")
    assert result.stderr == "tandem: perf.txt: 2 events left out; of the first one, it is no line as perf script prints them\n"
    assert trace.places == [(1, 1, 1), (1, 2, 1), (1, 2, 2)]
    assert samples_of(tmp_path / "out.prv") == {
        ("1", "2", "2"): [(["[libc.so.6]", "main", "deep(char, int) const"], 1000000), (["main"], 1000000)],
        ("1", "2", "1"): [(["schedule"], 2000000)]}
    # The first sample stands for the time before it, where the trace begins; the thread of the second one began before.
    assert sorted(trace.states) == [(1, 0, 2000000, 1), (2, 500000, 3600000, 1)]
    assert [(at, trace.types[type_], value) for at, type_, value in trace.events[2] if type_ >= 92050000] == [(3600000, "perf: sched:sched_switch", 1)]
    assert trace.labels[30000100, 1] == "deep.c:12"
    rows = (tmp_path / "out.row").read_text().splitlines()
    assert {"Web Content 100", "Web Content 101", "other 7", "Web Content"} <= set(rows)


def test_without_stacks_and_numbers_of_processes(run, tandem, tmp_path):
    """A function in the line of the sample; cycles are no time."""
    (tmp_path / "perf.txt").write_text("".join(
        f"             app  {tid}  77.{at:06}:     {900 + at} cycles:ppp:      4005d0 {name}+0x12 (/tmp/app)\n" for tid, at, name in [(5, 10, "f"), (6, 20, "g"), (5, 30, "g")]))
    trace, result = imported(run, tandem, tmp_path, "perf.txt")
    assert trace.places == [(1, 1, 1), (1, 1, 2)] and result.stderr == "" and trace.end == 20000
    assert samples_of(tmp_path / "out.prv") == {("1", "1", "1"): [(["f"], None), (["g"], None)], ("1", "1", "2"): [(["g"], None)]}
    assert "100" not in run(tandem, "report", "out.prv", check=True).stderr


def test_frames_without_lines(run, tandem, tmp_path):
    """perf script -F +srcline prints the address in the object where an object has no lines."""
    (tmp_path / "perf.txt").write_text(
        "app 5/5 10.000001: 9 cpu-clock:u:\n"
        "\t 7ffe0b46 __vdso_time+0x6 ([vdso])\n  [vdso][b46]\n\t 4005d0 _init+0x30 (/tmp/app)\n  app[1030]\n\t 4005e0 main+0x1 (/tmp/app)\n  app.c:3\n\n"
        "app 5/5 10.000002: 9 cpu-clock:u:\n\t 4005e0 main+0x1 (/tmp/app)\n  app[no address]\n  app[10\n")
    trace, result = imported(run, tandem, tmp_path, "perf.txt")
    assert result.stderr == "tandem: perf.txt: 2 events left out; of the first one, it is no line as perf script prints them\n"
    assert samples_of(tmp_path / "out.prv") == {("1", "1", "1"): [(["main", "_init", "__vdso_time"], 9), (["main"], 9)]}
    assert "app.c:3" in trace.labels.values()


def test_the_innermost_functions_of_a_deep_stack(run, tandem, tmp_path):
    names = [f"f{depth}" for depth in range(127)]
    (tmp_path / "perf.txt").write_text("app 5/5 10.000001: 9 cpu-clock:u:\n" + "".join(f"\t4005d0 {name}+0x1 (/tmp/app)\n" for name in names))
    _, result = imported(run, tandem, tmp_path, "perf.txt")
    assert samples_of(tmp_path / "out.prv") == {("1", "1", "1"): [(names[:MOST_FUNCTIONS][::-1], 9)]} and result.stderr == ""


@pytest.fixture
def perf(tmp_path):
    try:
        subprocess.run(["perf", "record", "-e", "cpu-clock:u", "-o", tmp_path / "probe.data", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("perf cannot record with cpu-clock here")
    return "perf"


@pytest.mark.parametrize("options", [[], ["-F", "+pid", "--ns"], ["-F", "+srcline"]])
def test_what_perf_recorded(run, tandem, perf, compile_program, tmp_path, options):
    """The stacks and their time are those of the text, read here once more; and of the program, most time is where it is."""
    run(perf, "record", "-e", "cpu-clock:u", "-F", "500", "-g", "-o", "perf.data", "--", compile_program("sampled_shares"), 2, 150, "user", check=True)
    text = subprocess.run([perf, "script", "-i", "perf.data", *options], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    (tmp_path / "perf.txt").write_text(text)
    expected = collections.Counter()
    for block in text.split("\n\n"):
        head, *frames = block.strip("\n").split("\n")
        names = [match[1].split("+0x")[0] for frame in frames if (match := re.match(r"\s+[0-9a-f]+ (.*) \(", frame))]
        objects = [match[1] for frame in frames if (match := re.search(r"\(([^()]*)\)$", frame))]
        names = [f"[{object_.split('/')[-1].strip('[]')}]" if name == "[unknown]" else name for name, object_ in zip(names, objects)]
        if names:
            expected[tuple(names[:MOST_FUNCTIONS][::-1])] += int(re.search(r"(\d+) cpu-clock", head)[1])
    _, result = imported(run, tandem, tmp_path, "perf.txt")
    found = collections.Counter()
    for samples in samples_of(tmp_path / "out.prv").values():
        for stack, weight in samples:
            found[tuple(stack)] += weight
    assert found == expected and result.stderr == "" and sum(expected.values()) > 1e8
    assert sum(weight for stack, weight in found.items() if any("user" in name for name in stack)) > 0.8 * sum(found.values())


def test_nothing_of_perf(run, tandem, tmp_path):
    (tmp_path / "notes.txt").write_text("# a comment\nsome words 12 3.5: and so on\n")
    result = run(tandem, "convert", "notes.txt")
    assert (result.returncode, result.stdout) == (1, "") and "is not a trace that tandem can read" in result.stderr
    result = run(tandem, "convert", "notes.txt", "--rows", "1.1", "-o", "out.prv")
    assert (result.returncode, result.stdout) == (2, "") and result.stderr.startswith("tandem: convert: --rows: only of a .prv")
    result = run(tandem, "stat", "notes.txt")
    assert result.returncode == 1 and "`tandem convert` makes traces" in result.stderr
