# SPDX-License-Identifier: GPL-3.0-or-later
"""`tandem doctor`: true of this machine, and of the libraries that it speaks of."""
import re
import shutil
import subprocess


def verdicts(output):
    return [(line[:5].strip(), line[7:17].strip()) for line in output.splitlines()]


def test_this_machine(run, tandem, libtandem, tmp_path):
    result = run(tandem, "doctor", env={"TMPDIR": tmp_path})
    assert (result.returncode, result.stderr) == (0, "")
    told = verdicts(result.stdout)
    whats = [what for _, what in told]
    assert 1 <= whats.count("counters") <= 2
    assert [what for what in whats if what != "counters"] == ["library", "recording", "clock", "sampling", "MPI", "MPI", "space"]
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
