# SPDX-License-Identifier: GPL-3.0-or-later
"""Real runs, merged: what a kill leaves, names of code in every kind of file, shells that exec and fork."""
import re
import signal
import subprocess
import time

import pytest

from processes import unfinished

KILLED = """
#include <tandem.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    tandem_region work = tandem_region_register("work");
    tandem_region_begin(work);
    for (long i = 1; i <= 300000; i++)
        tandem_event(7, i);
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
"""


def lines(prv, kind):
    return [line for line in prv.read_text().splitlines() if line.startswith(kind)]


def libraries(libtandem):
    return str(libtandem), f"-Wl,-rpath,{libtandem.parent}"


def check(run, tandem, prv):
    result = run(tandem, "check", prv)
    assert result.returncode == 0, result.stdout + result.stderr


def test_killed(run, tandem, libtandem, compile_program, tmp_path, clean_environment):
    """SIGKILL loses nothing of what was recorded; the region that was open is closed and counted."""
    program = compile_program(KILLED, name="killed", libraries=libraries(libtandem))
    with subprocess.Popen([program], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                          env=dict(clean_environment, LD_PRELOAD=str(libtandem))) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    result = run(tandem, "merge", "killed.tandem", check=True)
    assert "1 call left open" in result.stdout
    prv = tmp_path / "killed.prv"
    check(run, tandem, prv)
    values = [int(m) for m in re.findall(r":7:(\d+)", prv.read_text())]
    assert values == list(range(1, 300001))
    assert re.search(r":92000010:0", prv.read_text())


CXX = """
#include <cmath>
namespace space { struct Thing { double run(int n) __attribute__((noinline)); }; }
double space::Thing::run(int n) { double s = 0; for (int i = 0; i < n; i++) s += std::sqrt(i + s); return s; }
int main() { space::Thing t; return t.run(300000000) < 0; }
"""


@pytest.mark.parametrize("flags", [("-pie", "-fPIE"), ("-no-pie",)])
def test_names(run, tandem, libtandem, compile_program, tmp_path, flags):
    source = tmp_path / "thing.cc"
    source.write_text(CXX)
    program = compile_program(source, flags=("-fno-omit-frame-pointer", *flags))
    run(program, preload=libtandem, env={"SAMPLING_PERIOD": "1ms"}, check=True)
    check(run, tandem, tmp_path / "thing.prv")
    pcf = (tmp_path / "thing.pcf").read_text()
    assert re.search(r"^\d+ +space::Thing::run\(int\)$", pcf, re.M)
    assert re.search(r"^\d+ +thing.cc:4$", pcf, re.M)


def test_exec_and_fork(run, tandem, libtandem, tmp_path):
    """One task for the shell that becomes a program, one for each child."""
    result = run("sh", "-c", "ls / | wc -l; exec true", preload=libtandem, check=True)
    assert result.stdout.strip().isdigit()
    prv = tmp_path / "sh.prv"
    check(run, tandem, prv)
    header = lines(prv, "#Paraver")[0]
    assert ":1:3(" in header
    images = re.findall(r":92000012:([1-9]\d*)", prv.read_text())
    assert len(images) == 6  # sh; its two forks and what they became; true


def test_same_bytes(run, tandem, libtandem, tmp_path):
    run("sh", "-c", "gzip -c /bin/sh | gzip -dc | md5sum", preload=libtandem,
        env={"SAMPLING_PERIOD": "1ms", "TANDEM_KEEP": "1"}, check=True)
    run(tandem, "merge", "-o", "again.prv", "sh.tandem", check=True)
    for ending in ("prv", "pcf", "row"):
        assert (tmp_path / f"again.{ending}").read_bytes() == (tmp_path / f"sh.{ending}").read_bytes()


def test_interrupted(run, tandem, libtandem, compile_program, tmp_path, clean_environment):
    """Ctrl-C leaves nothing at the output's place and the run where it was."""
    program = compile_program(KILLED.replace("300000", "5000000").replace("pause();", "return 0;"), name="long",
                              libraries=libraries(libtandem))
    run(program, preload=libtandem, env={"TANDEM_MERGE": "0"}, check=True)
    before = sorted(p.name for p in tmp_path.iterdir())
    process = subprocess.Popen([tandem, "merge", "long.tandem"], cwd=tmp_path, stderr=subprocess.PIPE,
                               env=clean_environment)
    while process.poll() is None and not unfinished(tmp_path):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert b"cancelled" in process.communicate()[1]
    assert process.returncode == -signal.SIGINT
    assert sorted(p.name for p in tmp_path.iterdir()) == before
