# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report: its numbers are those of the samples in the text of the trace."""
import collections
import re
import xml.etree.ElementTree

import pytest

from samples import FUNCTION, make_profile, sampled_trace, samples_of  # noqa: F401 (a fixture)

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


@pytest.mark.parametrize("begin, end", [(20, 70), (0, 50), (50, 100)])
def test_a_stretch_of_time(run, tandem, sampled_trace, begin, end):
    duration = int(re.match(r"#Paraver \(.*?\):(\d+)", sampled_trace.read_text())[1])
    until = float("inf") if end == 100 else round(duration * end / 100)
    samples = [sample for of_thread in samples_of(sampled_trace, round(duration * begin / 100), until).values() for sample in of_thread]
    names = {name for stack, _ in samples for name in stack}
    text = run(tandem, "report", "--all", "--least", 0, "-t", f"{begin}%:{end if end < 100 else 100}%", sampled_trace, check=True).stdout
    assert text.splitlines()[1].split()[0] == str(len(samples))
    assert {line.split("  ")[-1] for line in text.split("function\n")[1].split("\n\nWho")[0].splitlines()} == names


NOW = {("main", "hot"): 480, ("main", "same"): 205, ("main", "fresh", "inner"): 85, ("main",): 30}
BEFORE = {("main", "hot"): 300, ("main", "same"): 195, ("main", "gone", "deep"): 75, ("main",): 30}


def interval(n, whole):
    share = n / whole
    return 196 * ((share * (1 - share) + 0.9604 / whole) / whole) ** 0.5 / (1 + 3.8416 / whole)


def changes(now, before):
    """{name: (change, its interval)}, in percent."""
    whole, old = sum(NOW.values()), sum(BEFORE.values())
    return {name: (100 * now[name] / whole - 100 * before[name] / old, (interval(now[name], whole) ** 2 + interval(before[name], old) ** 2) ** 0.5)
            for name in now | before}


def by_name(stacks, names_of):
    counts = collections.Counter()
    for stack, n in stacks.items():
        for name in names_of(stack):
            counts[name] += n
    return counts


@pytest.fixture
def two_profiles(tmp_path):
    make_profile(tmp_path / "now.prv", NOW)
    make_profile(tmp_path / "before.prv", BEFORE, first_value=7)  # the same function has another value


def test_against(run, tandem, two_profiles):
    text = run(tandem, "report", "--all", "now.prv", "--against", "before.prv", check=True).stdout
    assert text.splitlines()[:2] == ["now.prv", "800 samples of 800 us of CPU time"]
    assert text.splitlines()[2] == "against before.prv: 600 samples of 600 us of CPU time"
    assert "\nOnly there: gone 12.50 %, deep 12.50 %\n" in text
    expected = changes(by_name(NOW, lambda stack: stack[-1:]), by_name(BEFORE, lambda stack: stack[-1:])) | {"fresh": (0, 0)}
    functions, paths = text.split("\n\nWho calls whom")
    found = {}
    for line in functions.split("function\n")[1].splitlines():
        numbers = re.match(r" +[\d.]+ % +[\d.]+ % +[\d.]+ % +([+-][\d.]+) % +([\d.]+) % ([* ]) +[\d.]+ [un]s  (.*)$", line)
        found[numbers[4]] = float(numbers[1]), float(numbers[2]), numbers[3]
    assert set(found) == {"main", "hot", "same", "fresh", "inner"}
    for name, (change, sure, star) in found.items():
        if name != "fresh":
            assert (change, sure) == (pytest.approx(expected[name][0], abs=0.006), pytest.approx(expected[name][1], abs=0.01))
        assert star == ("*" if name in ("hot", "same", "inner") and abs(expected[name][0]) > expected[name][1] else " ")
    assert found["hot"][2] == found["inner"][2] == "*" and found["main"][2] == " "
    totals = changes(*(by_name(stacks, set) for stacks in (NOW, BEFORE)))
    for line in paths.split("function\n")[1].splitlines():
        change, star, name = re.match(r" +[\d.]+ % +[\d.]+ % +([+-][\d.]+) % +[\d.]+ % ([* ]) +(\S+)$", line).groups()
        assert float(change) == pytest.approx(totals[name][0], abs=0.006) and star == ("*" if abs(totals[name][0]) > totals[name][1] else " ")


