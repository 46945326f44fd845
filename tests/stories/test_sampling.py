# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling: what samples weigh, and that the program's own clocks, signals and calls stay its own."""
import collections
import concurrent.futures
import contextlib
import errno
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

import retries
from machine import stolen_ns
from streams import notes, sampled_threads

PERF, MONOTONIC, CPU, ITIMER, FAKE = 1, 2, 3, 4, 5
# Of the signals that a bare clock gets meanwhile, a sampler has at least so many: measured 0.97 to 1.05, but 0.71 where the host was
# so slow that a signal took 56 us, and more than half of the time would have gone to those of 100 us; and 0.73 to 0.93 of a
# timer's, because it stops that one in calls that a signal would end.  Of those that look at the tick only: 0.8 to 1.8, but
# where others have the core some threads are seen at few ticks, others at many, so that nothing but their order can be asked.
LEAST = {"perf": 0.6, "real": 0.5, "cpu": 0.1, "itimer": 0.1}
CLOCKS = {"perf": PERF, "real": MONOTONIC}
PERIODS_NS = {"1ms": 1_000_000, "250us": 250_000, "100us": 100_000}
UNITS_NS = {"ns": 1, "us": 1000, "ms": 1_000_000, "s": 1_000_000_000}
TICK_NS = round(time.clock_getres(6) * 1e9)  # of CLOCK_MONOTONIC_COARSE
REFUSED = "tandem: sampling-clock: the kernel refuses this clock ({}), and threads are not sampled; real, the default, needs no permission\n"
RAISED = re.compile(r"sampling-(?:period|clock): a sample every (\S+)(?: counts)?, not every (\S+): "
                    r"one takes \d+us here, and samples may take (\d+) % of a thread's time(; --sampling-share 50 allows more)?")


def in_ns(text):
    number, unit = re.fullmatch(r"(\d+)(\w*)", text).groups()
    return int(number) * UNITS_NS[unit or "ns"]


def of_the_tick(period):
    """What must be said of clocks that the kernel looks at at its tick only."""
    tick = next(f"{TICK_NS // ns}{unit}" for unit, ns in reversed(UNITS_NS.items()) if TICK_NS % ns == 0)
    return f"sampling-period: a sample every {tick}, not every {period}: this clock goes by the kernel's tick"


@pytest.fixture
def bare(compile_program, clean_environment):
    """with bare(clock, period, n_threads, milliseconds) as rate: ... -> rate(ns), how many signals such CPU time got meanwhile.

    Threads beside those that are sampled, each with a clock of its own and nothing of tandem: the machine's own measure.
    """

    @contextlib.contextmanager
    def run_beside(clock, period, n_threads, milliseconds):
        words = [compile_program("sampled_spin"), n_threads, milliseconds, "plain", clock, PERIODS_NS[period]]
        found = []
        with subprocess.Popen([str(word) for word in words], env=clean_environment, stdout=subprocess.PIPE, text=True) as beside:
            yield lambda cpu_ns: cpu_ns * min(found[1] / found[0], 1 / PERIODS_NS[period])  # some clocks go on while it waits
            told_lines = beside.communicate(timeout=60)[0].splitlines()
        if beside.returncode == 0:  # else the kernel has no such clock, and who asks for one skips
            found[:] = [sum(int(line.split()[column]) for line in told_lines) for column in (1, 3)]
            assert len(told_lines) == n_threads and found[1] > 0

    return run_beside


