/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fortran's MPI as compilers spell it: name_, name__; and name, NAME, which are not recorded.  Prints its number of
 * ranks with each.
 */
#include <stdio.h>

#define SPELLINGS(X) X(mpi_comm_size_) X(mpi_comm_size__) X(mpi_comm_size) X(MPI_COMM_SIZE)
#define DECLARE(name) void name(const int *comm, int *size, int *ierror);
SPELLINGS(DECLARE)
void mpi_init_(int *ierror);
void mpi_finalize_(int *ierror);

int main(void)
{
    int ierror, size, world = 0; /* MPI_COMM_WORLD in Open MPI's mpif.h */
    mpi_init_(&ierror);
#define CALL(name)                                                                                                     \
    size = -1;                                                                                                         \
    name(&world, &size, &ierror);                                                                                      \
    printf("%d %d\n", size, ierror);
    SPELLINGS(CALL)
    mpi_finalize_(&ierror);
    return ierror;
}
