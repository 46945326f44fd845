/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring small things: cases run in turn inside one process, many short batches each, so that a busy machine hits
 * all alike; the smallest batch is the cost, the median what one saw.  Ratios travel, nanoseconds do not.
 */
#ifndef TND_BENCH_H
#define TND_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_MAX_BATCHES = 1001 };

struct bench_case {
    const char *name;
    void (*run)(unsigned n); /* does the thing n times */
    double ns[BENCH_MAX_BATCHES];
    double min_ns, median_ns; /* per operation, filled by bench_run */
};

static inline double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs every case n_batches times, n operations a batch, in turn. */
static inline void bench_run(struct bench_case *cases, unsigned n_cases, unsigned n_batches, unsigned n)
{
    for (unsigned b = 0; b < n_batches; b++)
        for (unsigned c = 0; c < n_cases; c++) {
            double begin = bench_now_ns();
            cases[c].run(n);
            cases[c].ns[b] = (bench_now_ns() - begin) / n;
        }
    for (unsigned c = 0; c < n_cases; c++) {
        qsort(cases[c].ns, n_batches, sizeof cases[c].ns[0], bench_compare);
        cases[c].min_ns = cases[c].ns[0];
        cases[c].median_ns = cases[c].ns[n_batches / 2];
    }
}

static inline void bench_print(const struct bench_case *cases, unsigned n_cases, const char *baseline, double base_ns)
{
    printf("%-44s %10s %10s %18s\n", "", "min ns", "median ns", baseline);
    for (unsigned c = 0; c < n_cases; c++)
        printf("%-44s %10.2f %10.2f %17.2fx\n", cases[c].name, cases[c].min_ns, cases[c].median_ns,
               cases[c].min_ns / base_ns);
}

#endif
