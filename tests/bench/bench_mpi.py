#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_mpi.py BENCH_MPI LIBTANDEM: what recording costs MPI programs, with 0, 1 and 3 callers, beside Extrae's figures.

Extrae 5.1.2's were measured on a virtual machine with two busy cores, Open MPI 4.1.4, in CPU ns a call: they say what
is usual, not what this machine does.
"""
import os
import subprocess
import sys
import tempfile

EXTRAE = {
    0: "Extrae adds 190 ns to MPI_Comm_rank, 400 to a call of Irecv, Send, Wait, 230 to Allreduce; ping-pong x 3.4",
    1: "Extrae adds 2220, 2270 and 2080 ns",
    3: "Extrae adds 3090, 3320 and 3090 ns; ping-pong x 51",
}


def main():
    program, library = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        for local, n_callers in [("counted", 0), *(("all", n) for n in EXTRAE)]:
            print(f"local calls: {local}; callers: {n_callers} ({EXTRAE[n_callers]})", flush=True)
            for n_ranks in (1, 2):
                env = {"LD_PRELOAD": library, "TANDEM_CALLERS": n_callers, "TANDEM_MPI_LOCAL": local, "TANDEM_MERGE": 0}
                env["TANDEM_OUTPUT"] = f"{directory}/{local}-{n_callers}-{n_ranks}"
                words = [word for name, value in env.items() for word in ("-x", f"{name}={value}")]
                pinned = ["--bind-to", "core"] if os.cpu_count() >= 2 else ["--oversubscribe"]
                subprocess.run(["mpirun", *pinned, "-n", str(n_ranks), *words, program], check=True)


main()
