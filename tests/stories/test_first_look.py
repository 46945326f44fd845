# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem stat` and `tandem histogram` as a user meets them: what they print, where, and with which exit status."""
import csv
import gzip
import re
import shutil

import pytest


@pytest.fixture
def trace(root, tmp_path):
    """A trace of 4 ranks, in a place of its own."""
    for ending in ("prv", "pcf", "row"):
        shutil.copy(root / "tests" / "data" / "traces" / "mpi-collectives" / f"mpi-collectives.{ending}", tmp_path)
    return tmp_path / "mpi-collectives.prv"


@pytest.mark.parametrize("name", ["hybrid", "malloc", "mpi-collectives", "omp-for", "omp-tasks", "py-mpi4py", "sampling"])
def test_stat_fits_a_terminal(run, tandem, root, name):
    text = run(tandem, "stat", root / "tests" / "data" / "traces" / name / f"{name}.prv", check=True).stdout
    assert max(len(line) for line in text.splitlines()[1:]) <= 100
    assert "\033" not in text  # no colours where nobody looks
    assert "THREAD 1.1.1" in text
    assert ("MPI calls" in text) == (name in ("hybrid", "mpi-collectives", "py-mpi4py"))
    assert ("Sampled functions" in text) == (name == "sampling")


def is_state(line):
    return line.startswith("1:")


def values_of(line):
    return (line.count(":") - 5) // 2 if line.startswith("2:") else 0


def test_stat_says_what_is_known(run, tandem, trace):
    text = run(tandem, "stat", trace, check=True).stdout
    assert "4 processes, 4 threads, 1 node with 4 CPUs" in text
    states, values = (sum(map(count, trace.read_text().splitlines())) for count in (is_state, values_of))
    assert f"holds      {states:,} states, {values:,} event values, 240 messages" in text
    assert "240 messages, 320 KiB" in text
    sendrecv = next(line.split() for line in text.splitlines() if "MPI_Sendrecv" in line)
    assert sendrecv[1:4] == ["80", "52.87", "ms"]
    efficiency = {line.split()[0]: line for line in text.splitlines() if "efficiency " in line}
    assert "48.2 %" in efficiency["parallel"] and "64.8 %" in efficiency["communication"]


def test_no_window_to_be_had(run, tview, trace, tmp_path):
    """Without a display, or with a file that is not there: a sentence, which says what works."""
    nowhere = {"DISPLAY": None, "WAYLAND_DISPLAY": None}
    for words, display, wanted in (([trace], None, "no window can be opened: DISPLAY is not set (ssh -X sets it); --export out.png makes "),
                                   ([trace], ":77", "no window can be opened: there is no display :77; --export out.png makes "),
                                   ([], None, "no window can be opened: "),
                                   (["none.prv"], None, "none.prv: No such file or directory\n"),
                                   ([trace, "none.prv"], None, "none.prv: No such file or directory\n"),
                                   ([trace, "none.cfg"], None, "none.cfg: No such file or directory\n")):
        result = run(tview, *words, env={**nowhere, "DISPLAY": display})
        assert (result.returncode, result.stdout) == (1, "") and result.stderr.startswith(f"tview: {wanted}")
        assert len(result.stderr.splitlines()) == 1
    run(tview, trace, "--export", "out.png", env=nowhere, check=True)


def test_efficiency_is_that_of_first_threads(run, tandem, root):
    trace = root / "tests" / "data" / "traces" / "hybrid" / "hybrid.prv"
    text = run(tandem, "stat", trace, check=True).stdout.split("Efficiency of 4 threads")[0]
    shown = re.findall(r"(parallel efficiency|load balance) +[\d.]+ % +([\d.]+) %", text)
    rows = list(csv.reader(run(tandem, "histogram", trace, "--csv", "-", check=True).stdout.splitlines()))
    running = rows[0].index("Running [ns]")
    useful = [float(row[running]) for row in rows if re.fullmatch(r"THREAD 1\.\d\.1", row[0])]
    duration = sum(float(cell) for cell in rows[1][1:])
    assert dict(shown) == {
        "parallel efficiency": f"{100 * sum(useful) / len(useful) / duration:.1f}",
        "load balance": f"{100 * sum(useful) / len(useful) / max(useful):.1f}",
    }


def test_stat_tells_of_faults_and_losses(run, tandem, trace):
    with trace.open("a") as file:
        file.write("1:1:1:9:1:0:10:1\n#tandem:lost=1234\n#tandem:note=half of the moon is missing\n")
    text = run(tandem, "stat", trace, check=True).stdout
    assert "1 faulty line" in text and "1,234 records that could not be kept" in text
    assert "half of the moon is missing" in text


def test_stat_compares_what_was_asked_with_what_was_achieved(run, tandem, root, tmp_path):
    for ending in ("prv", "pcf"):
        shutil.copy(root / "tests" / "data" / "traces" / "sampling" / f"sampling.{ending}", tmp_path)
    trace = tmp_path / "sampling.prv"
    weighed = re.sub(r"^(2:.*:30000000:\d+)", r"\1:92000001:30000000", trace.read_text(), flags=re.M)
    facts = {"records": 1234, "lost": 1, "sampling-period-ns": 25000000, "sampling-clock": "perf", "cpu-ns": 5000000000, "overhead-ns": 1000000}
    trace.write_text(weighed + "".join(f"#tandem:{key}={value}\n" for key, value in facts.items()))
    text = run(tandem, "stat", trace, check=True).stdout
    assert re.search(r"recorded .*: 1,234 records, 1 lost$", text, re.M) and "  1 record that could not be kept" in text
    assert "140 samples of 4.2 s of CPU time (84.0 % of what the threads used)" in text
    assert "one every 30 ms; asked for: 25 ms; clock: perf" in text
    assert "about 1 ms, 0.02 % of the CPU time" in text
    assert re.search(r"51\.43 % +2\.16 s +leaf_b", text)


