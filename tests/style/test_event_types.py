# SPDX-License-Identifier: Apache-2.0
"""The table of event types: its page of the documentation is current, every MPI call has a value, bad tables are refused."""
import re
import subprocess
import sys

import pytest

GENERATOR = "formats/generate_event_types.py"
TABLE = "formats/event_types.tsv"


def generate(root, table, *arguments):
    return subprocess.run([sys.executable, root / GENERATOR, table, *arguments], capture_output=True, text=True)


def test_page_is_current(root, tmp_path):
    result = generate(root, root / TABLE, "--doc", tmp_path / "page.md")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "page.md").read_text() == (root / "docs/event-types.md").read_text(), \
        f"run {GENERATOR} {TABLE} --doc docs/event-types.md"


def rows(root):
    for line in (root / TABLE).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def test_every_mpi_call_has_a_value(root):
    flags = subprocess.run(["pkg-config", "--cflags", "ompi-c"], capture_output=True, text=True, check=True).stdout.split()
    header = subprocess.run(["cc", *flags, "-E", "-P", "-include", "mpi.h", "-xc", "/dev/null"], capture_output=True,
                            text=True, check=True).stdout
    calls = {name for name in re.findall(r"\b(MPI_[A-Z][A-Za-z0-9_]*)\s*\(", header)
             if not re.search(r"^MPI_T_|_(c2f|f2c|f082c|c2f08|f082f|f2f08)$", name)}
    assert len(calls) > 300
    named = {row[5] for row in rows(root) if row[0].startswith("5000000")}
    assert not calls - named


BAD = {
    "a value twice": ("50000001\t\t\t\t1\tMPI_Send\t4\n", "50000001\t\t\t\t1\tMPI_Send\t4\n" * 2),
    "an unknown state": ("\tMPI_Send\t4\n", "\tMPI_Send\t99\n"),
    "a value of another type": ("50000001\t\t\t\t1\t", "50000002\t\t\t\t1\t"),
    "a name twice": ("\tSAMPLED_LINE\t", "\tSAMPLED_FUNCTION\t"),
    "a range that overlaps": ("30000001-30000099", "30000001-30000100"),
    "a column too few": ("\tMPI_Send\t4\n", "\tMPI_Send\n"),
}


@pytest.mark.parametrize("what", BAD)
def test_unsound_table_is_refused(root, tmp_path, what):
    good, bad = BAD[what]
    text = (root / TABLE).read_text()
    assert text.count(good) == 1
    (tmp_path / "table.tsv").write_text(text.replace(good, bad))
    result = generate(root, tmp_path / "table.tsv", "--header", tmp_path / "numbers.h")
    assert result.returncode != 0 and not (tmp_path / "numbers.h").exists()
