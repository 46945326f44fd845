# SPDX-License-Identifier: GPL-3.0-or-later
"""The default clock samples a thread that timers of CPU time never find, and lets a sleeper sleep."""
import streams

PERIOD_NS = 1_000_000


def test_between_ticks(run, libtandem, compile_program, tmp_path):
    """Two or three samples in 300 ms of CPU time were all that a CPU-time timer brought."""
    env = {"SAMPLING_PERIOD": f"{PERIOD_NS}ns", "TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out"}
    result = run(compile_program("between_ticks"), 300, preload=libtandem, env=env, check=True)
    used_ns, n_sleeps = map(int, result.stdout.split())
    (thread,) = streams.sampled_threads(tmp_path / "out.tandem").values()
    near = [sample.id for sample in thread.samples if sample.id < 20 * PERIOD_NS]
    assert sum(near) > 0.8 * used_ns and len(near) > 0.1 * used_ns / PERIOD_NS
    assert n_sleeps <= 60  # it is woken a few times at once, and then seldom; what that takes is CPU time, too, and gives samples
