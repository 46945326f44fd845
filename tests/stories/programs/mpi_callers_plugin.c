/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A shared library that calls MPI and says where: see mpi_callers.cc.
 */
#include <mpi.h>

void work(void (*enter)(const char *function, int line), void (*tell)(const char *call))
{
    int size;
    enter(__func__, __LINE__ + 2);
    tell("MPI_Comm_size");
    MPI_Comm_size(MPI_COMM_SELF, &size);
}
