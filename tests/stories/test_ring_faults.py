# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of the rings is made empty while the program runs: recording ends, which is said once, and the program goes on; its
own faults and its own handlers of SIGBUS are as they are without us."""
import pytest


@pytest.fixture(scope="module")
def program(compile_program, build_dir):
    place = build_dir / "runtime"
    return compile_program("ring_faults", flags=["-pthread", f"-L{place}", f"-Wl,-rpath,{place}"], libraries=["-ltandem-api"])


@pytest.mark.parametrize("what", [
    "events cut events",
    "cut events ask",
    "ask events cut events ask fault",
    "cut events send",
    "handler ask events fault cut events ask fault events send fault ask",
    "handler send events cut default events ask fault",
    "signal ask fault cut events ask send fault",
    "once ask fault ask cut events ask fault",
    "ignore ask send events default cut events ask",
    "ignore ask fault",
    "block send unblock",
    "block kill events wait kill events wait unblock",
    "handler block ask send unblock send",
])  # fmt: skip
def test_rings_that_were_cut(run, program, libtandem, what):
    plain = run(program, *what.split())
    env = {"TANDEM_MERGE": "0", "TANDEM_SAMPLING_PERIOD": "1ms", "TANDEM_SENSORS": "process"}
    traced = run(program, *what.split(), env=env, preload=libtandem)
    assert (traced.returncode, traced.stdout) == (plain.returncode, plain.stdout)
    if "ended" in plain.stdout and "cut" in what:
        assert [line.split(": ", 2)[2] for line in traced.stderr.splitlines()] == [
            "writing records: Input/output error; not recording"
        ]
    else:
        assert traced.stderr == plain.stderr
