# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem stat`: efficiencies that Paraver's analysis computes for a trace of 64 processes with these sums of useful time and
counters; what is lost adds up; runs with more processes."""
import re

import pytest

import resident

N, DURATION, USEFUL, MOST = 64, 82717790, 2034362210, 32297340  # ns
INSTRUCTIONS, CYCLES = 20568612907, 20571166660


def write_trace(path, useful, duration, instructions=(), cycles=()):
    """Processes that compute, and then wait in MPI_Barrier for the last one; counters where that begins."""
    n, last = len(useful), max(useful)
    lines = []
    for rank, time in enumerate(useful):
        at = f"{rank + 1}:1:{rank + 1}:1"
        counters = f":42000050:{instructions[rank]}:42000059:{cycles[rank]}" if instructions else ""
        lines.append((0, f"1:{at}:0:{time}:1"))
        lines.append((time, f"1:{at}:{time}:{duration}:13"))
        lines.append((time, f"2:{at}:{time}:50000002:8:50100004:1{counters}"))
        lines.append((duration, f"2:{at}:{duration}:50000002:0"))
    head = f"#Paraver (01/01/2026 at 12:00):{duration}_ns:1({n}):1:{n}({','.join(['1:1'] * n)}),1\nc:1:1:{n}:{':'.join(str(i + 1) for i in range(n))}\n"
    path.write_text(head + "".join(line + "\n" for _, line in sorted(lines)))
    return last


def percent(text, name):
    return float(re.search(rf"^ *{name} +(?:[\d.]+ % +)?([\d.]+) %", text, re.M)[1])


def write_useful(path):
    """The trace that Paraver's analysis has figures of."""
    rest = USEFUL - MOST
    useful = [MOST] + [rest // 63 + (i < rest % 63) for i in range(63)]
    parts = [[whole * time // USEFUL for time in useful] for whole in (INSTRUCTIONS, CYCLES)]
    for part, whole in zip(parts, (INSTRUCTIONS, CYCLES)):
        part[0] += whole - sum(part)
    write_trace(path, useful, DURATION, *parts)


def test_as_paraver(tandem, tmp_path):
    write_useful(tmp_path / "run.prv")
    text = resident.run(tandem, "stat", tmp_path / "run.prv", check=True).stdout
    assert percent(text, "load balance") == 98.4 and percent(text, "communication efficiency") == 39.0
    assert percent(text, "parallel efficiency") == 38.4
    assert re.search(r"^  IPC +0\.99988 ", text, re.M)
    table = resident.run(tandem, "stat", tmp_path / "run.prv", tmp_path / "run.prv", check=True).stdout
    for name, value in {"load balance": "98.42", "communication": "39.05", "parallel efficiency": "38.43"}.items():
        assert re.search(rf"^ +{name} +{value} % +{value} %", table, re.M), table


def test_losses_add_up(tandem, tmp_path):
    write_trace(tmp_path / "run.prv", [80_000_000, 40_000_000], 100_000_000)
    text = resident.run(tandem, "stat", tmp_path / "run.prv", check=True).stdout
    assert "lost: 20.0 % load balance, 0.0 % serialisation, 20.0 % transfer; useful: 60.0 %" in text
    assert percent(text, "serialisation") == 100 and percent(text, "transfer") == 80


def test_findings(tandem, tmp_path):
    write_trace(tmp_path / "run.prv", [80_000_000, 40_000_000], 100_000_000)
    text = resident.run(tandem, "stat", "run.prv", check=True, cwd=tmp_path).stdout.split("What matters most\n")[1]
    assert [line.strip()[:3] for line in text.splitlines()[::2]] == ["1. ", "2. ", "3. "]
    assert "Others wait 40 ms (20.0 %) for THREAD 1.1.1, before MPI_Barrier" in text
    for command in text.splitlines()[1::2]:
        words = command.split()
        assert words[0] == "tandem" and "run.prv" in words
        resident.run(tandem, *words[1:], check=command.split()[1] != "report" or "--causes" in words, cwd=tmp_path)


@pytest.mark.parametrize("records, n_cpus, says", [(True, 1, "2 threads share 1 CPU and take turns"), (True, 2, "the transfer of messages, and inside MPI"),
                                                   (False, 1, "the transfer of messages, and inside MPI")])
def test_findings_of_shared_cpus(tandem, tmp_path, records, n_cpus, says):
    write_trace(tmp_path / "run.prv", [40_000_000, 40_000_000], 100_000_000)
    text = (tmp_path / "run.prv").read_text().replace("_ns:1(2):", f"_ns:1({n_cpus}):")
    (tmp_path / "run.prv").write_text(text + ("#tandem:records=8\n" if records else ""))
    found = resident.run(tandem, "stat", "run.prv", check=True, cwd=tmp_path).stdout.split("What matters most\n")[1]
    assert says in found


CPU = "Threads that could run wait for a CPU for 30.0 % of the time of all: others use it"


@pytest.mark.parametrize("unit, says", [(10**6, True), (10**5, False)])
def test_finding_of_threads_that_wait_for_a_cpu(tandem, tmp_path, unit, says):
    """A thread of a short run that waits for a few turns of others is none."""
    lines = "".join(f"1:1:1:1:1:{begin * unit}:{end * unit}:{state}\n" for begin, end, state in ((0, 60, 1), (60, 90, 35), (90, 100, 9)))
    (tmp_path / "run.prv").write_text(f"#Paraver (01/01/2026 at 12:00):{100 * unit}_ns:1(1):1:1(1:1)\n{lines}")
    found = resident.run(tandem, "stat", "run.prv", check=True, cwd=tmp_path).stdout.split("What matters most\n")[1]
    assert (CPU in found) == says and "Threads are blocked for 10.0 % of the time" in found
    resident.run(tandem, "timeline", "run.prv", "--view", "state", check=True, cwd=tmp_path)


def test_stops_are_no_waits_for_others(tandem, tmp_path):
    """Of a run of 100 ms behind 300 ms of MPI_Init, a process waits for a CPU for 30 ms: what is told is of the run."""
    (tmp_path / "run.prv").write_text(
        "#Paraver (01/01/2026 at 12:00):400000000_ns:1(1):1:1(1:1)\n2:1:1:1:1:0:50000003:31\n1:1:1:1:1:0:300000000:9\n"
        "2:1:1:1:1:300000000:50000003:0\n1:1:1:1:1:300000000:370000000:1\n1:1:1:1:1:370000000:400000000:35\n2:1:1:1:1:400000000:50000003:32\n")
    text = resident.run(tandem, "stat", "run.prv", check=True, cwd=tmp_path).stdout
    of_run = {name: float(value) for name, value in re.findall(r"^ +([a-z ]+?) +([\d.]+) % +[\d.]+ %   ", text, re.M)}
    assert of_run["running"] == 70 == of_run["communication efficiency"] and of_run["serialisation"] == 100
    assert "30.0 % stopped, 0.0 % serialisation, 0.0 % transfer; useful: 70.0 %" in text
    found = text.split("What matters most\n")[1]
    assert CPU in found and "in turn" not in found


def test_scaling(tandem, tmp_path):
    """Twice the processes: each has 60 % of the time, so that there is more work in all."""
    write_trace(tmp_path / "p2.prv", [50_000_000] * 2, 60_000_000)
    write_trace(tmp_path / "p4.prv", [30_000_000] * 4, 40_000_000)
    table = resident.run(tandem, "stat", tmp_path / "p2.prv", tmp_path / "p4.prv", check=True).stdout
    assert "Runs of the same work" in table and re.search(r"^ +2 +4   processes$", table, re.M)
    assert re.search(r"^ +speedup +1\.000 +1\.500$", table, re.M)
    for name, values in {"computation scalability": ("100.00", "83.33"), "global efficiency": ("83.33", "62.50")}.items():
        assert re.search(rf"^ +{name} +{values[0]} % +{values[1]} %", table, re.M), table


def cells_of(page):
    """{efficiency: its shares, as numbers in percent} of the page of several runs"""
    rows = re.findall(r'<tr><th scope="row"[^>]*>(.*?)</th>(.*?)</tr>', page.split("<h2>Efficiencies</h2>")[1], re.S)
    return {name: [float(value) for value in re.findall(r"([\d.]+) %</td>", cells)] for name, cells in rows}


def test_page_of_several_runs(tandem, tmp_path):
    """The golden numbers of 64 processes, and a run that is as useful with half of them."""
    write_useful(tmp_path / "p64.prv")
    write_trace(tmp_path / "p32.prv", [USEFUL // 32] * 32, 2 * DURATION)
    resident.run(tandem, "report", "p32.prv", "p64.prv", "-o", "page.html", check=True, cwd=tmp_path)
    page = (tmp_path / "page.html").read_text()
    cells = cells_of(page)
    assert cells["load balance"] == [100, 98.4] and cells["communication"][1] == 39.0
    assert cells["parallel efficiency"] == [38.4, 38.4] == cells["global efficiency"] and cells["computation scalability"] == [100, 100]
    assert re.search(r"p64\.prv</td>.*?>2\.000</td>", page) and "64 threads: speedup 2.000" in page


def test_both_models_of_mpi_and_openmp(tandem, root, tmp_path):
    """Factors multiply to the parallel efficiency, and losses add up with it, in each run."""
    trace = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    table = resident.run(tandem, "report", trace, trace, check=True).stdout
    resident.run(tandem, "report", trace, trace, "-o", "page.html", check=True, cwd=tmp_path)
    cells = cells_of((tmp_path / "page.html").read_text())
    shares = {name: float(value) / 100 for name, value in re.findall(r"^ +(\w[\w ]*?) +([\d.]+) % +\2 %", table, re.M)}
    assert {name: round(100 * value, 1) for name, value in shares.items()} == pytest.approx({name: values[0] for name, values in cells.items()}, abs=0.11)
    products = {"parallel efficiency": [("load balance", "communication"), ("of MPI", "of OpenMP")], "of MPI": [("MPI load balance", "MPI communication")],
                "of OpenMP": [("OpenMP load balance", "OpenMP communication")], "MPI communication": [("serialisation", "transfer")]}
    for whole, pairs in products.items():
        for one, other in pairs:
            assert shares[one] * shares[other] == pytest.approx(shares[whole], abs=2e-4), (whole, one, other)
    lost = [share for name, share in shares.items() if name.startswith("lost to ")]
    assert len(lost) == 5 and sum(lost) + shares["parallel efficiency"] == pytest.approx(1, abs=3e-4)


@pytest.mark.parametrize("words", [["--all"], ["--phases"], ["--least", "2"]])
def test_several_runs_take_no_option(tandem, tmp_path, words):
    result = resident.run(tandem, "report", *words, "a.prv", "b.prv", cwd=tmp_path)
    assert result.returncode == 2 and "takes no option but --output" in result.stderr


@pytest.mark.parametrize("words, status", [(["--all", "a.prv", "b.prv"], 2), (["run.prv", "missing.prv"], 1), ([], 2)])
def test_faults(tandem, tmp_path, words, status):
    write_trace(tmp_path / "run.prv", [50, 60], 100)
    result = resident.run(tandem, "stat", *words, cwd=tmp_path)
    assert result.returncode == status and result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1
