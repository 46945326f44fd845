# SPDX-License-Identifier: GPL-3.0-or-later
"""formats/ on a big-endian machine of 32 bits: it compiles, and its streams are those of this machine, byte for byte."""
import subprocess

import pytest

CC = ["powerpc-linux-gnu-gcc", "-std=gnu17", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
      "-Wno-missing-field-initializers", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", "-static"]
STREAMS = ["node1.4711.0/0.main", "node1.4711.0/0.signal", "node1.4711.0/1.main"]


@pytest.fixture(scope="module")
def powerpc_record_cat(root, build_dir, tmp_path_factory):
    """All of formats/, compiled for PowerPC, around record_cat."""
    program = tmp_path_factory.mktemp("powerpc") / "record_cat"
    sources = sorted((root / "formats").glob("*.c"))
    subprocess.run([*CC, "-I", root, "-I", build_dir, root / "tests/record_cat.c", *sources,
                    build_dir / "formats/event_types_table.c", "-o", program], check=True)
    return ["qemu-ppc", program]


def files(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.parametrize("order", ["little", "big"])
def test_same_streams(root, build_dir, powerpc_record_cat, tmp_path, order):
    text = (root / "tests/goldens/streams/hello.txt").read_text()
    here, there = tmp_path / "here", tmp_path / "there"
    for directory, command in ((here, [build_dir / "tests/goldens/record_cat"]), (there, powerpc_record_cat)):
        directory.mkdir()
        subprocess.run([*command, order, directory], input=text, text=True, check=True)
    assert len(files(here)) == 4 and files(here) == files(there)
    records = [line for line in text.splitlines() if line[:1].isdigit()]
    result = subprocess.run([*powerpc_record_cat, "text", *(here / stream for stream in STREAMS)], capture_output=True,
                            text=True, check=True)
    assert result.stdout.splitlines() == records
