/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wait states of OpenMP threads made on purpose: one of three threads delays the others.  Each thread notes when it
 * comes; the program prints how long those who came early had to wait.  test_causes.py knows who is to blame.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };

static double delay_s, came[THREADS], waited;

static void delay(void)
{
    struct timespec time = {0, (long)(delay_s * 1e9)};
    nanosleep(&time, NULL);
}

/* How long the others waited for the last one. */
static void add_up(void)
{
    double last = 0;
    for (int i = 0; i < THREADS; i++)
        last = came[i] > last ? came[i] : last;
    for (int i = 0; i < THREADS; i++)
        waited += last - came[i];
}

static void barrier(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 1)
            delay();
        came[me] = omp_get_wtime();
#pragma omp barrier
    }
    add_up();
}

static void region_end(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 2)
            delay();
        came[me] = omp_get_wtime();
    }
    add_up();
}

/* Between two regions the first thread is alone. */
static void no_region(void)
{
#pragma omp parallel
    came[omp_get_thread_num()] = 0;
    double begin = omp_get_wtime();
    delay();
    waited += (THREADS - 1) * (omp_get_wtime() - begin);
}

static void lock(void)
{
    static int n_holds;
    double held = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() != 1) /* the second thread is the first to have it */
            while (__atomic_load_n(&n_holds, __ATOMIC_SEQ_CST) == 0)
                usleep(50);
        double asked = omp_get_wtime();
#pragma omp critical
        {
            if (omp_get_thread_num() == 1) {
                __atomic_store_n(&n_holds, 1, __ATOMIC_SEQ_CST);
                delay();
                held = omp_get_wtime();
            }
        }
        came[omp_get_thread_num()] = asked;
    }
    for (int i = 0; i < THREADS; i++)
        waited += i == 1 ? 0 : held - came[i];
    n_holds = 0;
}

/* wait_threads CASE N SECONDS */
int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"barrier", barrier}, {"region_end", region_end}, {"no_region", no_region}, {"lock", lock}};
    (void)argc;
    omp_set_num_threads(THREADS);
    delay_s = atof(argv[3]);
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
        for (int j = 0; j < atoi(argv[2]) && strcmp(cases[i].name, argv[1]) == 0; j++)
            cases[i].run();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.9f %ld\n", waited, usage.ru_nivcsw);
    return 0;
}
