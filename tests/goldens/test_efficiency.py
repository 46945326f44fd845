# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem stat`: efficiencies that Paraver's analysis computes for a trace of 64 processes with these sums of useful time and
counters; what is lost adds up; runs with more processes."""
import re

import pytest

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


def test_as_paraver(tandem, run, tmp_path):
    rest = USEFUL - MOST
    useful = [MOST] + [rest // 63 + (i < rest % 63) for i in range(63)]
    parts = [[whole * time // USEFUL for time in useful] for whole in (INSTRUCTIONS, CYCLES)]
    for part, whole in zip(parts, (INSTRUCTIONS, CYCLES)):
        part[0] += whole - sum(part)
    write_trace(tmp_path / "run.prv", useful, DURATION, *parts)
    text = run(tandem, "stat", tmp_path / "run.prv", check=True).stdout
    assert percent(text, "load balance") == 98.4 and percent(text, "communication efficiency") == 39.0
    assert percent(text, "parallel efficiency") == 38.4
    assert re.search(r"^  IPC +0\.99988 ", text, re.M)
    table = run(tandem, "stat", tmp_path / "run.prv", tmp_path / "run.prv", check=True).stdout
    for name, value in {"load balance": "98.42", "communication": "39.05", "parallel efficiency": "38.43"}.items():
        assert re.search(rf"^ +{name} +{value} % +{value} %", table, re.M), table


def test_losses_add_up(tandem, run, tmp_path):
    write_trace(tmp_path / "run.prv", [80_000_000, 40_000_000], 100_000_000)
    text = run(tandem, "stat", tmp_path / "run.prv", check=True).stdout
    assert "lost: 20.0 % load balance, 0.0 % serialisation, 20.0 % transfer; useful: 60.0 %" in text
    assert percent(text, "serialisation") == 100 and percent(text, "transfer") == 80


def test_findings(tandem, run, tmp_path):
    write_trace(tmp_path / "run.prv", [80_000_000, 40_000_000], 100_000_000)
    text = run(tandem, "stat", "run.prv", check=True, cwd=tmp_path).stdout.split("What matters most\n")[1]
    assert [line.strip()[:3] for line in text.splitlines()[::2]] == ["1. ", "2. ", "3. "]
    assert "Others wait 40 ms (20.0 %) for THREAD 1.1.1, before MPI_Barrier" in text
    for command in text.splitlines()[1::2]:
        words = command.split()
        assert words[0] == "tandem" and "run.prv" in words
        run(tandem, *words[1:], check=command.split()[1] != "report" or "--causes" in words, cwd=tmp_path)


def test_scaling(tandem, run, tmp_path):
    """Twice the processes: each has 60 % of the time, so that there is more work in all."""
    write_trace(tmp_path / "p2.prv", [50_000_000] * 2, 60_000_000)
    write_trace(tmp_path / "p4.prv", [30_000_000] * 4, 40_000_000)
    table = run(tandem, "stat", tmp_path / "p2.prv", tmp_path / "p4.prv", check=True).stdout
    assert "Runs of the same work" in table and re.search(r"^ +2 +4   processes$", table, re.M)
    assert re.search(r"^ +speedup +1\.000 +1\.500$", table, re.M)
    for name, values in {"computation scalability": ("100.00", "83.33"), "global efficiency": ("83.33", "62.50")}.items():
        assert re.search(rf"^ +{name} +{values[0]} % +{values[1]} %", table, re.M), table


@pytest.mark.parametrize("words, status", [(["--all", "a.prv", "b.prv"], 2), (["run.prv", "missing.prv"], 1), ([], 2)])
def test_faults(tandem, run, tmp_path, words, status):
    write_trace(tmp_path / "run.prv", [50, 60], 100)
    result = run(tandem, "stat", *words, cwd=tmp_path)
    assert result.returncode == status and result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1
