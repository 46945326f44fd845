# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of the rings is made empty while the program runs: recording ends, which is said once, and the program goes on; its
own faults and its own handlers of SIGBUS are as they are without us."""
import pytest

import streams


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


@pytest.mark.parametrize("rounds", [1, 4])
def test_files_that_cannot_be_opened(run, program, libtandem, tmp_path, rounds):
    """More of a ring is used all the same, until it has to be written out."""
    env = {"TANDEM_MERGE": "0", "TANDEM_OUTPUT": "out", "TANDEM_SAMPLING_PERIOD": "1ms"}
    traced = run(program, *["few"] * rounds, env=env, preload=libtandem, check=False)
    (ring,) = streams.rings(tmp_path / "out.tandem")
    n_events = sum(record.kind == streams.EVENT and record.id == 1002 for record in streams.read_stream(ring))
    assert traced.returncode == 3
    if rounds == 1:
        assert (n_events, traced.stderr) == (5000, "")
    else:
        assert 15000 < n_events < 20000 and "Too many open files; not recording" in traced.stderr