@pytest.fixture
def sampled(run, libtandem, compile_program, machine, tmp_path):
    """sampled(clock, period, source, *arguments) -> (what the program did, with notes of periods not kept, {tid: SampledThread})"""

    def sampled_run(clock, period, source, *arguments, preload=libtandem, wrapper=(), env=None, timeout=120, refusal=None):
        share = "50" if in_ns(period) < 1_000_000 else "5"  # shorter periods would be raised
        clock_and_counts = f"{clock}@{in_ns(period)}" if ":" in clock else clock
        settings = {"SAMPLING_PERIOD": period, "TANDEM_SAMPLING_CLOCK": clock_and_counts, "TANDEM_SAMPLING_SHARE": share,
                    "TANDEM_MERGE": "0", **(env or {})}
        place = pathlib.Path(tempfile.mkdtemp(prefix=clock, dir=tmp_path))
        stolen = stolen_ns()
        command = [*wrapper, compile_program(source), *arguments]
        result = run(*command, preload=preload, env=settings, cwd=place, timeout=timeout)
        result.stolen_ns = stolen_ns() - stolen
        directories = sorted(place.glob("*.tandem"), key=lambda path: path.stat().st_mtime)
        assert directories, f"nothing was recorded: {result.stderr}"
        threads = sampled_threads(directories[-1])
        result.kept = 1  # of the samples that were asked for
        result.notes = list(dict.fromkeys(note for note in notes(directories[-1]) if ": a sample every " in note))  # of each image
        if clock in ("cpu", "itimer") and TICK_NS > in_ns(period):
            assert result.notes.pop(0) == of_the_tick(period)
        for raised in map(RAISED.fullmatch, result.notes):
            result.kept = in_ns(raised.group(2)) / in_ns(raised.group(1))
        if clock == "perf" and refusal is None:
            check_refusal(result, threads)
        return result, threads

    def check_refusal(result, threads):
        """Where the kernel gives no perf events the program is as it is, and tandem says of each thread why it has no sample."""
        refusal = machine.clock_refusal("perf")
        assert threads and {thread.refusal for thread in threads.values()} == {refusal}
        if refusal:
            assert result.stderr == REFUSED.format(os.strerror(refusal)) and not any(thread.samples for thread in threads.values())
            pytest.skip(f"the kernel refuses perf events: {os.strerror(refusal)}")

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
    """{tid: CPU time in ns} that sampled_spin or sampled_odd printed."""
    return {int(tid): int(ns) for tid, ns, _ in map(str.split, result.stdout.splitlines())}


def is_cpu_time(found_ns, result, tid, share=0.02, spare_ns=0):
    """As CPU time of a thread, this may be a little less than it told, and more by what it had used before, our set-up included."""
    before_ns = next(int(line.split()[2]) for line in result.stdout.splitlines() if int(line.split()[0]) == tid)
    cpu_ns = told(result)[tid]
    near_ns = share * cpu_ns + spare_ns + result.stolen_ns
    assert cpu_ns - near_ns <= found_ns <= cpu_ns + before_ns + near_ns, (tid, cpu_ns, before_ns, near_ns, found_ns)
    return True


def least(result, clock, n_bare):
    """How many samples there are at least, if a bare clock gave so many signals meanwhile: fewer if the period was raised."""
    return LEAST[clock] * n_bare * result.kept


def check_weights(result, threads, clock):
    """A perf event comes until the end.  A timer waits for the kernel's tick: where others have the core at ticks, much comes
    after a thread's last sample, and the sum with that is right."""
    assert result.returncode == 0, result.stdout + result.stderr
    for tid in told(result):
        assert threads[tid].clock == clock
        rest_ns = 0 if clock == PERF else threads[tid].rest_ns
        assert is_cpu_time(threads[tid].weight_ns + rest_ns, result, tid)
        assert is_cpu_time(threads[tid].cpu_ns, result, tid)


# What sampled_shares does, and the threads that do it.
SHARES = [(1, "user"), (1, "read user"), (1, "calls user"), (1, "faults user"), (1, "clock user"), (4, "user read calls faults")]


BESIDES = 0.03  # what a program does that it does not count
# Where a page fault takes 30 us, and 4 threads share 2 processors, page faults had 0.098 more than their share on average by a bare
# timer of the thread's CPU time (60 runs, 0.026 around that) as by tandem's (25 runs, 0.099), which look at the tick only; by that
# of the process 0.073.  By one thread it was 0.02.
BESIDES_AT_TICKS = 0.11
# There a turn of page faults lasts two of the kernel's ticks, so that samples at ticks come in pairs: in 12 runs, shares by one thread
# varied by 0.049 to 0.057, where 0.036 would be of samples that know nothing of each other.
AT_ONCE = {"cpu": 2, "itimer": 2}


