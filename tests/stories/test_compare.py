# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem compare: what was made slower is found and named, equal runs give no alarm, and its numbers are those that the text
of the traces has."""
import collections
import csv
import io
import itertools
import random
import re
import shutil
import statistics
import subprocess

import pytest

from samples import FUNCTION, WEIGHT
from test_page import Page, calls_of, copy_trace, lines_of, number

PYTHON_FUNCTION = "60000100"
RUNS, MOST_RUNS = 5, 16
SLOWER = 7  # percent
EQUAL = 1.1  # CPU times of a function in runs that nothing has disturbed much
MUCH_SLOWER = 60  # so much that no other program on the machine hides it


def are_equal(run, other):
    """Of pairs of what the program says its functions took, by the kernel's accounts, and a trace."""
    return all(max(times) < EQUAL * min(times) for times in zip(run[0], other[0]))


def calmest(runs):
    """Those that took least, in their order."""
    return [run for run in runs if run in sorted(runs, key=lambda run: sum(run[0]))[:RUNS]]


def are_calm(runs):
    """The host of a virtual machine may make them differ by a factor of two."""
    return len(runs) >= RUNS and all(are_equal(*pair) for pair in itertools.combinations(calmest(runs), 2))


@pytest.fixture(scope="module")
def recorded(tandem, compile_program, clean_environment, tmp_path_factory):
    """CPU times of functions and traces of five runs of a program, and of five in which one of its functions is slower, recorded in
    turn: the calmest of up to sixteen."""
    program, folder = compile_program("compared.c", mpi=True), tmp_path_factory.mktemp("runs")
    sides = {0: [], MUCH_SLOWER: []}
    for i in range(MOST_RUNS):
        for percent, runs in sides.items():
            trace = folder / f"by{percent}-{i}.prv"
            command = [tandem, "record", "--sampling-period", "200us", "-o", trace, "--", program, "400", str(percent)]
            said = subprocess.run(command, env=clean_environment, check=True, capture_output=True, timeout=120).stdout
            runs.append(([int(ns) for ns in said.split()], trace))
        if all(are_calm(runs) for runs in sides.values()):
            break
    return {percent: calmest(runs) for percent, runs in sides.items()}


@pytest.fixture
def varied(tmp_path):
    """Made traces of five runs and of five in which `solve` is slower; what functions take varies by 1 %, as on a calm machine."""
    random_ = random.Random(1)
    vary = lambda us: round(us * random_.gauss(1, 0.01) / 1000) * 1000
    return {percent: [make_run(tmp_path / f"by{percent}-{i}.prv", vary(3_000_000 * (100 + percent) / 100), vary(2_000_000), 1000, 8_000_000)
                      for i in range(RUNS)] for percent in (0, SLOWER)}


def joined(traces):
    return ",".join(map(str, traces))


def lines(run, tandem, *words):
    """{number: its line}, of all numbers."""
    text = run(tandem, "compare", *words, "--csv", "-", check=True).stdout
    table = {}
    for line in csv.DictReader(io.StringIO(text)):
        assert line["number"] not in table
        table[line["number"]] = {key: line[key] if key in ("number", "unit") else float(line[key] or "inf") for key in line}
    return table


def changed(table):
    return {name for name, line in table.items() if line["changed"]}


