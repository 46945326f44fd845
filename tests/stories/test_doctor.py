# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem doctor`: true of this machine, and of the libraries that it speaks of."""
import re
import shutil
import subprocess

from sensor_tree import SensorTree

def verdicts(output):
    return [(line[:5].strip(), line[7:17].strip()) for line in output.splitlines()]


def test_this_machine(run, tandem, libtandem, tmp_path):
    result = run(tandem, "doctor", env={"TMPDIR": tmp_path})
    assert (result.returncode, result.stderr) == (0, "")
    told = verdicts(result.stdout)
    whats = [what for _, what in told]
    assert 1 <= whats.count("counters") <= 2
    assert "sensors" in whats
    others = [what for what in whats if what not in ("counters", "sensors")]
    assert others == ["library", "recording", "clock", "sampling", "MPI", "MPI", "space"]
    assert {("ok", "library"), ("ok", "recording"), ("ok", "MPI")} <= set(told)
    assert {verdict for verdict, _ in told} <= {"ok", "note"}
    assert str(libtandem) in result.stdout and "Open MPI v" in result.stdout and "libtandem-mpich.so" in result.stdout
    assert list(tmp_path.iterdir()) == []


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
