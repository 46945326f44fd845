# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling: what samples weigh, and that the program's own clocks, signals and calls stay its own."""
import concurrent.futures
import functools
import os
import re
import signal
import subprocess
import time

import pytest

from streams import sampled_threads

PERF, MONOTONIC, CPU, ITIMER, FAKE = 1, 2, 3, 4, 5
LATE = 2
CLOCKS = {"perf": PERF, "real": MONOTONIC}
PERIODS_NS = {"1ms": 1_000_000, "100us": 100_000}
UNITS_NS = {"ns": 1, "us": 1000, "ms": 1_000_000, "s": 1_000_000_000}
RAISED = re.compile(r"tandem: sampling-period: a sample every (\S+), not every (\S+): [^\n]+\n")


def in_ns(text):
    number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()
    return int(number) * UNITS_NS[unit]


def stolen_ns():
    """What the machine's own host has taken from its CPUs since it began: the kernel counts some of it as threads' time."""
    return int(open("/proc/stat").readline().split()[8]) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@pytest.fixture
def sampled(run, libtandem, compile_program, tmp_path):
    """sampled(clock, period, source, *arguments) -> (what the program did, {tid: SampledThread})"""

    def sampled_run(clock, period, source, *arguments, preload=libtandem, wrapper=(), env=None, timeout=120):
        settings = {"SAMPLING_PERIOD": period, "TANDEM_SAMPLING_CLOCK": clock, "TANDEM_MERGE": "0", **(env or {})}
        place = tmp_path / clock
        place.mkdir()
        stolen = stolen_ns()
        command = [*wrapper, compile_program(source), *arguments]
        result = run(*command, preload=preload, env=settings, cwd=place, timeout=timeout)
        result.stolen_ns = stolen_ns() - stolen
        directories = sorted(place.glob("*.tandem"), key=lambda path: path.stat().st_mtime)
        assert directories, f"nothing was recorded: {result.stderr}"
        threads = sampled_threads(directories[-1])
        if clock == "perf" and threads and all(t.refusal for t in threads.values()):
            pytest.skip("this machine refuses perf events")
        return result, threads

    return sampled_run


@pytest.fixture
def sampled_at_once(sampled, compile_program):
    """sampled_at_once(clocks, ...) -> [(clock, ...)]: as sampled, for programs that mostly wait, or take long."""

    def sampled_runs(clocks, period, source, *arguments):
        compile_program(source)
        with concurrent.futures.ThreadPoolExecutor(len(clocks)) as pool:
            runs = {clock: pool.submit(sampled, clock, period, source, *arguments) for clock in clocks}
        refused = isinstance(runs["perf"].exception(), pytest.skip.Exception)
        return [(clock, *made.result()) for clock, made in runs.items() if not (refused and clock == "perf")]

    return sampled_runs


def told(result):
    """{tid: CPU time in ns} that sampled_spin printed."""
    return {int(tid): int(ns) for tid, ns in (line.split() for line in result.stdout.splitlines())}


def check_weights(result, threads, clock):
    assert result.returncode == 0, result.stdout + result.stderr
    for tid, cpu_ns in told(result).items():
        assert threads[tid].clock == clock
        near = pytest.approx(cpu_ns, abs=0.02 * cpu_ns + result.stolen_ns)
        assert threads[tid].weight_ns == near, f"thread {tid}"
        assert threads[tid].cpu_ns == near, f"thread {tid}"


@pytest.mark.parametrize("period", PERIODS_NS)
@pytest.mark.parametrize("clock", CLOCKS)
def test_weights_sum_to_the_cpu_time_of_each_thread(sampled, clock, period):
    result, threads = sampled(clock, period, "sampled_spin", 4, 400)
    check_weights(result, threads, CLOCKS[clock])
    assert len(told(result)) == 4
    for tid, cpu_ns in told(result).items():
        # Three quarters are user code, where every period gives a sample.
        assert len(threads[tid].samples) > 0.5 * (cpu_ns - result.stolen_ns) / PERIODS_NS[period]
        assert max(len(sample.words) for sample in threads[tid].samples) >= 8


@pytest.mark.parametrize("clock, kind", [("cpu", CPU), ("itimer", ITIMER)])
def test_clocks_that_stop_at_the_tick_weigh_right_all_the_same(sampled, clock, kind):
    result, threads = sampled(clock, "1ms", "sampled_spin", 1, 600)
    check_weights(result, threads, kind)