def test_slower_function_is_blamed(run, tandem, varied, tmp_path):
    words = ["--before", joined(varied[0]), "--after", joined(varied[SLOWER])]
    table = lines(run, tandem, *words)
    functions = {name for name in changed(table) if name.startswith("function:")}
    assert functions == {"function:solve"}
    solve = table["function:solve"]
    assert 0.04 < solve["difference"] / solve["before"] < 0.1
    assert abs(solve["difference"] - solve["before"] * SLOWER / 100) < 2 * solve["+-"]
    result = run(tandem, "compare", *words, "-o", tmp_path / "page.html", "--fail-if", "function:solve > +0.5%")
    assert result.returncode == 1, result.stdout
    assert re.search(r"^\d+ of \d+ numbers changed beyond noise; most: function:solve, \+", result.stdout, re.M)
    shown = re.search(r"^  function:solve +(\S+ (?:ms|s)) +(\S+ (?:ms|s)) +\+(\S+ ms) +(\S+ ms) +\+(\S+ %)$", result.stdout, re.M)
    row = Page((tmp_path / "page.html").read_text()).row("function:solve")
    assert row[1:3] == list(shown.groups()[:2]) and row[3] == "+" + shown[3] and row[5] == "+" + shown[5]
    assert number(row[3].removeprefix("+")) == pytest.approx(solve["difference"], rel=1e-3)
    result = run(tandem, "compare", *words, "--fail-if", "function:solve > +20%", "--fail-if", "function:solve < -1%")
    assert result.returncode == 0 and result.stdout.count("does not hold") == 2


def test_slower_function_of_a_program(run, tandem, recorded):
    """Whatever else changes while others use the machine."""
    before, after = ([trace for _, trace in recorded[percent]] for percent in (0, MUCH_SLOWER))
    table = lines(run, tandem, "--before", joined(before), "--after", joined(after), "--confidence", 95)
    assert "function:solve" in changed(table)
    assert table["function:solve"]["difference"] > 0.2 * table["function:solve"]["before"]


def equal_sides(runs):
    """Ten pairs of equal runs, and sets of two and three."""
    yield from ((before, after) for before, after in itertools.combinations(runs, 2))
    yield "--before", joined(runs[:2]), "--after", joined(runs[2:])


@pytest.mark.parametrize("percent", [0, SLOWER])
def test_equal_runs_give_no_alarm(run, tandem, varied, percent):
    assert not [words for words in equal_sides(varied[percent]) if changed(lines(run, tandem, *words))]


@pytest.mark.parametrize("percent", [0, MUCH_SLOWER])
def test_equal_runs_of_a_program(run, tandem, recorded, percent):
    """Where every function took as long: from other runs a host has taken the cores, which is a change."""
    equal = [(run[1], other[1]) for run, other in itertools.combinations(recorded[percent], 2) if are_equal(run, other)]
    alarms = [words for words in equal if changed(lines(run, tandem, *words))]
    assert len(alarms) <= len(equal) // 4 and equal, recorded


def test_one_run_against_several(run, tandem, varied):
    first, *others = varied[0]
    result = run(tandem, "compare", "--before", joined(others), "--after", first, check=True)
    assert "4 and 1 runs" in result.stdout and "One run of a side" in result.stdout and "Nothing changed beyond noise." in result.stdout


@pytest.mark.parametrize("name", ["hybrid", "hybrid-nodes", "malloc", "mpi-collectives", "mpi-pingpong", "omp-for", "omp-tasks", "py-mpi4py", "sampling", "synthetic-16"])
def test_trace_against_itself(run, tandem, root, tmp_path, name):
    trace = copy_trace(root, tmp_path, name)
    table = lines(run, tandem, trace, trace)
    assert table["elapsed"]["before"] == table["elapsed"]["after"] > 0
    assert not changed(table) and all(line["difference"] == 0 for line in table.values())
    result = run(tandem, "compare", trace, trace, "--fail-if", "* > +0%", "--fail-if", "* < -0%")
    assert result.returncode == 0 and "Nothing changed beyond noise." in result.stdout
    assert not re.search(r"^  \S+ +[\d.]", result.stdout, re.M)


