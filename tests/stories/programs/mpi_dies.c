/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rank 0 sends 100 messages to each other rank, which receives them; then the last rank is killed, or with the
 * argument "abort" aborts, and the others wait for it in a barrier for ever.
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        for (int other = 1; other < size; other++)
            if (rank == 0)
                MPI_Send(&value, 1, MPI_INT, other, i, MPI_COMM_WORLD);
            else if (rank == other)
                MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        usleep(200000); /* the others are in the barrier */
    if (rank == size - 1 && argc > 1 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == size - 1)
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
