/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops of all schedules and tasks of all kinds of dependence, with argv[1] threads: prints how many regions, threads
 * in them, chunks of dynamic loops and their iterations, tasks, shares of taskloops, and edges between tasks there are.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, CHAIN = 9, FAN = 7 };

static long n_regions, n_parts, n_chunks, n_iterations, n_tasks, n_shares, n_edges;
static int at[8];

#define COUNT(name, n) __atomic_fetch_add(&n_##name, n, __ATOMIC_RELAXED)
#define CHUNKS(n, size)                                                                                                \
    _Pragma("omp single")                                                                                              \
    {                                                                                                                  \
        n_chunks += ((n) + (size)-1) / (size), n_iterations += (n);                                                    \
    }

static void loops(void)
{
    COUNT(regions, 1);
#pragma omp parallel
    {
        COUNT(parts, 1);
        CHUNKS(N, 4)
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < N; i++)
            ;
        CHUNKS(N, 1)
#pragma omp for schedule(monotonic : dynamic)
        for (long i = N; i > 0; i--)
            ;
        CHUNKS(N, 3)
#pragma omp for schedule(nonmonotonic : dynamic, 3) nowait
        for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 2 * N; i += 2)
            ;
        CHUNKS(N, 5)
#pragma omp for schedule(dynamic, 5) ordered
        for (int i = -3 * N; i < 0; i += 3) {
#pragma omp ordered
            at[0]++;
        }
        CHUNKS(4 * N, 6)
#pragma omp for schedule(dynamic, 6) collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 4; j++)
                ;
        CHUNKS(N, 2)
#pragma omp for schedule(dynamic, 2) ordered(1)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            at[1]++;
#pragma omp ordered depend(source)
        }
        /* Not counted: nobody knows beforehand how these are cut. */
#pragma omp for schedule(guided)
        for (int i = 0; i < N; i++)
            ;
#pragma omp for schedule(static, 2)
        for (int i = 0; i < N; i++)
            ;
    }
    n_regions++, n_chunks += (N + 9) / 10, n_iterations += N;
#pragma omp parallel for schedule(dynamic, 10)
    for (int i = 0; i < N; i++)
        if (i == 0)
            COUNT(parts, omp_get_num_threads());
}

static void chain(void)
{
    for (int i = 0; i < CHAIN; i++)
#pragma omp task depend(inout : at[0])
        COUNT(tasks, 1);
    n_edges += CHAIN - 1;
}

/* One, many that depend on it, one that depends on those; as readers, and as those that exclude one another. */
static void fans(void)
{
#pragma omp task depend(out : at[1])
    COUNT(tasks, 1);
    for (int i = 0; i < FAN; i++)
#pragma omp task depend(in : at[1])
        COUNT(tasks, 1);
#pragma omp task depend(out : at[1])
    COUNT(tasks, 1);
    for (int i = 0; i < FAN; i++)
#pragma omp task depend(mutexinoutset : at[1])
        COUNT(tasks, 1);
#pragma omp task depend(in : at[1])
    COUNT(tasks, 1);
    n_edges += 4 * FAN;
}

static void others(void)
{
    for (int i = 2; i < 6; i++)
#pragma omp task depend(out : at[i])
        COUNT(tasks, 1);
#pragma omp task depend(iterator(i = 2 : 6), in : at[i])
    COUNT(tasks, 1);
    n_edges += 4;

    omp_depend_t object;
#pragma omp depobj(object) depend(inout : at[6])
    for (int i = 0; i < 3; i++)
#pragma omp task depend(depobj : object)
        COUNT(tasks, 1);
#pragma omp depobj(object) destroy
    n_edges += 2;

    /* Twice between the same two is one edge; between children of different tasks there is none. */
#pragma omp task depend(out : at[2], at[3])
    COUNT(tasks, 1);
    n_edges += 1;
#pragma omp task depend(in : at[2], at[3])
    COUNT(tasks, 1);
    n_edges += 1;
#pragma omp task
    {
        COUNT(tasks, 1);
#pragma omp task depend(in : at[2])
        COUNT(tasks, 1);
#pragma omp taskwait
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(5)
    for (int i = 0; i < 20; i++)
        ;
#pragma omp taskloop num_tasks(6)
    for (unsigned long long i = 0; i < 20; i++)
        ;
    n_shares += 4 + 6;
}

static void nested(void)
{
    COUNT(regions, 1);
#pragma omp parallel num_threads(2)
    {
        COUNT(parts, 1);
        COUNT(regions, 1);
#pragma omp parallel num_threads(3)
        {
            COUNT(parts, 1);
#pragma omp task
            COUNT(tasks, 1);
        }
    }
    COUNT(regions, 1);
#pragma omp parallel if (0)
    COUNT(parts, 1);
}

int main(int argc, char **argv)
{
    omp_set_num_threads(atoi(argv[1]));
    omp_set_max_active_levels(2);
    loops();
    COUNT(regions, 1);
#pragma omp parallel
    {
        COUNT(parts, 1);
#pragma omp single
        {
            chain();
            fans();
            others();
        }
    }
    nested();
    printf("%ld %ld %ld %ld %ld %ld %ld\n", n_regions, n_parts, n_chunks, n_iterations, n_tasks, n_shares, n_edges);
    return 0;
}
