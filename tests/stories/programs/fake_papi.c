/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A PAPI whose counters count what the program says that it works (fake_papi_work), so that every answer is known. Four
 * registers; PAPI_FP_INS and PAPI_FP_OPS want the same one; multiplexed, all fit.  It holds its caller to PAPI's rules,
 * and ends the program where they are broken: a thread registers before it counts and counts only its own sets, a
 * forked child begins anew, what is read runs.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

typedef void (*overflow_handler)(int set, void *address, long long which, void *context);

struct set {
    int n, added[MAX_EVENTS];
    int is_used, is_multiplexed, is_running;
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
    return ENOEVNT;
}

int PAPI_get_event_info(int code, void *info)
{
    int event = event_of(code);
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
    static const char info[4096] = "perf_event";
    return info;
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

int PAPI_start(int number)
{
    struct set *set = find(number);
    RULE(!set->is_running && set->n > 0);
    set->counted = 0;
    set->until = set->threshold;
    set->is_running = 1;
    return OK;
}

static void read_set(const struct set *set, long long *values)
{
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

int PAPI_read(int number, long long *values)
{
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
