/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters at records.  Each thread has its own events for each set of the plan; one set counts at a time.  Where a
 * source marks a record (runtime/counting.h), the set is read, and a record with its values so far is written.
 *
 * A thread reads its counters in two contexts.  A sample that interrupts the thread while it reads them has no
 * counters.  A set's turn ends at the first reading after its time: no thread is interrupted for that.
 *
 * Cost: one read of the kernel or of PAPI, and a record (measured, tests/bench).
 * Context: hooks as runtime/source.h says; read_counters: hot path, handlers.
 */
#include "sampler/counter_papi.h"
#include "sampler/counter_perf.h"
#include "sampler/counter_plan.h"

#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/names.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* What a thread has, in pages of its own. */
struct own {
    uint64_t read_ticks;  /* of the last reading in the main stream */
    uint64_t turn_end_ns; /* of the set that counts */
    uint32_t n_switched;  /* how often recording was switched at the last reading */
    uint32_t at;          /* the set that counts, in the plan */
    bool is_reading;      /* the thread itself reads: a handler must not */
    bool is_simple;       /* there is one set, a simple group of the kernel's */
    bool waits_for_papi;  /* in the child of a fork: PAPI is initialized at the first reading outside of a handler */
    int papi[TND_COUNTER_SETS_MAX];
    struct tnd_counter_perf perf[TND_COUNTER_SETS_MAX];
};

static struct tnd_counter_plan plan;
static uint32_t n_switched;
static bool has_papi, is_child, is_over;

static struct own **place_of(struct tnd_thread *thread)
{
    return (struct own **)thread->source_data[0];
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool has_papi_in(const struct tnd_counter_set *set)
{
    return set->n > set->n_perf;
}

static bool switch_set(const struct own *own, uint32_t at, bool on)
{
    if (plan.sets[at].n_perf)
        tnd_counter_perf_switch(&own->perf[at], on);
    return !has_papi_in(&plan.sets[at]) || tnd_counter_papi_switch(own->papi[at], on);
}

/* Records what the set has counted; false: it cannot be read. */
static bool write_set(const struct own *own, struct tnd_writer *writer, uint64_t time, unsigned flags)
{
    const struct tnd_counter_set *set = &plan.sets[own->at];
    uint64_t values[TND_COUNTERS_MAX];
    if ((set->n_perf && !tnd_counter_perf_read(&own->perf[own->at], values)) ||
        (has_papi_in(set) && !tnd_counter_papi_read(own->papi[own->at], values + set->n_perf)))
        return false;
    tnd_emit_words(writer, time, TND_RECORD_COUNTERS, set->number, (uint16_t)flags, set->n, values);
    return true;
}

static void begin_turn(struct own *own)
{
    own->turn_end_ns = plan.n_sets > 1 ? now_ns() + plan.sets[own->at].turn_ns : UINT64_MAX;
}

static bool take_turns(struct own *own, struct tnd_writer *writer, uint64_t time)
{
    bool was_stopped = switch_set(own, own->at, false);
    own->at = (own->at + 1) % plan.n_sets;
    begin_turn(own);
    return was_stopped && switch_set(own, own->at, true) && write_set(own, writer, time, TND_COUNTERS_BEGIN);
}

static void close_sets(struct own *own)
{
    for (unsigned i = 0; i < plan.n_sets; i++) {
        tnd_counter_perf_close(&own->perf[i]);
        if (own->papi[i] >= 0)
            tnd_counter_papi_close(own->papi[i]);
        own->papi[i] = -1;
    }
}

static int open_papi(struct own *own)
{
    tnd_counter_papi_thread_start();
    for (unsigned i = 0; i < plan.n_sets; i++)
        if (has_papi_in(&plan.sets[i]) && (own->papi[i] = tnd_counter_papi_open(&plan.sets[i])) < 0)
            return -1;
    return 0;
}

/* 0, an errno, or -1: PAPI failed. */
static int open_sets(struct own *own)
{
    int error = 0;
    memset(own->papi, -1, sizeof own->papi);
    for (unsigned i = 0; i < plan.n_sets && !error; i++)
        error = tnd_counter_perf_open(&own->perf[i], &plan.sets[i]);
    return error || !has_papi || own->waits_for_papi ? error : open_papi(own);
}

/* Ends counting in the thread. */
static void give_up(struct tnd_thread *thread, const char *what, int error)
{
    struct own *own = *place_of(thread);
    char sentence[160];
    *place_of(thread) = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!is_over)
        close_sets(own);
    tnd_target_pages_free(own, sizeof *own);
    snprintf(sentence, sizeof sentence, "counters: a thread's %s%s%s", what, error > 0 ? ": " : "",
             error > 0 ? strerrordesc_np(error) : "");
    tnd_run_note(sentence);
}

