# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations of Paraver's give the bursts and tables that Paraver's own kernel printed for them, to the last digit.
paraver-windows.tar.xz has its texts: of each of its functions on a small trace (functions/), and of the configurations
in cfgs/ on the traces of tests/data (tables/)."""
import csv
import io
import pathlib
import re
import subprocess
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
TRACES = HERE.parent / "data" / "traces"
# Its text of messages in planes is empty, whatever the planes have.
NOT_PRINTED = {"mpi3d__Bytes_sent"}


@pytest.fixture(scope="session")
def answers(tmp_path_factory):
    directory = tmp_path_factory.mktemp("answers")
    with tarfile.open(HERE / "paraver-windows.tar.xz") as archive:
        archive.extractall(directory)
    return directory


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), words
    return list(csv.reader(io.StringIO(done.stdout)))


def number(text):
    return "0.00" if text == "-0.00" else text


def paravers_bursts(path):
    """Its name of a row is another one for CPUs and nodes: the order of rows is enough."""
    return [[number(field) for field in line.split("\t")[1:]] for line in path.read_text().split("\n") if line]


def bursts(tandem, trace, cfg):
    return [[number(field) for field in row[1:]] for row in run(tandem, "timeline", trace, "--cfg", cfg)[1:]]


def test_functions(tandem, answers):
    """All functions, at all levels, with the filters and factors that there are: one configuration for each."""
    trace = answers / "functions" / "small.prv"
    cfgs = sorted((answers / "functions").glob("*.cfg"))
    assert len(cfgs) > 300
    wrong = [cfg.stem for cfg in cfgs if bursts(tandem, trace, cfg) != paravers_bursts(cfg.with_suffix(".txt"))]
    assert wrong == []


def test_timelines(tandem, answers):
    texts = sorted((answers / "tables").glob("*/*.txt.csv"))
    assert len(texts) > 100
    wrong = []
    for text in texts:
        trace = TRACES / text.parent.name / f"{text.parent.name}.prv"
        cfg = answers / "cfgs" / text.name.replace(".txt.csv", ".cfg")
        if bursts(tandem, trace, cfg) != paravers_bursts(text):
            wrong.append(f"{text.parent.name} {cfg.stem}")
    assert wrong == []


def paravers_table(path):
    lines = [line.split("\t") for line in path.read_text().split("\n") if line.strip("\t")]
    return [[field for field in line[1:] if field] for line in lines if any(line[1:])]


def table(tandem, trace, cfg):
    rows = run(tandem, "histogram", trace, "--cfg", cfg, "--csv", "-")
    return [[re.sub(r" \[(ns|us|%|B)\]$", "", field) for field in row[1:]] for row in rows if row[1:]]


def test_tables(tandem, answers):
    texts = [path for path in sorted((answers / "tables").glob("*/*.txt")) if path.stem not in NOT_PRINTED]
    assert len(texts) > 180
    wrong = []
    for text in texts:
        trace = TRACES / text.parent.name / f"{text.parent.name}.prv"
        cfg = answers / "cfgs" / f"{text.stem}.cfg"
        if table(tandem, trace, cfg) != paravers_table(text):
            wrong.append(f"{text.parent.name} {cfg.stem}")
    assert wrong == []


@pytest.mark.parametrize("line, said", [
    ("window_semantic_module thread In State { 1, { x", "takes how many numbers, and these"),
    ("window_units Fortnights", "takes a unit of time"),
    ("window_level house", "takes a level"),
    ("window_identifiers 1 9", "takes the numbers of two windows before this one"),
])
def test_bad_lines(tandem, answers, tmp_path, line, said):
    cfg = tmp_path / "bad.cfg"
    cfg.write_text((answers / "functions" / "state_In_State.cfg").read_text() + line + "\n")
    lines = len(cfg.read_text().split("\n")) - 1
    done = subprocess.run([tandem, "timeline", answers / "functions" / "small.prv", "--cfg", cfg], capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"bad.cfg:{lines}: {line.split()[0]} {said}" in done.stderr


def test_unknown_function(tandem, answers, tmp_path):
    cfg = tmp_path / "new.cfg"
    cfg.write_text((answers / "functions" / "state_Useful.cfg").read_text().replace("Useful}", "Useless}"))
    done = subprocess.run([tandem, "timeline", answers / "functions" / "small.prv", "--cfg", cfg], capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'window "w": thread function "Useless" is not supported' in done.stderr
