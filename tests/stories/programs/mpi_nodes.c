/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks tell what time it is, by a clock that nobody shifts: as values of an event, STEPS of them before MPI_Finalize
 * and as many after it.  Between them each sends to the next, tags 0 to STEPS - 1.  "abort": rank 1 aborts in between.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <tandem.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 40, PAUSE_US = 10000, NOW = 7 };

static void tell(void)
{
    struct timespec now;
    usleep(PAUSE_US);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    tandem_event(NOW, now.tv_sec * 1000000000L + now.tv_nsec);
}

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < STEPS; i++) {
        tell();
        MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % size, i, (rank + size - 1) % size, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    if (argc > 1 && strcmp(argv[1], "abort") == 0) {
        MPI_Barrier(MPI_COMM_WORLD); /* all have received all */
        if (rank == 1)
            MPI_Abort(MPI_COMM_WORLD, 5);
    }
    MPI_Finalize();
    for (int i = 0; i < STEPS; i++)
        tell();
    return 0;
}
