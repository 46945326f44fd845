# SPDX-License-Identifier: GPL-3.0-or-later
"""A sampled thread that is off a CPU does not run: its states say so, and where it waited."""
import collections
import re

import pytest

from samples import labels_of

IDLE, RUNNING, NOT_CREATED, SYNCHRONIZATION, BLOCKED, PREEMPTED = 0, 1, 2, 5, 9, 35
WAITING_FUNCTION, WAITED_TIME = 92030000, 92000003
COMPUTE_MS, N_TIMES = 5, 60
WAITS_NS = 3 * COMPUTE_MS * N_TIMES * 1e6
CLOCKS = ["real", "perf", "cpu", "itimer"]


class Row:
    """A thread's row of a trace: time by state, and by function waited in, in ns.  besides: at most so much of it was waited in
    functions that the program does not mean to wait in."""

    def __init__(self):
        self.states, self.waits, self.besides = collections.Counter(), collections.Counter(), 0

    def lasted(self):
        return sum(time for state, time in self.states.items() if state not in (IDLE, NOT_CREATED))


def read_rows(prv):
    """{name of the thread, or its place: Row}"""
    names = dict(re.findall(r"^THREAD (1\.1\.\d+) \((.*)\)$", prv.with_suffix(".row").read_text(), re.M))
    functions = labels_of(prv, WAITING_FUNCTION)
    rows = collections.defaultdict(Row)
    for line in prv.read_text().splitlines():
        kind, _, *thread = line.split(":")[:5]
        numbers = [int(number) for number in line.split(":")[5:]] if kind in "12" else []
        row = rows[".".join(thread)]
        if kind == "1":
            begin, end, state = numbers
            row.states[state] += end - begin
        elif kind == "2":
            values = dict(zip(numbers[1::2], numbers[2::2]))
            if WAITED_TIME in values:
                row.waits[functions[values[WAITING_FUNCTION]]] += values[WAITED_TIME]
    return {names.get(place, place): row for place, row in rows.items()}


@pytest.fixture
def prv(tmp_path):
    return tmp_path / "waiting.prv"


@pytest.fixture(params=CLOCKS)
def threads(request, run, tandem, compile_program, prv):
    """{name: (CPU time, wall time, Row)} of the program's threads, ns"""
    program = compile_program("waiting")
    result = run(tandem, "record", "--sampling-clock", request.param, "--sampling-period", "2ms", "-o", prv,
                 program, COMPUTE_MS, N_TIMES, check=True)  # fmt: skip
    rows = read_rows(prv)
    threads = {}
    for name, *numbers in map(str.split, result.stdout.splitlines()):
        cpu, wall, rows[name].besides = map(int, numbers)
        threads[name] = cpu, wall, rows[name]
    return threads


def off_cpu(row):
    return sum(row.states[state] for state in (BLOCKED, PREEMPTED, SYNCHRONIZATION))


def test_running_is_the_cpu_time(threads):
    """Within 3 %, and what begins and ends the thread."""
    assert len(threads) == 5
    for name, (cpu, wall, row) in threads.items():
        assert row.states[RUNNING] == pytest.approx(cpu, rel=0.03, abs=1e6), name
        assert row.lasted() > wall


def test_what_is_left_was_waited(threads):
    """The time off a CPU is wall less CPU time, within 1 % of the thread's life, in the state that says why.  It does not see
    itself how it begins and ends: what it saw is the least, its life in the trace the most."""
    least = {("sleeps", BLOCKED): 0.98, ("reads", BLOCKED): 0.98, ("raw", BLOCKED): 0.98, ("locks", SYNCHRONIZATION): 0.9}
    for name, (cpu, wall, row) in threads.items():
        allowed = 0.01 * wall
        assert wall - cpu - allowed < off_cpu(row) < row.lasted() - cpu + allowed, name
    for (name, state), part in least.items():
        assert threads[name][2].states[state] > part * WAITS_NS, name
    _, wall, worker = threads["works"]
    assert worker.states[BLOCKED] < 0.05 * wall, "who works does not wait, but for a CPU"


def test_functions_waited_in(threads):
    """Interposed calls are told, with the time that was waited in them; those by number are syscall's."""
    for name, function in ("sleeps", "usleep"), ("reads", "read"), ("raw", "syscall"):
        row = threads[name][2]
        waited = sum(row.waits.values())
        assert waited == pytest.approx(row.states[BLOCKED], rel=0.2), name
        assert row.waits[function] > 0.9 * (waited - row.besides), name


def test_report(threads, run, tandem, prv):
    """Of all time waited, the shares and the callers of the functions waited in."""
    waits = collections.Counter()
    for row in read_rows(prv).values():
        waits += row.waits
    report = run(tandem, "report", "--waits", prv, check=True).stdout
    shares = {name: float(share) for share, name in re.findall(r"^ +([\d.]+) % .* (\S+)$", report.split("\n\n")[1], re.M)}
    for function in ("usleep", "read"):
        assert shares[function] == pytest.approx(100 * waits[function] / sum(waits.values()), abs=0.01)
    assert re.search(r"^ +[\d.]+ % +0.00 % +sleeps\n +[\d.]+ % +[\d.]+ % +usleep$", report, re.M)


LEFT = """
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
static void compute(long ms)
{
    double begin = now_ms(); /* the loader has computed, too, before it loaded the recorder */
    while (now_ms() - begin < ms) {
        for (volatile int i = 0; i < 10000; i++) {
        }
    }
}
static void *sleeps(void *ms)
{
    compute((long)ms);
    struct timespec t = {100, 0};
    for (;;)
        syscall(SYS_nanosleep, &t, 0);
}
int main(int argc, char **argv)
{
    pthread_t thread;
    for (long i = 0; i < 3; i++)
        pthread_create(&thread, 0, sleeps, (void *)(50 * i));
    compute(400);
    if (strcmp(argv[1], "killed") == 0)
        raise(SIGKILL);
    syscall(SYS_exit_group, 0);
}
"""


@pytest.mark.parametrize("clock", ["real", "perf"])
@pytest.mark.parametrize("how", ["killed", "left"])
def test_threads_that_do_not_tell_their_end(run, tandem, compile_program, prv, how, clock):
    """They ran as long as they used CPU time, and up to a period more."""
    program = compile_program(LEFT, name="leaves")
    run(tandem, "record", "--sampling-clock", clock, "--sampling-period", "2ms", "-o", prv, program, how)
    rows = read_rows(prv)
    main, *others = (rows[place] for place in ("1.1.1", "1.1.2", "1.1.3", "1.1.4"))
    others.sort(key=lambda row: row.states[RUNNING])
    assert main.states[RUNNING] == pytest.approx(400e6, rel=0.03)
    assert [row.states[RUNNING] / 1e6 for row in others] == [pytest.approx(ms, abs=3.5 + ms / 20) for ms in (0, 50, 100)]
    assert others[0].states[BLOCKED] > 0.95 * others[0].lasted()
