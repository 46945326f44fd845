# SPDX-License-Identifier: GPL-3.0-or-later
"""mpi4py.futures: work given to ranks.  Run with `mpirun -n 4 python3 -m mpi4py.futures`; each rank counts its calls in a
file."""
import os
import time

from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor

ITEMS = 20


def work(n):
    with open(f"counted.{MPI.COMM_WORLD.Get_rank()}", "a") as file:
        file.write("work\n")
    time.sleep(0.002)
    return n * n


if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        print(sum(pool.map(work, range(ITEMS))))
