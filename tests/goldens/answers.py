# SPDX-License-Identifier: GPL-3.0-or-later
"""What Paraver's own kernel printed: the archive of its texts, and how they are read."""
import csv
import io
import pathlib
import tarfile

import pytest

import resident

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
    done = resident.run(*words)
    assert (done.returncode, done.stderr) == (0, ""), words
    return list(csv.reader(io.StringIO(done.stdout)))


def number(text):
    return "0.00" if text == "-0.00" else text


def paravers_bursts(path):
    """Its name of a row is another one for CPUs and nodes: the order of rows is enough."""
    return [[number(field) for field in line.split("\t")[1:]] for line in path.read_text().split("\n") if line]


def paravers_table(path):
    lines = [line.split("\t") for line in path.read_text().split("\n") if line.strip("\t")]
    return [[field for field in line[1:] if field] for line in lines if any(line[1:])]


def paravers(answers, ending):
    """Its texts of tables (.txt) or timelines (.txt.csv) of the traces of tests/data: trace, configuration, text."""
    for text in sorted((answers / "tables").glob(f"*/*{ending}")):
        cfg = answers / "cfgs" / f"{text.name.removesuffix(ending)}.cfg"
        if cfg.stem not in NOT_PRINTED:
            yield TRACES / text.parent.name / f"{text.parent.name}.prv", cfg, text
