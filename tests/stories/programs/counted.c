/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions that count what is known: each works n units, as a fake PAPI counts them, and touches n new pages.
 *
 * counted regions       10, 20, ... 50 units in the first thread; 100, ... and 1000, ... in two others at once;
 *                       then 1, 2, ... in a child of a fork, which runs a thread of its own with 7, 14, ...
 * counted turns         100 regions of 10 units, 2 ms each
 * counted off           10 units recorded, 20 not, 30 recorded
 * counted exec          10, 20, ...; then this program again, with its other arguments
 * counted closes        regions after all descriptors were closed
 * counted spin          50 regions of 10 units; 2 ms of CPU time each
 */
#include "tandem.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };
static void (*fake_work)(long long);
static tandem_region region;

static void work(int n)
{
    char *pages = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, (size_t)n * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < n; i++)
        ((volatile char *)pages)[(size_t)i * PAGE] = 1;
    munmap(pages, (size_t)n * PAGE);
    if (fake_work)
        fake_work(n);
}

static void work_in_region(int n)
{
    tandem_region_begin(region);
    work(n);
    tandem_region_end(region);
}

static void *five(void *unit)
{
    for (int i = 1; i <= 5; i++)
        work_in_region(i * *(int *)unit);
    return NULL;
}

static pthread_barrier_t all_there;

static void *five_beside_others(void *unit)
{
    pthread_barrier_wait(&all_there);
    five(unit);
    pthread_barrier_wait(&all_there);
    return NULL;
}

static void threads(int *units, int n)
{
    pthread_t made[4];
    pthread_barrier_init(&all_there, NULL, (unsigned)n);
    for (int i = 0; i < n; i++)
        pthread_create(&made[i], NULL, five_beside_others, &units[i]);
    for (int i = 0; i < n; i++)
        pthread_join(made[i], NULL);
}

static void regions(void)
{
    five(&(int){10});
    threads((int[]){100, 1000}, 2);
    pid_t pid = fork();
    if (pid == 0) {
        five(&(int){1});
        threads((int[]){7}, 1);
        exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (status)
        exit(1);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void spin(void)
{
    for (int i = 0; i < 50; i++) {
        tandem_region_begin(region);
        for (double end = cpu_seconds() + 0.002; cpu_seconds() < end;)
            for (volatile int j = 0; j < 10000; j++) {
            }
        work(10);
        tandem_region_end(region);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    void *papi = dlopen("libpapi.so.7.0", RTLD_NOW | RTLD_NOLOAD);
    if (papi)
        *(void **)&fake_work = dlsym(papi, "fake_papi_work");
    region = tandem_region_register("work");
    if (strcmp(what, "regions") == 0) {
        regions();
    } else if (strcmp(what, "turns") == 0) {
        for (int i = 0; i < 100; i++) {
            usleep(2000);
            work_in_region(10);
        }
    } else if (strcmp(what, "off") == 0) {
        work_in_region(10);
        tandem_off();
        work_in_region(20);
        tandem_on();
        work_in_region(30);
        work_in_region(40);
    } else if (strcmp(what, "exec") == 0) {
        five(&(int){10});
        execv("/proc/self/exe", argv + 1);
        return 1;
    } else if (strcmp(what, "closes") == 0) {
        five(&(int){10});
        close_range(3, ~0u, 0);
        five(&(int){10});
    } else if (strcmp(what, "spin") == 0) {
        spin();
    }
    printf("done %s\n", what);
    return 0;
}
