/* SPDX-License-Identifier: Apache-2.0
 *
 * PAPI's counters.  Context: counter_papi.h.
 *
 * This file relies on what papi.h has from 5.5 to 7.3: the functions below, some error numbers, that a version is
 * requested as major << 24 | minor << 16, and that the descriptions of an event and of a component begin with the
 * fields below.  A description that does not have the event's name in its place is ignored.
 */
#include "sampler/counter_papi.h"
#include "runtime/target.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(X)                                                                                                   \
    X(int, library_init, (int version))                                                                                \
    X(int, thread_init, (unsigned long (*thread)(void)))                                                               \
    X(int, register_thread, (void))                                                                                    \
    X(int, unregister_thread, (void))                                                                                  \
    X(int, multiplex_init, (void))                                                                                     \
    X(int, event_name_to_code, (const char *name, int *code))                                                          \
    X(int, get_event_info, (int code, void *info))                                                                     \
    X(int, get_event_component, (int code))                                                                            \
    X(const void *, get_component_info, (int component))                                                               \
    X(char *, strerror, (int error))                                                                                   \
    X(int, create_eventset, (int *set))                                                                                \
    X(int, assign_eventset_component, (int set, int component))                                                        \
    X(int, set_multiplex, (int set))                                                                                   \
    X(int, add_event, (int set, int code))                                                                             \
    X(int, cleanup_eventset, (int set))                                                                                \
    X(int, destroy_eventset, (int *set))                                                                               \
    X(int, start, (int set))                                                                                           \
    X(int, stop, (int set, long long *values))                                                                         \
    X(int, read, (int set, long long *values))                                                                         \
    X(int, overflow, (int set, int code, int threshold, int flags, tnd_counter_papi_seen handler))

enum {
    PAPI_OK = 0,
    PAPI_ECMP = -4,
    PAPI_ENOEVNT = -7,
    PAPI_ECNFLCT = -8,
    PAPI_ENOCNTR = -13,
    PAPI_EPERM = -15,
    PAPI_ECOUNT = -23,
    PAPI_ECMP_DISABLED = -25,
    PAPI_EMULPASS = -27,
    PAPI_NULL = -1,
};
#define PAPI_PRESET 0x80000000u
#define PAPI_NATIVE 0x40000000u

static struct {
#define FIELD(result, name, parameters) result(*name) parameters;
    FUNCTIONS(FIELD)
} papi;

static const char *fault; /* NULL: not tried; "": it works */
static int version;

static const char *const files[] = {"libpapi.so.7.3", "libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0",
                                    "libpapi.so.6.0", "libpapi.so.5.7", "libpapi.so.5",   "libpapi.so"};
static const uint8_t versions[][2] = {{7, 3}, {7, 2}, {7, 1}, {7, 0}, {6, 0}, {5, 7}, {5, 6}, {5, 5}};

static unsigned long this_thread(void)
{
    return (unsigned long)pthread_self();
}

/* The library that the program has loaded, if it has. */
static void *open_library(void)
{
    static const int flags[] = {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE};
    for (size_t how = 0; how < 2; how++)
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            void *library = dlopen(files[i], flags[how]);
            if (library)
                return library;
        }
    return NULL;
}

/* Initializes PAPI.  It reveals its version only by accepting that number. */
static bool begin(void)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !version; i++) {
        int wanted = versions[i][0] << 24 | versions[i][1] << 16;
        if (papi.library_init(wanted) == wanted)
            version = wanted;
    }
    return version && papi.library_init(version) == version && papi.thread_init(this_thread) == PAPI_OK;
}

