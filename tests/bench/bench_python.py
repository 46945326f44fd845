#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_python.py LIBTANDEM [PYTHON]: what recording adds to a call of a function of Python's, in ns: one that is recorded,
one that is not chosen, a generator's resume, and a loop that calls nothing; with two counters of the kernel's read at
enter and leave; and to a whole program, in user time.

Each figure is the least of many short batches, in processes that take turns.  The limits are what was promised; a machine
that does something else meanwhile exceeds them now and then, and its clock (a read of it costs 17 ns where they were
made) counts twice in a call.  The paper that traced GPAW by sys.setprofile (ICCS 2017) had 4600 ns for an event.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

BATCHES = """
import sys, time
def empty(): pass
def resume():
    while True: yield
def calls(n, clock=time.perf_counter_ns):
    begin = clock()
    for i in range(n): empty()
    return clock() - begin
def resumes(n, clock=time.perf_counter_ns, generator=resume()):
    begin = clock()
    for i in range(n): next(generator)
    return clock() - begin
def loop(n, clock=time.perf_counter_ns):
    begin = clock()
    for i in range(n): i * i + i
    return clock() - begin
for what in calls, resumes, loop:
    print(min(what(500) for i in range(2000)) / 500)
"""

# Pure Python of many small functions and some that take longer: 0.4 million calls.
WHOLE = """
class Vector:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def length(self): return (self.x * self.x + self.y * self.y) ** 0.5
def fibonacci(n): return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
def sieve(n):
    prime = [True] * n
    for i in range(2, n):
        if prime[i]:
            for j in range(i * i, n, i): prime[j] = False
    return sum(prime)
fibonacci(24)
for i in range(8): sieve(300000)
total = Vector(0, 0)
for i in range(60000):
    total = total + Vector(i, 1)
    total.length()
print(total.length())
"""

LIMITS = {"recorded": (65, 65, 0.5), "not chosen": (12, 12, 0.5)}
COUNTED = {"TANDEM_PYTHON": "all", "TANDEM_COUNTERS": "task-clock,page-faults", "TANDEM_COUNTERS_AT": "python"}


def run(program, library, python, settings, directory):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("TANDEM_", "SAMPLING_"))}
    if settings:
        env.update(settings, LD_PRELOAD=library, TANDEM_MERGE="0", TANDEM_FORCE="1", TANDEM_OUTPUT=f"{directory}/out")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = subprocess.run([python, "-I", "-c", program], env=env, check=True, capture_output=True, text=True)
    user_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if settings:
        recorded = sum(path.stat().st_size for path in pathlib.Path(directory).glob("out.tandem/*/*"))
        assert recorded, f"nothing was recorded: {result.stderr}"
    return result.stdout.split(), user_s


def main():
    library, python = sys.argv[1], (sys.argv[2:] or ["/usr/bin/python3"])[0]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        chosen = pathlib.Path(directory) / "chosen"
        chosen.write_text("__main__.nothing\n")
        settings = {
            "untraced": {},
            "recorded": {"TANDEM_PYTHON": "all"},
            "not chosen": {"TANDEM_PYTHON": str(chosen)},
            "counted": COUNTED,
        }
        best = {case: [float("inf")] * 3 for case in settings}
        users = {case: [] for case in settings}
        for _ in range(5):
            for case, env in settings.items():
                figures, _ = run(BATCHES, library, python, env, directory)
                best[case] = [min(old, float(new)) for old, new in zip(best[case], figures)]
                users[case].append(run(WHOLE, library, python, env, directory)[1])
        base = best.pop("untraced")
        print(f"untraced: call {base[0]:.1f} ns, resume {base[1]:.1f}, loop {base[2]:.1f}")
        for case in LIMITS:
            figures = best[case]
            added = [new - old for new, old in zip(figures, base)]
            print(f"{case}: " + ", ".join(
                f"{what} +{ns:.1f} ns (limit {limit}, x {new / old:.2f})"
                for what, ns, limit, new, old in zip(("call", "resume", "loop"), added, LIMITS[case], figures, base)
            ))
        plain, counted = ((best[case][0] - base[0]) / 2 for case in ("recorded", "counted"))
        print(f"an enter or leave: {plain:.1f} ns, with two counters read {counted:.1f}")
        for case in LIMITS:
            print(f"whole program, {case}: user time x {min(users[case]) / min(users['untraced']):.3f} "
                  f"({min(users['untraced']):.3f} s untraced)")


main()
