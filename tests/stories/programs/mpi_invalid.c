/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective calls on what is no communicator: prints how often the program's error handler was called.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int n_errors;

static void count(MPI_Comm *comm, int *code, ...)
{
    n_errors++;
}

int main(int argc, char **argv)
{
    static char room[4096];
    int value = 0, values[64];
    MPI_Errhandler handler;
    MPI_Comm none = (MPI_Comm)room;
    memset(room, 0xff, sizeof room); /* all flags of a communicator, "freed" and "invalid" among them */
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Bcast(&value, 1, MPI_INT, 0, none);
    MPI_Gather(&value, 1, MPI_INT, values, 1, MPI_INT, 0, none);
    MPI_Alltoall(values, 1, MPI_INT, values + 32, 1, MPI_INT, none);
    MPI_Barrier(none);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_NULL);
    printf("%d errors\n", n_errors);
    return MPI_Finalize();
}
