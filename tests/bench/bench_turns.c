/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes: each does a batch of every case when it is sent a byte, and answers with what they took.
 */
#include "tests/bench/bench_turns.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct server {
    pid_t pid;
    int in, out;
};

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void bench_turns_read_clock(int n)
{
    for (int i = 0; i < n; i++) {
#if defined(__x86_64__)
        uint32_t low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        __asm__ volatile("" : : "r"(low), "r"(high));
#else
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        __asm__ volatile("" : : "r"(t.tv_nsec) : "memory");
#endif
    }
}

static void serve(const struct bench_turns_case *cases, unsigned n_cases)
{
    char turn;
    double ns[BENCH_TURNS_MAX_CASES];
    while (read(STDIN_FILENO, &turn, 1) == 1) {
        for (unsigned c = 0; c < n_cases; c++) {
            double begin = cpu_ns();
            cases[c].run(cases[c].n);
            ns[c] = (cpu_ns() - begin) / cases[c].n;
        }
        if (write(STDOUT_FILENO, ns, n_cases * sizeof *ns) != (ssize_t)(n_cases * sizeof *ns))
            break;
    }
}

static bool is_command(const char *setting)
{
    return strncmp(setting, "exec ", 5) == 0;
}

/* Whether the setting is of a process that records with the library. */
static bool is_of_library(const char *setting)
{
    return strncmp(setting, "LD_PRELOAD=", 11) != 0 && !is_command(setting);
}

/* Becomes the process of a way. */
static _Noreturn void become(const char *library, const char *setting, const char *run)
{
    char self[4096] = "";
    if (library && is_command(setting) && readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
        setenv("SELF", self, 1);
        setenv("RUN", run, 1);
        execl("/bin/sh", "sh", "-c", setting, (char *)NULL);
    } else if (library) {
        setenv("LD_PRELOAD", library, 1);
        setenv("TANDEM_MERGE", "0", 1);
        setenv("TANDEM_OUTPUT", run, 1);
        for (char *one = strtok(strdup(setting), " "); one; one = strtok(NULL, " "))
            putenv(one); /* perhaps another LD_PRELOAD */
    }
    execl("/proc/self/exe", "bench", (char *)NULL);
    _exit(127);
}

/* library: to be preloaded, or NULL; run: where its run is to be. */
static struct server start(const char *library, const char *setting, const char *run)
{
    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(requests[0], STDIN_FILENO);
        dup2(answers[1], STDOUT_FILENO);
        become(library, setting, run);
    }
    close(requests[0]);
    close(answers[1]);
    return (struct server){pid, requests[1], answers[0]};
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int take_turns(const struct server *servers, unsigned n_ways, unsigned n_cases, bench_turns_ns ns)
{
    double batch[BENCH_TURNS_MAX_CASES];
    ssize_t n_bytes = (ssize_t)(n_cases * sizeof *batch);
    for (unsigned b = 0; b < BENCH_TURNS_BATCHES; b++)
        for (unsigned w = 0; w < n_ways; w++) {
            if (write(servers[w].in, "", 1) != 1 || read(servers[w].out, batch, (size_t)n_bytes) != n_bytes)
                return 1;
            for (unsigned c = 0; c < n_cases; c++)
                ns[c][w][b] = batch[c];
        }
    for (unsigned c = 0; c < n_cases; c++)
        for (unsigned w = 0; w < n_ways; w++)
            qsort(ns[c][w], BENCH_TURNS_BATCHES, sizeof(double), compare);
    return 0;
}

static void stay_on_one_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void remove_directory(const char *directory)
{
    pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-r", directory, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, NULL, 0);
}

int bench_turns_run(int argc, char **argv, const struct bench_turns_case *cases, unsigned n_cases,
                    const char *const *settings, unsigned n_ways, bench_turns_ns ns)
{
    if (argc == 1) {
        serve(cases, n_cases);
        exit(0);
    }
    char directory[] = "/tmp/bench-XXXXXX", run[BENCH_TURNS_MAX_WAYS][sizeof directory + 32];
    struct server servers[BENCH_TURNS_MAX_WAYS];
    stay_on_one_core();
    if (!mkdtemp(directory))
        return 1;
    for (unsigned w = 0; w < n_ways; w++) {
        snprintf(run[w], sizeof run[w], "%s/run%u", directory, w);
        servers[w] = start(w ? argv[1] : NULL, settings[w], run[w]);
    }
    int failed = take_turns(servers, n_ways, n_cases, ns);
    for (unsigned w = 0; w < n_ways; w++) {
        close(servers[w].in);
        waitpid(servers[w].pid, NULL, 0);
        strcat(run[w], ".tandem");
        if (w && is_of_library(settings[w]) && access(run[w], F_OK) != 0) /* nothing was recorded, and cost nothing */
            failed = 1;
    }
    remove_directory(directory);
    return failed;
}
