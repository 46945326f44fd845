# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of mpi4py, each kind in a function of its own: numbers in buffers, pickled objects, collectives.  Prints what came."""
import sys
from array import array

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
RANK, SIZE = WORLD.Get_rank(), WORLD.Get_size()
NEXT, BEFORE = (RANK + 1) % SIZE, (RANK - 1) % SIZE
ROUNDS = 10


def buffers():
    got = array("d", [0.0] * 8)
    for _ in range(ROUNDS):
        request = WORLD.Irecv([got, MPI.DOUBLE], source=BEFORE)
        WORLD.Send([array("d", [RANK] * 8), MPI.DOUBLE], dest=NEXT)
        request.Wait()
    return got[0]


def objects():
    """Lower case: an object is pickled, and its bytes are sent by MPI_Send; the receiver asks for their size by MPI_Mprobe."""
    if RANK % 2 == 0:
        for i in range(ROUNDS):
            WORLD.send({"from": RANK, "i": i}, dest=NEXT)
        return None
    return [WORLD.recv(source=BEFORE)["i"] for _ in range(ROUNDS)]


def shared():
    return WORLD.bcast({"all": list(range(5))} if RANK == 0 else None, root=0)


def collectives():
    total = array("d", [0.0])
    for _ in range(ROUNDS):
        WORLD.Allreduce([array("d", [1.0]), MPI.DOUBLE], [total, MPI.DOUBLE])
    WORLD.Barrier()
    return total[0]


def inner():
    WORLD.Barrier()


def outer():
    inner()
    WORLD.Barrier()


def main():
    answer = buffers(), objects(), shared(), collectives()
    outer()
    sys.stdout.write(f"{RANK} {answer}\n")  # at once: those of others come between two writes


main()
