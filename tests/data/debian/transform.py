# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten transforms there and back of an array that is spread over all ranks: mpi4py-fft turns it round by MPI_Alltoallw."""
import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

world = MPI.COMM_WORLD
fft = PFFT(world, (24, 20, 16), axes=(0, 1, 2), dtype=float, grid=(-1,))
there = newDistArray(fft, False)
there[:] = numpy.arange(there.size).reshape(there.shape) + world.rank
for _ in range(10):
    back = fft.backward(fft.forward(there))
error = world.allreduce(float(abs(back - there).max()), MPI.MAX)
if world.rank == 0:
    print("good" if error < 1e-9 else error)
