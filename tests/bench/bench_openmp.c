/* SPDX-License-Identifier: Apache-2.0
 *
 * What recording adds to an OpenMP construct: CPU ns of a thread that is alone in its team, so that nobody is waited
 * for.
 *
 * bench_openmp LIBTANDEM.  Extrae 5.1.2's figures (its classic library, GCC 12, the same constructs, a virtual machine
 * whose clock read costs about 20 ns) say what is usual; a fifth of them is what is wanted.  Where that is less than
 * the clock reads that the construct's records need, the line says how many there are.
 */
#include "tests/bench/bench_turns.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_OPERATIONS = 2000 };

static void touch(int i)
{
    __asm__ volatile("" : : "r"(i) : "memory");
}

static void parallel(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp parallel
        touch(i);
    }
}

static void parallel_for_dynamic(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp parallel for schedule(dynamic, 1)
        for (int j = 0; j < 2; j++)
            touch(j);
    }
}

/* A construct within a region: its cost does not count the region's. */
#define WITHIN(name, ...)                                                                                              \
    static void name(int n)                                                                                            \
    {                                                                                                                  \
        _Pragma("omp parallel") for (int i = 0; i < n; i++)                                                            \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
WITHIN(for_static, _Pragma("omp for schedule(static)") for (int j = 0; j < 2; j++) touch(j);)
WITHIN(for_dynamic, _Pragma("omp for schedule(dynamic, 1)") for (int j = 0; j < 2; j++) touch(j);)
WITHIN(for_many_chunks, _Pragma("omp for schedule(dynamic, 1)") for (int j = 0; j < 20; j++) touch(j);)
WITHIN(barrier, _Pragma("omp barrier"))
WITHIN(critical, _Pragma("omp critical") touch(i);)
WITHIN(single, _Pragma("omp single") touch(i);)
WITHIN(taskwait, _Pragma("omp taskwait"))
WITHIN(task_queued, _Pragma("omp task") touch(i); _Pragma("omp taskwait"))

/* Outside a region libgomp runs a task at once, without making one. */
static void task(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task
        touch(i);
    }
}

static const struct bench_turns_case cases[] = {
    {"clock read", bench_turns_read_clock, N_OPERATIONS, 0, 0},
    {"empty parallel region", parallel, N_OPERATIONS, 4, 890},
    {"parallel for dynamic, 2 chunks", parallel_for_dynamic, N_OPERATIONS, 8, 838},
    {"for static", for_static, N_OPERATIONS, 2, 198},
    {"for dynamic, 2 chunks", for_dynamic, N_OPERATIONS, 5, 236},
    {"for dynamic, 20 chunks", for_many_chunks, N_OPERATIONS, 23, 0},
    {"barrier", barrier, N_OPERATIONS, 2, 198},
    {"critical", critical, N_OPERATIONS, 4, 844},
    {"single", single, N_OPERATIONS, 4, 0},
    {"task (made and run)", task, N_OPERATIONS, 4, 1097},
    {"taskwait", taskwait, N_OPERATIONS, 2, 0},
    {"task and taskwait, within a region", task_queued, N_OPERATIONS, 6, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static bench_turns_ns ns;

static void print(void)
{
    double clock_ns = ns[0][0][0];
    printf("%-36s %9s %9s %9s %9s %22s %8s %7s\n", "CPU ns, least of the batches", "alone", "recorded", "added",
           "(median)", "= reads of the clock +", "Extrae", "wanted");
    for (unsigned c = 0; c < N_CASES; c++) {
        double *alone = ns[c][0], *recorded = ns[c][1], added = recorded[0] - alone[0];
        printf("%-36s %9.1f %9.1f %9.1f %9.1f", cases[c].name, alone[0], recorded[0], added,
               recorded[BENCH_TURNS_BATCHES / 2] - alone[BENCH_TURNS_BATCHES / 2]);
        if (cases[c].n_reads)
            printf("        %6d + %7.1f", cases[c].n_reads, added - cases[c].n_reads * clock_ns);
        else
            printf("%23s", "");
        if (cases[c].extrae_ns > 0)
            printf(" %8.0f %7.1f  %s", cases[c].extrae_ns, cases[c].extrae_ns / 5,
                   added <= cases[c].extrae_ns / 5 ? "met" : "not met");
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const char *const settings[] = {"", ""};
    setenv("OMP_NUM_THREADS", "1", 1);
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, 2, ns) != 0)
        return 1;
    print();
    return 0;
}