def check_shares(said, threads, of_kinds=False, besides=BESIDES, at_once=1):
    """Samples find the shares that sampled_shares itself measured, the kernel's part of a call at the call.  -> (ns, samples)

    of_kinds: leave out what is in none of them, which is much where it reads its clock often and that takes long.
    """
    truth, found, n, places = collections.Counter(), collections.Counter(), 0, collections.defaultdict(list)
    for line in said.splitlines():
        tid, kind, *numbers = line.split()
        begin, end, ns = map(int, numbers)
        truth[kind] += ns
        places[int(tid)].append((kind, range(begin, end + 1)))
    for tid, known in places.items():
        for sample in threads[tid].samples:
            n += 1
            found[next((kind for address in sample.words for kind, place in known if address in place), "else")] += sample.id
    all_ns = sum(truth.values())
    if of_kinds:
        del found["else"]
    for kind in truth:
        share = truth[kind] / all_ns
        near = besides + 4 * (max(share * (1 - share), besides * (1 - besides)) * at_once / n) ** 0.5
        assert found[kind] / sum(found.values()) == pytest.approx(share, abs=near), (kind, n, found, truth)
    return all_ns, n


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
@pytest.mark.parametrize("n_threads, kinds", SHARES)
def test_time_is_where_it_is_spent(sampled, clock, n_threads, kinds):
    result, threads = sampled(clock, "1ms", "sampled_shares", n_threads, 600, *kinds.split())
    assert result.returncode == 0
    besides = BESIDES_AT_TICKS if clock in AT_ONCE and n_threads > 1 else BESIDES
    all_ns, n = check_shares(result.stdout, threads, besides=besides, at_once=AT_ONCE.get(clock, 1))
    if clock in CLOCKS:  # not few of them; how many there are is compared with a bare clock's signals, above all (LEAST)
        assert n >= 0.7 * (all_ns - result.stolen_ns) / PERIODS_NS["1ms"] * result.kept


def test_a_program_that_repeats_itself_in_step_with_the_period(sampled):
    """Its turns are of half a period each: samples of the default clock are in step with nothing."""
    result, threads = sampled("auto", "1ms", "sampled_shares", 1, 1000, "in-step", "user", "twin")
    check_shares(result.stdout, threads, of_kinds=True)


@pytest.fixture
def as_user(machine, compile_program, libtandem, clean_environment):
    """as_user(clock) -> (errno by which the kernel refuses the clock, result of sampled_shares, its threads), of a user without
    privileges, who may be the one that runs this."""
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    with tempfile.TemporaryDirectory() as directory:  # pytest's own are not open to others
        place = pathlib.Path(directory)
        place.chmod(0o755)
        (place / "out").mkdir(mode=0o777)
        (place / "out").chmod(0o777)
        program, probe, library = (shutil.copy(path, place) for path in (compile_program("sampled_shares"), machine.probe, libtandem))

        def run_as_user(clock):
            env = {"SAMPLING_PERIOD": "1ms", "TANDEM_SAMPLING_CLOCK": clock, "TANDEM_MERGE": "0", "LD_PRELOAD": library}
            options = {"capture_output": True, "text": True, "timeout": 60, "cwd": place / "out", **user}
            name = "real" if clock == "auto" else clock.partition("@")[0]
            counts = clock.partition("@")[2] or "1000000"
            asked = subprocess.run([probe, "clock", name, counts], env=clean_environment, check=True, **options)
            result = subprocess.run([program, "2", "300", "user", "read", "faults"], env={**clean_environment, **env}, **options)
            return int(asked.stdout.split()[0]), result, sampled_threads(place / "out" / "sampled_shares.tandem")

        yield run_as_user


@pytest.mark.parametrize("clock", ["auto", *CLOCKS, "cpu", "itimer", "perf:task-clock@1000000", "perf:page-faults@500"])
def test_a_user_without_privileges_has_the_clocks_that_the_kernel_gives(as_user, clock):
    """As perf_event_paranoid is here.  What the kernel refuses is told in one line, and the program runs without samples."""
    refusal, result, threads = as_user(clock)
    assert result.returncode == 0 and len(threads) == (0 if refusal and ":" in clock else 2)
    if refusal:
        assert re.fullmatch(r"tandem: (sampling-clock: the kernel refuses|no samples by) [^\n]+\n", result.stderr), result.stderr
        assert not any(thread.samples for thread in threads.values())
        return
    assert result.stderr == ""
    if ":" in clock:  # the kernel's part is not counted: it says where things happen, not where the time is
        assert all(thread.samples for thread in threads.values())
    else:
        check_shares(result.stdout, threads)


