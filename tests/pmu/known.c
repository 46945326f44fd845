/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program of which it is known how many instructions each part takes: loops of two instructions, in assembly.  What
 * it is about to do, it says in lines on stdout, so many loops each:
 *     region THREAD LOOPS   in a region of tandem.h, in threads one after another
 *     call LOOPS            in a call of MPI, one that has the program's own function called, in each rank
 *     gap LOOPS             between two calls of MPI
 *
 *     known regions         regions, in four threads
 *     known calls           calls of MPI
 *     known functions       work_1, work_2 and work_3 take 1, 2 and 3 parts of 600 million instructions
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/tandem.h"

/* Two instructions a loop, and the first one makes it odd or even. */
static inline __attribute__((always_inline)) void loop(uint64_t n)
{
#if defined(__aarch64__)
    __asm__ volatile("1: subs %0, %0, #1\n\t"
                     "b.ne 1b"
                     : "+r"(n)
                     :
                     : "cc");
#else
    __asm__ volatile("1: subq $1, %0\n\t"
                     "jne 1b"
                     : "+r"(n)
                     :
                     : "cc");
#endif
}

/* From one loop, which is as good as none, to ten million; the last again what the first was. */
static const uint64_t loops[] = {1, 10, 1000, 123456, 10000000, 1};
enum { N_LOOPS = sizeof loops / sizeof *loops };

static void *run_regions(void *argument)
{
    unsigned thread = *(unsigned *)argument;
    tandem_region warming = tandem_region_register("warming"), region = tandem_region_register("known");
    for (unsigned i = 0; i < N_LOOPS; i++)
        printf("region %u %llu\n", thread, (unsigned long long)(loops[i] * (thread + 1)));
    /* The first call of a function has the loader find it. */
    tandem_region_begin(warming);
    tandem_region_end(warming);
    for (unsigned i = 0; i < N_LOOPS; i++) {
        tandem_region_begin(region);
        loop(loops[i] * (thread + 1));
        tandem_region_end(region);
    }
    return NULL;
}

static void regions(void)
{
    for (unsigned i = 0; i < 4; i++) {
        pthread_t thread;
        if (i == 0) {
            run_regions(&i);
        } else {
            pthread_create(&thread, NULL, run_regions, &i);
            pthread_join(thread, NULL);
        }
    }
}

/* The operation: its operand is how many loops it takes. */
static void operate(void *in, void *inout, int *n, MPI_Datatype *type)
{
    loop(*(const uint64_t *)in);
}

static void calls(int argc, char **argv)
{
    MPI_Op operation;
    uint64_t result = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(operate, 1, &operation);
    for (unsigned i = 0; i < N_LOOPS; i++)
        MPI_Reduce_local(&loops[i], &result, 1, MPI_UINT64_T, operation);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < N_LOOPS; i++) {
        loop(loops[i]);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    for (unsigned i = 0; i < N_LOOPS && rank == 0; i++) {
        printf("call %llu\n", (unsigned long long)loops[i]);
        if (i > 0) /* what begins the loop is in the first gap */
            printf("gap %llu\n", (unsigned long long)loops[i]);
    }
    MPI_Op_free(&operation);
    MPI_Finalize();
}

#define PART 50000000 /* loops */
__attribute__((noinline)) static void work_1(void)
{
    loop(PART);
}
__attribute__((noinline)) static void work_2(void)
{
    loop(2 * PART);
}
__attribute__((noinline)) static void work_3(void)
{
    loop(3 * PART);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "regions") == 0) {
        regions();
    } else if (strcmp(what, "calls") == 0) {
        calls(argc, argv);
    } else {
        work_1();
        work_2();
        work_3();
    }
    return 0;
}
