/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What recording adds to an MPI call, against the bare clock read of the same run: MPI_X is recorded, PMPI_X is not.
 * One rank: calls to itself.  Two: a ping-pong of 8 bytes and an Allreduce of a double.  bench_mpi.py runs it with the
 * library preloaded.  Limits: two clock reads and 40 ns a call, 150 ns more with three callers.
 *
 * The minimum is a block of calls that no write-out of the ring fell into, the median one as it comes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_BLOCKS = 201, N_CALLS = 500, N_ROUNDS = 10 };

static volatile unsigned long long sink;
static int own_rank;

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

/* A round trip: two calls a rank. */
#define PING_PONG(name, prefix)                                                                                        \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        static double ball;                                                                                            \
        for (int turn = 0; turn < 2; turn++)                                                                           \
            if (turn == own_rank)                                                                                      \
                prefix##MPI_Send(&ball, 1, MPI_DOUBLE, 1 - own_rank, 1, MPI_COMM_WORLD);                               \
            else                                                                                                       \
                prefix##MPI_Recv(&ball, 1, MPI_DOUBLE, 1 - own_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            \
    }
PING_PONG(ping_pong, P)
PING_PONG(ping_pong_recorded, )

#define REDUCE_ALL(name, prefix)                                                                                       \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        double own = 1.0, all;                                                                                         \
        prefix##MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                                     \
    }
REDUCE_ALL(reduce_all, P)
REDUCE_ALL(reduce_all_recorded, )

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAX_CANDIDATES = 8 };

struct cost {
    double least, median; /* ns a call of the candidate */
};

/* Blocks of all candidates take turns, so that they see the same machine. */
static void measure(int n, void (*const candidates[])(void), int n_calls, struct cost costs[])
{
    static double blocks[MAX_CANDIDATES][N_BLOCKS];
    for (int b = 0; b < N_BLOCKS; b++)
        for (int c = 0; c < n; c++) {
            double start = now_ns();
            for (int i = 0; i < n_calls; i++)
                candidates[c]();
            blocks[c][b] = (now_ns() - start) / n_calls;
        }
    for (int c = 0; c < n; c++) {
        qsort(blocks[c], N_BLOCKS, sizeof(double), compare);
        costs[c] = (struct cost){blocks[c][0], blocks[c][N_BLOCKS / 2]};
    }
}

static void tell_calls(void)
{
    void (*const candidates[])(void) = {read_clock,    empty,  empty_recorded, pair,
                                        pair_recorded, reduce, reduce_recorded};
    static const struct {
        const char *what;
        int n_calls;
    } rows[] = {{"MPI_Comm_rank", 1}, {"MPI_Irecv, Isend, Waitall", 3}, {"MPI_Allreduce", 1}};
    struct cost costs[7];
    measure(7, candidates, N_CALLS, costs);
    measure(7, candidates, N_CALLS, costs);
    printf("  a clock read: %.1f ns\n", costs[0].least);
    for (int i = 0; i < 3; i++) {
        const struct cost *plain = &costs[1 + 2 * i], *recorded = &costs[2 + 2 * i];
        double added = (recorded->least - plain->least) / rows[i].n_calls;
        printf("  %-26s alone %6.1f ns; added a call %6.1f ns = 2 clock reads + %5.1f ns; median added %6.1f ns\n",
               rows[i].what, plain->least, added, added - 2 * costs[0].least,
               (recorded->median - plain->median) / rows[i].n_calls);
    }
}

static void tell_ratios(void)
{
    void (*const candidates[])(void) = {ping_pong, ping_pong_recorded, reduce_all, reduce_all_recorded};
    static const char *const rows[] = {"ping-pong of 8 bytes, a round trip", "MPI_Allreduce of 8 bytes"};
    struct cost costs[4];
    measure(4, candidates, N_ROUNDS, costs);
    for (int i = 0; i < 2 && own_rank == 0; i++) {
        const struct cost *plain = &costs[2 * i], *recorded = &costs[2 * i + 1];
        printf("  %-35s alone %6.2f us, median %6.2f; recorded %6.2f us, median %6.2f; x %.2f, median x %.2f\n",
               rows[i], plain->least / 1000, plain->median / 1000, recorded->least / 1000, recorded->median / 1000,
               recorded->least / plain->least, recorded->median / plain->median);
    }
}

int main(int argc, char **argv)
{
    int n_ranks;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (n_ranks == 2)
        tell_ratios();
    else
        tell_calls();
    MPI_Finalize();
    return 0;
}
