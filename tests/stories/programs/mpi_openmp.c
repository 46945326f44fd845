/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two ranks whose OpenMP threads and tasks call MPI at once (MPI_THREAD_MULTIPLE); rank 0 sends, rank 1 receives.
 * What the messages carry is summed up and printed; test_hybrid.py knows what comes of it.
 */
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 3, EACH = 20, TURNS = 16, TASKS = 12, REQUESTS = 8 };

static int rank;
static long total;

static void exchange(int tag, int value)
{
    int got = value;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp atomic
    total += got;
}

/* Every thread: with its namesake over there, and in a collective of a communicator of its own. */
static void threads(void)
{
    MPI_Comm own[THREADS];
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), sum;
        for (int i = 0; i < EACH; i++)
            exchange(10 + me, i);
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, own[me]);
#pragma omp atomic
        total += sum;
    }
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&own[i]);
}

/* One of them calls, and the others wait for it at the single's barrier; then whichever gets the turn. */
static void turns(void)
{
    static atomic_int n_here;
#pragma omp parallel
    {
        n_here++;
#pragma omp single
        {
            while (n_here < THREADS) /* on a busy machine that may take longer than what follows */
                usleep(100);
            usleep(50000);
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < TURNS; i++)
            exchange(100 + i, i);
    }
}

/* Tasks in a chain that each call MPI, and others that wait for what tasks before them have begun. */
static void tasks(void)
{
    static int link, values[REQUESTS];
    static MPI_Request requests[REQUESTS];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(inout : link) firstprivate(i)
            exchange(200 + i, i);
        }
        for (int i = 0; i < REQUESTS; i++) {
#pragma omp task depend(out : requests[i]) firstprivate(i)
            {
                values[i] = rank == 0 ? i : -1000;
                if (rank == 0)
                    MPI_Isend(&values[i], 1, MPI_INT, 1, 300 + i, MPI_COMM_WORLD, &requests[i]);
                else
                    MPI_Irecv(&values[i], 1, MPI_INT, 0, 300 + i, MPI_COMM_WORLD, &requests[i]);
            }
#pragma omp task depend(inout : requests[i]) firstprivate(i)
            {
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
#pragma omp atomic
                total += values[i];
            }
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    omp_set_num_threads(THREADS);
    threads();
    turns();
    usleep(50000); /* the workers have nothing to do */
    tasks();
    long sums[2];
    MPI_Gather(&total, 1, MPI_LONG, sums, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld %ld\n", sums[0], sums[1]);
    MPI_Finalize();
    return 0;
}
