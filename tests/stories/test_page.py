# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem report --output: the page's numbers are those that the lines of the trace have, and it is sound HTML."""
import collections
import html.parser
import os
import re
import shutil
import signal
import subprocess

import pytest

VOID = {"meta", "link", "br", "img", "source", "hr", "input"}
UNITS = {"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "KiB": 2**10, "MiB": 2**20}


class Page(html.parser.HTMLParser):
    """Reads a page: fails if elements are not balanced; keeps rows of tables, titles of shapes, and addresses."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.titles, self.addresses, self.text = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("src", "srcset", "href", "xlink:href", "action")]
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "title":
            self.titles.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass  # a shape

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        self.text.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        elif self.open and self.open[-1] == "title":
            self.titles[-1] += data

    def row(self, first):
        return next(row for row in self.rows if row and row[0] == first)


def copy_trace(root, tmp_path, name):
    for ending in ("prv", "pcf", "row"):
        shutil.copy(root / "tests" / "data" / "traces" / name / f"{name}.{ending}", tmp_path)
    return tmp_path / f"{name}.prv"


@pytest.fixture
def trace(root, tmp_path):
    """A trace of 4 ranks, in a place of its own."""
    return copy_trace(root, tmp_path, "mpi-collectives")


def written(run, tandem, trace):
    path = trace.with_suffix(".html")
    result = run(tandem, "report", trace, "--output", path, check=True)
    assert result.stdout == "" and result.stderr == ""
    return Page(path.read_text())


def number(text):
    value, unit = re.fullmatch(r"([\d.,]+) ?(\D*)", text).groups()
    return float(value.replace(",", "")) * UNITS.get(unit, 1)


def lines_of(trace, kind):
    lines = (line.split(":") for line in trace.read_text().splitlines()[1:] if line[:1].isdigit())
    return [[int(word) for word in words] for words in lines if words[0] == str(kind)]


def calls_of(trace):
    """By value of MPI's event types, how many calls there are, and the ns in them."""
    calls, begun = collections.defaultdict(lambda: [0, 0]), {}
    for line in lines_of(trace, 2):
        for type_, value in zip(line[6::2], line[7::2]):
            if type_ not in range(50000001, 50000010):
                continue
            row = tuple(line[2:5])
            if value:
                begun[row] = (value, line[5])
            elif row in begun:
                call, begin = begun.pop(row)
                calls[call][0] += 1
                calls[call][1] += line[5] - begin
    return calls


def value_of_label(trace, label):
    return int(re.search(rf"^(\d+)\s+{label}$", trace.with_suffix(".pcf").read_text(), re.M).group(1))


@pytest.mark.parametrize("call", ["MPI_Sendrecv", "MPI_Allreduce", "MPI_Barrier"])
def test_calls(run, tandem, trace, call):
    n, time_ns = calls_of(trace)[value_of_label(trace, call)]
    row = written(run, tandem, trace).row(call)
    assert n > 0 and number(row[1]) == n
    assert number(row[2]) == pytest.approx(time_ns, rel=1e-3)
    assert number(row[4]) == pytest.approx(time_ns / n, rel=1e-3)


def test_calls_by_where_they_are(run, tandem, root, tmp_path):
    """By the lines of the program that the trace tells at each call's begin, over both ranks."""
    trace = copy_trace(root, tmp_path, "hybrid")
    files = dict(re.findall(r"^(\d+)\s+(hybrid\.c:\d+) \[", trace.with_suffix(".pcf").read_text(), re.M))
    names = {value_of_label(trace, call): call for call in ("MPI_Sendrecv", "MPI_Allreduce")}
    begun, sites = {}, collections.defaultdict(lambda: [0, 0])
    for line in lines_of(trace, 2):
        row, events = tuple(line[2:5]), list(zip(line[6::2], line[7::2]))
        for type_, value in events:
            if type_ in (50000001, 50000002) and value:
                begun[row] = [line[5], value, None]
            elif type_ == 80000001 and row in begun:
                begun[row][2] = files[str(value)]
            elif type_ in (50000001, 50000002) and begun.get(row, (0, 0))[1] in names:
                begin, call, where = begun.pop(row)
                site = sites[f"in {names[call]} in main ({where})"]
                site[0], site[1] = site[0] + 1, site[1] + line[5] - begin
    page = written(run, tandem, trace)
    shown = {row[5]: (number(row[2]), number(row[0])) for row in page.rows if len(row) == 6 and row[5] in sites}
    assert len(sites) == 2 and shown == {where: (n, pytest.approx(ns, rel=1e-3)) for where, (n, ns) in sites.items()}


def test_calls_of_openmp_and_of_libraries(run, tandem, tmp_path):
    """Parts of regions, and calls of functions of a library: as many as the program makes."""
    (tmp_path / "app.c").write_text("""
#include <omp.h>
#include <unistd.h>
int main(void)
{
    static char bytes[100000];
    for (int i = 0; i < 7; i++) {
#pragma omp parallel num_threads(2)
        usleep(2000);
        if (write(3, bytes, sizeof bytes) < 0)
            return 1;
    }
}
""")
    subprocess.run(["gcc", "-g", "-fopenmp", "app.c", "-o", "app"], cwd=tmp_path, check=True, timeout=60)
    run("sh", "-c", 'exec "$@" 3>/dev/null', "sh", tandem, "record", "-o", "app.prv", "--library", "c", "--library-functions", "write,usleep",
        "--", "./app", check=True)
    page = written(run, tandem, tmp_path / "app.prv")
    region, write, usleep = page.row("main._omp_fn.0"), page.row("write"), page.row("usleep")
    assert region[1] == "14" and number(region[2]) >= 14 * 2e6 and number(region[3]) == pytest.approx(number(region[2]) / 14, rel=1e-3)
    assert write[1] == "7" and usleep[1] == "14" and number(usleep[2]) >= 14 * 2e6
    communication, balance, parallel = (float(page.row(name)[1].split()[0]) for name in ("communication", "load balance", "parallel efficiency"))
    assert communication * balance / 100 == pytest.approx(parallel, abs=0.2)


def test_shares_of_threads(run, tandem, trace):
    duration = int(re.search(r":(\d+)_ns", trace.read_text()).group(1))
    running = collections.Counter()
    for line in lines_of(trace, 1):
        running[line[3]] += (line[6] - line[5]) * (line[7] == 1)
    shown = [title for title in written(run, tandem, trace).titles if title.startswith("useful: ")]
    assert len(running) == 4
    assert shown == [f"useful: {100 * running[task] / duration:.1f} %" for task in sorted(running)]


def test_messages(run, tandem, trace):
    sent = collections.Counter()
    for line in lines_of(trace, 3):
        sent[f"Rank {line[3] - 1}", f"Rank {line[9] - 1}"] += line[13]
    shown = (re.fullmatch(r"(Rank.*) to (Rank.*): (.*)", title) for title in written(run, tandem, trace).titles)
    assert {(match[1], match[2]): number(match[3]) for match in shown if match} == dict(sent)
    assert sent


def test_efficiency_is_that_of_stat(run, tandem, trace):
    text = run(tandem, "stat", trace, check=True).stdout
    page = written(run, tandem, trace)
    for name in ("parallel efficiency", "load balance", "communication efficiency", "serialisation", "transfer"):
        first = re.search(rf"^ *{name} +([\d.]+ %)", text, re.M).group(1)
        assert page.row(name)[1] == first


def test_needs_no_other_file(run, tandem, trace):
    page = written(run, tandem, trace)
    assert page.addresses and all(address.startswith("data:") for address in page.addresses)
    assert len([address for address in page.addresses if address.startswith("data:image/")]) == 2  # light, dark
    assert "url(" not in trace.with_suffix(".html").read_text()


def many_states(path, n_rows, n_states, end_ns):
    """A trace of n_states states a row, one after another, each of 10 ns, the last one until end_ns."""
    rows = ",".join(["1:1"] * n_rows)
    lines = [f"#Paraver (21/11/2026 at 22:48):{end_ns}_ns:1({n_rows}):1:{n_rows}({rows})\n"]
    for i in range(n_states):
        end = end_ns if i == n_states - 1 else 10 * i + 10
        lines += [f"1:{row}:1:{row}:1:{10 * i}:{end}:{i % 2 + 1}\n" for row in range(1, n_rows + 1)]
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("n_rows, n_states, end_ns, form", [(4, 8000, 10**9, "svg+xml"), (32, 1000, 10**4, "png")])
def test_pictures_are_pixels_where_shapes_are_many(run, tandem, tmp_path, n_rows, n_states, end_ns, form):
    page = written(run, tandem, many_states(tmp_path / "many.prv", n_rows, n_states, end_ns))
    pictures = [address.split(";")[0] for address in page.addresses if address.startswith("data:image/")]
    assert pictures == [f"data:image/{form}"] * 2


def test_samples(run, tandem, root, tmp_path):
    trace = copy_trace(root, tmp_path, "sampling")
    page = written(run, tandem, trace)
    listed = run(tandem, "report", trace, check=True).stdout
    share, name = re.search(r"^ +([\d.]+) % +[\d.]+ % +[\d.]+ % +\S+ ?\S* +(\S.*)$", listed, re.M).groups()
    row = next(row for row in page.rows if len(row) == 4 and row[3] == name)
    assert float(row[1].split()[0]) == pytest.approx(float(share), abs=0.051)
    assert any(title.startswith(f"{name}: ") for title in page.titles)  # the flame graph


@pytest.mark.parametrize("name", ["hybrid", "malloc", "omp-for", "omp-tasks", "py-mpi4py", "synthetic-16"])
def test_other_traces(run, tandem, root, tmp_path, name):
    written(run, tandem, copy_trace(root, tmp_path, name))


def complaints(run, page):
    """What a validator of HTML says."""
    result = run("tidy", "-quiet", "-errors", "-utf8", page)
    return result.stdout + result.stderr


@pytest.mark.parametrize("name", ["hybrid", "malloc", "mpi-collectives", "mpi-pingpong", "omp-tasks", "py-mpi4py", "sampling", "synthetic-16"])
def test_is_valid_html(run, tandem, root, tmp_path, name):
    trace = copy_trace(root, tmp_path, name)
    pages = {"page.html": ["report"], "scaling.html": ["report", trace], "compared.html": ["compare", trace]}
    for page, (command, *other) in pages.items():
        run(tandem, command, *other, trace, "--output", page, check=True)
        assert complaints(run, page) == ""
    (tmp_path / "broken.html").write_text((tmp_path / "page.html").read_text().replace("</table>", "</tabel>", 1))
    assert "unexpected </tabel>" in complaints(run, "broken.html")


def test_texts_are_escaped(run, tandem, trace):
    name = '</td><script>alert("&amp;")</script>\x01'
    row = trace.with_suffix(".row")
    row.write_text(row.read_text().replace("THREAD 1.1.1", name))
    pcf = trace.with_suffix(".pcf")
    pcf.write_text(pcf.read_text().replace("MPI_Sendrecv", "MPI_<b>"))
    page = written(run, tandem, trace)
    assert page.row("MPI_<b>")
    assert name.replace("\x01", "?") in "".join(page.text)
    assert "<script" not in trace.with_suffix(".html").read_text()


def test_trace_of_one_state(run, tandem, tmp_path):
    trace = tmp_path / "one.prv"
    trace.write_text("#Paraver (21/11/2026 at 22:48):10_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:10:1\n")
    assert written(run, tandem, trace).row("threads") == ["threads", "1"]


def test_trace_that_was_cut(run, tandem, trace):
    """Its header promises more time than its records have."""
    missing = "no thread has a state after"
    written(run, tandem, trace)
    assert missing not in trace.with_suffix(".html").read_text() + run(tandem, "stat", trace, check=True).stdout
    text = trace.read_text()
    trace.write_text(text[:text.rindex("\n", 0, len(text) // 2) + 1])
    notes = [row[1] for row in written(run, tandem, trace).rows if row and row[0] == "note"]
    assert any(note.startswith(missing) for note in notes)
    assert missing in run(tandem, "stat", trace, check=True).stdout


@pytest.fixture
def alone(tandem, tmp_path):
    """The command without what is usually beside it."""
    copy = tmp_path / "bin" / "tandem"
    copy.parent.mkdir()
    shutil.copy(tandem, copy)
    return copy


def test_without_tview(run, alone, trace):
    page = written(run, alone, trace)
    assert "The pictures are missing" in "".join(page.text)


def test_interrupted_while_pictures_are_drawn(alone, clean_environment, trace, tmp_path):
    """Nothing is left, and it died of the signal, as a shell expects."""
    temporary, tview = tmp_path / "temporary", alone.with_name("tview")
    temporary.mkdir()
    tview.write_text(f"#!/bin/sh\n: >{tmp_path}/draws\nexec sleep 60\n")
    tview.chmod(0o755)
    report = subprocess.Popen([alone, "report", trace, "-o", tmp_path / "page.html"], stdout=subprocess.DEVNULL,
                              env={**clean_environment, "TMPDIR": str(temporary)}, start_new_session=True)
    while not (tmp_path / "draws").exists():
        assert report.poll() is None
    os.killpg(report.pid, signal.SIGINT)
    assert report.wait(timeout=50) == -signal.SIGINT
    assert not list(temporary.iterdir()) and not (tmp_path / "page.html").exists()


def test_wrong_use(run, tandem, trace, tmp_path):
    result = run(tandem, "report", trace, "-o", tmp_path / "none" / "page.html")
    assert result.returncode == 1 and "none" in result.stderr
    result = run(tandem, "report", trace, "-o", tmp_path / "page.html", "--lines")
    assert result.returncode == 2 and "--output" in result.stderr
    assert not (tmp_path / "page.html").exists()