def test_numbers_are_those_of_the_trace(run, tandem, root, tmp_path):
    trace = copy_trace(root, tmp_path, "mpi-collectives")
    table = lines(run, tandem, trace, trace)
    duration = int(re.search(r":(\d+)_ns", trace.read_text()).group(1))
    assert table["elapsed"]["before"] == duration
    labels = {int(value): label for value, label in re.findall(r"^(\d+)\s+(MPI_\w+)$", trace.with_suffix(".pcf").read_text(), re.M)}
    for value, (n, time_ns) in calls_of(trace).items():
        assert table[f"calls:{labels[value]}"]["before"] == n
        assert table[f"time:{labels[value]}"]["before"] == pytest.approx(time_ns, rel=1e-9)
    running = collections.Counter()
    for line in lines_of(trace, 1):
        running[line[3]] += (line[6] - line[5]) * (line[7] == 1)
    assert {name: line["before"] for name, line in table.items() if name.startswith("useful:")} == {
        f"useful:Rank {task - 1}": ns for task, ns in running.items()
    }
    assert table["useful"]["before"] == sum(running.values())
    messages = lines_of(trace, 3)
    assert table["messages"]["before"] == len(messages) > 0
    assert table["message-bytes"]["before"] == sum(line[13] for line in messages)


def make_run(path, solve_us, other_us=1000, period_us=1, end_us=4000, comment=""):
    """A trace of one thread that runs, then sleeps: samples of `solve`, then of `other`, each of which stands for a period."""
    samples = [1] * (solve_us // period_us) + [2] * (other_us // period_us)
    text = [f"#Paraver (01/01/2026 at 00:00):{end_us * 1000}_ns:1(1):1:1(1:1)", *([comment] if comment else [])]
    running_ns = 1000 * period_us * len(samples)
    text += [f"1:1:1:1:1:0:{running_ns}:1", f"1:1:1:1:1:{running_ns}:{end_us * 1000}:9"]
    for at, value in enumerate(samples):
        text.append(f"2:1:1:1:1:{1000 * (at + 1) * period_us}:{FUNCTION}:{value}:{WEIGHT}:{period_us * 1000}")
    path.write_text("\n".join(text) + "\n")
    path.with_suffix(".pcf").write_text(f"EVENT_TYPE\n9 {FUNCTION} Sampled functions\nVALUES\n1 solve\n2 other\n")
    return path


def limit_of_student(chance):
    """With four degrees of freedom, by the closed form: what is farther from 0 with this probability, on either side."""
    least, most = 0, 1e6
    for _ in range(200):
        t = (least + most) / 2
        root = t / (4 + t * t) ** 0.5
        least, most = (t, most) if 1 - root * (1.5 - root * root / 2) > chance else (least, t)
    return least


@pytest.mark.parametrize("confidence, before, after", [(90, [500, 510, 520], [600, 610, 620]), (99, [500, 510, 520], [600, 610, 620]),
                                                        (99, [1800, 1800, 1800], [1900, 1900, 1900])])
def test_interval(run, tandem, tmp_path, confidence, before, after):
    """Sides of equal variance with three runs each: Welch's t has four degrees of freedom.  Or of none: then times are taken to
    vary by half a percent."""
    sides = [[make_run(tmp_path / f"{us}.prv", us) for us in side] for side in (before, after)]
    table = lines(run, tandem, "--before", joined(sides[0]), "--after", joined(sides[1]), "--confidence", confidence)
    means = [statistics.mean(side) for side in (before, after)]
    error = sum(max(statistics.variance(side), (0.005 * statistics.mean(side)) ** 2) / 3 for side in (before, after)) ** 0.5
    tested, n_changed = [line for line in table.values() if line["tested"]], len(changed(table))
    assert {line["number"] for line in tested} == {"useful", "cpu-time", "function:solve"}
    solve = table["function:solve"]
    assert (solve["before"], solve["after"], solve["difference"]) == (1e3 * means[0], 1e3 * means[1], 100e3)
    assert n_changed == 3 and solve["changed"]
    level = (1 - confidence / 100) * n_changed / len(tested)
    assert solve["+-"] == pytest.approx(1000 * error * limit_of_student(level), rel=2e-3)


def test_one_run_of_each_side(run, tandem, tmp_path):
    """A threshold, and beyond it what samples leave open."""
    runs = [make_run(tmp_path / f"{us}.prv", us, other_us=1000 * (us > 600)) for us in (500, 610, 1000)]
    text = run(tandem, "compare", *runs[:2], check=True).stdout
    assert "One run of each side" in text and "10.0 % of the larger value" in text
    table = lines(run, tandem, runs[1], runs[2], "--confidence", 99)
    solve, n = table["function:solve"], (1610, 2000)
    variances = [own * (1 - own / all_) + 1 for own, all_ in zip((610, 1000), n)]
    level = 0.01 * len(changed(table)) / sum(line["tested"] for line in table.values())
    sure = statistics.NormalDist().inv_cdf(1 - level / 2) * sum(variances) ** 0.5
    assert solve["changed"] and solve["+-"] == pytest.approx(1000 * (100 + sure), rel=1e-6)
    assert not lines(run, tandem, runs[1], runs[2], "--threshold", 40)["function:solve"]["changed"]
    assert lines(run, tandem, runs[1], runs[2], "--threshold", 25)["function:solve"]["changed"]


def make_job(path, had):
    """Two ranks that sleep in MPI_Init for half of their time, and then have a CPU for this share of the time."""
    text = ["#Paraver (01/01/2026 at 00:00):4100000_ns:1(2):1:2(1:1,1:1),0"]
    for place in ("1:1:1:1", "2:1:2:1"):
        text += [f"1:{place}:0:2000000:15", f"1:{place}:2000000:4000000:1", f"1:{place}:4000000:4100000:15"]
        text += [f"2:{place}:{us}000:50000003:{value}" for us, value in ((0, 31), (2000, 0), (4000, 32), (4100, 0))]
        text += [f"2:{place}:{us}000:{FUNCTION}:1:{WEIGHT}:{round(100000 * had)}" for us in range(2100, 4001, 100)]
    path.write_text("\n".join(text) + "\n")
    return path


@pytest.mark.parametrize("had", [1, 0.75])
def test_who_sleeps_in_mpi_init_lacks_no_cpu(run, tandem, tmp_path, had):
    """Efficiencies are about the time between MPI_Init and MPI_Finalize: what was lacked there is what makes them unsure."""
    runs = [make_job(tmp_path / f"{name}.prv", had) for name in ("before", "after")]
    efficiency = lines(run, tandem, *runs)["parallel-efficiency"]
    assert efficiency["before"] == efficiency["after"] > 95
    assert efficiency["+-"] == pytest.approx((0.1 + 1 - had) * efficiency["before"], abs=0.5)


def test_gone_and_new(run, tandem, tmp_path):
    before, after = make_run(tmp_path / "a.prv", 1000, 0), make_run(tmp_path / "b.prv", 0, 1000)
    text = run(tandem, "compare", before, after, check=True).stdout
    assert re.search(r"^see +tview '\S+' '\S+'$", text, re.M)
    assert re.search(r"function:solve +1 ms +0 ns +-1 ms .* gone$", text, re.M)
    assert re.search(r"function:other +0 ns +1 ms +\+1 ms .* new$", text, re.M)


def test_small_parts_are_not_tested(run, tandem, tmp_path):
    before, after = make_run(tmp_path / "a.prv", 4, 1000), make_run(tmp_path / "b.prv", 36, 1000)
    assert not lines(run, tandem, before, after)["function:solve"]["tested"]  # 36 us of 4 ms
    assert lines(run, tandem, before, after, "--least", 0.5)["function:solve"]["changed"]


@pytest.mark.parametrize(
    "condition, status",
    [
        ("function:solve > +20%", 1),
        ("function:solve>+20 %", 1),
        ("function:solve > +50%", 0),  # +66.7 %, but +- 29.9 %
        ("function:solve > +90%", 0),
        ("function:solve > +100us", 1),
        ("function:solve > +0.4ms", 0),
        ("function:solve < +200%", 1),
        ("function:solve < -1%", 0),
        ("function:* > +20%", 1),
        ("function:oth* > +20%", 0),
        ("f*:?olve > +20%", 1),
        ("elapsed > +0.1%", 0),
        ("function:slove > +5%", 2),
        ("nothing* > +5%", 2),
        ("function:solve > 5%", 2),
        ("function:solve > +5", 2),
        ("function:solve > +5 MiB", 2),
        ("function:solve > +5%%", 2),
        ("function:solve > +nan%", 2),
        ("function:solve +5%", 2),
        ("> +5%", 2),
        ("", 2),
    ],
)
def test_conditions(run, tandem, tmp_path, condition, status):
    before, after = make_run(tmp_path / "a.prv", 600), make_run(tmp_path / "b.prv", 1000)
    result = run(tandem, "compare", before, after, "--fail-if", condition)
    assert result.returncode == status, result
    assert bool(result.stderr) == (status == 2) and bool(result.stdout) == (status != 2)
    if "slove" in condition:
        assert "did you mean function:solve" in result.stderr and "elapsed" in result.stderr


def test_ranks_and_periods_that_differ(run, tandem, root, tmp_path):
    few, many = copy_trace(root, tmp_path, "mpi-pingpong"), copy_trace(root, tmp_path, "mpi-collectives")
    text = run(tandem, "compare", few, many, check=True).stdout
    assert "Processes: 2 before, 4 after." in text
    table = lines(run, tandem, few, many)
    assert "useful:Rank 1" in table and "useful:Rank 2" not in table
    period = "#tandem:sampling-period-ns="
    fine = make_run(tmp_path / "a.prv", 1000, comment=f"{period}1000")
    coarse = make_run(tmp_path / "b.prv", 1000, period_us=4, comment=f"{period}4000")
    assert "Sampling periods differ, 1 us to 4 us" in run(tandem, "compare", fine, coarse, check=True).stdout
    assert not changed(lines(run, tandem, fine, coarse))


def test_without_samples(run, tandem, tmp_path):
    some, none = make_run(tmp_path / "a.prv", 1000), make_run(tmp_path / "b.prv", 0, 0)
    result = run(tandem, "compare", some, none, check=True)
    assert re.search(r"^Not compared, because \S*b.prv has none: cpu-time, function:\.$", result.stdout, re.M)
    result = run(tandem, "compare", some, none, "--fail-if", "function:solve > +5%")
    assert result.returncode == 2 and "function:solve" in result.stderr


def test_heap_and_energy(run, tandem, tmp_path):
    """The largest heap of a process, and 5 W and 8 W for 4 ms."""
    for name, peaks, watts in (("a", (700_000, 500_000), 5), ("b", (700_000, 900_000), 8)):
        facts = "".join(f"#tandem:heap-process=1.{task} 0 {peak} 1 1 0 \n" for task, peak in enumerate(peaks, 1))
        states = "".join(f"1:{task}:1:{task}:1:0:4000000:1\n" for task in (1, 2))
        power = "".join(f"2:1:1:1:1:{time}:92011000:{watts * 1000}\n" for time in (1, 4_000_000))
        (tmp_path / f"{name}.prv").write_text(f"#Paraver (01/01/2026 at 00:00):4000000_ns:1(2):1:2(1:1,1:1)\n{facts}{states}{power}")
    table = lines(run, tandem, "a.prv", "b.prv")
    assert {name: (line["before"], line["after"]) for name, line in table.items() if line["changed"]} == {
        "heap-peak": (700_000, 900_000), "heap-peak:TASK 1.2": (500_000, 900_000),
        "energy": (pytest.approx(0.02), pytest.approx(0.032)),
        "energy:TASK 1.1": (pytest.approx(0.01), pytest.approx(0.016)), "energy:TASK 1.2": (pytest.approx(0.01), pytest.approx(0.016)),
    }
    assert table["heap-peak:TASK 1.1"]["difference"] == 0
    text = run(tandem, "compare", "a.prv", "b.prv", "--fail-if", "heap-peak > +100KiB", "--fail-if", "energy > +5mJ")
    assert text.returncode == 1 and text.stdout.count(": holds") == 2


def make_python_run(path, calls, n_called, note=""):
    """A trace whose facts list some of the Python functions that were called."""
    make_run(path, 1000, comment=f"#tandem:python-functions={n_called}")
    facts = f"2:1:1:1:1:3999000:{PYTHON_FUNCTION}:1\n"
    facts += "".join(f"#tandem:python-function={value} {n} 1000 1000\n" for value, n in calls.items())
    path.write_text(path.read_text() + facts + (f"#tandem:note={note}\n" if note else ""))
    with path.with_suffix(".pcf").open("a") as pcf:
        pcf.write("\n\nEVENT_TYPE\n9 " + PYTHON_FUNCTION + " Python functions\nVALUES\n1 app.one\n2 app.two\n")
    return path


def test_functions_that_are_not_listed_are_unknown(run, tandem, tmp_path):
    """A list has those with most time: who is not in it was not called only if it has all."""
    both = make_python_run(tmp_path / "a.prv", {1: 5, 2: 7}, 2)
    one_of_two = make_python_run(tmp_path / "b.prv", {1: 5}, 2)
    one_of_one = make_python_run(tmp_path / "c.prv", {1: 9}, 1)
    assert "python-calls:app.two" not in lines(run, tandem, both, one_of_two)
    table = lines(run, tandem, both, one_of_one)
    assert table["python-calls:app.two"]["after"] == 0 and table["python-calls:app.two"]["changed"]
    assert table["python-calls:app.one"]["difference"] == 4 and table["python-calls:app.one"]["changed"]
    dropped = make_python_run(tmp_path / "d.prv", {1: 1024, 2: 7}, 2, "python: 1 function turned out too short, and was recorded no further")
    assert not changed(lines(run, tandem, both, dropped))


def test_texts_are_escaped(run, tandem, tmp_path):
    traces = [make_run(tmp_path / "a.prv", 1000), make_run(tmp_path / "b.prv", 2000)]
    for trace in traces:
        pcf = trace.with_suffix(".pcf")
        pcf.write_text(pcf.read_text().replace("solve", "f<int>(&x) > y"))
    result = run(tandem, "compare", *traces, "-o", "page.html", "--fail-if", "function:f<int>(&x) > y > +5%")
    assert result.returncode == 1
    page = Page((tmp_path / "page.html").read_text())
    assert page.row("function:f<int>(&x) > y")[1:3] == ["1 ms", "2 ms"]
    assert page.titles.count("more than before") == 3  # of pictures: useful, cpu-time, function
    assert all(address.startswith("data:") for address in page.addresses)


def test_wrong_use(run, tandem, tmp_path):
    trace = make_run(tmp_path / "a.prv", 1000)
    result = run(tandem, "compare", "--before", trace, trace, "--after", trace)
    assert result.returncode == 2 and "commas" in result.stderr
    for words in ([], [trace], [trace, trace, trace], ["--before", trace], ["--before", trace, "--after", ","], [trace, "--before", trace, "--after", trace]):
        result = run(tandem, "compare", *words)
        assert result.returncode == 2 and "compare" in result.stderr, words
    for option, value in (("--confidence", 100), ("--confidence", "nan"), ("--threshold", -1), ("--least", 101)):
        result = run(tandem, "compare", trace, trace, option, value)
        assert result.returncode == 2 and option in result.stderr
    for words in ([trace, tmp_path / "none.prv"], [trace, trace, "-o", tmp_path / "none" / "page.html"], [trace, trace, "--csv", tmp_path / "none" / "x"]):
        result = run(tandem, "compare", *words)
        assert result.returncode == 1 and "none" in result.stderr
