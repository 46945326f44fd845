# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem doctor`: true of this machine, as the kernel and its files say it, and of the libraries that it speaks of."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from machine import EVENTS, find_sensors
from sensor_tree import SensorTree


def verdicts(output):
    return [(line[:5].strip(), line[7:17].strip()) for line in output.splitlines()]


@pytest.fixture(scope="module")
def told(tandem, clean_environment, tmp_path_factory):
    """told(what) -> [(verdict, text), ...] of this machine."""
    place = tmp_path_factory.mktemp("doctor")
    result = subprocess.run([tandem, "doctor"], env={**clean_environment, "TMPDIR": str(place)}, capture_output=True, text=True,
                            timeout=60, cwd=place)
    assert (result.returncode, result.stderr, list(place.iterdir())) == (0, "", [])
    lines = [(line[:5].strip(), line[7:17].strip(), line[19:]) for line in result.stdout.splitlines()]
    whats = [what for _, what, _ in lines if what not in ("counters", "sensors")]
    assert whats == ["library", "recording", "clock", "sampling", "MPI", "MPI", "space"]
    return lambda of: [(verdict, text) for verdict, what, text in lines if what == of]


def test_libraries_of_this_machine(told, libtandem):
    assert told("library") == [("ok", f"{libtandem} is there to preload")]
    assert told("recording") == [("ok", "a run of `true` was recorded")]
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, env={"PATH": "/usr/sbin:/sbin:/usr/bin"}).stdout
    assert "libmpi.so.40 " in listed and "libmpich.so.12 " in listed, "no MPI: ./dev setup"
    assert [verdict for verdict, _ in told("MPI")] == ["ok", "ok"]
    assert re.match(r"libtandem\.so is there to preload, for Open MPI v\d", told("MPI")[0][1])
    assert re.match(r"libtandem-mpich\.so is there to preload, for MPICH", told("MPI")[1][1])


def test_clock_of_this_machine(told):
    source = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    source = source.read_text().strip() if source.exists() else ""
    flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    is_trusted = source == "arch_sys_counter" or source == "tsc" and "nonstop_tsc" in flags[1].split()
    assert [verdict for verdict, _ in told("clock")] == ["ok" if is_trusted else "note"]


def test_perf_events_of_this_machine(told, machine):
    """What the kernel gives to a program of our own is ok, and nothing else is."""
    assert not machine.clock_refusal("real") and told("sampling") == [("ok", "by a timer for each thread")]
    asked = ["task-clock", "page-faults", "context-switches", "cpu-migrations", "instructions", "cycles"]
    counts = [name for name in asked if not machine.event_refusal(name)]
    fine = [name for verdict, text in told("counters") if verdict == "ok" for name in text.split(", ")]
    assert [name for name in fine if name in EVENTS] == counts
    not_counted = [text for verdict, text in told("counters") if verdict == "note"]
    for name in asked:
        assert name in counts or re.search(rf"\b{name}\b[^;]* \(", not_counted[0])


def test_sensors_of_this_machine(told):
    """A temperature, and a power, are ok where a file of the kernel's says one."""
    heat = find_sensors("class/hwmon/hwmon*/temp*_input", "class/thermal/thermal_zone*/temp")
    power = find_sensors("class/powercap/intel-rapl:*/energy_uj", "class/hwmon/hwmon*/power*_input",
                         "class/hwmon/hwmon*/power*_average", "class/hwmon/hwmon*/energy*_input")
    fine = [text for verdict, text in told("sensors") if verdict == "ok"]
    notes = [text for verdict, text in told("sensors") if verdict == "note"]
    assert bool(heat) == any(text.startswith("temperature: ") for text in fine)
    assert bool(heat) != any(text.startswith("no temperature: ") for text in notes)
    if power:
        assert any(text.startswith(("power: ", "energy: ")) for text in fine)
    elif not find_sensors("class/power_supply/*/power_now") and not os.path.exists("/dev/cpu/0/msr"):
        assert any(text.startswith("nothing measures power here") for text in notes)


