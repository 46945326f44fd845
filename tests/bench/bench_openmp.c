/* SPDX-License-Identifier: Apache-2.0
 *
 * What recording adds to an OpenMP construct: CPU ns of a thread that is alone in its team, so that nobody is waited
 * for.  Two processes of this program, one with the library preloaded, take turns on one core, a batch each; they see
 * the same machine, and the one without is OpenMP as it is.
 *
 * bench_openmp LIBTANDEM.  Extrae 5.1.2's figures (its classic library, GCC 12, the same constructs, a virtual machine
 * whose clock read costs about 20 ns) say what is usual; a fifth of them is what is wanted.  Where that is less than
 * the clock reads that the construct's records need, the line says how many there are.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_BATCHES = 101, N_OPERATIONS = 2000 };

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void touch(int i)
{
    __asm__ volatile("" : : "r"(i) : "memory");
}

static void read_clock(int n)
{
    for (int i = 0; i < n; i++) {
#if defined(__x86_64__)
        uint32_t low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        __asm__ volatile("" : : "r"(low), "r"(high));
#else
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        touch((int)t.tv_nsec);
#endif
    }
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

static const struct {
    const char *name;
    void (*run)(int n);
    int n_reads;      /* of the clock, that recording it takes */
    double extrae_ns; /* that Extrae adds; 0: not known */
} cases[] = {
    {"clock read", read_clock, 0, 0},
    {"empty parallel region", parallel, 4, 890},
    {"parallel for dynamic, 2 chunks", parallel_for_dynamic, 8, 838},
    {"for static", for_static, 2, 198},
    {"for dynamic, 2 chunks", for_dynamic, 5, 236},
    {"for dynamic, 20 chunks", for_many_chunks, 23, 0},
    {"barrier", barrier, 2, 198},
    {"critical", critical, 4, 844},
    {"single", single, 4, 0},
    {"task (made and run)", task, 4, 1097},
    {"taskwait", taskwait, 2, 0},
    {"task and taskwait, within a region", task_queued, 6, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* A batch of every case, over and over: when a byte comes, one more. */
static void serve(void)
{
    char turn;
    double ns[N_CASES];
    while (read(STDIN_FILENO, &turn, 1) == 1) {
        for (unsigned c = 0; c < N_CASES; c++) {
            double begin = cpu_ns();
            cases[c].run(N_OPERATIONS);
            ns[c] = (cpu_ns() - begin) / N_OPERATIONS;
        }
        if (write(STDOUT_FILENO, ns, sizeof ns) != sizeof ns)
            break;
    }
}

struct server {
    pid_t pid;
    int in, out;
};

/* Where the recorded one leaves its run. */
static char directory[] = "/tmp/bench-openmp-XXXXXX", run[sizeof directory + 16];

/* library: to be preloaded, or NULL. */
static struct server start(const char *library)
{
    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(requests[0], STDIN_FILENO);
        dup2(answers[1], STDOUT_FILENO);
        if (library) {
            setenv("LD_PRELOAD", library, 1);
            setenv("TANDEM_MERGE", "0", 1);
            setenv("TANDEM_OUTPUT", run, 1);
        }
        execl("/proc/self/exe", "bench_openmp", (char *)NULL);
        _exit(127);
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

static double batches[2][N_CASES][N_BATCHES];

static int measure(struct server servers[2])
{
    for (unsigned b = 0; b < N_BATCHES; b++)
        for (unsigned s = 0; s < 2; s++) {
            double ns[N_CASES];
            if (write(servers[s].in, "", 1) != 1 || read(servers[s].out, ns, sizeof ns) != sizeof ns)
                return 1;
            for (unsigned c = 0; c < N_CASES; c++)
                batches[s][c][b] = ns[c];
        }
    for (unsigned s = 0; s < 2; s++)
        for (unsigned c = 0; c < N_CASES; c++)
            qsort(batches[s][c], N_BATCHES, sizeof(double), compare);
    return 0;
}

static void print(void)
{
    double clock_ns = batches[0][0][0];
    printf("%-36s %9s %9s %9s %9s %22s %8s %7s\n", "CPU ns, least of the batches", "alone", "recorded", "added",
           "(median)", "= reads of the clock +", "Extrae", "wanted");
    for (unsigned c = 0; c < N_CASES; c++) {
        double *alone = batches[0][c], *recorded = batches[1][c], added = recorded[0] - alone[0];
        printf("%-36s %9.1f %9.1f %9.1f %9.1f", cases[c].name, alone[0], recorded[0], added,
               recorded[N_BATCHES / 2] - alone[N_BATCHES / 2]);
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
    if (argc == 1) {
        serve();
        return 0;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    setenv("OMP_NUM_THREADS", "1", 1);
    if (!mkdtemp(directory))
        return 1;
    snprintf(run, sizeof run, "%s/run", directory);
    struct server servers[2] = {start(NULL), start(argv[1])};
    int failed = measure(servers);
    for (unsigned s = 0; s < 2; s++) {
        close(servers[s].in);
        waitpid(servers[s].pid, NULL, 0);
    }
    strcat(run, ".tandem");
    if (!failed && access(run, F_OK) == 0) { /* else nothing was recorded, and costs nothing */
        print();
        fflush(stdout);
        execlp("rm", "rm", "-r", directory, (char *)NULL);
    }
    return 1;
}
