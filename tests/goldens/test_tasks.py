# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem tasks` on traces as files: those of the merge's golden, worked out by hand from its text, and one that another tool
wrote."""
import re

import pytest

import resident


@pytest.fixture
def tasks(root, tandem):
    def run(*words, status=0):
        done = resident.run(tandem, "tasks", *words, cwd=root / "tests/goldens/merge")
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


def test_ready_and_not_begun(tandem, tmp_path):
    """Three tasks are made at 100; one thread runs them one after another, the third after a rest."""
    lines = [(100 + i, f"2:1:1:1:1:{100 + i}:60000024:5:60000028:{i + 1}:60000124:9") for i in range(3)]
    lines += [(103, "2:1:1:1:1:103:60000024:0")]
    for number, (begin, end) in enumerate([(200, 1200), (1250, 3250), (9250, 9300)], 1):
        lines += [(begin, f"2:2:1:1:2:{begin}:60000023:5:60000028:{number}:60000123:9"), (end, f"2:2:1:1:2:{end}:60000023:0:60000123:0")]
    (tmp_path / "a.prv").write_text("#Paraver (01/01/2026 at 12:00):10000_ns:1(2):1:1(2:1),0\n" + "".join(line + "\n" for _, line in sorted(lines)))
    (tmp_path / "a.pcf").write_text("EVENT_TYPE\n0 60000023 Task\n0 60000024 Task\nVALUES\n0 End\n5 work\n\nEVENT_TYPE\n0 60000123 Line\n0 60000124 Line\nVALUES\n9 a.c:7\n")
    text = resident.run(tandem, "report", "--causes", tmp_path / "a.prv", check=True).stdout
    table = [line.split("  ") for line in text.split("ready and not begun")[1].splitlines()[2:]]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in table]
    assert [line[:1] + line[3:] for line in cells] == [["10.3 us", "work (a.c:7)", "work (a.c:7)"], ["100 ns", "work (a.c:7)", "no task"]], text
