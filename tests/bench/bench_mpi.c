/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What recording adds to an MPI call, against the bare clock read of the same run: MPI_X is recorded, PMPI_X is not.
 * To be run with the library preloaded.  Limit: an empty call costs two clock reads and 25 ns more than without us.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_BLOCKS = 41, N_CALLS = 5000 };

static volatile unsigned long long sink;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void read_clock(void)
{
#if defined(__x86_64__)
    sink = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    unsigned long long ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    sink = ticks;
#else
    sink = (unsigned long long)now_ns();
#endif
}

#define EMPTY(name, prefix)                                                                                            \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        int rank;                                                                                                      \
        prefix##MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                                                  \
    }
EMPTY(empty, P)
EMPTY(empty_recorded, )

/* A message to ourselves: three calls. */
#define PAIR(name, prefix)                                                                                             \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        static int sent, received;                                                                                     \
        MPI_Request requests[2];                                                                                       \
        prefix##MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);                                   \
        prefix##MPI_Isend(&sent, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);                                       \
        prefix##MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                                                         \
    }
PAIR(pair, P)
PAIR(pair_recorded, )

#define REDUCE(name, prefix)                                                                                           \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        double own = 1.0, all;                                                                                         \
        prefix##MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);                                      \
    }
REDUCE(reduce, P)
REDUCE(reduce_recorded, )

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ns a call: the median block; blocks of all candidates take turns, so that they see the same machine. */
static void measure(int n, void (*const candidates[])(void), double medians[])
{
    static double blocks[8][N_BLOCKS];
    for (int b = 0; b < N_BLOCKS; b++)
        for (int c = 0; c < n; c++) {
            double start = now_ns();
            for (int i = 0; i < N_CALLS; i++)
                candidates[c]();
            blocks[c][b] = (now_ns() - start) / N_CALLS;
        }
    for (int c = 0; c < n; c++) {
        qsort(blocks[c], N_BLOCKS, sizeof(double), compare);
        medians[c] = blocks[c][N_BLOCKS / 2];
    }
}

int main(int argc, char **argv)
{
    void (*const candidates[])(void) = {read_clock,    empty,  empty_recorded, pair,
                                        pair_recorded, reduce, reduce_recorded};
    static const struct {
        const char *what;
        int n_calls;
    } rows[] = {{"MPI_Comm_rank", 1}, {"MPI_Irecv, Isend, Waitall", 3}, {"MPI_Allreduce", 1}};
    double ns[7];
    MPI_Init(&argc, &argv);
    measure(7, candidates, ns);
    measure(7, candidates, ns);
    printf("a clock read: %.1f ns\n", ns[0]);
    for (int i = 0; i < 3; i++) {
        double added = (ns[2 + 2 * i] - ns[1 + 2 * i]) / rows[i].n_calls;
        printf("%s: %.1f ns, recorded %.1f ns; added a call %.1f ns = 2 clock reads + %.1f ns = %.2f clock reads\n",
               rows[i].what, ns[1 + 2 * i], ns[2 + 2 * i], added, added - 2 * ns[0], added / ns[0]);
    }
    MPI_Finalize();
    return 0;
}
