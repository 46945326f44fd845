# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program does with signals, waits, stacks, exec and seccomp is what it does without us, under every clock."""
import platform

import pytest

import streams

WAYS = {"default": {}, "default at ticks": {"SAMPLING_PERIOD": "10ms"},
        **{clock: {"TANDEM_SAMPLING_CLOCK": clock} for clock in ("perf", "cpu", "itimer")},
        "without samples": {"SAMPLING_PERIOD": "0"},
        "all": {"TANDEM_HEAP": "leaks", "TANDEM_COUNTERS": "task-clock", "TANDEM_CALLERS": "3", "TANDEM_PTHREAD": "all",
                "TANDEM_STACK": "1", "TANDEM_SENSORS": "process", "TANDEM_SENSORS_PERIOD": "20ms"}}
SIGNALS = ["sigwait", "timed", "descriptor", "raw-descriptor", "masks", "pending", "raw-reset", "ended", "faults"]
STACKS = ["alternate 65536", "alternate 8192", "alternate 4096", "thread", "coroutine 4096", "coroutine 16384", "made 16384",
          "deep 2000000"]
SANDBOXES = ["kill", "errno", "strict", "all"]
GUESTS = ([f"guest_signals {way}" for way in SIGNALS] + ["guest_waits number 12", "guest_waits code 12"] +
          [f"guest_stacks {way}" for way in STACKS] + [f"guest_life {way}" for way in ("exec", "open", *SANDBOXES)])


@pytest.fixture(scope="module")
def untraced():
    """{guest: its run without us}, of which one serves all ways."""
    return {}


@pytest.fixture
def beside(run, compile_program, untraced, libtandem, build_dir, machine, tmp_path):
    """beside(guest, way) -> (its run without us, its run with us), and the run directory is tmp_path/out.tandem."""

    def run_twice(guest, way):
        library = build_dir / "libtandem-heap.so" if "TANDEM_HEAP" in WAYS[way] else libtandem
        if way == "perf" and machine.clock_refusal(way):
            pytest.skip("the kernel refuses perf events")
        program, *arguments = guest.split()
        command = [compile_program(program), *arguments]
        env = {"SAMPLING_PERIOD": "1ms", "TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out", **WAYS[way]}
        if guest not in untraced:
            untraced[guest] = run(*command)
        return untraced[guest], run(*command, preload=library, env=env)

    return run_twice


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("guest", GUESTS)
def test_a_guest_does_not_notice(beside, guest, way):
    alone, traced = beside(guest, way)
    assert (traced.returncode, traced.stdout, traced.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@pytest.mark.parametrize("guest, least", [("guest_signals timed", 50), ("guest_waits code 12", 10), ("guest_stacks coroutine 4096", 30),
                                          ("guest_stacks thread", 30), ("guest_stacks alternate 65536", 90), ("guest_life open", 30)])
def test_it_is_sampled_all_the_same(beside, tmp_path, guest, least):
    """So that the test above says something."""
    beside(guest, "default")
    threads = streams.sampled_threads(tmp_path / "out.tandem")
    assert sum(len(thread.samples) for thread in threads.values()) >= least


def test_threads_that_compute_survive_an_exec(run, compile_program, libtandem, tmp_path):
    """Six of thirty such runs were ended by our signal."""
    env = {"SAMPLING_PERIOD": "1ms", "TANDEM_MERGE": "0", "TANDEM_OUTPUT": tmp_path / "out"}
    program = compile_program("guest_life")
    for _ in range(40):
        assert run(program, "exec", preload=libtandem, env=env).returncode == 0


@pytest.mark.parametrize("way", SANDBOXES)
def test_what_a_sandbox_ends_is_told(run, tandem, compile_program, tmp_path, way):
    result = run(tandem, "record", "-o", tmp_path / "out.prv", "--", compile_program("guest_life"), way)
    assert result.returncode == 4 and result.stdout == "worked\n"
    assert "not recorded: guest_life: what it did once it had given up calls of the kernel" in result.stderr
    assert "given up calls" in run(tandem, "stat", tmp_path / "out.prv").stdout


def test_a_handler_that_is_taken_behind_us_is_told(run, tandem, compile_program, tmp_path):
    if platform.machine() != "x86_64":
        pytest.skip("the program knows x86-64's instruction")
    program = compile_program(r"""
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
static void on_signal(int signal) {}
static void back(void);
__asm__("back: mov $15, %eax\n syscall");
int main(void) {
    struct { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; }
        action = {on_signal, 0x04000000, back, 0};
    long result;
    for (int i = 1; i < 32; i++) {
        register long size __asm__("r10") = 8;
        __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_rt_sigaction), "D"(i), "S"(&action), "d"(0), "r"(size) : "rcx", "r11", "memory");
    }
    for (volatile long i = 0; i < 200000000; i++) {}
    puts("computed");
    return 0;
}
""", name="takes")
    result = run(tandem, "record", "-o", tmp_path / "out.prv", "--", program)
    assert (result.returncode, result.stdout) == (0, "computed\n")
    assert "not recorded: takes: its samples, because it took the sampling signal's handler" in result.stderr
