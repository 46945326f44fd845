/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two ranks that ask their own process all the time.  Says how often it called what: "RANK wtime N rank N test N".
 * mpi_asks killed: the last rank kills itself in the end, without MPI_Finalize.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { WTIMES = 50000, RANKS = 7001, OF_THREAD = 3000 };

static void *ask(void *sum)
{
    for (int i = 0; i < OF_THREAD; i++)
        *(double *)sum += MPI_Wtime();
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, flag = 0, received = 0, n_tests = 0;
    double sum = 0, other = 0;
    pthread_t thread;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < RANKS; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < WTIMES; i++)
        sum += MPI_Wtime();
    pthread_create(&thread, NULL, ask, &other);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(&received, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (; !flag; n_tests++)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    } else {
        usleep(3000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    printf("%d wtime %d rank %d test %d\n", rank, WTIMES + OF_THREAD, RANKS, n_tests);
    fflush(stdout);
    if (argc > 1 && rank == 1)
        kill(getpid(), SIGKILL);
    MPI_Finalize();
    return sum + other < 0;
}
