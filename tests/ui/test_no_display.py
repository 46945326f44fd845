# SPDX-License-Identifier: GPL-3.0-or-later
"""tview without a display: pictures, numbers, lists, and what it says of what it cannot do."""
import csv
import io
import os
import re
import subprocess

import pytest

TRACE = "tests/data/traces/synthetic-16/synthetic-16.prv"
CFG = "tests/data/cfgs/histo_3d.cfg"


@pytest.fixture
def run_tview(tview, root):
    """Runs tview with no display to be found: it must not look for one."""
    plain = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}

    def run(*arguments, status=0, environment=()):
        result = subprocess.run([tview, *map(str, arguments)], cwd=root, env={**plain, **dict(environment)},
                                capture_output=True, timeout=120)
        assert result.returncode == status, result.stderr.decode()
        return result
    return run


def test_png(run_tview, tmp_path):
    picture = tmp_path / "a.png"
    run_tview(TRACE, "--view", "useful-duration", "--export", picture, "--size", "700x300")
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (700, 300)


def test_svg_and_pdf_hold_shapes(run_tview, tmp_path):
    run_tview(TRACE, "--view", "state", "--export", tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "<image" not in text and 'width="1200' in text
    assert text.count("<path") > 300
    run_tview(TRACE, "--view", "state", "--export", tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes()[:5] == b"%PDF-"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_on_standard_output(run_tview, tview, root, tmp_path, ending):
    run_tview(TRACE, "--view", "state", "--export", tmp_path / f"a.{ending}")
    file, output = (tmp_path / f"a.{ending}").read_bytes(), run_tview(TRACE, "--view", "state", "--export", f"-.{ending}").stdout
    assert len(file) > 5000 and (output == file or ending == "pdf" and len(output) == len(file))  # a PDF says when it was made
    with open("/dev/full", "wb") as full:
        result = subprocess.run([tview, TRACE, "--view", "state", "--export", f"-.{ending}"], cwd=root, stdout=full,
                                stderr=subprocess.PIPE, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (1, "tview: standard output: No space left on device\n")


def test_pictures_are_the_same_every_time(run_tview, tmp_path):
    for name in ("a.png", "b.png"):
        run_tview(TRACE, "--view", "mpi-calls", "--begin", "0.1ms", "--end", "200us", "--rows", "2-5", "--export", tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    run_tview(TRACE, "--view", "mpi-calls", "--begin", "0.1ms", "--end", "200us", "--rows", "2-5", "--no-messages",
              "--export", tmp_path / "c.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "c.png").read_bytes()


def test_timelines_over_one_another(run_tview, root, tmp_path):
    def export(*options, name="a.png"):
        run_tview(TRACE, *options, "--export", tmp_path / name)
        return (tmp_path / name).read_bytes()
    both = export("--view", "state", "--view", "mpi-calls", "--size", "900x500")
    assert both == export("--view", "state", "--view", "mpi-calls", "--size", "900x500")
    assert len({both, export("--view", "mpi-calls", "--view", "state", "--size", "900x500"),
                export("--view", "state", "--size", "900x500")}) == 3
    export("--view", "state", "--view", "mpi-calls", "--view", "useful-duration", name="three.png")
    data = (tmp_path / "three.png").read_bytes()
    assert int.from_bytes(data[20:24], "big") == 700  # as high as three need
    text = export("--view", "state", "--view", f"{CFG}:1", name="a.svg").decode()
    assert text.count("<path") > 300 and "<image" not in text
    lines = export("--view", "state", "--view", "counter", "--draw", "line", name="b.png")
    assert lines != export("--view", "state", "--view", "counter", "--draw", "colour", name="b.png")
    # the table is that of the first
    table = run_tview(TRACE, "--view", "mpi-calls", "--view", "state", "--csv", "-").stdout
    assert table == run_tview(TRACE, "--view", "mpi-calls", "--csv", "-").stdout
    run_tview(TRACE, "--view", "state", "--view", "mood", "--export", tmp_path / "c.png", status=2)
    assert not (tmp_path / "c.png").exists()
    result = run_tview(TRACE, *["--view", "state"] * 13, "--export", tmp_path / "b.png", status=2)
    assert b"at most 12" in result.stderr


@pytest.mark.parametrize("view,statistic", [("state", "time"), ("mpi-calls", "time-percent"), ("mpi-calls", "bursts"),
                                            ("useful-duration", "average-duration")])
def test_csv_is_the_bytes_of_tandem_histogram(run_tview, tandem, root, tmp_path, view, statistic):
    other = subprocess.run([tandem, "histogram", TRACE, "--view", view, "--statistic", statistic, "--csv", "-"], cwd=root,
                           capture_output=True, check=True, timeout=60).stdout
    ours = run_tview(TRACE, "--view", view, "--histogram", statistic, "--csv", "-").stdout
    assert ours == other
    run_tview(TRACE, "--view", view, "--histogram", statistic, "--csv", tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == other
    rows = list(csv.reader(io.StringIO(ours.decode())))
    assert [row[0] for row in rows if row][-6:] == ["Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max"]


def test_messages_are_forced_by_option(run_tview, tmp_path):
    """The trace has 110 of them, too many for a small picture."""
    for name, *options in ("a.png",), ("b.png", "--messages"), ("c.png", "--no-messages"):
        run_tview(TRACE, "--view", "state", *options, "--size", "400x200", "--export", tmp_path / name)
    assert len({(tmp_path / name).read_bytes() for name in ("a.png", "b.png", "c.png")}) == 3


def test_messages_are_chosen(run_tview, root, tmp_path):
    """Arrows have two strokes more than lines: each message three paths.  A session chooses the same."""
    def n_paths(*options):
        run_tview(*options, "--view", "state", "--export", tmp_path / "a.svg")
        return (tmp_path / "a.svg").read_text().count("stroke:rgb(100%,96%,")
    sizes = [int(line.split(":")[13]) for line in (root / TRACE).read_text().splitlines() if line.startswith("3:")]
    n_large = sum(size > 4096 for size in sizes)
    assert n_paths(TRACE, "--messages") == 3 * len(sizes) > n_paths(TRACE, "--only-messages", "size>4k") == 3 * n_large > 0
    for wrong in "size>much", "from:rank:99", "moon":
        result = run_tview(TRACE, "--only-messages", wrong, "--export", tmp_path / "b.png", status=2)
        assert result.stderr.startswith(b"tview: --only-messages: ")
    run_tview(TRACE, "--only-messages", "tag=1", "--no-messages", "--export", tmp_path / "b.png", status=2)
    mine = tmp_path / "mine.tview"
    for words, n_left_out in ("size>4k", 0), ("size>much", 1):
        mine.write_text(f"[tview session]\nversion=1\ntrace={root / TRACE}\nonly-messages={words}\n[timeline 1]\nview=state\n")
        result = run_tview("--session", mine, "--export", tmp_path / "c.svg")
        assert result.stderr.count(b"left out: [tview session] only-messages: ") == n_left_out
        n = (tmp_path / "c.svg").read_text().count("stroke:rgb(100%,96%,")
        assert n == 3 * (len(sizes) if n_left_out else n_large)


def test_session(run_tview, root, tmp_path):
    """A session gives the bytes that its options give, of its own trace or another; what is missing is left out."""
    nodes = root / "tests/data/traces/hybrid-nodes/hybrid-nodes.prv"
    mine = tmp_path / "mine.tview"
    mine.write_text(f"[tview session]\nversion=1\ntrace={nodes}\nbegin=100000\nend=300000\nrows-thread=[1-4], 5-8\n"
                    "[timeline 1]\nview=state\n[timeline 2]\nview=power\n")
    run_tview("--session", mine, "--export", tmp_path / "a.png")
    run_tview(nodes, "--view", "state", "--view", "power", "--begin", "100us", "--end", "300us", "--rows", "[1-4], 5-8",
              "--export", tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    result = run_tview(TRACE, mine, "--begin", "10us", "--end", "20us", "--export", tmp_path / "c.png")
    assert b"left out: [timeline 2] power" in result.stderr
    run_tview(TRACE, "--view", "state", "--begin", "10us", "--end", "20us", "--rows", "[1-4], 5-8", "--export",
              tmp_path / "d.png")
    assert (tmp_path / "c.png").read_bytes() == (tmp_path / "d.png").read_bytes()
    result = run_tview(nodes, "--session", mine, "--view", "state", "--export", tmp_path / "e.png", status=2)
    assert b"--session" in result.stderr
    mine.write_text("moon")
    result = run_tview("--session", mine, "--export", tmp_path / "e.png", status=1)
    assert b"this is no session" in result.stderr
    mine.write_text(f"[tview session]\nversion=1\ntrace={tmp_path}/gone/hybrid-nodes.prv\n")
    run_tview("--session", mine, "--export", tmp_path / "e.png", status=1)
    (tmp_path / "hybrid-nodes.prv").write_bytes(nodes.read_bytes())  # both were moved
    run_tview("--session", mine, "--export", tmp_path / "e.png")


def test_flags(run_tview, root, tmp_path):
    """Each flag is a triangle and its edge; events of one pixel have one.  A session has them, too."""
    def n_flags(*options):
        run_tview(*options, "--export", tmp_path / "a.svg")
        return re.findall(r'fill:rgb\(49\.0[^"]*"[^>]* d="([^"]*)"', (tmp_path / "a.svg").read_text())
    both = [TRACE, "--view", "mpi-calls", "--no-messages", "--size", "3000x600"]
    assert not n_flags(*both)
    rows = n_flags(*both, "--flags")
    assert len(rows) == 16 and all(5 * 4 <= row.count("M ") for row in rows)  # of each row one path, of five lines a flag
    mine = tmp_path / "mine.tview"
    mine.write_text(f"[tview session]\nversion=1\ntrace={root / TRACE}\nmessages=none\nflags=true\n[timeline 1]\nview=mpi-calls\n")
    assert n_flags("--session", mine, "--size", "3000x600") == rows


def test_lines_over_a_timeline(run_tview, root, tmp_path):
    """A session gives the bytes that the option gives; a view that cannot lie over another is refused, or left out."""
    run_tview(TRACE, "--view", "mpi-calls", "--over", "useful-duration", "--export", tmp_path / "a.png")
    run_tview(TRACE, "--view", "mpi-calls", "--export", tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()
    for name, says in (("state", b"no quantities"), ("tests/data/cfgs/parallelism_workload.cfg", b", those of the timeline threads"), ("moon", b"moon"),
                       ("temperature", b"nothing to show")):
        result = run_tview(TRACE, "--view", "mpi-calls", "--over", name, "--export", tmp_path / "c.png",
                           status=1 if name == "temperature" else 2)
        assert result.stderr.startswith(b"tview: --over: ") and says in result.stderr
    mine = tmp_path / "mine.tview"
    for over, same in ("useful-duration", "a.png"), ("temperature", "b.png"):
        mine.write_text(f"[tview session]\nversion=1\ntrace={root / TRACE}\n[timeline 1]\nview=mpi-calls\nover={over}\n")
        result = run_tview("--session", mine, "--export", tmp_path / "d.png")
        assert (b"left out: [timeline 1] over: " in result.stderr) == (over == "temperature")
        assert (tmp_path / "d.png").read_bytes() == (tmp_path / same).read_bytes()


def test_marks_and_notes(run_tview, root, tmp_path):
    """A session's mark and notes are in the picture; a note that the trace has no row for is left out, and told."""
    nodes = root / "tests/data/traces/hybrid-nodes/hybrid-nodes.prv"
    head = f"[tview session]\nversion=1\ntrace={nodes}\n%s[timeline 1]\nview=state\n"
    note = "[note 1]\ntime=300000\nlevel=thread\nrow=%s\ntext=here\n"
    pictures = set()
    for number, text in enumerate((head % "", head % "mark-begin=200000\nmark-end=400000\n", head % "" + note % 5, head % "" + note % 6)):
        mine = tmp_path / f"{number}.tview"
        mine.write_text(text)
        assert run_tview("--session", mine, "--export", tmp_path / "a.png").stderr == b""
        pictures.add((tmp_path / "a.png").read_bytes())
    assert len(pictures) == 4
    for wrong in (note % 17, note % 0, note % 5 + "level=moon\n", note % 5 + "time=1000001\n"):
        mine.write_text(head % "" + wrong)
        result = run_tview("--session", mine, "--export", tmp_path / "b.png")
        assert b"left out: [note 1]" in result.stderr
        assert (tmp_path / "b.png").read_bytes() in pictures


def test_histogram_picture(run_tview, tmp_path):
    run_tview(TRACE, "--view", "mpi-calls", "--histogram", "time-percent", "--export", tmp_path / "a.png", "--csv", tmp_path / "a.csv")
    assert (tmp_path / "a.png").stat().st_size > 5000
    assert "MPI_Barrier" in (tmp_path / "a.csv").read_text()


def test_rows_and_time_of_a_picture_are_those_of_its_table(run_tview):
    ours = run_tview(TRACE, "--view", "mpi-calls", "--rows", "3-4", "--begin", "100us", "--end", "200us", "--csv", "-").stdout.decode()
    rows = list(csv.reader(io.StringIO(ours)))
    assert [row[0] for row in rows[1:]][:-6] == ["THREAD 1.3.1", "THREAD 1.4.1"]
    assert sum(float(cell) for cell in rows[1][1:]) == 100000


def test_rows_in_another_order(run_tview, tmp_path):
    def export(rows):
        run_tview(TRACE, "--view", "mpi-calls", "--rows", rows, "--size", "600x300", "--export", tmp_path / "a.png")
        return (tmp_path / "a.png").read_bytes()
    assert export("3,4,5") == export("3,4-5") != export("5-3") != export("5,3")
    assert export("5-3") == export("rank:4,rank:3,1.3.*")
    table = run_tview(TRACE, "--view", "mpi-calls", "--rows", "5,rank:1", "--csv", "-").stdout.decode()
    assert [line.split(",")[0] for line in table.splitlines()[1:3]] == ["THREAD 1.2.1", "THREAD 1.5.1"]


def test_profile_picture(run_tview, tmp_path):
    """A flame graph of what is shown; a trace without samples has none."""
    trace = "tests/data/traces/sampling/sampling.prv"
    for name, *options in ("a.svg",), ("b.svg", "--end", "1ms"):
        run_tview(trace, "--profile", *options, "--export", tmp_path / name)
    assert (tmp_path / "a.svg").read_text().count("<path") > 8  # boxes, and letters
    run_tview(trace, "--profile", "--export", tmp_path / "a.png", "--size", "500x100")
    data = (tmp_path / "a.png").read_bytes()
    assert int.from_bytes(data[16:20], "big") == 500 and int.from_bytes(data[20:24], "big") > 150  # as high as it needs
    result = run_tview(TRACE, "--profile", "--export", tmp_path / "c.png", status=1)
    assert b"no samples" in result.stderr
    run_tview(trace, "--profile", "--histogram", "time", "--export", tmp_path / "c.png", status=2)
    assert not (tmp_path / "c.png").exists()


def test_lists(run_tview):
    of_trace = run_tview(TRACE, "--list-views").stdout.decode()
    of_all = run_tview("--list-views").stdout.decode()
    assert re.findall(r"^\S+", of_trace, re.M) == ["state", "useful-duration", "mpi-calls", "parallelism", "wait-states", "waits-for", "user-functions", "mpi-p2p", "counter",
                                                      "cpu-use"]
    assert "sampled-functions" in of_all
    assert run_tview("--version").stdout.startswith(b"tview ")
    assert b"--export" in run_tview("--help").stdout


def test_lines_and_colours(run_tview, tmp_path):
    for name, *options in ("a.png",), ("b.png", "--draw", "line"), ("c.png", "--draw", "colour"):
        run_tview(TRACE, "--view", "counter", *options, "--export", tmp_path / name)
    default, lines, colours = ((tmp_path / name).read_bytes() for name in ("a.png", "b.png", "c.png"))
    assert default == colours != lines
    run_tview(TRACE, "--view", "counter", "--draw", "line", "--export", tmp_path / "a.svg")
    assert "<image" not in (tmp_path / "a.svg").read_text()


def test_modes_and_scales(run_tview, tmp_path):
    """Each changes a picture; which one a picture has stands in it, too."""
    pictures = set()
    for number, options in enumerate(([], ["--draw-mode", "maximum"], ["--draw-mode", "first"], ["--draw-mode", "average"], ["--scale", "log"],
                                      ["--limits", "1us-5us"], ["--scale", "log", "--limits", "0-5us"], ["--limits", "20%-60%"], ["--palette", "paraver"],
                                      ["--theme", "dark"])):
        picture = tmp_path / f"{number}.png"
        run_tview(TRACE, "--view", "useful-duration", *options, "--export", picture, "--size", "300x500", "--no-messages")
        pictures.add(picture.read_bytes())
    assert len(pictures) == 10


def test_dark_paper(run_tview, tmp_path):
    """No part of a picture is white paper; ink is light."""
    for page in [], ["--histogram", "time"]:
        run_tview(TRACE, "--view", "state", *page, "--theme", "dark", "--export", tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text()
        assert re.search(r"<rect[^>]*fill:rgb\(14\.1", text) and "fill:rgb(94.1" in text
        assert not re.search(r"<rect[^>]*fill:rgb\(100%,100%,100%\)", text)


def test_views_of_files(run_tview, tandem, root, tmp_path):
    """One's own directory, and a file from anywhere; what is bad there is said, and does not matter to other views."""
    own = tmp_path / "tandem" / "views"
    own.mkdir(parents=True)
    (own / "both.view").write_text("[View]\nTitle=Both\nFormula=counter:42000050 + counter:42000051\n")
    (own / "bad.view").write_text("[View]\nTitle=Bad\nFormula=counter +\n")
    (tmp_path / "rate.view").write_text("[View]\nTitle=Rate\nUnit=1/s\nHelp=How fast\nFormula=per-second(both)\n")
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    added = ["--view-file", tmp_path / "rate.view"]
    bad = f"{own}/bad.view: Formula: column 10: a view or a number is missing"
    listed = run_tview(*added, "--list-views", TRACE, environment=environment)
    assert listed.stdout.decode().splitlines()[-3::2] == [f"{'both':26} Both", f"{'rate':26} How fast"]
    assert listed.stderr.decode() == f"tview: {bad}\n"
    run_tview(*added, "--view", "rate", "--export", tmp_path / "a.png", TRACE, environment=environment)
    command = [tandem, "histogram", TRACE, *added, "--view", "rate", "--csv", "-"]
    told = subprocess.run(command, cwd=root, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "1/s" in told.stdout
    assert told.stderr == f"tandem: histogram: {bad}\n"
    result = run_tview("--view-file", own / "bad.view", "--list-views", status=2)
    assert result.stderr.decode() == f"tview: {bad}\n"
    result = run_tview("--view", "ipc", "--export", tmp_path / "b.png", TRACE, status=1)
    assert "ipc: counter:PAPI_TOT_INS: synthetic-16 has no event type of that number or label" in result.stderr.decode()


def test_cfg(run_tview, tandem, root, tmp_path):
    """Its histogram or its last window is shown, unless something else is asked for; all planes are in a CSV."""
    def export(*options):
        run_tview(TRACE, *options, "--export", tmp_path / "a.png", "--size", "600x300")
        return (tmp_path / "a.png").read_bytes()
    histogram, view = export("--cfg", CFG), export("--view", f"{CFG}:2")
    assert histogram == export(CFG) == export("--cfg", CFG, "--table", "1") == export("--cfg", CFG, "--plane", "Idle")
    assert view == export("--cfg", CFG, "--view", CFG)
    pictures = [histogram, view, export("--cfg", CFG, "--plane", "Running"), export("--cfg", CFG, "--histogram", "bursts"),
                export("--view", f"{CFG}:1"), export("tests/data/cfgs/useful_task.cfg"), export(CFG, "tests/data/cfgs/useful_task.cfg"),
                export("--cfg", CFG, "--begin", "100us")]
    assert pictures[5] == pictures[6] and len(set(pictures)) == 7
    for options in ([], ["--statistic", "bursts"]):
        command = [tandem, "histogram", TRACE, "--cfg", CFG, *options, "--csv", "-"]
        wanted = subprocess.run(command, cwd=root, capture_output=True, check=True, timeout=60).stdout
        ours = run_tview(TRACE, CFG, *[word.replace("--statistic", "--histogram") for word in options], "--csv", "-").stdout
        assert ours == wanted and ours.count(b"\n\n") == 8
    listed = run_tview(TRACE, CFG, "--list-views").stdout.decode().splitlines()
    assert listed[-3:] == [f"{CFG}:1 MPI call", f"{CFG}:2 State As Is", f"--cfg {CFG} --table 1 MPI by state"]


def test_rows_of_tasks(run_tview):
    table = run_tview(TRACE, "tests/data/cfgs/useful_task.cfg", "--rows", "3-4", "--csv", "-").stdout.decode()
    assert [row[0] for row in csv.reader(io.StringIO(table))][1:3] == ["TASK 1.3", "TASK 1.4"]


def test_bad_cfg(run_tview, root, tmp_path):
    bad = tmp_path / "bad.cfg"
    bad.write_text("nothing\n")
    result = run_tview(TRACE, bad, "--export", tmp_path / "a.png", status=1)
    assert result.stderr.decode() == f"tview: {bad}: is no configuration of Paraver's with a window; a .cfg that Paraver has saved is one\n"
    result = run_tview(TRACE, tmp_path / "none.cfg", "--export", tmp_path / "a.png", status=1)
    assert "none.cfg" in result.stderr.decode() and "No such file" in result.stderr.decode()
    strange = tmp_path / "strange.cfg"
    strange.write_text((root / "tests/data/cfgs/useful_task.cfg").read_text() + "window_ghost 7\n")
    result = run_tview(TRACE, strange, "--export", tmp_path / "a.png")
    assert re.fullmatch(rf"tview: {strange}:\d+: window_ghost: is not a key of Paraver's; ignored, as in Paraver\n", result.stderr.decode())


@pytest.mark.parametrize("arguments,says", [
    (["--draw", "dots", TRACE], "tview: --draw: got 'dots', takes line, points, stack or colour"),
    (["--draw", "line", "--export", "a.png", TRACE], "tview: --draw: the values of state are no quantities, so they have no axis"),
    (["--draw", "points", "--export", "a.png", TRACE], "tview: --draw: the values of state are no quantities, so they have no axis"),
    (["--draw-mode", "best", TRACE], "tview: --draw-mode: got 'best', takes time, maximum, minimum, first, last, random, average, majority"),
    (["--draw-mode", "average", "--export", "a.png", TRACE], "tview: --draw-mode: the values of state are no quantities, so they have no average"),
    (["--scale", "square", TRACE], "tview: --scale: got 'square', takes auto, linear or log"),
    (["--limits", "5", TRACE], "tview: --limits: got '5', takes LEAST-MOST"),
    (["--limits", "1ms-10us", TRACE], "tview: --limits: got '1ms-10us', takes LEAST-MOST"),
    (["--limits", "1ms-nan", TRACE], "tview: --limits: got '1ms-nan', takes LEAST-MOST"),
    (["--limits", "-3-4", TRACE], "tview: --limits: got '-3-4', takes LEAST-MOST"),
    (["--limits", "1%-5us", TRACE], "tview: --limits: got '1%-5us', takes LEAST-MOST"),
    (["--limits", "1%-101%", TRACE], "tview: --limits: got '1%-101%', takes LEAST-MOST"),
    (["--palette", "pink", TRACE], "tview: --palette: got 'pink', takes muted or paraver"),
    (["--theme", "blue", TRACE], "tview: --theme: got 'blue', takes light or dark"),
    (["--size", "7", "--export", "a.png", TRACE], "tview: --size: got '7', takes WIDTHxHEIGHT"),
    (["--begin", "soon", TRACE], "tview: --begin: got 'soon', takes a time"),
    (["--begin", "2µs", "--end", "1us", TRACE], "tview: --end: got '1us', takes a time after --begin"),
    (["--rows", "0-2", "--export", "a.png", TRACE], "tview: --rows: got '0-2'"),
    (["--rows", "3,17", "--export", "a.png", TRACE], "tview: --rows: got '17'"),
    (["--rows", "rank:7,nobody", "--export", "a.png", TRACE], "no row of the trace is \"nobody\""),
    (["--rows", "99", "--export", "a.png", TRACE], "tview: --rows: the view has 16 threads"),
    (["--begin", "1s", "--export", "a.png", TRACE], "tview: --begin: the trace ends at 387022 ns"),
    (["--histogram", "mood", TRACE], "tview: --histogram: got 'mood', takes one of time,"),
    (["--export", "a.gif", TRACE], "tview: a.gif: a picture ends in .png, .svg or .pdf, a configuration in .cfg"),
    (["--export", "a.png"], "tview: FILE"),
    (["--cfg", CFG], f"tview: --cfg: got '{CFG}', takes a trace beside it: tview TRACE.prv --cfg FILE.cfg"),
    ([TRACE, CFG, TRACE, TRACE], f"tview: FILE: got '{TRACE}', takes two traces at most"),
    ([TRACE, "--align", "start"], "tview: --align: got 'start', takes two traces: tview A.prv B.prv --align iteration"),
    ([TRACE, TRACE, "--align", "noon", "--export", "a.png"], "tview: --align: got 'noon', takes start, iteration"),
    ([TRACE, "--table", "1", "--export", "a.png"], "tview: --table: got 'no --cfg', takes a number from 1 on"),
    ([TRACE, CFG, "--table", "2", "--export", "a.png"], f"tview: --table: {CFG} has 1 histogram"),
    ([TRACE, CFG, "--plane", "x", "--export", "a.png"], "tview: --plane: got 'x'; the histogram has Idle, Running,"),
    ([TRACE, "--plane", "x", "--export", "a.png"], "tview: --plane: got 'x'; the histogram has no planes"),
    ([TRACE, "--view", f"{CFG}:3", "--export", "a.png"], f"tview: {CFG}: there is no window 3; it has 1 to 2"),
    ([TRACE, "tests/data/cfgs/useful_task.cfg", "--rows", "17", "--export", "a.png"], "tview: --rows: the view has 16 tasks"),
    ([TRACE, "--view", "useful-duration", "--draw", "stack", "--export", "a.png"],
     "tview: --draw: the values of useful-duration are quantities, so rows cannot be stacked by them"),
    (["--no-such-option"], "tview: "),
    (["--view", "mood", "--export", "a.png", TRACE], "useful-duration"),
])
def test_wrong_use(run_tview, arguments, says):
    result = run_tview(*arguments, status=2)
    assert says in result.stderr.decode()
    assert result.stderr.startswith(b"tview: ") and result.stderr.count(b"\n") == 1 and not result.stdout


@pytest.mark.parametrize("view, how", [("sampled-functions", " (tandem record --sampling-period 1ms)"), ("user-events:4711", "")])
def test_view_of_nothing(run_tview, tmp_path, view, how):
    result = run_tview(TRACE, "--view", view, "--export", tmp_path / "a.png", status=1)
    assert result.stderr.decode() == (f"tview: {view}: this view has nothing to show in synthetic-16{how}; "
                                      "views that have: state, useful-duration, mpi-calls, parallelism, wait-states, waits-for, user-functions, mpi-p2p, counter, cpu-use\n")
    assert not (tmp_path / "a.png").exists()


def test_bad_input(run_tview, tmp_path):
    result = run_tview("nowhere.prv", "--export", tmp_path / "a.png", status=1)
    assert result.stderr.decode() == "tview: nowhere.prv: No such file or directory\n"
    (tmp_path / "a.prv").write_text("this is no trace\n")
    result = run_tview(tmp_path / "a.prv", "--export", tmp_path / "a.png", status=1)
    assert str(tmp_path / "a.prv") in result.stderr.decode()
    assert not (tmp_path / "a.png").exists()
    result = run_tview(TRACE, "--export", "/nowhere/a.png", status=1)
    assert result.stderr.decode() == "tview: /nowhere/a.png: No such file or directory\n"
    result = run_tview(TRACE, "--csv", "/dev/full", status=1)
    assert "No space left" in result.stderr.decode()
