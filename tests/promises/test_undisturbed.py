# SPDX-License-Identifier: GPL-3.0-or-later
"""What every program is promised: it prints, returns, inherits and opens what it would without us.

That errno is kept is asked at every event of tests/stories/test_life.py, exported names in tests/style.
"""
import re

import pytest

COMMANDS = {
    "pipeline": "seq 100000 | gzip -c | gunzip | md5sum; echo ${PIPESTATUS[@]}",
    "python": "/usr/bin/python3 -c 'import threading as t; a = t.Thread(target=print, args=(1,)); a.start(); a.join()'",
    "python processes": "/usr/bin/python3 -c 'import multiprocessing as m; p = m.Pool(3); print(p.map(abs, range(-9, 9)))'",
    "sqlite": "sqlite3 :memory: 'create table t(a); insert into t values (1), (2); select sum(a) from t'",
    "children": "for i in $(seq 50); do (exit $i) & done; wait; echo done; exit 7",
    "killed": "kill -9 $$",
    "terminated child": "sh -c 'kill $$'; echo $?",
    "standard error": "ls /nonexistent; echo out",
    "standard error closed": "ls / >/dev/null 2>&-",
    "no descriptors": "ulimit -n 8; echo fine",
    "little memory": "ulimit -v 300000; echo fine",
    "replaced": "exec -a other sh -c 'echo $0'",
    "quiet": "echo into nowhere | head -c 0",
    "directory that goes": "mkdir x; cd x; rmdir ../x; echo fine",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_output_and_status(run, tandem, libtandem, tmp_path, name):
    results = []
    for preload in (None, libtandem):
        place = tmp_path / ("with" if preload else "without")
        place.mkdir()
        results.append(run("bash", "-c", COMMANDS[name], cwd=place, preload=preload, env={"TANDEM_MERGE": "0"}))
    assert results[0].args == results[1].args
    for what in ("returncode", "stdout", "stderr"):
        assert getattr(results[1], what) == getattr(results[0], what), what
    (directory,) = (tmp_path / "with").glob("*.tandem")
    run(tandem, "merge", "--quiet", directory, check=True)


def test_environment_of_children(run, libtandem):
    plain = run("sh", "-c", "env; :").stdout.splitlines()
    traced = run("sh", "-c", "env; :", preload=libtandem).stdout.splitlines()
    added = sorted(line for line in traced if line not in plain)
    assert [line.split("=")[0] for line in added] == ["LD_PRELOAD", "TANDEM_RUN"]
    assert added[0] == f"LD_PRELOAD={libtandem}"
    assert re.fullmatch(r"TANDEM_RUN=/.*\.tandem:\d+:[0-9a-f]{16}", added[1])
    assert not [line for line in plain if line not in traced]


def test_no_descriptor_is_kept(run, libtandem):
    command = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    outputs = [run("/usr/bin/python3", "-c", command, preload=preload).stdout for preload in (None, libtandem)]
    assert outputs[0] == outputs[1]


def test_events_allocate_nothing(run, libtandem, compile_program, build_dir):
    place = build_dir / "runtime"
    program = compile_program("life_malloc", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])
    result = run(program, preload=libtandem)
    assert (result.returncode, result.stdout, result.stderr) == (0, "0 allocations, counting\n", "")


def test_nothing_without_us(run, tmp_path, compile_program, build_dir):
    """The library of no-ops leaves nothing behind."""
    place = build_dir / "runtime"
    program = compile_program("life", flags=[f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])
    assert run(program, "names", check=True).stderr == ""
    assert not list(tmp_path.iterdir())
