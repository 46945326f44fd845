/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two ranks with THREADS threads each that call MPI at once: on one communicator with a tag each, with one tag for all,
 * on communicators that each makes for itself; copies of communicators begun in another order on either rank; receives
 * that are posted in one order and completed in another.  test_threads.py knows what comes of it.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

#define THREADS 3
#define EACH 40

static int rank, data[256], got[THREADS][256];
static MPI_Comm own[THREADS];
static pthread_barrier_t all_begun; /* a row whose thread has ended would become that of one that begins later */

static void exchange(MPI_Comm comm, int n, int tag, int *room)
{
    if (rank == 0)
        MPI_Send(data, n, MPI_INT, 1, tag, comm);
    else
        MPI_Recv(room, 256, MPI_INT, MPI_ANY_SOURCE, tag, comm, MPI_STATUS_IGNORE);
}

static void *work(void *number)
{
    int t = (int)(intptr_t)number;
    MPI_Comm copy;
    pthread_barrier_wait(&all_begun);
    for (int i = 0; i < EACH; i++)
        exchange(MPI_COMM_WORLD, i + 1, 10 + t, got[t]);
    for (int i = 0; i < EACH; i++)
        exchange(MPI_COMM_WORLD, 5, 99, got[t]);
    for (int round = 0; round < 3; round++) { /* the handle of a freed one comes back */
        MPI_Comm_dup(own[t], &copy);
        for (int i = 0; i < 5; i++)
            exchange(copy, 100 + t, 7, got[t]);
        MPI_Comm_free(&copy);
    }
    return NULL;
}

/* Rank 0 copies a before b, rank 1 b before a; then a message over each copy, b's received first. */
static void copies(MPI_Comm a, MPI_Comm b)
{
    MPI_Comm of_a, of_b;
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Comm_idup(a, &of_a, &requests[0]);
        MPI_Comm_idup(b, &of_b, &requests[1]);
    } else {
        MPI_Comm_idup(b, &of_b, &requests[1]);
        MPI_Comm_idup(a, &of_a, &requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    exchange(rank == 0 ? of_a : of_b, rank == 0 ? 1 : 2, 8, got[0]);
    exchange(rank == 0 ? of_b : of_a, rank == 0 ? 2 : 1, 8, got[0]);
    MPI_Comm_free(&of_a);
    MPI_Comm_free(&of_b);
}

/* Posted: from anybody with any tag, tag 20, tag 21, tag 20; completed backwards, a blocking one in between. */
static void backwards(void)
{
    static const int tags[] = {20, 20, 21, 20};
    MPI_Request requests[5];
    if (rank == 1) {
        MPI_Irecv(got[0], 256, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
        for (int i = 1; i < 4; i++)
            MPI_Irecv(got[1] + 60 * i, 60, MPI_INT, 0, tags[i], MPI_COMM_WORLD, &requests[i]);
        MPI_Irecv(got[2], 60, MPI_INT, 0, 23, MPI_COMM_WORLD, &requests[4]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4 && rank == 0; i++)
        MPI_Send(data, i + 1, MPI_INT, 1, tags[i], MPI_COMM_WORLD);
    exchange(MPI_COMM_WORLD, 5, 20, got[0]);
    if (rank == 1) {
        MPI_Cancel(&requests[4]);
        for (int i = 4; i >= 0; i--)
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    backwards();
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    copies(own[0], own[1]);
    pthread_barrier_init(&all_begun, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
