#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ./dev pmu checks on the emulated machine, a line each: unit tests on this architecture, then counters of the
processor against known.c, whose instructions are known.  Ends with 1 if anything failed.

    check.py [regions] [calls] [user_reads] [paranoid] [overflow] [unit_tests]

A reading itself takes instructions, some before it counts and some after: the same number each time.  So what a region
of so many loops of two instructions took must be 2 * loops + constant, with one constant in each thread, to the last
instruction.
"""
import os
import pathlib
import re
import subprocess
import sys

BUILD = pathlib.Path(os.environ["TANDEM_BUILD"])
SOURCE = pathlib.Path(os.environ["TANDEM_SOURCE"])
INSTRUCTIONS, CYCLES, REGION, MPI_OTHER, FUNCTION = "42000050", "42000059", "92000010", "50000003", "30000000"
RANK, REDUCE_LOCAL = "19", "1087"  # values of MPI_Comm_rank, MPI_Reduce_local
failed = []


def say(name, ok, found):
    print(f"{'ok  ' if ok else 'FAIL'}  {name:34} {found}", flush=True)
    if not ok:
        failed.append(name)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)


def record(name, *command, counters, launcher=(), **options):
    """The trace's events: one dictionary of type -> value a line, with "thread"; and what was said."""
    result = run(*launcher, "tandem", "record", "--force", "-o", f"{name}.prv", "--counters", counters, "--", *command,
                 **options)
    events = []
    place = pathlib.Path(options.get("cwd", ".")) / f"{name}.prv"
    for line in place.read_text().splitlines() if place.exists() else ():
        if line.startswith("2:"):
            fields = line.split(":")
            events.append({"thread": ":".join(fields[2:5]), **dict(zip(fields[6::2], fields[7::2]))})
    return events, result


def value_of(name, label):
    """The value that has this label in a trace."""
    found = re.search(rf"^(\d+) +{label}$", pathlib.Path(f"{name}.pcf").read_text(), re.M)
    return found and found[1]


def constants(loops, taken):
    """What is left of what was counted, for each; None if they are not as many."""
    return {counted - 2 * n for n, counted in zip(loops, taken)} if len(loops) == len(taken) > 0 else None


def one_constant(found):
    return found is not None and len(found) == 1 and 0 < min(found) < 2000


def known(words, output):
    return [int(line.split()[-1]) for line in output.splitlines() if line.startswith(words)]


def check_unit_tests():
    names = sorted(path for path in (BUILD / "tests" / "unit").glob("test_*") if path.is_file())
    bad = [path.name for path in names if run(path, cwd="/tmp").returncode != 0]
    say("unit tests", len(names) > 20 and not bad, f"{len(names)} programs, failed: {' '.join(bad) or 'none'}")


def regions(counters):
    """Constants of instructions, of cycles, and how many threads had regions."""
    events, result = record("regions", "./known", "regions", counters=counters)
    ends, inside, number = [], {}, value_of("regions", "known")
    for event in events:
        thread = event["thread"]
        if event.get(REGION) == "0" and inside.get(thread) == number:
            ends.append(event)
        inside[thread] = event.get(REGION, inside.get(thread))
    loops = known("region", result.stdout)
    threads = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("region")]
    found = []
    for counter in (INSTRUCTIONS, CYCLES):  # each thread has a constant of its own: PAPI looks for it among its threads
        each = [constants([n for n, of in zip(loops, threads) if of == thread],
                          [int(event.get(counter, 0)) for event, of in zip(ends, threads) if of == thread])
                for thread in sorted(set(threads))]
        found.append(max(each, key=lambda one: len(one or range(100))) if len(ends) == len(loops) > 0 else None)
    if None in found:
        print(result.stdout, result.stderr)
    return (*found, len(set(threads)) if len({event["thread"] for event in ends}) > 1 else 0)


def check_regions():
    instructions, cycles, n_threads = regions("PAPI_TOT_INS,PAPI_TOT_CYC")
    say("instructions of regions, 4 threads", one_constant(instructions) and n_threads == 4, f"2 n + {instructions}")
    say("cycles of regions, 4 threads", one_constant(cycles), f"2 n + {cycles}")


