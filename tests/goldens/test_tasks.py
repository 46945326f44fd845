# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem tasks` on traces as files: those of the merge's golden, worked out by hand from its text, and one that another tool
wrote."""
import re
import subprocess

import pytest


@pytest.fixture
def tasks(root, tandem):
    def run(*words, status=0):
        done = subprocess.run([tandem, "tasks", *words], cwd=root / "tests/goldens/merge", capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr
    return run


def numbers(text):
    """Label -> value, of the lines of both lists."""
    return {label.strip(): value for label, value in re.findall(r"^  (\S.*?|  \S.*?)  +([\d.]+(?: [mun]?s)?)   ", text, re.M)}


def test_text(root, tasks):
    assert tasks("tasks.prv") == (root / "tests/goldens/tasks/tasks.txt").read_text()


def test_dot(root, tasks, tmp_path):
    expected = (root / "tests/goldens/tasks/tasks.dot").read_text()
    assert tasks("--dot", "-", "tasks.prv") == expected
    assert "Tasks by function" in tasks("--dot", tmp_path / "a.dot", "tasks.prv")
    assert (tmp_path / "a.dot").read_text() == expected


def test_a_trace_with_creation_lines_only(root, tasks):
    """Of Extrae: tasks, when they were made, none that waits for another; a taskloop's shares have no number."""
    text = tasks(root / "tests/data/traces/omp-tasks/omp-tasks.prv")
    found = numbers(text)
    assert (found["tasks"], found["dependences"], found["alone"], found["height"]) == ("224", "0", "224", "0")
    assert float(found["exploited"]) >= 1 and "lost" in found
    by_function = [int(line[38:47]) for line in text.split("Tasks by function\n")[1].splitlines()[1:]]
    assert sorted(by_function) == [8, 33, 33, 70, 80]


def test_what_is_wrong(tasks, tmp_path):
    assert "the trace has no OpenMP tasks" in tasks("calls.prv", status=1)
    assert tasks("absent.prv", status=1).startswith("tandem: absent.prv: ")
    assert tasks("tasks.prv", "--dot", tmp_path / "absent" / "a.dot", status=1).startswith(f"tandem: {tmp_path}/absent")
    assert "takes one trace" in tasks(status=2)
    assert "takes one trace" in tasks("a", "b", status=2)