@pytest.mark.parametrize("env, options, period", [
    ({}, [], "10 ms"), ({}, ["--sampling-period", "2ms"], "2 ms"), ({"SAMPLING_PERIOD": "5ms"}, [], "5 ms"),
    ({}, ["--sampling-period", "0"], None), ({"SAMPLING_PERIOD": "0"}, [], None), ({}, ["--sampling-clock", "perf:page-faults@2000"], ""),
])
def test_the_command_samples_unless_told_otherwise(run, tandem, compile_program, machine, env, options, period):
    if period == "" and machine.clock_refusal("perf:page-faults"):
        pytest.skip("the kernel refuses this clock")
    result = run(tandem, "record", *options, "--", compile_program("sampled_shares"), 1, 300, "faults", env=env, check=True)
    n_samples, told_period = re.fullmatch(
        r"tandem: sampled_shares\.prv: 1 process, 1 thread, \d+ records(?:, (\d+) samples)?, 0 lost"
        r"(?:, sampling period (\d+ ms))?, overhead \S+ \S+\n", result.stderr).groups()
    assert told_period == (period or None) and (n_samples is None) == (period is None)
    if period:
        assert 0.5 * 300 / int(period.split()[0]) <= int(n_samples) <= 1.2 * 300 / int(period.split()[0])
    assert ("samples of" in run(tandem, "stat", "sampled_shares.prv", check=True).stdout) == (period is not None)


def test_the_kernels_time_stands_at_the_call(run, tandem, compile_program):
    """Samples wait until a long transfer is over; they are of the function that was called, not of what let them come."""
    run(tandem, "record", "--sampling-period", "1ms", "--", compile_program("sampled_shares"), 1, 300, "read", check=True)
    functions = run(tandem, "stat", "sampled_shares.prv", check=True).stdout.split(" function\n", 1)[1].splitlines()
    share, name = re.match(r" +([\d.]+) % +\S+ \S+  (\S+)", functions[0]).groups()
    assert name in ("read", "__read", "__libc_read") and float(share) > 90