def check_calls():
    events, result = record("calls", "./known", "calls", counters="PAPI_TOT_INS,PAPI_TOT_CYC",
                            launcher=("mpirun", "-n", 2))
    for rank in ("1:1:1", "1:2:1"):
        calls, gaps, inside = [], [], None
        for event in events:
            if event["thread"] != rank or MPI_OTHER not in event or INSTRUCTIONS not in event:
                continue
            if event[MPI_OTHER] == RANK:
                gaps.append(int(event[INSTRUCTIONS]))
            elif event[MPI_OTHER] == "0" and inside == REDUCE_LOCAL:
                calls.append(int(event[INSTRUCTIONS]))
            inside = event[MPI_OTHER]
        loops = known("gap", result.stdout)  # what is called before them only warms up
        found = [constants(known("call", result.stdout), calls), constants(loops, gaps[-len(loops):])]
        say(f"MPI calls of {rank}", one_constant(found[0]), f"2 n + {found[0]}")
        say(f"between MPI calls of {rank}", one_constant(found[1]), f"2 n + {found[1]}")


def set_sysctl(name, value):
    pathlib.Path("/proc/sys/kernel", name).write_text(str(value))


def check_user_reads():
    """What instructions read and what the kernel reads differ by what reading takes."""
    found = {}
    for allowed in (0, 1):
        set_sysctl("perf_user_access", allowed)
        found[allowed], _, _ = regions("instructions,cycles")
        say("read by instructions" if allowed else "read by the kernel", one_constant(found[allowed]),
            f"2 n + {found[allowed]}")
    set_sysctl("perf_user_access", 0)
    say("they are two ways", found[0] != found[1], f"{found[0]}, {found[1]}")


def check_paranoid():
    """An ordinary user, whom perf_event_paranoid 3 refuses everything."""
    home = pathlib.Path("/tmp/user")
    home.mkdir(exist_ok=True)
    home.chmod(0o777)
    user = ("setpriv", "--reuid=1000", "--regid=1000", "--clear-groups")
    for paranoid in (3, 2):
        set_sysctl("perf_event_paranoid", paranoid)
        events, result = record("user", "/tmp/known", "regions", counters="PAPI_TOT_INS", launcher=user, cwd=home)
        counted = any(INSTRUCTIONS in event for event in events)
        told = [line for line in result.stderr.splitlines() if "perf_event_paranoid" in line]
        name = f"ordinary user, paranoid {paranoid}"
        if paranoid == 3:
            say(name, result.returncode == 0 and not counted and len(told) == 1, told[0] if told else result.stderr)
        else:
            say(name, result.returncode == 0 and counted and not told, f"counted: {counted}")


def check_overflow():
    """work_1, work_2 and work_3 take 100, 200 and 300 million cycles: a sample for each million."""
    result = run("tandem", "record", "--force", "-o", "functions.prv", "--sampling-clock", "papi:PAPI_TOT_CYC@1000000",
                 "--", "./known", "functions")
    names = dict(re.findall(r"^(\d+)\s+(work_\d)\b", pathlib.Path("functions.pcf").read_text(), re.M))
    counts = {}
    for line in pathlib.Path("functions.prv").read_text().splitlines():
        fields = line.split(":")
        if fields[0] == "2":
            event = dict(zip(fields[6::2], fields[7::2]))
            name = names.get(event.get(FUNCTION))
            counts[name] = counts.get(name, 0) + 1
    parts = [counts.get(f"work_{i}", 0) for i in (1, 2, 3)]
    say("samples at cycles' overflow", all(abs(n - 100 * i) <= 1 for i, n in enumerate(parts, 1)),
        f"{parts} of [100, 200, 300] {result.stderr.strip()}")


CHECKS = (check_unit_tests, check_regions, check_calls, check_user_reads, check_paranoid, check_overflow)


def main():
    os.chdir("/tmp")
    library = BUILD / "runtime"
    made = run("mpicc", "-g", "-O2", f"-I{SOURCE}", "-o", "known", SOURCE / "tests" / "pmu" / "known.c", f"-L{library}",
               f"-Wl,-rpath,{library}", "-ltandem-api")
    if made.returncode != 0:
        sys.exit(made.stderr)
    set_sysctl("perf_event_paranoid", 1)  # at 3 PAPI refuses root, too
    for check in CHECKS:
        if len(sys.argv) > 1 and check.__name__.removeprefix("check_") not in sys.argv[1:]:
            continue
        try:
            check()
        except (OSError, subprocess.SubprocessError) as error:
            say(check.__name__, False, error)
    print(f"{len(failed)} failed" if failed else "all of it holds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
