# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report --lines and --source: which lines of the source samples are in."""
import os
import re

import pytest

from samples import FUNCTION, WEIGHT

LINE = FUNCTION + 100
FUNCTIONS = {1: "main", 2: "work", 3: "lib", 4: "work_more"}
LINES = {1: "app.c:20", 2: "app.c:5", 3: "app.c:7", 4: "util.c:3 [{}/deep/util.c]", 5: "[lib.so]+0x10", 6: "app.c:90"}
# (function, line) from the innermost outwards, and how often: recursion, a function without lines, inlined from another file.
SAMPLES = [([(2, 2), (1, 1)], 10), ([(2, 3), (2, 2), (2, 2), (1, 1)], 5), ([(2, 4), (1, 1)], 3), ([(3, 5), (2, 3), (1, 1)], 2), ([(2, 6), (1, 1)], 1), ([(4, 2)], 4)]
SOURCE = [f"line {number};" for number in range(1, 101)]


@pytest.fixture
def app(tmp_path):
    stacks = [stack for stack, n in SAMPLES for _ in range(n)]
    lines = [f"#Paraver (01/01/2026 at 00:00):{1000 * len(stacks) + 1000}_ns:1(1):1:1(1:1)"]
    for at, stack in enumerate(stacks, 1):
        events = "".join(f":{FUNCTION + depth}:{function}:{LINE + depth}:{line}" for depth, (function, line) in enumerate(stack))
        lines.append(f"2:1:1:1:1:{1000 * at}{events}:{WEIGHT}:1000")
    (tmp_path / "app.prv").write_text("\n".join(lines) + "\n")
    labels = [("\n".join(f"{value} {label}" for value, label in table.items()), type_) for table, type_ in ((FUNCTIONS, FUNCTION), (LINES, LINE))]
    (tmp_path / "app.pcf").write_text("".join(f"EVENT_TYPE\n9 {type_} Sampled\nVALUES\n{text}\n\n" for text, type_ in labels).format(tmp_path))
    (tmp_path / "app.c").write_text("\n".join(SOURCE) + "\n")
    os.utime(tmp_path / "app.c", (1, 1))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "util.c").write_text("one\ntwo\nthree")
    return tmp_path / "app.prv"


def test_lines(run, tandem, app):
    text = run(tandem, "report", "--lines", "--all", app, check=True).stdout
    found = [re.match(r" +([\d.]+) % +([\d.]+) % +([\d.]+) % +(\d+) us +(\S+) +(\S+)$", line.replace(" 0 ns ", " 0 us ")).groups() for line in text.split("function\n")[1].splitlines()]
    whole = sum(n for _, n in SAMPLES)
    expected = {("app.c:5", "work"): (10, 15), ("app.c:7", "work"): (5, 7), ("app.c:5", "work_more"): (4, 4), ("util.c:3", "work"): (3, 3),
                ("[lib.so]+0x10", "lib"): (2, 2), ("app.c:90", "work"): (1, 1), ("app.c:20", "main"): (0, 21)}
    assert [(place, function) for *_, place, function in found] == list(expected)
    for self, _, total, us, *key in found:
        n, all_ = expected[tuple(key)]
        assert (float(self), float(total), int(us)) == (pytest.approx(100 * n / whole, abs=0.006), pytest.approx(100 * all_ / whole, abs=0.006), n)
    assert "\n  ... and 1 more: --all shows them\n" in run(tandem, "report", "--lines", app, check=True).stdout


def listed(text):
    """{file: [(self, total, number, text of the line)]}, the empty shares as 0; "..." where lines were left out."""
    files, lines = {}, None
    for line in text.splitlines()[4:]:
        if match := re.match(r"  ([ \d.%]{8}) ([ \d.%]{8}) +(\d+)  (.*)$", line):
            self, total = (float(share.strip(" %") or 0) for share in match.groups()[:2])
            lines.append((self, total, int(match[3]), match[4]))
        elif line == "  ...":
            lines.append("...")
        elif line and not line.startswith("      self"):
            lines = files.setdefault(line, [])
    return files


