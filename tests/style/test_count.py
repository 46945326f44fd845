# SPDX-License-Identifier: GPL-3.0-or-later
"""The count at the end of `./dev test` counts what the programs say, and never calls a failure a success."""
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import count


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
    assert "failed: build\n1 passed, 1 failed" in capsys.readouterr().out
    log.write_text("")
    assert count.main([str(log)]) == 1