def test_where_perf_events_are_refused_the_timer_serves_and_the_refusal_is_told(sampled, compile_program, libtandem):
    wrapper = (compile_program("refuse_perf"), libtandem)
    result, threads = sampled("auto", "1ms", "sampled_spin", 2, 400, preload=None, wrapper=wrapper)
    check_weights(result, threads, MONOTONIC)
    assert {thread.refusal for thread in threads.values()} == {13}


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_debugger_knows_the_signal(sampled, compile_program, libtandem, clock):
    """gdb stops at every SIGSTKFLT, and not at a SIGPROF."""
    wrapper = (compile_program("traced"), libtandem)
    result, threads = sampled(clock, "1ms", "sampled_spin", 1, 400, preload=None, wrapper=wrapper)
    assert result.stderr == "only 27\n"
    check_weights(result, threads, CLOCKS[clock])


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_thread_that_blocks_all_signals_is_sampled_and_sees_them_blocked(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_spin", 2, 400, "blocked")
    check_weights(result, threads, CLOCKS[clock])
    for tid in told(result):
        assert len(threads[tid].samples) > 150


@pytest.mark.parametrize("clock", CLOCKS)
def test_threads_with_the_smallest_stack_survive(sampled, clock):
    result, threads = sampled(clock, "100us", "sampled_spin", 4, 200, "tiny", env={"TANDEM_SAMPLING_DEPTH": "128"})
    check_weights(result, threads, CLOCKS[clock])


@pytest.mark.parametrize("clock", CLOCKS)
def test_errno_is_kept(sampled, clock):
    result, threads = sampled(clock, "100us", "sampled_spin", 1, 400, "errno")
    check_weights(result, threads, CLOCKS[clock])


def test_no_call_is_cut_short_and_a_sleeper_is_left_alone(sampled_at_once):
    for clock, result, threads in sampled_at_once([*CLOCKS, "cpu", "itimer"], "1ms", "sampled_calls"):
        assert (result.returncode, result.stdout) == (0, ""), clock
        if clock in CLOCKS:
            first = threads[min(threads)]
            # It computes 20 ms before each of 51 calls, less where others have the core, and sleeps 60 ms to 1 s in each.
            assert (first.cpu_ns - result.stolen_ns) / 2_000_000 < len(first.samples) < 1400, clock


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_no_transfer_is_cut_short(run, libtandem, clock):
    # dd counts blocks, not bytes: a block that a signal cuts short is missing from the sum.
    result = run("sh", "-c", "dd if=/dev/zero bs=1M count=200 status=none | wc -c", preload=libtandem,
                 env={"SAMPLING_PERIOD": "100us", "TANDEM_SAMPLING_CLOCK": clock, "TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, RAISED.sub("", result.stderr)) == (0, f"{200 << 20}\n", "")


@pytest.fixture(scope="module")
def signals_alone(compile_program, clean_environment):
    """signals_alone(what) -> what sampled_signals does when nothing is recorded"""
    program = compile_program("sampled_signals")

    @functools.cache
    def run_alone(what):
        return subprocess.run([program, what], env=clean_environment, capture_output=True, text=True, timeout=60)

    return run_alone


@pytest.mark.parametrize("what", ["itimer", "handler", "blocked"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_signals_of_the_program_are_its_own(sampled, signals_alone, clock, what):
    alone = signals_alone(what)
    result, threads = sampled(clock, "1ms", "sampled_signals", what)
    assert (result.returncode, result.stdout) == (alone.returncode, alone.stdout)
    assert any(thread.samples for thread in threads.values())


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_signal_nobody_handles_still_kills(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_signals", "default")
    assert (result.returncode, result.stdout) == (-signal.SIGSTKFLT, "")


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_a_program_that_is_execed_is_not_hit(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "exec")
    assert (result.returncode, RAISED.sub("", result.stderr)) == (0, "")


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_sampling_goes_on_after_an_exec_that_failed(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "failed-exec")
    assert result.returncode == 0
    (thread,) = threads.values()
    assert thread.weight_ns == pytest.approx(thread.cpu_ns, abs=0.05 * thread.cpu_ns + result.stolen_ns)


@pytest.mark.parametrize("clock", CLOCKS)
def test_forked_children_are_sampled_by_clocks_of_their_own(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "fork")
    assert result.returncode == 0
    assert len(threads) == 4
    for thread in threads.values():
        # Of a short life much comes after the last sample: with that, and only so, the sum is its CPU time.
        assert thread.weight_ns == pytest.approx(thread.cpu_ns, abs=8_000_000 + result.stolen_ns)
        assert thread.weight_ns + thread.rest_ns == pytest.approx(
            thread.cpu_ns, abs=0.02 * thread.cpu_ns + result.stolen_ns)


@pytest.mark.parametrize("clock", CLOCKS)
def test_nothing_is_sampled_while_recording_is_off(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "off")
    assert result.returncode == 0
    (thread,) = threads.values()
    assert thread.weight_ns == pytest.approx(400_000_000, abs=20_000_000 + result.stolen_ns)
    assert thread.cpu_ns > 750_000_000 - result.stolen_ns


def test_descriptors_of_the_program_are_its_own_even_with_our_numbers(sampled):
    result, threads = sampled("perf", "1ms", "sampled_odd", "close-all")
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize("clock", CLOCKS)
def test_the_handler_allocates_nothing(sampled, clock):
    result, threads = sampled(clock, "100us", "sampled_odd", "no-malloc")
    assert result.stdout == "0 allocations\n"
    assert sum(len(thread.samples) for thread in threads.values()) > 1000


def test_the_clock_for_tests_gives_a_sample_when_asked(sampled):
    result, threads = sampled("fake", "1ms", "sampled_odd", "asked", 25)
    (thread,) = threads.values()
    assert thread.clock == FAKE
    assert len(thread.samples) == 25


def test_what_hangs_handlers_that_lock_runs_clean(sampled_at_once):
    for clock, result, threads in sampled_at_once(CLOCKS, "250us", "stress.cc", 4):
        assert (result.returncode, result.stdout) == (0, "clean\n"), (clock, result.stderr)
        # Much of it is the kernel's, where many periods give one sample: 0.12 of all are left where it was least.
        n_samples, cpu_ns = (sum(each) for each in zip(*((len(t.samples), t.cpu_ns) for t in threads.values())))
        assert n_samples > 0.05 * cpu_ns / 250_000, clock


@pytest.fixture(scope="module")
def work_seconds(compile_program, clean_environment):
    """How long sampled_work takes alone."""
    program, began = compile_program("sampled_work"), time.monotonic()
    subprocess.run([program, "1"], env=clean_environment, check=True, stdout=subprocess.DEVNULL, timeout=60)
    return time.monotonic() - began


@pytest.mark.parametrize("n_threads", [1, 8])
@pytest.mark.parametrize("period", ["1ns", "1us", "10us", "100us", "10s"])
@pytest.mark.parametrize("clock", ["auto", *CLOCKS, "cpu", "itimer"])
def test_any_period_lets_the_program_end(sampled, work_seconds, clock, period, n_threads):
    """And if it is not kept, one line says so, and what it is instead."""
    result, threads = sampled(clock, period, "sampled_work", n_threads, timeout=max(5, 10 * work_seconds))
    assert (result.returncode, result.stdout) == (0, "done\n")
    assert len(threads) == n_threads
    cpu_ns = sum(thread.cpu_ns for thread in threads.values())
    assert sum(t.weight_ns + t.rest_ns for t in threads.values()) == pytest.approx(cpu_ns, abs=0.1 * cpu_ns + result.stolen_ns)
    raised = RAISED.fullmatch(result.stderr)
    assert raised or not result.stderr
    is_ = in_ns(raised.group(1) if raised else period)
    n_samples = sum(len(thread.samples) for thread in threads.values())
    assert n_samples >= int(0.4 * (cpu_ns - result.stolen_ns) / is_) - n_threads
    if raised:
        assert raised.group(2) == period
        assert n_samples <= 2 * cpu_ns / is_ + n_threads


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_sample_that_takes_long_makes_them_rare(sampled, papi, clock):
    """What the handler does is not known beforehand: here each sample reads a counter for longer than the period."""
    env = {**papi, "FAKE_PAPI_READ_US": "150", "TANDEM_COUNTERS": "PAPI_TOT_INS", "TANDEM_COUNTERS_AT": "samples"}
    result, threads = sampled(clock, "100us", "sampled_work", 2, env=env, timeout=30)
    assert (result.returncode, result.stdout) == (0, "done\n")
    is_, asked = RAISED.fullmatch(result.stderr).groups()
    assert asked == "100us" and in_ns(is_) >= 300_000
    for thread in threads.values():
        assert 0 < len(thread.samples) < 2 * thread.cpu_ns / 300_000


def test_a_period_that_is_raised_is_told_by_the_command_and_the_trace(run, tandem, compile_program, tmp_path):
    program = compile_program("sampled_work")
    result = run(tandem, "record", "--sampling-period", "1us", "--", program, 2, check=True)
    raised, told = result.stderr.splitlines(keepends=True)
    assert RAISED.fullmatch(raised).group(2) == "1us" and told.startswith("tandem: sampled_work.prv: ")
    assert "; asked for: 1 us; " in run(tandem, "stat", "sampled_work.prv", check=True).stdout