def test_source(run, tandem, app, tmp_path):
    text = run(tandem, "report", "--source", "work", "app.prv", check=True).stdout
    files = listed(text)
    assert list(files) == [f"{tmp_path}/deep/util.c", "./app.c"] and text.splitlines()[3] == "work"
    shares = {5: (40, 60), 7: (20, 28), 90: (4, 4)}
    numbers = [*range(1, 8), "...", *range(86, 95)]
    assert files["./app.c"] == ["..." if number == "..." else (*shares.get(number, (0, 0)), number, SOURCE[number - 1]) for number in numbers]
    assert files[f"{tmp_path}/deep/util.c"] == [(0, 0, 1, "one"), (0, 0, 2, "two"), (12, 12, 3, "three")]


def test_where_the_source_is(run, tandem, app, tmp_path):
    """In the folder that is named, then beside the trace; one that is newer than the trace, or not there, is told."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.c").write_text("\n".join(f"new {number}" for number in range(1, 7)))
    result = run(tandem, "report", "--source", "work_more", "--source-folder", "src", "app.prv", check=True)
    (name, lines), = listed(result.stdout).items()
    assert name.startswith("src/app.c") and lines == [(0, 0, n, f"new {n}") if n != 5 else (16, 16, 5, "new 5") for n in range(1, 7)]
    os.utime(tmp_path / "src" / "app.c", (4e9, 4e9))
    assert "\nsrc/app.c, which is newer than the trace\n" in run(tandem, "report", "--source", "work_more", "--source-folder", "src", "app.prv", check=True).stdout
    (tmp_path / "app.c").unlink()
    result = run(tandem, "report", "--source", "work_more", "app.prv", check=True)
    assert result.stderr == "tandem: app.c: not found; --source-folder says where it is\n" and listed(result.stdout) == {"app.c": [(16, 16, 5, "")]}
    (tmp_path / "app.c").write_text("short\n")
    os.utime(tmp_path / "app.c", (1, 1))
    assert listed(run(tandem, "report", "--source", "work_more", "app.prv", check=True).stdout)["./app.c"] == [(0, 0, 1, "short"), (16, 16, 5, "")]


def test_of_a_program(run, tandem, root, compile_program):
    """The loop that burns the time is found in the program's source, line by line."""
    run(tandem, "record", "--sampling-period", "2ms", "-o", "app.prv", "--", compile_program("sampled_shares"), 1, 300, "user", check=True)
    folder = root / "tests" / "stories" / "programs"
    text = run(tandem, "report", "--source", "do_user", "--source-folder", folder, "app.prv", check=True).stdout
    (name, lines), = listed(text).items()
    source = (folder / "sampled_shares.c").read_text().splitlines()
    assert name.startswith(str(folder / "sampled_shares.c")) and all(source[number - 1] == line for _, _, number, line in lines)
    assert sum(self for self, *_ in lines) > 80 and any("KIND(user)" in line for *_, line in lines)


@pytest.mark.parametrize("words, status, sentence", [
    (["--source", "wor", "app.prv"], 1, "tandem: report: --source: no sample is in a function wor; there is work"),
    (["--source", "x", "app.prv"], 1, "tandem: report: --source: no sample is in a function x\n"),
    (["--lines", "bare.prv"], 1, "tandem: bare.prv: the samples have no lines of the source: compile with -g"),
    (["--source", "1", "bare.prv"], 1, "tandem: bare.prv: the samples have no lines of the source: compile with -g"),
    (["--lines", "--source", "work", "app.prv"], 2, "tandem: report: --lines and --source do not go together"),
    (["--lines", "--against", "app.prv", "app.prv"], 2, "tandem: report: --lines does not go with --against or --flame"),
    (["--source", "work", "--flame", "x.svg", "app.prv"], 2, "tandem: report: --source does not go with --against or --flame"),
    (["--source-folder", ".", "app.prv"], 2, "tandem: report: --source-folder needs --source"),
])
def test_what_is_wrong_is_said(run, tandem, app, tmp_path, words, status, sentence):
    (tmp_path / "bare.prv").write_text(f"#Paraver (01/01/2026 at 00:00):1000_ns:1(1):1:1(1:1)\n2:1:1:1:1:10:{FUNCTION}:1\n")
    result = run(tandem, "report", *words)
    assert (result.returncode, result.stdout) == (status, "") and result.stderr.startswith(sentence), result.stderr