@pytest.mark.parametrize("period", ["1ms", "100us"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_weights_sum_to_the_cpu_time_of_each_thread(sampled, bare, clock, period):
    with bare(clock, period, 4, 400) as expected:
        result, threads = sampled(clock, period, "sampled_spin", 4, 400)
    check_weights(result, threads, CLOCKS[clock])
    assert len(told(result)) == 4
    for tid, cpu_ns in told(result).items():
        assert len(threads[tid].samples) > least(result, clock, expected(cpu_ns))
        assert max(len(sample.words) for sample in threads[tid].samples) >= 8


@pytest.mark.parametrize("clock, kind", [("cpu", CPU), ("itimer", ITIMER)])
def test_clocks_that_stop_at_the_tick_weigh_right_all_the_same(sampled, bare, clock, kind):
    with bare(clock, "1ms", 1, 600) as expected:
        result, threads = sampled(clock, "1ms", "sampled_spin", 1, 600)
    check_weights(result, threads, kind)
    ((tid, cpu_ns),) = told(result).items()
    assert len(threads[tid].samples) > least(result, clock, expected(cpu_ns))


def test_where_perf_events_are_refused_the_default_does_without_and_the_refusal_is_told(sampled, compile_program, libtandem):
    wrapper = (compile_program("refuse_perf"), libtandem)
    result, threads = sampled("auto", "1ms", "sampled_spin", 2, 400, preload=None, wrapper=wrapper)
    check_weights(result, threads, MONOTONIC)
    assert {thread.refusal for thread in threads.values()} == {0}
    result, threads = sampled("perf", "1ms", "sampled_spin", 2, 400, preload=None, wrapper=wrapper, refusal=errno.EACCES)
    assert {thread.refusal for thread in threads.values()} == {errno.EACCES}
    assert result.stderr == REFUSED.format(os.strerror(errno.EACCES))
    assert len(threads) == 2 and not any(thread.samples for thread in threads.values())


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_debugger_knows_the_signal(sampled, compile_program, libtandem, clock):
    """gdb stops at every SIGSTKFLT, and not at a SIGPROF."""
    wrapper = (compile_program("traced"), libtandem)
    result, threads = sampled(clock, "1ms", "sampled_spin", 1, 400, preload=None, wrapper=wrapper,
                              env={"TANDEM_SAMPLING_SHARE": "50"})  # each of them stops the program
    assert result.stderr == "only 27\n"
    check_weights(result, threads, CLOCKS[clock])


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_thread_that_blocks_all_signals_is_sampled_and_sees_them_blocked(sampled, bare, clock):
    with bare(clock, "1ms", 2, 400) as expected:
        result, threads = sampled(clock, "1ms", "sampled_spin", 2, 400, "blocked")
    check_weights(result, threads, CLOCKS[clock])
    for tid, cpu_ns in told(result).items():
        assert len(threads[tid].samples) > least(result, clock, expected(cpu_ns))


@pytest.mark.parametrize("clock", CLOCKS)
def test_threads_with_the_smallest_stack_survive(sampled, clock):
    result, threads = sampled(clock, "100us", "sampled_spin", 4, 500, "tiny", env={"TANDEM_SAMPLING_DEPTH": "128"})
    check_weights(result, threads, CLOCKS[clock])


@pytest.mark.parametrize("clock", CLOCKS)
def test_errno_is_kept(sampled, clock):
    result, threads = sampled(clock, "100us", "sampled_spin", 1, 400, "errno")
    check_weights(result, threads, CLOCKS[clock])


def test_no_call_is_cut_short_and_a_sleeper_is_left_alone(sampled_at_once, bare):
    with contextlib.ExitStack() as stack:
        expected = {clock: stack.enter_context(bare(clock, "1ms", 1, 2000)) for clock in CLOCKS}
        runs = sampled_at_once([*CLOCKS, "cpu", "itimer"], "1ms", "sampled_calls")
    for clock, result, threads in runs:
        *cut_short, cpu_ns = result.stdout.splitlines()
        assert (result.returncode, result.stderr, cut_short) == (0, "", []), clock
        if clock in CLOCKS:
            # It computes 20 ms before each of 51 calls, and sleeps 60 ms to 1 s in each.  A timer begins again when the tick finds
            # the thread awake: that is a part of the 20 ms, the more so where others have the core at ticks.
            (n_samples,) = (len(thread.samples) for tid, thread in threads.items() if tid == thread.pid)
            half = 2 if clock == "real" else 1
            most = 1.4 * max(expected[clock](int(cpu_ns)), int(cpu_ns) / PERIODS_NS["1ms"])
            assert least(result, clock, expected[clock](int(cpu_ns))) / half < n_samples < most, clock


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_no_transfer_is_cut_short(run, libtandem, clock):
    # dd counts blocks, not bytes: a block that a signal cuts short is missing from the sum.
    result = run("sh", "-c", "dd if=/dev/zero bs=1M count=200 status=none | wc -c", preload=libtandem,
                 env={"SAMPLING_PERIOD": "100us", "TANDEM_SAMPLING_CLOCK": clock, "TANDEM_SAMPLING_SHARE": "50", "TANDEM_MERGE": "0"})
    assert (result.returncode, result.stdout, result.stderr) == (0, f"{200 << 20}\n", "")


@pytest.mark.parametrize("what", ["itimer", "handler", "blocked"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_signals_of_the_program_are_its_own(run, sampled, compile_program, clock, what):
    """It prints what it prints when nothing is recorded, and of the ticks of its own timer it gets about as many meanwhile."""
    program = compile_program("sampled_signals")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        beside = pool.submit(run, program, what)
        result, threads = sampled(clock, "1ms", "sampled_signals", what)
        alone = beside.result()
    said, alone_said = (each.stdout.split(" ticks: ") for each in (result, alone))
    assert (result.returncode, result.stderr, said[0]) == (alone.returncode, alone.stderr, alone_said[0]) and len(said[0]) > 50
    if what == "itimer":
        assert 5 < int(said[1]) < 3 * int(alone_said[1])  # it looks at the tick, too: where others have the core few are left
    assert any(thread.samples for thread in threads.values())


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_signal_nobody_handles_still_kills(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_signals", "default")
    assert (result.returncode, result.stdout) == (-signal.SIGSTKFLT, "")


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_a_program_that_is_execed_is_not_hit(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "exec")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer"])
def test_sampling_goes_on_after_an_exec_that_failed(sampled, bare, clock):
    with bare(clock, "1ms", 1, 400) as expected:
        result, threads = sampled(clock, "1ms", "sampled_odd", "failed-exec")
    assert (result.returncode, result.stderr) == (0, "")
    ((tid, cpu_ns),) = told(result).items()
    assert list(threads) == [tid]
    assert is_cpu_time(threads[tid].weight_ns + threads[tid].rest_ns, result, tid, share=0.05)
    assert len(threads[tid].samples) > least(result, clock, expected(cpu_ns))
    before_exec, _ = threads[tid].rest_times
    halves = [sum((sample.time > before_exec) == after for sample in threads[tid].samples) for after in (False, True)]
    assert all(n > least(result, clock, expected(cpu_ns / 2)) for n in halves), halves


@pytest.mark.parametrize("clock", CLOCKS)
def test_forked_children_are_sampled_by_clocks_of_their_own(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "fork")
    assert (result.returncode, result.stderr) == (0, "")
    assert len(threads) == 4 and threads.keys() == told(result).keys()
    for tid in told(result):
        # Of a short life much comes after the last sample: with that, and only so, the sum is its CPU time.
        assert is_cpu_time(threads[tid].weight_ns + threads[tid].rest_ns, result, tid, spare_ns=1_000_000)
        if clock == "perf":
            assert is_cpu_time(threads[tid].weight_ns, result, tid, spare_ns=5_000_000)


@pytest.mark.parametrize("clock", CLOCKS)
def test_nothing_is_sampled_while_recording_is_off(sampled, clock):
    result, threads = sampled(clock, "1ms", "sampled_odd", "off")
    assert (result.returncode, result.stderr) == (0, "")
    ((tid, cpu_ns),) = told(result).items()
    assert threads[tid].weight_ns == pytest.approx(400_000_000, abs=20_000_000 + result.stolen_ns)
    assert is_cpu_time(threads[tid].cpu_ns, result, tid) and cpu_ns >= 780_000_000


def test_descriptors_of_the_program_are_its_own_even_with_our_numbers(sampled):
    result, threads = sampled("perf", "1ms", "sampled_odd", "close-all")
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize("clock", CLOCKS)
def test_the_handler_allocates_nothing(sampled, bare, clock):
    with bare(clock, "100us", 1, 400) as expected:
        result, threads = sampled(clock, "100us", "sampled_odd", "no-malloc")
    assert (result.returncode, result.stdout, result.stderr) == (0, "0 allocations\n", "")
    assert sum(len(thread.samples) for thread in threads.values()) > least(result, clock, expected(500_000_000))


def test_the_clock_for_tests_gives_a_sample_when_asked(sampled):
    result, threads = sampled("fake", "1ms", "sampled_odd", "asked", 25)
    (thread,) = threads.values()
    assert thread.clock == FAKE
    assert len(thread.samples) == 25


def test_what_hangs_handlers_that_lock_runs_clean(sampled_at_once, bare):
    with contextlib.ExitStack() as stack:
        expected = {clock: stack.enter_context(bare(clock, "250us", 1, 400)) for clock in CLOCKS}
        runs = sampled_at_once(CLOCKS, "250us", "stress.cc", 4)
    for clock, result, threads in runs:
        end, cpu_ns = result.stdout.split()
        assert (result.returncode, end, result.stderr) == (0, "clean", ""), clock
        # Much of it is the kernel's, where many periods give one sample: 0.12 of all are left where it was least.
        assert sum(len(thread.samples) for thread in threads.values()) > 0.05 * expected[clock](int(cpu_ns)) * result.kept, clock


@pytest.fixture(scope="module")
def work_alone(compile_program, clean_environment):
    """work_alone(clock, n_threads=1) -> how many seconds sampled_work takes alone, its CPU time in ns, and that of a signal of such a
    clock."""

    def run_work(n_threads, *clock):
        began = time.monotonic()
        said = subprocess.run([compile_program("sampled_work"), str(n_threads), *clock], env=clean_environment, check=True,
                              capture_output=True, text=True, timeout=60).stdout
        return time.monotonic() - began, *(int(n) for n in said.split()[1:])

    @functools.cache
    def measure(clock, n_threads=1):
        seconds, cpu_ns, _, _ = run_work(n_threads)
        _, with_signals_ns, _, n = run_work(n_threads, clock, "100000")
        return seconds, cpu_ns, max(0, with_signals_ns - cpu_ns) / max(n, 1)

    return measure


@pytest.mark.parametrize("share", [5, 50])
@pytest.mark.parametrize("n_threads", [1, 8])
@pytest.mark.parametrize("period", ["1ns", "1us", "10us", "100us", "10s"])
@pytest.mark.parametrize("clock", [*CLOCKS, "cpu", "itimer", "perf:task-clock"])
def test_any_period_lets_the_program_end(sampled, work_alone, machine, clock, period, n_threads, share):
    """Samples take their share of its time, no more.  If a period is not kept, a note says so, and what it is instead."""
    counts = ":" in clock
    if counts and machine.clock_refusal(clock):
        pytest.skip("the kernel refuses this clock")
    bare_clock = "real" if machine.clock_refusal(clock) else clock
    (seconds, alone_ns, _), (_, _, signal_ns) = work_alone(bare_clock, n_threads), work_alone(bare_clock)
    env = {"TANDEM_SAMPLING_SHARE": share}

    def attempt(_):
        result, threads = sampled(clock, period, "sampled_work", n_threads, timeout=max(5, 10 * seconds), env=env)
        done, cpu_ns, work_ns, _ = result.stdout.split()
        assert (result.returncode, done, len(threads)) == (0, "done", n_threads)
        cpu_ns = int(cpu_ns) - result.stolen_ns
        # A sample may take a little more than was measured at the start, and the work more where others have the caches.
        return result, threads, cpu_ns, int(work_ns), cpu_ns < {5: 1.5, 50: 4}[share] * alone_ns

    result, threads, cpu_ns, work_ns, is_little = retries.retry("machine-takes-more", attempt)
    assert is_little, (cpu_ns, alone_ns)
    # All of the work is in some sample, and nothing that the process has not used: its start and its end are not in any.
    weighed_ns = sum(t.weight_ns + t.rest_ns for t in threads.values())
    assert 0.99 * work_ns - result.stolen_ns <= weighed_ns <= 1.01 * cpu_ns + 2 * result.stolen_ns
    assert result.stderr == ""
    raised = RAISED.fullmatch(result.notes[0]) if result.notes else None
    assert bool(raised) == bool(result.notes)
    is_ = in_ns(raised.group(1) if raised else period)
    if raised:
        assert raised.group(2, 3) == (str(in_ns(period)) if counts else period, str(share)) and in_ns(period) < is_
        assert is_ < 500 / share * (signal_ns + 5000) and bool(raised.group(4)) == (share < 50)
    if clock in ("cpu", "itimer"):
        assert not raised  # but for the tick, which `sampled` expects
        is_ = max(is_, TICK_NS)
    n_samples = sum(len(thread.samples) for thread in threads.values())
    least = 0.4 if clock in CLOCKS or counts else 0.1  # see LEAST
    assert n_samples >= int(least * cpu_ns / is_) - n_threads
    assert n_samples <= 2 * cpu_ns / is_ + n_threads


# Stops a program for 25 ms again and again while it starts, as the host of a virtual machine may.
STOPS = """import signal, subprocess, sys, time
program, end = subprocess.Popen(sys.argv[1:]), time.monotonic() + 2
while program.poll() is None and time.monotonic() < end:
    program.send_signal(signal.SIGSTOP); time.sleep(0.025); program.send_signal(signal.SIGCONT); time.sleep(0.0001)
sys.exit(program.wait())"""


@pytest.mark.parametrize("clock", CLOCKS)
def test_stops_do_not_hide_what_a_signal_takes(sampled, work_alone, clock, machine):
    _, alone_ns, _ = work_alone("real" if machine.clock_refusal(clock) else clock)
    env = {"TANDEM_SAMPLING_SHARE": 5}
    result, _ = sampled(clock, "10us", "sampled_work", 1, wrapper=["/usr/bin/python3", "-c", STOPS], env=env)
    assert result.returncode == 0 and int(result.stdout.split()[1]) - result.stolen_ns < 1.5 * alone_ns


def test_counts_that_come_too_often_are_raised_as_a_period_is(sampled, machine):
    """How often is known only once they come: a program that mostly touches fresh memory, sampled at each page fault."""
    if machine.clock_refusal("perf:page-faults"):
        pytest.skip("the kernel refuses this clock")
    result, threads = sampled("perf:page-faults", "1ns", "sampled_shares", 1, 500, "faults", env={"TANDEM_SAMPLING_SHARE": 5})
    is_, asked, share, _ = RAISED.fullmatch(result.notes[-1]).groups()
    assert result.returncode == 0 and asked == "1" and share == "5" and int(is_) > 20
    (thread,) = threads.values()
    assert 20 < len(thread.samples) < thread.cpu_ns / 50_000


def test_a_millisecond_is_not_raised(sampled, compile_program, work_alone, machine):
    """Nor where others have the cores at the same time; but where a bare clock's signal takes a tenth of it, or nearly so."""
    with contextlib.ExitStack() as stack:
        for _ in range(2 * os.cpu_count()):
            other = stack.enter_context(subprocess.Popen([compile_program("sampled_spin"), "1", "3000"], stdout=subprocess.DEVNULL))
            stack.callback(other.kill)
        for clock in machine.clocks():
            if ":" not in clock:
                result, _ = sampled(clock, "1ms", "sampled_work", 2)
                assert (result.returncode, result.stderr) == (0, ""), clock
                assert not result.notes or work_alone(clock)[2] > 50_000, clock


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_sample_that_takes_long_makes_them_rare(sampled, papi, clock):
    """What the handler does is not known beforehand: here each sample reads a counter for longer than the period."""
    env = {**papi, "FAKE_PAPI_READ_US": "150", "TANDEM_COUNTERS": "PAPI_TOT_INS", "TANDEM_COUNTERS_AT": "samples"}
    result, threads = sampled(clock, "100us", "sampled_work", 2, env=env, timeout=30)
    assert (result.returncode, result.stdout.split()[0]) == (0, "done")
    # A signal may take so long that the period is raised at the start, too, or the kernel may give so few that this is enough.
    told = [(asked, in_ns(is_)) for is_, asked, *_ in (RAISED.fullmatch(note).groups() for note in result.notes)]
    assert 1 <= len(told) <= 2 and {asked for asked, _ in told} == {"100us"}
    least_ns = 300_000 if told[-1][1] >= 300_000 else 800_000
    for thread in threads.values():
        assert 0 < len(thread.samples) < 2 * thread.cpu_ns / least_ns


def test_a_period_that_is_raised_is_told_by_the_command_and_the_trace(run, tandem, compile_program, tmp_path):
    program = compile_program("sampled_work")
    result = run(tandem, "record", "--sampling-period", "1us", "--", program, 2, check=True)
    raised, told = result.stderr.splitlines()
    assert RAISED.fullmatch(raised.removeprefix("tandem: ")).group(2) == "1us" and told.startswith("tandem: sampled_work.prv: ")
    assert "; asked for: 1 us; " in run(tandem, "stat", "sampled_work.prv", check=True).stdout


@pytest.mark.parametrize("clock", [*CLOCKS, "cpu"])
def test_the_overhead_is_what_samples_took(run, tandem, compile_program, work_alone, machine, tmp_path, clock):
    """It was measured in the run, is near what a bare clock's signals take, and does not get lost when a program is killed."""
    if machine.clock_refusal(clock):
        pytest.skip("the kernel refuses this clock")
    _, _, bare_ns = work_alone(clock)
    record = [tandem, "record", "--keep", "--sampling-share", "50", "--sampling-clock", clock, "--sampling-period", "250us"]
    run(*record, "-o", "ends.prv", "--", compile_program("sampled_work"), 2, check=True)
    killed = "import os\nfor i in range(3000000): pass\nos.kill(os.getpid(), 9)"
    assert run(*record, "-o", "killed.prv", "--", "/usr/bin/python3", "-c", killed).returncode == -9
    for name in ("ends", "killed"):
        threads = sampled_threads(tmp_path / f"{name}.tandem").values()
        n_samples, took_ns = (sum(of(thread) for thread in threads) for of in (lambda t: len(t.samples), lambda t: t.took_ns))
        signal_ns = max(thread.signal_ns for thread in threads)
        assert n_samples > 10 and 100 < signal_ns and (took_ns == 0) == (name == "killed")
        took_ns = took_ns or n_samples * signal_ns
        facts = dict(re.findall(r"^#tandem:([a-z-]+)=(\d+)$", (tmp_path / f"{name}.prv").read_text(), re.M))
        assert took_ns <= int(facts["overhead-ns"]) < 1.5 * took_ns + 20 * int(facts["records"]) + 10_000_000
        if clock in CLOCKS:  # of the others there are too few signals to see what they take
            assert bare_ns / 4 < took_ns / n_samples < 4 * (bare_ns + 5000)
