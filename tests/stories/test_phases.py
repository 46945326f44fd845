# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report --phases: phases of a program that tells how many iterations each has, and when; none where calls come by chance."""
import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "phases_known.c"
BODIES = ["3 x (MPI_Irecv, MPI_Isend, MPI_Waitall), MPI_Allreduce", r"MPI_Bcast, \d x \(MPI_Sendrecv, MPI_Allreduce\)", "MPI_Alltoall, MPI_Reduce, MPI_Scan"]
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def phases_of(report):
    """[(iterations, body, begin, end)], in seconds"""
    found = re.findall(r"^ +\d+ .* % +([\d,]+) .*\n +each: (.*)\n(?: +in .*\n)? +--time ([\d.]+)ms:([\d.]+)ms$", report, re.M)
    return [(int(n.replace(",", "")), body, float(begin) / 1e3, float(end) / 1e3) for n, body, begin, end in found]


@pytest.fixture
def program(compile_program):
    return compile_program(SOURCE, mpi=True)


@pytest.mark.parametrize("iterations", [(40, 25, 60), (9, 30, 17)])
def test_known_phases(run, tandem, program, mpirun, tmp_path, iterations):
    told = run(tandem, "record", "-o", "a.prv", "--", *mpirun(4), program, *map(str, iterations), check=True).stdout
    report = run(tandem, "report", "--phases", "--all", "a.prv", check=True).stdout
    phases = phases_of(report)
    assert [n for n, *_ in phases] == list(iterations), report
    for (_, body, *_), expected in zip(phases, BODIES):
        assert body == expected or re.fullmatch(expected, body)
    told = [(float(begin), float(end)) for begin, end in re.findall(r"^\w+ \d+ ([\d.]+) ([\d.]+)$", told, re.M)]
    first = phases[0][2] - told[0][0]  # the program's clock begins later than the trace
    for (_, _, begin, end), (told_begin, told_end) in zip(phases, told):
        assert begin - first == pytest.approx(told_begin, abs=0.02) and end - first == pytest.approx(told_end, abs=0.02)


def test_efficiency_of_a_phase_is_that_of_its_cut(run, tandem, program, mpirun):
    run(tandem, "record", "-o", "a.prv", "--", *mpirun(2), program, "40", "25", "60", check=True)
    report = run(tandem, "report", "--phases", "a.prv", check=True).stdout
    shown = re.findall(r"^ +\d +([\d.]+) % +([\d.]+) % +([\d.]+) % ", report.split("Efficiency")[1], re.M)
    times = re.findall(r"--time (\S+)$", report, re.M)
    assert len(times) == len(shown) == 3
    for time, (parallel, balance, communication) in zip(times, shown):
        run(tandem, "cut", "--time", time, "--force", "-o", "cut.prv", "a.prv", check=True)
        text = run(tandem, "stat", "cut.prv", check=True).stdout
        for name, value in ("parallel efficiency", parallel), ("load balance", balance), ("communication efficiency", communication):
            assert float(re.search(rf"{name} .*?([\d.]+) %", text)[1]) == pytest.approx(float(value), abs=0.15)


def test_chance_has_no_phases(run, tandem, program, mpirun, tmp_path):
    run(tandem, "record", "-o", "a.prv", "--", *mpirun(3), program, "random", "2000", check=True)
    report = run(tandem, "report", "--phases", "a.prv", check=True).stdout
    assert re.search(r"Nothing repeats, as far as the 2,0\d\d calls", report) and not phases_of(report)
    run(tandem, "report", "a.prv", "-o", "a.html", check=True)
    assert "Nothing repeats, as far as the 2,0" in (tmp_path / "a.html").read_text()


LOOP = """
import time
def part(seconds):
    time.sleep(seconds)
def solve(i):
    for _ in range(i * i % 4 + 1):
        part(0.001)
def step(i):
    part(0.002)
    if i % 3:
        solve(i)
def main():
    begin = time.monotonic()
    for i in range(30):
        step(i)
    print(time.monotonic() - begin)
part(0.05)
main()
"""


def test_functions_where_there_is_no_mpi(run, tandem, tmp_path):
    """What a step calls depends on data: the phase is of steps, which follow each other always."""
    (tmp_path / "loop.py").write_text(LOOP)
    took = float(run(tandem, "record", "--python=all", "-o", "a.prv", "--", "/usr/bin/python3", "loop.py", check=True).stdout)
    report = run(tandem, "report", "--phases", "a.prv", check=True).stdout
    (n, body, begin, end), = phases_of(report)
    assert n == 30 and body == "__main__.step" and " calls of functions of " in report
    assert end - begin == pytest.approx(took, abs=0.02)
    run(tandem, "report", "a.prv", "-o", "a.html", check=True)
    assert "__main__.step" in (tmp_path / "a.html").read_text().split("<h2>Phases</h2>")[1].split("</section>")[0]


def test_nothing_recorded(run, tandem, root):
    trace = root / "tests" / "data" / "traces" / "malloc" / "malloc.prv"
    assert "There is nothing to find phases by" in run(tandem, "report", "--phases", trace, check=True).stdout


def test_page_says_the_same(run, tandem, program, mpirun, tmp_path):
    run(tandem, "record", "-o", "a.prv", "--", *mpirun(2), program, "40", "25", "60", check=True)
    phases = phases_of(run(tandem, "report", "--phases", "--all", "a.prv", check=True).stdout)
    run(tandem, "report", "a.prv", "-o", "a.html", check=True)
    section = (tmp_path / "a.html").read_text().split("<h2>Phases</h2>")[1].split("</section>")[0]
    rows = [re.findall(r"<td.*?>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", section)]
    assert [(int(row[3]), row[8]) for row in rows if len(row) == 9] == [(n, body) for n, body, *_ in phases]


@pytest.mark.parametrize("words", [["--causes"], ["--lines"], ["-o", "a.html"]])
def test_goes_only_with_all(run, tandem, words):
    result = run(tandem, "report", "--phases", *words, "a.prv")
    assert result.returncode == 2 and "goes" in result.stderr