def test_space_of_this_machine(told, tmp_path):
    space = os.statvfs(tmp_path)
    ((verdict, text),) = told("space")
    free = space.f_bavail * space.f_frsize
    size, unit = re.match(r"([\d.]+)\s(\w+) free in ", text).groups()
    told_bytes = float(size) * 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"].index(unit)
    assert told_bytes == pytest.approx(free, rel=0.1) and verdict == ("ok" if free >= 1 << 30 else "note")


def test_command_without_its_library(run, tandem, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "empty").mkdir()
    alone = shutil.copy(tandem, tmp_path / "bin")
    result = run(alone, "doctor", env={"TMPDIR": tmp_path / "empty"})
    assert result.returncode == 1
    assert {("FAILS", "library"), ("FAILS", "recording")} <= set(verdicts(result.stdout))
    assert list((tmp_path / "empty").iterdir()) == []


def test_nowhere_to_record(run, tandem):
    result = run(tandem, "doctor", env={"TMPDIR": "/nowhere"})
    assert result.returncode == 1 and ("FAILS", "recording") in verdicts(result.stdout)


def test_sensors(run, tandem, papi, tmp_path):
    """Of a tree of files in the place of the machine's: what there is, and what cannot be read."""
    tree = SensorTree(tmp_path / "tree", 8)

    def told(**env):
        output = run(tandem, "doctor", env={"TANDEM_SYSFS_ROOT": tree.root, **env}, check=True).stdout
        return [(line[:5].strip(), line[19:]) for line in output.splitlines() if line[7:17].strip() == "sensors"]

    fine = [("ok", "temperature: Package 0, Core 0, Core 1, Core 2, Core 3, Core 4 and 3 more (coretemp)"),
            ("ok", "others: coretemp fan1 (coretemp)"), ("ok", "temperature: acpitz (thermal zone)"),
            ("ok", "energy: Package 0, Cores 0, Memory 0 (RAPL)")]
    assert told() == fine
    tree.write("sys/class/thermal/thermal_zone0/temp", "hot")
    fine[2] = ("note", f"temperature: acpitz (thermal zone): {tree.root}/sys/class/thermal/thermal_zone0/temp: says what cannot be")
    assert told() == fine
    shutil.rmtree(tree.root / "sys")
    assert [verdict for verdict, _ in told()] == ["note", "note"]
    assert "no temperature" in told()[0][1]
    assert told()[1][1].startswith("nothing measures power here (RAPL by PAPI: /dev/cpu/0/msr: No such file or directory)")
    assert "--power-model" in told()[1][1]
    tree.write("dev/cpu/0/msr", "")
    assert "(RAPL by PAPI: Can't open fd for cpu0)" in told(**papi)[1][1]
    (tmp_path / "registers").write_bytes(bytes(16))
    energy = "energy: Package 0, Cores 0, Memory 0, Package 1 (RAPL by PAPI)"
    assert told(**papi, FAKE_PAPI_ENERGY=tmp_path / "registers")[1] == ("ok", energy)


def test_every_wrapper_is_listed(run, tandem, build_dir):
    """What is listed are the wrappers of the libraries, neither more nor fewer."""
    wrappers = set()
    for library in ("libtandem.so", "libtandem-mpich.so"):
        symbols = subprocess.run(["nm", "-D", "--defined-only", build_dir / library], capture_output=True, text=True)
        wrappers |= set(re.findall(r" [TW] (MPI(?:_T_[a-z]|_[A-Z][a-z]|X_[A-Z])\w+)$", symbols.stdout, re.M))
    wrappers = {name.removesuffix("_c") for name in wrappers}
    output = run(tandem, "doctor", "--mpi", check=True).stdout
    listed = re.findall(r"\bMPIX?_\w+", "".join(line for line in output.splitlines(True) if line.startswith("    ")))
    assert len(listed) == len(set(listed)) == int(output.split()[0]) > 400
    assert set(listed) == wrappers
    numbers = [int(n) for n in re.findall(r"^(\d+) ", output, re.M)]
    assert numbers[0] == numbers[1] + numbers[2]
    more, plain = output.split("with enter and leave only")
    assert "MPI_Neighbor_alltoallw" in more and "MPI_Comm_rank" in plain and "MPI_Comm_rank" not in more
