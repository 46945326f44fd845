/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every kind of construct a known number of times, with argv[1] threads, for either OpenMP library; prints a checksum
 * that says whether the program computed what it should.  With -DFULFIL=0, no detached task: LLVM's library has not the
 * version of omp_fulfill_event that GNU's has.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FULFIL
#define FULFIL 1
#endif

enum { CHAIN = 12, N = 60 };

static long total;

static void add(long n)
{
#pragma omp atomic
    total += n;
}

static void loops(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 5)
        for (int i = 0; i < N; i++)
            add(1);
#pragma omp for schedule(guided) nowait
        for (unsigned long long i = 0; i < N; i++)
            add(1);
#pragma omp barrier
#pragma omp critical
        add(1); /* others may be behind it, and add at the same time */
#pragma omp single
        add(1);
#pragma omp sections
        {
#pragma omp section
            add(10);
#pragma omp section
            add(20);
        }
    }
}

static void locks(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    add(omp_test_lock(&lock) ? 1000 : 1);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

/* A chain of CHAIN tasks, each after the one before it; a detached task that one more waits for. */
static void tasks(void)
{
    static int link, late;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < CHAIN; i++) {
#pragma omp task depend(inout : link) firstprivate(i)
            add(i);
        }
#if FULFIL
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : late)
        add(1);
#else
#pragma omp task depend(out : late)
        add(1);
#endif
#pragma omp task depend(in : late)
        add(1);
#if FULFIL
        omp_fulfill_event(event);
#endif
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task untied
            {
#pragma omp task if (0)
                add(1);
                add(1);
#pragma omp taskwait
            }
        }
#pragma omp taskloop num_tasks(3)
        for (int i = 0; i < N; i++)
            add(1);
    }
}

static void nested(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    add(1);
}

int main(int argc, char **argv)
{
    omp_set_num_threads(atoi(argv[1]));
    loops();
    locks();
    tasks();
    nested();
    printf("%ld\n", total);
    return 0;
}
