# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers of the GR740's registers, as they are in the board's library (compiled for V8), at their real addresses: each load
and store arrives in a model that has the documented side effects."""
import subprocess

import pytest

from board import CODE, COMPILER, needed

DRIVERS = ("clock_gate", "gptimer", "l4stat", "registers", "thsens")


@pytest.fixture(scope="module")
def drivers(root, board_dir, tmp_path_factory):
    needed("qemu-sparc32plus")
    place = tmp_path_factory.mktemp("drivers")
    objects = [f"{name}.o" for name in DRIVERS]
    subprocess.run(["sparc64-linux-gnu-ar", "x", board_dir / "libtandem-gr740.a", *objects], cwd=place, check=True)
    for name in objects:
        header = subprocess.run(["sparc64-linux-gnu-readelf", "-h", name], cwd=place, capture_output=True, text=True, check=True).stdout
        assert "Machine:                           Sparc\n" in header and "big endian" in header  # V8: not Sparc v8+
    subprocess.run([COMPILER, *CODE, "-static", f"-I{root}", "-o", "drivers", root / "tests/gr740/drivers.c",
                    root / "tests/gr740/registers_model.c", *objects], cwd=place, check=True)
    return place / "drivers"


@pytest.fixture
def said(drivers, run):
    def said_of(case):
        *lines, last = run("qemu-sparc32plus", drivers, case, timeout=30, check=True).stdout.splitlines()
        assert last == "unknown 0 loads 1"  # no access to a register that no core has
        return lines

    return said_of


def test_counters(said):
    """Events and processors are set, clearing on read is off, and wraps are added up."""
    lines = said("count")
    assert lines[0] == "start 1 gate 0 40 0"
    assert lines[1:5] == [f"control {0x1000 | 0x15 << 4 | cpu:x} {0x1000 | 0x11 << 4 | cpu:x}" for cpu in range(4)]
    assert lines[5:9] == [f"cpu {cpu} cycles 1 ratio {cpu + 1:.4f}" for cpu in range(4)]
    assert lines[9:] == ["none 0", "stopped 1 0", "event 8 -1 cycles, but for those in debug mode"]


def test_counters_that_stop_while_they_are_read(said):
    assert said("stop") == ["reader 0", "joined 0"]


def test_what_is_missing(said):
    assert said("lack") == ["gated 0", "few 0", "many 0", "absent 0 0 0 0", "read 0"]


def test_temperature(said):
    lines = said("feel")
    assert lines[0] == "start 1" and lines[-1] == "stopped 0 0"
    assert lines[1:-1] == [f"{raw} 50 54 new 1 0 alarm {int(raw >= 53)}" for raw in (50, 51, 52, 53, 54, 50)]


def test_timer(said):
    lines = said("tick")
    assert lines[0] == "period 1000000 scaler 249 interrupt 6"
    periods = [int(us) / 1000 for us in lines[1].split()]
    assert sum(periods) / len(periods) == pytest.approx(1, abs=0.02) and 0.74 < min(periods) < 0.76 and 1.24 < max(periods) < 1.26
    assert lines[2:4] == ["again 0", "stopped 0"]
    assert lines[4:] == ["period 123440 scaler 9", "wrong 0 0 1"]