static bool read_now(struct own *own, struct tnd_writer *writer, uint64_t time)
{
    bool goes_on = own->n_switched == n_switched;
    own->n_switched = n_switched;
    if (!write_set(own, writer, time, goes_on ? 0 : TND_COUNTERS_BEGIN))
        return false;
    return own->turn_end_ns == UINT64_MAX || now_ns() < own->turn_end_ns || take_turns(own, writer, time);
}

/* Initializes PAPI in the child of a fork, by now outside of the fork handler, where the C library may be used. */
static bool catch_up(struct own *own, struct tnd_writer *writer, uint64_t time)
{
    own->waits_for_papi = false;
    return tnd_counter_papi_again() && open_papi(own) == 0 && switch_set(own, own->at, true) &&
           write_set(own, writer, time, TND_COUNTERS_BEGIN);
}

/* The common case, without a function call: the kernel writes the values into the record itself, so that they need not
 * be copied.  False: nothing was read. */
static inline bool read_simple(struct own *own, struct tnd_writer *writer, uint64_t time)
{
    unsigned n = own->perf[0].n;
    own->is_reading = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t *words = tnd_emit_lend(writer, time, n);
    bool is_done = words && tnd_counter_perf_read_inline(&own->perf[0], words);
    if (__builtin_expect(is_done, 1)) {
        tnd_emit_give_back(writer, words, TND_RECORD_COUNTERS, plan.sets[0].number, 0, n);
        own->read_ticks = time;
    } else if (words) {
        tnd_emit_give_back(writer, words, TND_RECORD_PAD, 0, 0, n);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->is_reading = false;
    return is_done;
}

__attribute__((noinline)) static void read_otherwise(struct tnd_thread *thread, struct tnd_writer *writer,
                                                     uint64_t time)
{
    struct own *own = *place_of(thread);
    bool is_handler = writer == &thread->signal, done;
    if (!own || (is_handler ? own->is_reading || own->waits_for_papi : own->read_ticks == time))
        return;
    int before = errno;
    if (is_handler) {
        read_now(own, writer, time); /* if it fails, the thread itself will notice */
        errno = before;
        return;
    }
    own->is_reading = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->read_ticks = time;
    done = own->waits_for_papi ? catch_up(own, writer, time) : read_now(own, writer, time);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    own->is_reading = false;
    if (!done)
        give_up(thread, "counters cannot be read any more", errno);
    errno = before;
}

static void read_counters(struct tnd_thread *thread, struct tnd_writer *writer, uint64_t time)
{
    struct own *own = *place_of(thread);
    bool is_simple =
        own && own->is_simple && own->n_switched == n_switched && own->read_ticks != time && writer == &thread->main;
    if (!__builtin_expect(is_simple, 1) || !read_simple(own, writer, time))
        read_otherwise(thread, writer, time);
}

static void thread_start(struct tnd_thread *thread)
{
    struct own *own = tnd_target_pages(sizeof *own);
    *place_of(thread) = own;
    if (!own)
        return;
    own->waits_for_papi = is_child && has_papi;
    is_child = false;
    own->n_switched = n_switched;
    int error = open_sets(own);
    if (error) {
        give_up(thread, "counters could not be opened", error);
        return;
    }
    begin_turn(own);
    own->is_simple = plan.n_sets == 1 && !has_papi && tnd_counter_perf_is_simple(&own->perf[0]);
    uint64_t now = tnd_clock_ticks();
    if (!own->waits_for_papi && !(switch_set(own, 0, true) && write_set(own, &thread->main, now, TND_COUNTERS_BEGIN)))
        give_up(thread, "counters do not begin", 0);
}

/* When the process ends, other threads may hold locks that closing needs: then all is left open. */
static void thread_end(struct tnd_thread *thread)
{
    struct own *own = *place_of(thread);
    if (!own)
        return;
    if (!own->waits_for_papi)
        read_counters(thread, &thread->main, tnd_clock_ticks());
    if (is_over || !(own = *place_of(thread)))
        return;
    *place_of(thread) = NULL;
    close_sets(own);
    if (has_papi && !own->waits_for_papi)
        tnd_counter_papi_thread_end();
    tnd_target_pages_free(own, sizeof *own);
}

static void fork_child(void)
{
    is_child = true;
    tnd_perf_event_forget();
}

static void before_exec(struct tnd_thread *thread)
{
    if (*place_of(thread) && !(*place_of(thread))->waits_for_papi)
        read_counters(thread, &thread->main, tnd_clock_ticks());
}

static void stop(void)
{
    is_over = true;
}

static void switched(bool on)
{
    __atomic_fetch_add(&n_switched, 1, __ATOMIC_RELAXED);
}

static void define_counters(void)
{
    for (unsigned i = 0; i < plan.n_sets; i++)
        for (unsigned k = 0; k < plan.sets[i].n; k++) {
            const struct tnd_counter *counter = &plan.sets[i].counters[k];
            char text[sizeof counter->name + sizeof counter->what];
            snprintf(text, sizeof text, "%s\n%s", counter->name, counter->what);
            tnd_names_define(TND_DEFINE_COUNTED, plan.sets[i].number << 8 | k, counter->type, text);
        }
}

/* The words of --counters-at (run/setting.h), as bits. */
static unsigned read_places(const char *list)
{
    static const struct {
        const char *name;
        enum tnd_counting_at at;
    } places[] = {{"mpi", TND_COUNTING_MPI},         {"openmp", TND_COUNTING_OPENMP},
                  {"pthread", TND_COUNTING_PTHREAD}, {"regions", TND_COUNTING_REGIONS},
                  {"samples", TND_COUNTING_SAMPLES}, {"python", TND_COUNTING_PYTHON}};
    unsigned at = 0;
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        size_t i = 0;
        while (i < sizeof places / sizeof *places && (strlen(places[i].name) != n || memcmp(places[i].name, list, n)))
            i++;
        if (i < sizeof places / sizeof *places)
            at |= places[i].at;
    }
    return at;
}

static bool start(void)
{
    char refused[1000];
    if (!tnd_config.counters[0])
        return false;
    tnd_counter_plan_make(&plan, tnd_config.counters, refused, sizeof refused);
    if (refused[0])
        tnd_run_tell("counters", refused);
    if (!plan.n_sets)
        return false;
    for (unsigned i = 0; i < plan.n_sets; i++)
        has_papi |= has_papi_in(&plan.sets[i]);
    define_counters();
    tnd_counting.read = read_counters;
    tnd_counting.at = read_places(tnd_config.counters_at);
    return true;
}

static const struct tnd_source counters = {
    .name = "counters",
    .rank = 50,
    .start = start,
    .thread_start = thread_start,
    .thread_end = thread_end,
    .fork_child = fork_child,
    .before_exec = before_exec,
    .stop = stop,
    .switched = switched,
};
TND_SOURCE(counters);