def test_stat_reads_gzip_and_needs_no_labels(run, tandem, trace):
    plain = run(tandem, "stat", trace, check=True).stdout
    with gzip.open(f"{trace}.gz", "wb") as file:
        file.write(trace.read_bytes())
    zipped = run(tandem, "stat", f"{trace}.gz", check=True).stdout.replace(".prv.gz", ".prv")
    assert zipped.splitlines()[1:] == plain.splitlines()[1:]
    trace.with_suffix(".pcf").unlink()
    trace.with_suffix(".row").unlink()
    bare = run(tandem, "stat", trace, check=True).stdout
    assert bare.split("What matters")[0] == plain.split("What matters")[0]  # places of calls have no names
    trace.write_text(trace.read_text().replace(":50000001:6", ":50000001:12345"))
    assert "Value 12,345" in run(tandem, "stat", trace, check=True).stdout


def test_functions_without_names(run, tandem, root, tmp_path):
    shutil.copy(root / "tests" / "data" / "traces" / "sampling" / "sampling.prv", tmp_path)
    assert "functions are numbers" in run(tandem, "stat", "sampling.prv", check=True).stdout


def test_histogram_tells_of_faults(run, tandem, trace):
    with trace.open("a") as file:
        file.write("1:1:1:9:1:0:10:1\n")
    result = run(tandem, "histogram", trace, check=True)
    assert "1 faulty line left out; the first is line " in result.stderr and "over 4 threads" in result.stdout


def test_histogram_to_a_file_is_what_goes_to_a_pipe(run, tandem, trace, tmp_path):
    piped = run(tandem, "histogram", trace, "--csv", "-", check=True).stdout
    run(tandem, "histogram", trace, "--csv", tmp_path / "out.csv", check=True)
    assert (tmp_path / "out.csv").read_text() == piped
    rows = list(csv.reader(piped.splitlines()))
    assert rows[0][:3] == ["Time", "Idle [ns]", "Running [ns]"]
    assert [row[0] for row in rows[5:]] == ["Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max"]
    long = list(csv.reader(run(tandem, "histogram", trace, "--csv", "-", "--long", check=True).stdout.splitlines()))
    assert long[0] == ["row", "column", "value"]
    cells = {(row[0], label): cell for row in rows[1:5] for label, cell in zip(rows[0][1:], row[1:])}
    assert all(cells[row, column] == value for row, column, value in long[1:])
    assert len(long) - 1 == len([cell for cell in cells.values() if float(cell)])


def test_histogram_of_a_stretch_of_time(run, tandem, trace):
    def total(*options):
        text = run(tandem, "histogram", trace, "--csv", "-", *options, check=True).stdout
        row = next(row for row in csv.reader(text.splitlines()) if row[0] == "Total")
        return sum(float(cell) for cell in row[1:])

    assert total("--begin", "10ms", "--end", "30ms") == 4 * 20e6
    whole = total()
    assert total("--end", "40ms") + total("--begin", "0.04s") == whole


@pytest.mark.parametrize(
    "status, options",
    [
        (2, []),
        (2, ["TRACE", "TRACE"]),
        (2, ["TRACE", "--view", "nothing-like-this"]),
        (2, ["TRACE", "--statistic", "% Time"]),
        (2, ["TRACE", "--begin", "soon"]),
        (2, ["TRACE", "--begin", "2s", "--end", "1s"]),
        (2, ["TRACE", "--columns", "5:1"]),
        (2, ["TRACE", "--columns", "0:1:0"]),
        (2, ["TRACE", "--columns", "0:1/0"]),
        (2, ["TRACE", "--columns", ""]),
        (2, ["TRACE", "--decimals", "-1"]),
        (2, ["TRACE", "--long"]),
        (2, ["TRACE", "--no-such-option"]),
        (1, ["TRACE", "--view", "user-events:many"]),
        (1, ["TRACE", "--begin", "1000s"]),
        (1, ["TRACE", "--csv", "/dev/full"]),
        (1, ["TRACE", "--csv", "no/such/folder.csv"]),
        (1, ["missing.prv"]),
        (1, ["notes.txt"]),
        (1, ["/dev/null"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_what_is_wrong_is_said_in_one_line(run, tandem, trace, tmp_path, status, options):
    (tmp_path / "notes.txt").write_text("hello\n")
    result = run(tandem, "histogram", *[trace if option == "TRACE" else option for option in options])
    assert result.returncode == status
    assert result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1
    if status == 2:
        assert result.stdout == ""


@pytest.mark.parametrize("status, options", [(2, []), (1, ["missing.prv", "missing.prv"]), (1, ["missing.prv"]), (2, ["--nothing"])])
def test_stat_refuses(run, tandem, status, options):
    result = run(tandem, "stat", *options)
    assert result.returncode == status and result.stdout == ""
    assert result.stderr.startswith("tandem: ") and result.stderr.count("\n") == 1
