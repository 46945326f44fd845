#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_overhead.py TANDEM LIBTANDEM BENCH_OVERHEAD [PAIRS [KIND...]]: what recording costs programs, beside what tandem says of it.

Each program does a known amount of work on one core, without tandem and sampled, in turn.  The figures are medians over the pairs: of
CPU time (user and system) and of elapsed time, with over without; and 1 + what the trace calls overhead over the CPU time without.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = 10
KINDS = ["computes", "reads", "sleeps", "messages"]
SETTINGS = [("real", "1ms"), ("real", "250us"), ("perf", "1ms"), ("perf", "250us"), ("cpu", "4ms")]


def measure(command, environment):
    """(CPU seconds, elapsed seconds)"""
    began = time.monotonic()
    pid = os.posix_spawn(command[0], command, environment)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began


def told(tandem, stem):
    """(overhead in s, number of samples) that the trace of the run tells."""
    subprocess.run([tandem, "merge", "-q", f"{stem}.tandem"], check=True)
    facts = dict(re.findall(r"^#tandem:([a-z-]+)=(\d+)$", pathlib.Path(f"{stem}.prv").read_text(), re.M))
    return int(facts["overhead-ns"]) / 1e9, int(facts["samples"])


def pair(tandem, libtandem, command, clock, period):
    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "LD_PRELOAD": libtandem, "SAMPLING_PERIOD": period, "TANDEM_SAMPLING_CLOCK": clock,
                       "TANDEM_SAMPLING_SHARE": "50", "TANDEM_MERGE": "0", "TANDEM_OUTPUT": f"{directory}/run"}
        alone, sampled = measure(command, os.environ), measure(command, environment)
        overhead_s, n_samples = told(tandem, f"{directory}/run")
        return sampled[0] / alone[0], sampled[1] / alone[1], 1 + overhead_s / alone[0], n_samples


def main(tandem, libtandem, program, n_pairs=PAIRS, *kinds):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for kind in kinds or KINDS:
        for clock, period in SETTINGS:
            pairs = [pair(tandem, libtandem, [program, kind], clock, period) for _ in range(int(n_pairs))]
            cpu, elapsed, said, n_samples = (statistics.median(values) for values in zip(*pairs))
            print(f"{kind}, {clock} every {period}: CPU time x {cpu:.4f}, elapsed x {elapsed:.4f}, told x {said:.4f}: "
                  f"{(said - 1) / (cpu - 1):.2f} of what it was; {n_samples:.0f} samples", flush=True)


main(*sys.argv[1:])
