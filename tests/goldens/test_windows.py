# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations of Paraver's give the bursts and tables that Paraver's own kernel printed for them, to the last digit.
paraver-windows.tar.xz has its texts: of each of its functions on a small trace (functions/), also within limits of time (limits/),
on CPUs (cpus/), of labels of events and of two windows at coarser levels (others/); of histograms with all that can be said
of their columns, rows and time (histograms/); and of the configurations in cfgs/ on the traces of tests/data (tables/)."""
import re

import pytest

import resident
from answers import HERE, answers, number, paravers, paravers_bursts, paravers_table, run


def bursts(tandem, trace, cfg):
    return [[number(field) for field in row[1:]] for row in run(tandem, "timeline", trace, "--cfg", cfg)[1:]]


@pytest.mark.parametrize("directory, n", [("functions", 334), ("limits", 976), ("cpus", 89), ("others", 14)])
def test_functions(tandem, answers, directory, n):
    """All functions, at all levels, with the filters and factors that there are: one configuration for each."""
    trace = answers / "functions" / "small.prv"
    cfgs = sorted((answers / directory).glob("*.cfg"))
    assert len(cfgs) == n
    wrong = [cfg.stem for cfg in cfgs if bursts(tandem, trace, cfg) != paravers_bursts(cfg.with_suffix(".txt"))]
    assert wrong == []


def test_timelines(tandem, answers):
    texts = list(paravers(answers, ".txt.csv"))
    assert len(texts) > 100
    wrong = [f"{trace.stem} {cfg.stem}" for trace, cfg, text in texts if bursts(tandem, trace, cfg) != paravers_bursts(text)]
    assert wrong == []


def table(tandem, trace, cfg):
    rows = run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-")
    return [[re.sub(r" \[(ns|us|%|B)\]$", "", field) for field in row[1:]] for row in rows if row[1:]]


def test_tables(tandem, answers):
    texts = list(paravers(answers, ".txt"))
    assert len(texts) > 180
    wrong = [f"{trace.stem} {cfg.stem}" for trace, cfg, text in texts if table(tandem, trace, cfg) != paravers_table(text)]
    assert wrong == []


# Columns that hold nothing have no average to divide; a value or state without a label is a number here, or has the
# name that every trace has for it.
WORDS = re.compile(r"^value (?=-?\d+$)|^-?nan$")
NO_LABEL = re.compile(r"Unknown state")


def numbers(rows):
    """Without a head of names, if one of them is of a state that the trace does not name."""
    return [row for row in rows if not any(re.search("[A-Za-z]", field) for field in row)]


def test_histograms(tandem, answers):
    """Sorted, emptied, turned, within times and rows, with columns of their own making, at all levels."""
    trace = answers / "functions" / "small.prv"
    texts = sorted((answers / "histograms").glob("*.txt"))
    assert len(texts) == 376
    wrong = []
    for text in texts:
        wanted = [[WORDS.sub(lambda word: "0.0000000000" if "nan" in word[0] else "", field) for field in row]
                  for row in paravers_table(text)]
        found = table(tandem, trace, text.with_suffix(".cfg"))
        if NO_LABEL.search(text.read_text()):
            wanted, found = numbers(wanted), numbers(found)
            assert len(found) >= 7
        if found != wanted:
            wrong.append(text.stem)
    assert wrong == []


def complaint(tandem, answers, *options, status=1):
    done = resident.run(tandem, *options[:1], answers / "functions" / "small.prv", *options[1:])
    assert (done.returncode, done.stdout) == (status, "")
    return done.stderr


def changed(answers, tmp_path, cfg, *changes):
    text = (answers / cfg).read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = tmp_path / "changed.cfg"
    path.write_text(text)
    return path


@pytest.mark.parametrize("number", ["0", "-1", "2"])
def test_no_such_histogram(tandem, answers, number):
    said = complaint(tandem, answers, "histogram", "--cfg", answers / "cfgs" / "state__Time.cfg", "--table", number,
                     status=1 if number == "2" else 2)
    assert said.count("\n") == 1
    assert ("has 1 histogram" if number == "2" else f'--table: got "{number}", takes a number from 1 on') in said


def test_stranger(tandem, answers, tmp_path):
    """A key that nobody knows is passed over, and named."""
    cfg = changed(answers, tmp_path, "functions/state_Useful.cfg", ("window_open true", "window_open true\nwindow_ghost 7"))
    trace = answers / "functions" / "small.prv"
    done = resident.run(tandem, "timeline", trace, "--cfg", cfg)
    line = cfg.read_text().split("\n").index("window_ghost 7") + 1
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert f"changed.cfg:{line}: window_ghost: is not a key of Paraver's; ignored" in done.stderr
    plain = resident.run(tandem, "timeline", trace, "--cfg", answers / "functions" / "state_Useful.cfg")
    assert done.stdout == plain.stdout


def test_labels_for_numbers(tandem, answers, tmp_path):
    cfg = changed(answers, tmp_path, "others/labels_type.cfg", ("evt_type 1 7", "evt_type 2 7 8"))
    assert "there are 1 labels of events for 2 numbers" in complaint(tandem, answers, "timeline", "--cfg", cfg, status=2)


def test_levels_that_do_not_mix(tandem, answers, tmp_path):
    cfg = changed(answers, tmp_path, "others/grouped_add_task.cfg", ("window_level task", "window_level node"))
    text = cfg.read_text()
    cfg.write_text(text.replace("window_level thread", "window_level cpu", 1).replace("window_level node", "window_level thread"))
    said = complaint(tandem, answers, "timeline", "--cfg", cfg)
    assert "is derived from two windows, one of CPUs or nodes, the other of threads or tasks" in said
    cfg = changed(answers, tmp_path, "cfgs/mpi_cnt__Time.cfg")
    cfg.write_text(cfg.read_text().replace("window_level thread", "window_level node", 1))
    said = complaint(tandem, answers, "histogram", "--cfg", cfg, "--csv", "-")
    assert "a window of CPUs or nodes beside one of threads or tasks is not supported" in said


def test_wishes(tandem, answers):
    """What the command is told holds, not what the file says."""
    trace, cfg = answers / "functions" / "small.prv", answers / "cfgs" / "state__Time.cfg"
    within = run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-", "--begin", "5us", "--end", "9us")
    assert [sum(float(cell) for cell in row[1:]) for row in within[1:5]] == [4000] * 4
    sums = [float(cell) for cell in run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-", "--sort", "-total")[5][1:]]
    assert sums == sorted(sums) and len(sums) == 7
    rows = run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-", "--rows", "2.1.1,second")
    assert [row[0] for row in rows[1:3]] == ["second", "fourth"]
    rows = run(tandem, "timeline", trace, "--cfg", answers / "functions" / "state_Useful.cfg", "--rows", "1.1.2,third")
    assert {row[0] for row in rows[1:]} == {"1.1.2", "1.2.1"}
    rows = run(tandem, "timeline", trace, "--cfg", answers / "functions" / "group_Adding_task.cfg", "--rows", "1.1.2")
    assert {row[0] for row in rows[1:]} == {"1.1"}
    rows = run(tandem, "histogram", trace, "--view", answers / "functions" / "group_Adding_task.cfg", "--rows", "2.1.1", "--csv", "-")
    assert [row[0] for row in rows[1:3]] == ["TASK 2.1", "Total"]
    for command in (["timeline", "--cfg"], ["histogram", "--view"]):
        said = complaint(tandem, answers, *command, answers / "functions" / "cpu_Active_Thd.cfg", "--rows", "1.1.2", status=2)
        assert "the rows of this window are CPUs" in said
    title, *_ = run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-", "--statistic", "percentile-12.5-duration")
    assert title[0] == "Percentile 12.5 of duration"


def test_windows_are_views(tandem, answers):
    """A configuration stands wherever a view does: its last window, or the one of a number."""
    trace, cfgs = answers / "functions" / "small.prv", answers / "cfgs"
    for cfg in ("functions/state_Useful.cfg", "functions/group_Adding_task.cfg", "cpus/comm_Comm_Partner_tf.cfg"):
        path = answers / cfg
        by_cfg = run(tandem, "timeline", trace, "--cfg", path)
        by_view = run(tandem, "timeline", trace, "--view", path)
        assert [row[1:] for row in by_view] == [row[1:] for row in by_cfg] and len(by_cfg) > 10
    state = run(tandem, "histogram", trace, "--view", "state", "--csv", "-")
    window = run(tandem, "histogram", trace, "--view", f"{cfgs / 'state__Time.cfg'}:1", "--csv", "-")
    assert [row[1:] for row in window] == [row[1:] for row in state]
    data = run(tandem, "histogram", trace, "--view", "state", "--data", cfgs / "state__Time.cfg", "--statistic", "maximum",
               "--csv", "-")
    assert {float(cell) for row in data[1:5] for cell in row[1:]} == {1, 2, 3, 5, 13, 15}  # Idle is 0, and has no total
    within = run(tandem, "histogram", trace, "--within", f"{cfgs / 'state__Time.cfg'}:1:Running", "--csv", "-")
    assert within[0][1:] == ["Running [ns]"]


@pytest.mark.parametrize("view, rows", [
    ("state", "over 4 threads"),
    ("functions/group_Adding_task.cfg", "over 3 tasks"),
    ("functions/cpu_Active_Thd.cfg", "over 4 CPUs"),
])
def test_rows_of_the_table(tandem, answers, view, rows):
    """The text says what the rows of the table are."""
    view = answers / view if view.endswith(".cfg") else view
    done = resident.run(tandem, "histogram", answers / "functions" / "small.prv", "--view", view, check=True)
    assert rows in done.stdout.split("\n")[0]


@pytest.mark.parametrize("view, said", [
    ("none.cfg", "No such file or directory"),
    ("STATE:0", "there is no window 0; it has 1 to 1"),
    ("STATE:2", "there is no window 2; it has 1 to 1"),
    ("STATE:x", "no view is called"),
])
def test_no_such_window(tandem, answers, view, said):
    view = view.replace("STATE", str(answers / "cfgs" / "state__Time.cfg"))
    assert said in complaint(tandem, answers, "timeline", "--view", view, status=2)


KEYS = re.compile(r'^    {"([^"]+)"', re.M)


def test_keys_are_documented():
    """docs/paraver-functions.md tells of every key that the reader knows, and of no other."""
    sources = [HERE.parent.parent / "analysis" / "cfg" / f"cfg_keys_{name}.c" for name in ("window", "histogram")]
    known = {key for source in sources for key in KEYS.findall(source.read_text())}
    text = (HERE.parent.parent / "docs" / "paraver-functions.md").read_text().split("## Keys", 1)[1]
    told = {key for line in text.split("\n") if line.startswith("| `") for key in re.findall("`([^`]+)`", line.split(" | ")[0])}
    assert known == told


@pytest.mark.parametrize("line, said", [
    ("window_semantic_module thread In State { 1, { x", "takes a count, and as many numbers"),
    ("window_units Fortnights", "takes a unit of time"),
    ("window_level house", "takes a level"),
    ("window_identifiers 1 9", "takes the numbers of two windows before this one"),
    ("window_begin_time soon", "takes a number"),
    ("window_end_time_relative -1", "takes a number from 0 on"),
    ("window_zoom_objects 3 1", "takes the first row and the last one"),
    ("window_object thread { 0, 0, 2, { All } }", "takes a count, and for each object All or None"),
    ("window_object room { 1, { All } }", "takes appl, task, thread, node or cpu"),
])
def test_bad_lines(tandem, answers, tmp_path, line, said):
    cfg = tmp_path / "bad.cfg"
    cfg.write_text((answers / "functions" / "state_In_State.cfg").read_text() + line + "\n")
    lines = len(cfg.read_text().split("\n")) - 1
    done = resident.run(tandem, "timeline", answers / "functions" / "small.prv", "--cfg", cfg)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"bad.cfg:{lines}: {line.split()[0]} {said}" in done.stderr


def test_unknown_function(tandem, answers, tmp_path):
    cfg = tmp_path / "new.cfg"
    cfg.write_text((answers / "functions" / "state_Useful.cfg").read_text().replace("Useful}", "Useless}"))
    done = resident.run(tandem, "timeline", answers / "functions" / "small.prv", "--cfg", cfg)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'window "w": thread function "Useless" is not supported' in done.stderr