def test_against_itself(run, tandem, two_profiles):
    """A run has not changed against itself, and its first half can be compared with its second one."""
    text = run(tandem, "report", "now.prv", "--against", "now.prv", check=True).stdout
    assert "*" not in text.split("Functions:")[1] and "Only there" not in text and len(re.findall(r" \+0\.00 % ", text)) >= 8
    text = run(tandem, "report", "now.prv", "-t", "50%:", "--against-time", ":50%", check=True).stdout
    assert "\nagainst now.prv :50%: 400 samples of 400 us" in text and re.search(r"^ +20\.00 % .* -80\.00 % .*\* .*  hot$", text, re.M)


def test_flame_graph_of_a_change(run, tandem, two_profiles, tmp_path):
    run(tandem, "report", "now.prv", "--against", "before.prv", "--flame", "out.svg", check=True)
    root = xml.etree.ElementTree.parse(tmp_path / "out.svg").getroot()
    totals = changes(*(by_name(stacks, set) for stacks in (NOW, BEFORE)))
    most = max(abs(totals[name][0]) for name in ("hot", "same", "fresh", "inner"))
    boxes = {}
    for group in root.iter(f"{SVG}g"):
        name, title = group.find(f"{SVG}title").text.split(": ", 1)
        boxes[name] = title, [int(group.find(f"{SVG}rect").get("fill")[at : at + 2], 16) for at in (1, 3, 5)]
    assert set(boxes) == {"all", "main", "hot", "same", "fresh", "inner"}
    for name in ("main", "hot", "same", "fresh", "inner"):
        title, (red, green, blue) = boxes[name]
        change, sure = totals[name]
        assert float(re.search(r"; ([+-][\d.]+) % \(95", title)[1]) == pytest.approx(change, abs=0.006)
        assert title.endswith(", not there before") == (name in ("fresh", "inner"))
        part = abs(change) / most if abs(change) > sure else 0
        full = (208, 36, 28) if change > 0 else (22, 84, 180)
        assert (red, green, blue) == pytest.approx([245 + (colour - 245) * part for colour in full], abs=1.5), name
    assert boxes["hot"][1][0] > boxes["hot"][1][2] and boxes["main"][1] == [245, 245, 245]  # red, and no colour
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert f"{most:+.2g} %" in texts and f"{-most:+.2g} %" in texts and "Only before: gone 12.50 %, deep 12.50 %." in texts


@pytest.mark.parametrize("words, status, sentence", [
    ([], 2, "tandem: report: takes a trace (see `tandem report --help`)"),
    (["--least", "101", "app.prv"], 2, "tandem: report: --least: takes 0 to 100"),
    (["nope.prv"], 1, "tandem: nope.prv: No such file or directory"),
    (["--rows", "7.7", "app.prv"], 2, "tandem: report: --rows: "),
    (["--flame", "no/where.svg", "app.prv"], 1, "tandem: no/where.svg: No such file or directory"),
    (["none.prv"], 1, "tandem: none.prv: no samples (tandem record --sampling-period)"),
    (["--time", "5", "app.prv"], 2, 'tandem: report: --time: got "5", takes BEGIN:END, two times'),
    (["--time", "20%:10%", "app.prv"], 2, 'tandem: report: --time: got "20%:10%", which is no part of the trace: it has 1 us'),
    (["--time", "2us:", "app.prv"], 2, 'tandem: report: --time: got "2us:", which is no part of the trace'),
    (["--time", "50%:", "app.prv"], 1, "tandem: app.prv: no samples in this time (tandem record --sampling-period)"),
    (["--against", "nope.prv", "app.prv"], 1, "tandem: nope.prv: No such file or directory"),
    (["--against", "none.prv", "app.prv"], 1, "tandem: none.prv: no samples (tandem record --sampling-period)"),
    (["--against-time", "x:", "app.prv"], 2, 'tandem: report: --against-time: got "x:", takes BEGIN:END'),
    (["--against", "app.prv", "--flame", "no/where.svg", "app.prv"], 1, "tandem: no/where.svg: No such file or directory"),
    (["--rows", "1.1.2", "app.prv"], 1, "tandem: app.prv: no samples in these threads (tandem record --sampling-period)"),
])
def test_what_is_wrong_is_said(run, tandem, tmp_path, words, status, sentence):
    header, row = "#Paraver (01/01/2026 at 00:00):1000_ns:1(2):1:1(2:1)\n", "2:1:1:1:1:10:{}:1\n"
    (tmp_path / "app.prv").write_text(header + row.format(FUNCTION))
    (tmp_path / "none.prv").write_text(header + row.format(7))
    result = run(tandem, "report", *words)
    assert (result.returncode, result.stdout) == (status, "") and result.stderr.startswith(sentence), result.stderr
