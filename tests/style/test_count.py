# SPDX-License-Identifier: GPL-3.0-or-later
"""The count at the end of `./dev test` counts what the programs say, and never calls a failure a success."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import count
import retries


@pytest.mark.parametrize(
    "result, stdout, counts",
    [
        ("OK", "TAP version 13\nok 1 /a\nok 2 /b # SKIP no PMU\n1..2\n", [1, 0, 1]),
        ("FAIL", "ok 1 /a\nnot ok 2 /b\n", [1, 1, 0]),
        ("FAIL", "ok 1 /a\nBail out!\n", [1, 1, 0]),
        ("OK", "..s\n2 passed, 1 skipped in 0.10s\n", [2, 0, 1]),
        ("FAIL", "F\n1 failed, 3 passed, 1 error in 62.00s (0:01:02)\n", [3, 2, 0]),
        ("OK", "", [1, 0, 0]),
        ("TIMEOUT", "", [0, 1, 0]),
        ("SKIP", "", [0, 0, 1]),
    ],
)
def test_one_program(result, stdout, counts):
    assert count.count_program(result, stdout) == counts


def test_total_and_status(tmp_path, capsys):
    log = tmp_path / "testlog.json"
    log.write_text(json.dumps({"name": "a", "result": "OK", "stdout": "ok 1 /x\n"}) + "\n")
    assert count.main([str(log)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"
    assert count.main([str(log), str(tmp_path / "missing.json")]) == 1
    assert "1 passed, 1 failed" in capsys.readouterr().out
    assert count.main([str(log), "lint=OK"]) == 0
    assert "2 passed, 0 failed" in capsys.readouterr().out
    assert count.main([str(log), "build=FAIL"]) == 1
    assert "failed: build: FAIL\nretries: none\n1 passed, 1 failed" in capsys.readouterr().out
    log.write_text("")
    assert count.main([str(log)]) == 1


def test_the_last_lines_say_what_failed_and_why(tmp_path, capsys):
    """What pytest and GLib's tests really print, and what others print, in at most 20 lines."""
    (tmp_path / "test_a.py").write_text(
        "import pytest\n"
        "@pytest.fixture\n"
        "def broken(): raise OSError('no such thing')\n"
        "def test_a(): assert 3 == 4\n"
        "def test_b(broken): pass\n"
        "@pytest.mark.parametrize('v', ['x y'])\n"
        "def test_c(v): helper()\n"
        "def helper(): raise ValueError('bad')\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60).stdout
    programs = [
        {"name": "py", "result": "FAIL", "stdout": said},
        {"name": "glib", "result": "FAIL", "stdout": "ok 1 /x\nBail out! ERROR:g.c:2:a: assertion failed (1 == 2): (1 == 2)\n"},
        {"name": "tap", "result": "FAIL", "stdout": "not ok 2 /b - wrong\n"},
        {"name": "slow", "result": "TIMEOUT", "stdout": "..\n"},
        {"name": "asan", "result": "FAIL", "stderr": "==7==ERROR: AddressSanitizer: heap-use-after-free\n#0 0x1\nABORTING\n"},
        {"name": "fine", "result": "OK", "stdout": "ok 1 /x\n"},
    ]
    log = tmp_path / "testlog.json"
    log.write_text("".join(json.dumps(program) + "\n" for program in programs))
    assert count.main([str(log)]) == 1
    assert [line[8:] for line in capsys.readouterr().out.splitlines() if line.startswith("failed: ")] == [
        "py: test_b: test_a.py:3: OSError: no such thing",
        "py: test_a: test_a.py:4: assert 3 == 4",
        "py: test_c[x y]: test_a.py:8: ValueError: bad",
        "glib: ERROR:g.c:2:a: assertion failed (1 == 2): (1 == 2)",
        "tap: 2 /b - wrong",
        "slow: TIMEOUT: ..",
        "asan: ==7==ERROR: AddressSanitizer: heap-use-after-free",
    ]
    log.write_text((json.dumps(programs[1]) + "\n") * 40)
    count.main([str(log)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 20 and lines[17] == "failed: ... and 23 more" and lines[-1] == "40 passed, 40 failed, 0 skipped"


def test_retries_are_summed_up(tmp_path, capsys):
    log = tmp_path / "testlog.json"
    said = [".\nretries: mpirun-dies 1 of 3, other 0 of 1\n1 passed in 0.10s\n", ".\nretries: mpirun-dies 2 of 2\n1 passed in 0.10s\n",
            "ok 1 /a\n"]
    log.write_text("".join(json.dumps({"name": "a", "result": "OK", "stdout": text}) + "\n" for text in said))
    assert count.main([str(log)]) == 0
    assert capsys.readouterr().out == "retries: mpirun-dies 3 of 5, other 0 of 1\n3 passed, 0 failed, 0 skipped\n"


def test_a_run_of_tests_tells_its_retries(root, tmp_path):
    """What conftest.py prints is what is summed up, and the counts stay the last line."""
    (tmp_path / "conftest.py").write_text((root / "tests" / "conftest.py").read_text())
    (tmp_path / "test_a.py").write_text(
        "import types, retries\n"
        "def test_a():\n"
        "    ends = [(True, 0), (True, 1), (False, 2), (False, 3)]\n"
        "    assert retries.retry('preempted-after-note', lambda number: ends[number]) == (False, 2)\n"
        "def test_b():\n"
        "    failed = types.SimpleNamespace(stderr='internal compiler error: x'), None\n"
        "    assert retries.retry('compiler-dies', lambda number: failed) is failed\n"
        "    failed[0].stderr = 'error: x'\n"
        "    assert retries.retry('compiler-dies', lambda number: failed) is failed\n")
    environment = {**os.environ, "PYTHONPATH": str(root / "tests")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path]
    said = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert said.returncode == 0, said.stdout
    assert "\nretries: compiler-dies 5 of 2, preempted-after-note 2 of 1\n" in said.stdout
    assert count.count_program("OK", said.stdout) == [2, 0, 0]


def test_each_retry_says_why_and_how_often():
    for name, rule in retries.RETRIES.items():
        assert re.search(r"\d+ of \d+", rule.rate) and rule.why and 2 <= rule.most <= 6, name
