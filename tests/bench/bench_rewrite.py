# SPDX-License-Identifier: GPL-3.0-or-later
"""tandem cut, filter and shift of a trace of 60 MB, each beside a copy of the file: CPU time, the best of three."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

N_LINES = 1200000
PIECES = [
    ("copy", ["cp"], ["copy.prv"]),
    ("cut, 1 % to 99 %", ["cut", "-q", "-f", "-t", "1%:99%"], []),
    ("cut, the last 1 %", ["cut", "-q", "-f", "-t", "99%:"], []),
    ("cut, one task of 16", ["cut", "-q", "-f", "--rows", "1.3"], []),
    ("filter, one event type", ["filter", "-q", "-f", "-e", "50000001"], []),
    ("filter, long states", ["filter", "-q", "-f", "--state-duration", "5us:"], []),
    ("shift, all", ["shift", "-q", "-f"], ["1ms"]),
    ("shift, one task of 16", ["shift", "-q", "-f", "--rows", "1.3"], ["1ms"]),
]


def write_trace(path):
    """States, events and messages of 64 threads, in order of time."""
    places = [f"{i % 64 + 1}:1:{i % 16 + 1}:{i // 16 % 4 + 1}" for i in range(64)]
    with open(path, "w") as file:
        file.write(f"#Paraver (01/01/2026 at 00:00):{N_LINES * 137}_ns:1(64):1:16({','.join(['4:1'] * 16)})\n")
        for i in range(N_LINES):
            place, time = places[i % 64], i * 137
            if i % 8 == 7:
                file.write(f"3:{place}:{time}:{time + 9}:{place}:{time + 50}:{time + 99}:{i}:7\n")
            elif i % 2:
                file.write(f"2:{place}:{time}:50000001:{i % 3}:42000050:{time % 1000003}\n")
            else:
                file.write(f"1:{place}:{time}:{time + 8765}:{i % 13}\n")


def cpu_seconds(command, directory):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=directory)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss


def main():
    tandem = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        trace = pathlib.Path(directory) / "app.prv"
        write_trace(trace)
        megabytes = os.path.getsize(trace) / 1e6
        copying = None
        for name, words, more in PIECES:
            words = words if words[0] == "cp" else [tandem, *words]
            best = min(cpu_seconds([*words, "app.prv", *more], directory)[0] for _ in range(3))
            copying = copying or max(best, 1e-3)
            print(f"{name:24} {best:6.2f} s  {megabytes / max(best, 1e-3):7.0f} MB/s  = {best / copying:5.1f} x a copy")
        print(f"memory, at most: {cpu_seconds(['true'], directory)[1] / 1024:.0f} MB, of a trace of {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