static const char *load(void)
{
    void *library = open_library();
    if (!library)
        return "libpapi is not installed";
#define FIND(result, name, parameters)                                                                                 \
    papi.name = (result(*) parameters)dlsym(library, "PAPI_" #name);                                                   \
    if (!papi.name)                                                                                                    \
        return "this libpapi has no PAPI_" #name;
    FUNCTIONS(FIND)
    if (!begin())
        return version ? "libpapi does not begin" : "this version of libpapi is not known";
    papi.multiplex_init();
    return "";
}

const char *tnd_counter_papi_load(void)
{
    if (!fault)
        fault = load();
    return fault;
}

bool tnd_counter_papi_again(void)
{
    if (!begin())
        return false;
    papi.multiplex_init();
    return true;
}

/* One line of printable text. */
static void copy_words(char *to, size_t size, const char *text)
{
    size_t n = 0;
    for (; n + 1 < size && text[n] && text[n] != '\n'; n++)
        to[n] = text[n] < ' ' ? ' ' : text[n];
    to[n] = 0;
}

/* PAPI's description of an event (the short one of a preset, the long one of a native) and its unit ("": none). */
static void describe(const char *name, int code, char what[static TND_COUNTER_WHAT_MAX], char unit[static 64])
{
    struct info {
        unsigned code;
        char symbol[1024], short_words[64], long_words[1024];
        int component;
        char unit[64];
    };
    size_t n_bytes = 1 << 18; /* much more than the description has in any version */
    struct info *info = tnd_target_pages(n_bytes);
    unit[0] = 0;
    if (info && papi.get_event_info(code, info) == PAPI_OK) {
        info->long_words[sizeof info->long_words - 1] = 0;
        info->unit[sizeof info->unit - 1] = 0;
        bool is_native = (unsigned)code & PAPI_NATIVE;
        const char *words = is_native ? info->long_words : info->short_words;
        if (strncmp(info->symbol, name, strnlen(info->symbol, sizeof info->symbol)) == 0 && info->symbol[0]) {
            copy_words(what, TND_COUNTER_WHAT_MAX, words);
            copy_words(unit, 64, info->unit);
        }
    }
    if (info)
        tnd_target_pages_free(info, n_bytes);
}

const char *tnd_counter_papi_reason(const char *component)
{
    struct info {
        char name[128], short_name[64], description[128], version[64], support_version[64], kernel_version[64];
        char reason[128]; /* at least */
    };
    static char words[128];
    const struct info *info;
    for (int i = 0; (info = papi.get_component_info(i)); i++) {
        if (strncmp(info->name, component, sizeof info->name) != 0)
            continue;
        copy_words(words, sizeof words, info->reason);
        return words[0] ? words : NULL;
    }
    return "this libpapi was built without it";
}

/* Why the component of the processor's counters is disabled; NULL: it is not, or does not say. */
static const char *disabled_reason(void)
{
    const char *first = papi.get_component_info(0);
    return first && strcmp(first, "perf_event") == 0 ? tnd_counter_papi_reason("perf_event") : NULL;
}

static enum tnd_counter_refusal classify(int error, bool has_others)
{
    switch (error) {
    case PAPI_OK:
        return TND_COUNTER_FINE;
    case PAPI_ECNFLCT:
    case PAPI_ECOUNT:
    case PAPI_EMULPASS:
        return has_others ? TND_COUNTER_NO_ROOM : TND_COUNTER_NO_UNIT;
    case PAPI_ENOEVNT:
    case PAPI_ECMP:
    case PAPI_ENOCNTR:
    case PAPI_ECMP_DISABLED:
        return TND_COUNTER_NO_UNIT;
    case PAPI_EPERM:
        return TND_COUNTER_FORBIDDEN;
    default:
        return TND_COUNTER_FAILED;
    }
}

static int make_multiplexed(int events, int code)
{
    int component = papi.get_event_component(code);
    int error = papi.assign_eventset_component(events, component >= 0 ? component : 0);
    return error == PAPI_OK ? papi.set_multiplex(events) : error;
}

/* Makes an event set of the set's PAPI counters; *error: PAPI's error number. */
static int open_events(const struct tnd_counter_set *set, int *error)
{
    int events = PAPI_NULL;
    *error = papi.create_eventset(&events);
    if (*error == PAPI_OK && set->multiplex)
        *error = make_multiplexed(events, set->counters[set->n_perf].code);
    for (unsigned i = set->n_perf; i < set->n && *error == PAPI_OK; i++)
        *error = papi.add_event(events, set->counters[i].code);
    if (*error == PAPI_OK)
        return events;
    tnd_counter_papi_close(events);
    return -1;
}

enum tnd_counter_refusal tnd_counter_papi_try(const struct tnd_counter_set *set, struct tnd_counter *counter,
                                              const char **why)
{
    *why = tnd_counter_papi_load();
    if (**why)
        return TND_COUNTER_NO_LIBRARY;
    char name[TND_COUNTER_NAME_MAX];
    memcpy(name, counter->name, sizeof name);
    int known = papi.event_name_to_code(name, &counter->code);
    *why = disabled_reason(); /* known only now: PAPI initializes a component when it is first used */
    if (known != PAPI_OK)
        return *why && strncmp(name, "PAPI_", 5) != 0 ? TND_COUNTER_NO_UNIT : TND_COUNTER_UNKNOWN;
    bool is_preset = !((unsigned)counter->code & PAPI_NATIVE);
    counter->is_papi = true;
    counter->type = is_preset ? 42000000u + (counter->code & 0xffff) : tnd_counter_native(name);
    struct tnd_counter_set longer = *set;
    longer.counters[longer.n++] = *counter;
    int error, events = open_events(&longer, &error);
    if (error == PAPI_OK) {
        error = papi.start(events);
        if (error == PAPI_OK)
            error = papi.stop(events, NULL);
        tnd_counter_papi_close(events);
    }
    enum tnd_counter_refusal refusal = classify(error, set->n > set->n_perf);
    *why = disabled_reason();
    if (refusal == TND_COUNTER_FAILED || (refusal == TND_COUNTER_FORBIDDEN && !*why))
        *why = papi.strerror(error);
    char unit[64];
    if (refusal == TND_COUNTER_FINE)
        describe(counter->name, counter->code, counter->what, unit);
    return refusal;
}

void tnd_counter_papi_thread_start(void)
{
    papi.register_thread();
}

void tnd_counter_papi_thread_end(void)
{
    papi.unregister_thread();
}

int tnd_counter_papi_open(const struct tnd_counter_set *set)
{
    int error;
    return open_events(set, &error);
}

void tnd_counter_papi_close(int events)
{
    if (events == PAPI_NULL)
        return;
    papi.cleanup_eventset(events);
    papi.destroy_eventset(&events);
}

bool tnd_counter_papi_switch(int events, bool on)
{
    return (on ? papi.start(events) : papi.stop(events, NULL)) == PAPI_OK;
}

/* PAPI calls read(), which is a cancellation point, where the program does not expect one. */
bool tnd_counter_papi_read(int events, uint64_t *values)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    bool done = papi.read(events, (long long *)values) == PAPI_OK;
    pthread_setcancelstate(before, NULL);
    return done;
}

bool tnd_counter_papi_overflow(int events, const struct tnd_counter *counter, uint64_t n, tnd_counter_papi_seen seen)
{
    return papi.overflow(events, counter->code, n < INT32_MAX ? (int)n : INT32_MAX, 0, seen) == PAPI_OK;
}

bool tnd_counter_papi_find(const char *name, const char *unit, int *code)
{
    char what[TND_COUNTER_WHAT_MAX], its_unit[64];
    if (papi.event_name_to_code(name, code) != PAPI_OK)
        return false;
    describe(name, *code, what, its_unit);
    return strcmp(its_unit, unit) == 0;
}

int tnd_counter_papi_count(const int *codes, unsigned n, const char **why)
{
    int events = PAPI_NULL, error = papi.create_eventset(&events);
    for (unsigned i = 0; i < n && error == PAPI_OK; i++)
        error = papi.add_event(events, codes[i]);
    if (error == PAPI_OK)
        error = papi.start(events);
    if (error == PAPI_OK)
        return events;
    *why = papi.strerror(error);
    tnd_counter_papi_close(events);
    return -1;
}
