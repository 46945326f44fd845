# SPDX-License-Identifier: GPL-3.0-or-later
"""Records written as text become streams in either byte order, and come back as the same text."""
import subprocess

import pytest

import resident


@pytest.fixture(scope="session")
def record_cat(build_dir):
    return build_dir / "tests" / "goldens" / "record_cat"


def expected_lines(text):
    """What `tandem dump` says of the streams of a golden: each record after its process and stream."""
    image = stream = None
    for line in text.splitlines():
        words = line.split()
        if not words or words[0] in ("#", "turn", "cut"):
            continue
        if words[0] == "image":
            image = words[1]
        elif words[0] == "stream":
            stream = f"{words[1]}.{words[2]}"
        else:
            yield f"{image} {stream} {line}"


@pytest.mark.parametrize("order", ["little", "big"])
def test_there_and_back(root, tandem, record_cat, tmp_path, order):
    text = (root / "tests/goldens/streams/hello.txt").read_text()
    subprocess.run([record_cat, order, tmp_path], input=text, text=True, check=True)
    result = resident.run(tandem, "dump", tmp_path / "node1.4711.0/0.main", tmp_path / "node1.4711.0/0.signal",
                          tmp_path / "node1.4711.0/1.main")
    assert result.stdout.splitlines() == list(expected_lines(text))
    assert "0.signal: 2 records were lost" in result.stderr
    assert result.returncode == 0


def test_orders_differ_and_layout_stays(root, record_cat, tmp_path):
    """The bytes themselves: a reader of another program, or of next year, must find them where they are today."""
    text = (root / "tests/goldens/streams/hello.txt").read_text()
    rings = {}
    for order in ("little", "big"):
        (tmp_path / order).mkdir()
        subprocess.run([record_cat, order, tmp_path / order], input=text, text=True, check=True)
        rings[order] = (tmp_path / order / "node1.4711.0/1.main.ring").read_bytes()
    for order, ring in rings.items():
        def number(at, size):
            return int.from_bytes(ring[at:at + size], order)
        assert ring[:8] == b"tandem\r\n"
        assert [number(8, 4), number(12, 2), number(14, 2), number(16, 4), number(20, 4)] == [0x01020304, 4, 0, 1, 4711]
        assert [number(24, 8), number(32, 8), number(40, 8), number(48, 8)] == [65536, 0, len(ring) - 4096, 0]
        assert [number(56, 4), number(60, 4)] == [28, 0]
        thread = 4096
        assert [number(thread, 8), number(thread + 8, 4), number(thread + 12, 2)] == [1500, 1, 0]
        assert ring[thread + 14:thread + 16] == bytes([4, 1])
        assert number(thread + 16, 8) == 1 << 32 | 4712
        name = thread + 24
        assert number(name + 12, 2) == 6 and ring[name + 14:name + 24] == bytes([6, 1]) + b"worker\0\0"
    assert rings["little"] != rings["big"]


def test_faults_have_their_line(record_cat, tmp_path):
    result = subprocess.run([record_cat, "little", tmp_path], input="image i 1\nstream 0 main\n5 eat 1 1\n", text=True,
                            capture_output=True)
    assert result.returncode == 1
    assert result.stderr == "record_cat: line 3: an unknown kind\n"
