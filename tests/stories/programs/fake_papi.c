/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A PAPI whose counters count what the program says that it works (fake_papi_work), so that every answer is known. Four
 * registers; PAPI_FP_INS and PAPI_FP_OPS want the same one; multiplexed, all fit.  It holds its caller to PAPI's rules,
 * and ends the program where they are broken: a thread registers before it counts and counts only its own sets, a
 * forked child begins anew, what is read runs.
 *
 * With FAKE_PAPI_ENERGY it has a component "rapl", too: nJ of a set of its own, counted from numbers of 32 bits, one
 * after the other in that file, each the number of 2^-16 J.  Like PAPI's it opens the file once, and ends the process
 * if that cannot be read, or an event is counted in whose name is FAKE_PAPI_BAD.
 *
 * With FAKE_PAPI_READ_US each reading takes so many microseconds.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define VERSION (7 << 24)
#define RULE(holds)                                                                                                    \
    do                                                                                                                 \
        if (!(holds)) {                                                                                                \
            fprintf(stderr, "fake_papi: %s: not %s\n", __func__, #holds);                                              \
            abort();                                                                                                   \
        }                                                                                                              \
    while (0)
enum { N_REGISTERS = 4, MAX_EVENTS = 16, MAX_SETS = 256 };
enum { OK = 0, EINVAL_ = -1, ENOEVNT = -7, ECNFLCT = -8 };

static const struct {
    const char *name, *words;
    unsigned code;
    int factor; /* of the work */
} events[] = {
    {"PAPI_TOT_INS", "Instr completed", 0x80000032, 1},
    {"PAPI_TOT_CYC", "Total cycles", 0x8000003b, 2},
    {"PAPI_L1_DCM", "L1D cache misses", 0x80000000, 3},
    {"PAPI_BR_INS", "Branches", 0x80000037, 4},
    {"PAPI_FP_INS", "FP instructions", 0x80000034, 5},
    {"PAPI_FP_OPS", "FP operations", 0x80000066, 6},
    {"fake::WORK:units=1", "Units of work\nand more words", 0x40000001, 7},
};
enum { N_KNOWN = sizeof events / sizeof *events };

static const char *const energies[] = {"rapl:::PACKAGE_ENERGY:PACKAGE0", "rapl:::PP0_ENERGY:PACKAGE0",
                                       "rapl:::DRAM_ENERGY:PACKAGE0", "rapl:::PACKAGE_ENERGY:PACKAGE1"};
enum { N_ENERGIES = sizeof energies / sizeof *energies, FIRST_ENERGY = 0x40000100 };
static unsigned energy_before[N_ENERGIES];
static long long energy_counted[N_ENERGIES];
static int energy_fd = -1;
static long read_us;

typedef void (*overflow_handler)(int set, void *address, long long which, void *context);

struct set {
    int n, added[MAX_EVENTS];
    int is_used, is_multiplexed, is_running, is_energy;
    pthread_t owner;
    long long counted, threshold, until;
    int overflowing;
    overflow_handler handler;
};
static struct set sets[MAX_SETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t begun;
static _Thread_local int is_registered;

static struct set *find(int number)
{
    RULE(begun == getpid() && number >= 0 && number < MAX_SETS && sets[number].is_used);
    RULE(pthread_equal(sets[number].owner, pthread_self()));
    return &sets[number];
}

static int event_of(int code)
{
    for (int i = 0; i < N_KNOWN; i++)
        if (events[i].code == (unsigned)code)
            return i;
    return -1;
}

int PAPI_library_init(int version)
{
    if (version != VERSION)
        return EINVAL_;
    if (begun != getpid())
        memset(sets, 0, sizeof sets);
    begun = getpid();
    is_registered = 1;
    const char *path = getenv("FAKE_PAPI_ENERGY"), *us = getenv("FAKE_PAPI_READ_US");
    read_us = us ? atol(us) : 0;
    energy_fd = path && energy_fd < 0 ? open(path, O_RDONLY) : energy_fd;
    return VERSION;
}

int PAPI_thread_init(unsigned long (*thread)(void))
{
    RULE(thread() == (unsigned long)pthread_self());
    return OK;
}

int PAPI_register_thread(void)
{
    is_registered = 1;
    return OK;
}

int PAPI_unregister_thread(void)
{
    RULE(is_registered);
    is_registered = 0;
    return OK;
}

int PAPI_multiplex_init(void)
{
    return OK;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
    for (int i = 0; i < N_KNOWN; i++)
        if (strcmp(events[i].name, name) == 0) {
            *code = (int)events[i].code;
            return OK;
        }
    for (int i = 0; i < N_ENERGIES && energy_fd >= 0; i++)
        if (strcmp(energies[i], name) == 0) {
            *code = FIRST_ENERGY + i;
            return OK;
        }
    return ENOEVNT;
}

int PAPI_get_event_info(int code, void *info)
{
    int event = event_of(code);
    if (code >= FIRST_ENERGY && code < FIRST_ENERGY + N_ENERGIES) {
        memcpy(info, &code, 4);
        strcpy((char *)info + 4, energies[code - FIRST_ENERGY]);
        strcpy((char *)info + 4 + 1024 + 64, "Energy");
        strcpy((char *)info + 4 + 1024 + 64 + 1024 + 4, "nJ");
        return OK;
    }
    RULE(event >= 0);
    memcpy(info, &code, 4);
    strcpy((char *)info + 4, events[event].name);
    strcpy((char *)info + 4 + 1024 + (code < 0 ? 0 : 64), events[event].words);
    return OK;
}

int PAPI_get_event_component(int code)
{
    return 0;
}

const void *PAPI_get_component_info(int component)
{
    static char info[2][4096] = {"perf_event", "rapl"};
    strcpy(info[1] + 128 + 64 + 128 + 3 * 64, energy_fd < 0 ? "Can't open fd for cpu0" : "");
    return component < 2 ? info[component] : NULL;
}

char *PAPI_strerror(int error)
{
    return (char *)"a fault of the fake";
}

int PAPI_create_eventset(int *number)
{
    RULE(begun == getpid() && is_registered && *number == -1);
    pthread_mutex_lock(&lock);
    int free = 0;
    while (free < MAX_SETS && sets[free].is_used)
        free++;
    RULE(free < MAX_SETS);
    sets[free] = (struct set){.is_used = 1, .owner = pthread_self()};
    pthread_mutex_unlock(&lock);
    *number = free;
    return OK;
}

int PAPI_assign_eventset_component(int number, int component)
{
    RULE(component == 0 && find(number)->n == 0);
    return OK;
}

int PAPI_set_multiplex(int number)
{
    find(number)->is_multiplexed = 1;
    return OK;
}

int PAPI_add_event(int number, int code)
{
    struct set *set = find(number);
    if (code >= FIRST_ENERGY && code < FIRST_ENERGY + N_ENERGIES) {
        RULE(set->n == 0 || set->is_energy);
        set->is_energy = 1;
        set->added[set->n++] = code - FIRST_ENERGY;
        return OK;
    }
    int event = event_of(code), twin = event == 4 ? 5 : event == 5 ? 4 : -1;
    if (event < 0)
        return ENOEVNT;
    for (int i = 0; i < set->n; i++)
        if (set->added[i] == twin && !set->is_multiplexed)
            return ECNFLCT;
    if (set->n == (set->is_multiplexed ? MAX_EVENTS : N_REGISTERS))
        return ECNFLCT;
    set->added[set->n++] = event;
    return OK;
}

int PAPI_cleanup_eventset(int number)
{
    struct set *set = find(number);
    RULE(!set->is_running || set->handler == NULL);
    set->is_running = set->n = 0;
    return OK;
}

int PAPI_destroy_eventset(int *number)
{
    RULE(find(*number)->n == 0);
    sets[*number].is_used = 0;
    *number = -1;
    return OK;
}

static void read_energies(const struct set *set)
{
    unsigned now[N_ENERGIES];
    const char *bad = getenv("FAKE_PAPI_BAD");
    if (pread(energy_fd, now, sizeof now, 0) != sizeof now)
        exit(127);
    for (int i = 0; i < set->n && bad; i++)
        if (strstr(energies[set->added[i]], bad))
            exit(127);
    for (int i = 0; i < N_ENERGIES; i++) {
        energy_counted[i] += now[i] - energy_before[i];
        energy_before[i] = now[i];
    }
}

int PAPI_start(int number)
{
    struct set *set = find(number);
    RULE(!set->is_running && set->n > 0);
    if (set->is_energy) {
        read_energies(set);
        memset(energy_counted, 0, sizeof energy_counted);
    }
    set->counted = 0;
    set->until = set->threshold;
    set->is_running = 1;
    return OK;
}

static void read_set(const struct set *set, long long *values)
{
    if (set->is_energy) {
        read_energies(set);
        for (int i = 0; i < set->n; i++)
            values[i] = (long long)((double)energy_counted[set->added[i]] / 65536 * 1e9);
        return;
    }
    for (int i = 0; i < set->n && values; i++)
        values[i] = set->counted * events[set->added[i]].factor;
}

int PAPI_stop(int number, long long *values)
{
    struct set *set = find(number);
    RULE(set->is_running);
    read_set(set, values);
    set->is_running = 0;
    return OK;
}

static long monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int PAPI_read(int number, long long *values)
{
    for (long until = read_us ? monotonic_us() + read_us : 0; until && monotonic_us() < until;)
        ;
    RULE(find(number)->is_running);
    read_set(find(number), values);
    return OK;
}

static void take_signal(int signal, siginfo_t *info, void *context)
{
    int number = info->si_value.sival_int;
    sets[number].handler(number, NULL, 1, context);
}

int PAPI_overflow(int number, int code, int threshold, int flags, overflow_handler handler)
{
    struct set *set = find(number);
    RULE(flags == 0 && set->n == 1 && set->added[0] == event_of(code) && !set->is_running);
    struct sigaction action = {.sa_sigaction = take_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGRTMIN + 2, &action, NULL);
    set->threshold = threshold;
    set->overflowing = event_of(code);
    set->handler = threshold ? handler : NULL;
    return OK;
}

/* The calling thread's counters that run go on by n units of work. */
void fake_papi_work(long long n)
{
    for (int i = 0; i < MAX_SETS; i++) {
        struct set *set = &sets[i];
        if (!set->is_used || !set->is_running || !pthread_equal(set->owner, pthread_self()))
            continue;
        set->counted += n;
        for (; set->handler && set->counted * events[set->overflowing].factor >= set->until;
             set->until += set->threshold)
            pthread_sigqueue(pthread_self(), SIGRTMIN + 2, (union sigval){.sival_int = i});
    }
}
