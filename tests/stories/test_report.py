# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report: its numbers are those of the samples in the text of the trace."""
import collections
import re
import xml.etree.ElementTree

import pytest

from samples import FUNCTION, sampled_trace, samples_of  # noqa: F401 (a fixture)

SVG = "{http://www.w3.org/2000/svg}"


def stacks_of(prv):
    """Counter of {functions from the outermost inwards: CPU time or samples}."""
    stacks = collections.Counter()
    for samples in samples_of(prv).values():
        for stack, weight in samples:
            stacks[tuple(stack)] += 1 if weight is None else weight
    return stacks


def shares(stacks):
    """{path: (total, self)} in percent."""
    totals, whole = collections.Counter(), sum(stacks.values())
    for stack, number in stacks.items():
        for end in range(len(stack)):
            totals[stack[: end + 1]] += number
    return {path: (100 * total / whole, 100 * stacks[path] / whole) for path, total in totals.items()}


def test_functions(run, tandem, sampled_trace):
    stacks = stacks_of(sampled_trace)
    self, total, whole = collections.Counter(), collections.Counter(), sum(stacks.values())
    for stack, number in stacks.items():
        self[stack[-1]] += number
        for name in set(stack):
            total[name] += number
    text = run(tandem, "report", "--all", sampled_trace, check=True).stdout.split("Functions:")[1].split("\n\nWho")[0]
    found = {}
    for line in text.splitlines()[2:]:
        numbers = re.match(r" +([\d.]+) % +([\d.]+) % +([\d.]+) % +[\d.]+(?: [mun]?s)?  (.*)$", line)
        found[numbers[4]] = [float(number) for number in numbers.groups()[:3]]
    assert set(found) == set(total) and list(found)[0] == self.most_common(1)[0][0]
    n = sum(len(samples) for samples in samples_of(sampled_trace).values())
    for name, (own, sure, all_) in found.items():
        assert (own, all_) == (pytest.approx(100 * self[name] / whole, abs=0.006), pytest.approx(100 * total[name] / whole, abs=0.006))
        share = self[name] / whole
        assert sure == pytest.approx(196 * ((share * (1 - share) + 0.9604 / n) / n) ** 0.5 / (1 + 3.8416 / n), abs=0.01)


@pytest.mark.parametrize("least", [0, 1, 30])
def test_callers(run, tandem, sampled_trace, least):
    expected = {path: numbers for path, numbers in shares(stacks_of(sampled_trace)).items() if numbers[0] >= least}
    text = run(tandem, "report", "--least", least, sampled_trace, check=True).stdout.split("Who calls whom")[1]
    path, found = [], {}
    for line in text.splitlines()[2:]:
        total, own, indent, name = re.match(r" +([\d.]+) % +([\d.]+) %  ((?:  )*)(\S.*)$", line).groups()
        path = [*path[: len(indent) // 2], name]
        found[tuple(path)] = float(total), float(own)
    assert set(found) == set(expected)
    for path, numbers in found.items():
        assert numbers == pytest.approx(expected[path], abs=0.006)


def test_flame_graph(run, tandem, sampled_trace, tmp_path):
    """A box for each path that can be seen, as wide as its share, within the box of its caller."""
    run(tandem, "report", "--flame", tmp_path / "out.svg", sampled_trace, check=True)
    expected = shares(stacks_of(sampled_trace))
    boxes = []
    for group in xml.etree.ElementTree.parse(tmp_path / "out.svg").getroot().iter(f"{SVG}g"):
        name, percent = re.match(r"(.*): [^,]*, ([\d.]+) %; in itself", group.find(f"{SVG}title").text).groups()
        box = {key: float(group.find(f"{SVG}rect").get(key)) for key in ("x", "y", "width", "height")}
        boxes.append((name, float(percent), box))
    whole = boxes[0]
    assert whole[:2] == ("all", 100) and whole[2]["width"] == pytest.approx(1180, abs=0.5)
    found = collections.Counter((name, round(percent, 1)) for name, percent, _ in boxes[1:])
    assert found == collections.Counter((path[-1], round(float(f"{total:.2f}"), 1)) for path, (total, _) in expected.items() if total >= 0.02)
    for name, percent, box in boxes[1:]:
        assert box["width"] == pytest.approx(11.8 * percent, abs=0.5), name
        below = [other for _, _, other in boxes if other["y"] == box["y"] + 17]
        beside = [other for _, _, other in boxes if other["y"] == box["y"] and other is not box]
        assert all(b["x"] >= box["x"] + box["width"] - 0.2 or b["x"] + b["width"] <= box["x"] + 0.2 for b in beside), name
        assert any(b["x"] - 0.2 <= box["x"] and box["x"] + box["width"] <= b["x"] + b["width"] + 0.5 for b in below), name


@pytest.mark.parametrize("words, status, sentence", [
    ([], 2, "tandem: report: takes one trace (see `tandem report --help`)"),
    (["--least", "101", "app.prv"], 2, "tandem: report: --least: takes 0 to 100"),
    (["nope.prv"], 1, "tandem: nope.prv: No such file or directory"),
    (["--rows", "7.7", "app.prv"], 2, "tandem: report: --rows: "),
    (["--flame", "no/where.svg", "app.prv"], 1, "tandem: no/where.svg: No such file or directory"),
    (["none.prv"], 1, "tandem: none.prv: no samples (tandem record --sampling-period)"),
    (["--rows", "1.1.2", "app.prv"], 1, "tandem: app.prv: no samples in these threads (tandem record --sampling-period)"),
])
def test_what_is_wrong_is_said(run, tandem, tmp_path, words, status, sentence):
    header, row = "#Paraver (01/01/2026 at 00:00):1000_ns:1(2):1:1(2:1)\n", "2:1:1:1:1:10:{}:1\n"
    (tmp_path / "app.prv").write_text(header + row.format(FUNCTION))
    (tmp_path / "none.prv").write_text(header + row.format(7))
    result = run(tandem, "report", *words)
    assert (result.returncode, result.stdout) == (status, "") and result.stderr.startswith(sentence), result.stderr
