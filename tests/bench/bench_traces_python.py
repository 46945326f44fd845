# SPDX-License-Identifier: GPL-3.0-or-later
"""A view of a large trace as a pandas frame: time, bursts per second and memory, beside NumPy that copies as many bytes.

bench_traces_python.py BUILD [RECORDS]; the trace is written to $TMPDIR.  With 100,000,000 records it has 3.3 GB.
"""
import os
import pathlib
import resource
import sys
import tempfile
import time

N_ROWS, N_RECORDS, LINES_AT_ONCE, ROUNDS = 64, 2_000_000, 64 * 1000, 3


def write_trace(path, n_records):
    """Events of 64 rows in turn, each of which begins or ends an MPI call: a burst each."""
    heads = [f"2:{row}:1:{row}:1:" for row in range(1, N_ROWS + 1)]
    with open(path, "w") as file:
        file.write(f"#Paraver (01/01/2026 at 00:00):{n_records * 11}_ns:1({N_ROWS}):1:{N_ROWS}({','.join(['1:1'] * N_ROWS)})\n")
        for first in range(0, n_records, LINES_AT_ONCE):
            until = min(first + LINES_AT_ONCE, n_records)
            lines = [f"{heads[i % N_ROWS]}{i * 11}:50000002:{0 if i // N_ROWS % 2 else i % 9 + 1}\n" for i in range(first, until)]
            file.write("".join(lines))


def resident_bytes(name):
    for line in open("/proc/self/status"):
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


def timed(what, function):
    wall, cpu = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    result = function()
    wall, after = time.monotonic() - wall, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
    memory = f"{resident_bytes('VmRSS') / 1e6:6.0f} MB resident, at most {resident_bytes('VmHWM') / 1e6:6.0f}"
    print(f"{what:44} {wall:6.2f} s, {cpu:6.2f} s on CPUs; {memory}")
    return result, wall


def main():
    os.environ["TANDEM_BUILD"] = sys.argv[1]
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
    import numpy
    import pandas

    import tandem.trace

    n_records = int(sys.argv[2]) if len(sys.argv) > 2 else N_RECORDS
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "large.prv"
        write_trace(path, n_records)
        print(f"{n_records} records, {os.path.getsize(path) / 1e6:.0f} MB, {os.cpu_count()} cores, pandas {pandas.__version__}")
        timed("opened for the first time", lambda: tandem.trace.open(path))[0].close()
        trace, _ = timed("opened again", lambda: tandem.trace.open(path))
        walls = []
        for _ in range(ROUNDS):
            frame = None
            with trace.view("mpi-calls") as view:
                frame, wall = timed("mpi-calls as a frame", lambda: view.bursts().frame())
            walls.append(wall)
        n, n_bytes = len(frame), frame.memory_usage(index=False).sum()
        total = frame.end_ns.sum() - frame.begin_ns.sum()
        assert total == trace.duration_ns * N_ROWS and abs(n - n_records) <= N_ROWS
        print(f"= {n} bursts, at best {n / min(walls) / 1e6:.1f} M/s; the frame has {n_bytes / n:.1f} bytes a burst")
        arrays = [frame.begin_ns.to_numpy(), frame.end_ns.to_numpy(), frame.value.to_numpy()]
        copying = min(timed("NumPy copies three columns", lambda: [numpy.copy(array) for array in arrays])[1] for _ in range(ROUNDS))
        print(f"= {min(walls) / copying:.1f} copies")


if __name__ == "__main__":
    main()
