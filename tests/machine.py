# SPDX-License-Identifier: GPL-3.0-or-later
"""What this machine can give, asked of the kernel by a program of our own (machine_probe.c) and of the kernel's files.

Nothing here asks tandem: a test that skips, or expects something else, because of what the machine lacks, asks here.
"""
import errno
import functools
import os
import pathlib
import subprocess

# The kernel's counters that tests count: name -> (type, number) of perf_event_open, and whether it needs the kernel's side.
SOFTWARE, HARDWARE = 1, 0
EVENTS = {
    "cpu-clock": (SOFTWARE, 0, False),
    "task-clock": (SOFTWARE, 1, False),
    "page-faults": (SOFTWARE, 2, False),
    "context-switches": (SOFTWARE, 3, True),
    "cpu-migrations": (SOFTWARE, 4, True),
    "cycles": (HARDWARE, 0, False),
    "instructions": (HARDWARE, 1, False),
}
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.ENOSYS)
CLOCKS = {"perf": 1_000_000, "real": 1_000_000, "cpu": 1_000_000, "itimer": 1_000_000, "perf:task-clock": 1_000_000, "perf:page-faults": 100}


class Machine:
    def __init__(self, probe, environment):
        self.probe = probe
        self.environment = environment
        self.clock_refusal = functools.cache(self._clock_refusal)
        self.event_refusal = functools.cache(self._event_refusal)

    def _ask(self, *words):
        command = [str(word) for word in (self.probe, *words)]
        said = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=True)
        return [int(number) for number in said.stdout.split()]

    def _event_refusal(self, name):
        """Why the kernel does not count this in a thread of the caller's: an errno, 0 where it does."""
        type_, number, needs_kernel = EVENTS[name]
        (error,) = self._ask("event", type_, number, int(needs_kernel))
        return error

    def _clock_refusal(self, name):
        """Why no thread can be signalled by this clock: an errno, 0 where it can.  One that is taken and gives nothing fails."""
        error, n_signals = self._ask("clock", name, CLOCKS[name])
        assert error or n_signals > 0, f"the kernel takes the clock {name}, and sends nothing"
        return error

    def delivery_ns(self, period_ns):
        """How long after the interrupt of a timer with this period its handler runs, at this moment."""
        return self._ask("delivery", period_ns)[0]

    def clocks(self):
        """Those that the kernel has."""
        return [name for name in CLOCKS if not self.clock_refusal(name)]

    def forbidden_sentence(self, name):
        """What `not counted` must say of an event that the kernel forbids."""
        assert self.event_refusal(name) in FORBIDDEN, name
        return forbidden_sentence(1 if EVENTS[name][2] else 2)


def forbidden_sentence(most):
    """Why an event is not counted that the kernel allows up to that level of its setting, and forbids all the same or because of it."""
    paranoid = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
    level = paranoid.read_text().strip() if paranoid.exists() else "unknown"
    if level != "unknown" and int(level) <= most:
        return f"the kernel forbids it, though perf_event_paranoid is {level}"
    return f"the kernel forbids it: perf_event_paranoid is {level}, at most {most} is needed"


@functools.cache
def namespaces_refusal():
    """Why there are no namespaces in which a user is root and may mount: a sentence, "" where there are."""
    words = ["unshare", "--user", "--map-root-user", "--uts", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=60).stderr.strip()
    except FileNotFoundError:
        return "unshare is not installed"


def find_sensors(*patterns):
    """Files of /sys that match and can be read."""
    return [path for pattern in patterns for path in sorted(pathlib.Path("/sys").glob(pattern)) if can_be_read(path)]


def can_be_read(path):
    try:
        return bool(path.read_text().strip())
    except (OSError, UnicodeDecodeError):
        return False


def stolen_ns():
    """What the machine's own host has taken from its CPUs since it began: the kernel counts some of it as threads' time."""
    with open("/proc/stat", encoding="ascii") as file:
        return int(file.readline().split()[8]) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
