/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the programs of openmp_random.py have in common, in C and C++: what they count, and how they are run.  One file
 * that includes this makes one program, which is given the first of its functions to run and the one after the last.
 */
#ifndef OPENMP_RANDOM_H
#define OPENMP_RANDOM_H

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t sum, n_region, n_part, n_task, n_chunk;
#define COUNT(name, n) __atomic_fetch_add(&n_##name, (uint64_t)(n), __ATOMIC_RELAXED)
#define ADD(n) __atomic_fetch_add(&sum, (uint64_t)(n)*0x9e3779b97f4a7c15u, __ATOMIC_RELAXED)
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

#ifdef __clang__
/* LLVM's library gives the only thread of a team all at once. */
#define CHUNKS(n) COUNT(chunk, omp_get_num_threads() == 1 ? 1 : (n))
#else
#define CHUNKS(n) COUNT(chunk, n)
#endif

#ifdef __cplusplus
struct alignas(64) copied {
    uint64_t values[9];
    uint64_t *heap;
    explicit copied(uint64_t n) : heap(new uint64_t(n))
    {
        for (auto &value : values)
            value = n++;
    }
    copied(const copied &other) : heap(new uint64_t(*other.heap))
    {
        for (int i = 0; i < 9; i++)
            values[i] = other.values[i];
        if ((uintptr_t)this % 64)
            abort();
    }
    copied &operator=(const copied &) = delete;
    ~copied() { delete heap; }
    uint64_t all() const
    {
        uint64_t n = *heap;
        for (auto value : values)
            n = n * 3 + value;
        return n;
    }
};
#endif

typedef void program(void);

static void run_one(program *function, int number)
{
    alarm(10);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    function();
    printf("%d %llx %d", number, (unsigned long long)sum, (int)getpid());
    printf(" %llu %llu", (unsigned long long)n_region, (unsigned long long)n_part);
    printf(" %llu %llu\n", (unsigned long long)n_task, (unsigned long long)n_chunk);
    exit(0);
}

/* Each is a process: libgomp 12 does not come out of some of them fit for the next one. */
static void run_programs(program *const *programs, int first, int last)
{
    for (int i = first, status; i < last; i++) {
        pid_t child = fork();
        if (child == 0)
            run_one(programs[i], i);
        waitpid(child, &status, 0);
        if (status)
            printf("%d status %d\n", i, status);
        fflush(stdout);
    }
}

#endif
