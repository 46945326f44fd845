/* SPDX-License-Identifier: Apache-2.0
 *
 * When the heap's values are recorded, and the source.  Context: heap_self.h.
 */
#include "intercept/heap/heap_self.h"

#include "formats/event_types.h"
#include "intercept/heap/heap_next.h"
#include "intercept/heap/heap_python.h"
#include "intercept/heap/heap_sites.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/machine.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/user.h"

#include <string.h>

#define SHARE 128        /* a thread records when its part has changed by the whole / SHARE */
#define LEAST_STEP 4096  /* but at least so many bytes */
#define MAX_AT_ONCE 1000 /* times that values may be recorded without a pause */
#define LEAST_CALLS 16
#define MAX_CALLS 65536
#define HELD_CALLS 64      /* calls until the next try, if values may not be recorded yet */
#define PEAK_SITES_SHARE 4 /* sites are recorded when the peak has grown by a quarter */
#define PATIENCE 100000    /* looks at a lock that another thread has, before an exact value is given up */

struct tnd_heap_counters tnd_heap_counters[TND_THREAD_MAX_SLOTS + 1];
unsigned tnd_heap_flags;
uint64_t tnd_heap_mapped;
void (*tnd_heap_self_told)(struct tnd_thread *thread);

struct sums {
    int64_t live;
    uint64_t n_allocations, allocated;
};

static struct {
    struct tnd_heap_counters others; /* of threads without a slot */
    uint32_t n_slots;
    bool is_told_now; /* a lock: a thread records values */

    /* Of the thread that has the lock. */
    bool has_told;
    int64_t told_live;
    uint64_t told_mapped;
    int64_t told_python[TND_HEAP_PYTHON_DOMAINS];
    uint64_t told_allocations, told_allocated;
    struct sums before; /* of the images that this one was forked from */
    uint64_t credit_ns, credit_at_ns;
    int64_t peak, peak_kept,
        peak_told; /* the largest heap; that of which the sites were remembered; and were recorded */
    uint32_t peak_site;
} heap;

#define READ(field) TND_MACHINE_READ(field)

static void add_counters(struct sums *sums, const struct tnd_heap_counters *counters)
{
    sums->live += READ(counters->live);
    sums->n_allocations += READ(counters->n_allocations);
    sums->allocated += READ(counters->allocated);
}

static struct sums sum_up(void)
{
    struct sums sums = {0};
    add_counters(&sums, &heap.others);
    for (uint32_t i = 0, n = READ(heap.n_slots); i < n; i++)
        add_counters(&sums, &tnd_heap_counters[i]);
    return sums;
}

void tnd_heap_self_count(int64_t n_bytes, unsigned n_blocks)
{
    tnd_machine_add((uint64_t *)&heap.others.live, (uint64_t)n_bytes);
    if (n_blocks) {
        tnd_machine_add(&heap.others.n_allocations, n_blocks);
        tnd_machine_add(&heap.others.allocated, (uint64_t)n_bytes);
    }
}

/* True: the caller has the lock, may record values, and calls end_telling. */
static bool begin_telling(bool wait)
{
    for (unsigned i = 0; __atomic_test_and_set(&heap.is_told_now, __ATOMIC_ACQUIRE); i++)
        if (!wait || i == PATIENCE)
            return false;
    return true;
}

static void end_telling(void)
{
    __atomic_clear(&heap.is_told_now, __ATOMIC_RELEASE);
}

/* Whether --heap-period allows to record now; then that time is spent. */
static bool spend_credit(uint64_t now_ns)
{
    uint64_t period_ns = tnd_config.heap_period_ns, most_ns = MAX_AT_ONCE * period_ns;
    heap.credit_ns += now_ns - heap.credit_at_ns;
    heap.credit_at_ns = now_ns;
    if (heap.credit_ns > most_ns)
        heap.credit_ns = most_ns;
    if (heap.credit_ns < period_ns)
        return false;
    heap.credit_ns -= period_ns;
    return true;
}

/* Calls that will take about a quarter of the period, going by those since the last time. */
static uint64_t next_calls(const struct tnd_heap_counters *own, uint64_t now_ns)
{
    uint64_t passed_ns = now_ns - own->set_ns + 1;
    uint64_t n = own->n_calls - (own->countdown > 0 ? (uint64_t)own->countdown : 0);
    double calls = (double)n * (double)tnd_config.heap_period_ns / 4 / (double)passed_ns;
    return calls < LEAST_CALLS ? LEAST_CALLS : calls > MAX_CALLS ? MAX_CALLS : (uint64_t)calls;
}

/* Sets when the thread is to record again. */
static void set_next(struct tnd_heap_counters *own, uint64_t now_ns, bool is_held)
{
    uint64_t n = next_calls(own, now_ns);
    if (is_held && n > HELD_CALLS)
        n = HELD_CALLS;
    own->n_calls = n;
    own->countdown = (int64_t)n;
    own->set_ns = now_ns;
    int64_t step = READ(heap.told_live) / SHARE;
    if (step < LEAST_STEP)
        step = LEAST_STEP;
    own->low = is_held ? INT64_MIN / 2 : own->live - step;
    own->span = is_held ? UINT64_MAX : 2 * (uint64_t)step;
}

/* The heap was as large as the thread's own maximum and what the others have now. */
static void follow_peak(struct tnd_thread *thread, struct tnd_heap_counters *own, int64_t live, uint64_t now,
                        const void *start)
{
    int64_t most = live - own->live + own->top;
    own->top = own->live;
    if (most <= heap.peak)
        return;
    heap.peak = most;
    if (!(tnd_heap_flags & TND_HEAP_SITES) || most < heap.peak_kept + heap.peak_kept / SHARE)
        return;
    heap.peak_kept = most;
    if (start)
        heap.peak_site = tnd_heap_sites_here(start);
    tnd_heap_sites_keep();
    if (most < heap.peak_told + heap.peak_told / PEAK_SITES_SHARE)
        return;
    heap.peak_told = most;
    tnd_heap_sites_tell(thread, now);
}

static void emit_python(struct tnd_writer *writer, uint64_t now)
{
    for (uint32_t i = 0; i < TND_HEAP_PYTHON_DOMAINS; i++) {
        int64_t live = READ(tnd_heap_python_live[i]);
        live = live < 0 ? 0 : live; /* of blocks that were allocated before our start */
        if (live != (heap.has_told ? heap.told_python[i] : 0))
            tnd_emit_word(writer, now, TND_RECORD_EVENT, TND_TYPE_PYTHON_RAW + i, 0, (uint64_t)live);
        heap.told_python[i] = live;
    }
}

static void emit_sums(struct tnd_writer *writer, uint64_t now, const struct sums *sums)
{
    if (!heap.has_told || sums->live != heap.told_live)
        tnd_emit_word(writer, now, TND_RECORD_EVENT, TND_TYPE_HEAP_LIVE, 0, (uint64_t)sums->live);
    if (sums->n_allocations != heap.told_allocations) {
        tnd_emit_word(writer, now, TND_RECORD_EVENT, TND_TYPE_HEAP_ALLOCATIONS, 0,
                      sums->n_allocations - heap.told_allocations);
        tnd_emit_word(writer, now, TND_RECORD_EVENT, TND_TYPE_HEAP_ALLOCATED, 0, sums->allocated - heap.told_allocated);
    }
    uint64_t mapped = READ(tnd_heap_mapped);
    if (heap.has_told ? mapped != heap.told_mapped : mapped != 0)
        tnd_emit_word(writer, now, TND_RECORD_EVENT, TND_TYPE_HEAP_MAPPED, 0, mapped);
    if (tnd_config.heap_python)
        emit_python(writer, now);
    heap.has_told = true;
    heap.told_live = sums->live;
    heap.told_mapped = mapped;
    heap.told_allocations = sums->n_allocations;
    heap.told_allocated = sums->allocated;
}

/* Records the values.  must: in any case, and exactly.  start: a frame of ours in the call of the allocation, or
 * NULL. */
static void tell(struct tnd_thread *thread, struct tnd_heap_counters *own, bool must, const void *start)
{
    uint64_t now_ns = tnd_clock_monotonic_ns();
    if (!tnd_thread_recording || !begin_telling(must)) {
        set_next(own, now_ns, true);
        return;
    }
    bool may = must || spend_credit(now_ns);
    if (may) {
        uint64_t now = tnd_clock_ticks();
        struct sums sums = sum_up();
        emit_sums(&thread->main, now, &sums);
        follow_peak(thread, own, sums.live, now, start);
        if (tnd_heap_self_told)
            tnd_heap_self_told(thread);
    }
    set_next(own, now_ns, !may);
    end_telling();
}

__attribute__((noinline)) void tnd_heap_self_turn(struct tnd_thread *thread, struct tnd_heap_counters *own,
                                                  const void *block, size_t n_bytes)
{
    const void *start = __builtin_frame_address(0);
    if (own->until_site < 0 && !(tnd_heap_flags & TND_HEAP_SITES)) {
        own->until_site = INT64_MAX;
    } else if (own->until_site < 0 && block) {
        tnd_heap_sites_took(block, n_bytes, start);
        own->until_site = tnd_heap_sites_next();
    }
    if (own->countdown < 0 || (uint64_t)(own->live - own->low) > own->span)
        tell(thread, own, false, block ? start : NULL);
}

void tnd_heap_self_mapped(void)
{
    struct tnd_thread *thread = tnd_thread_self;
    uint64_t mapped = READ(tnd_heap_mapped), told = READ(heap.told_mapped), step = told / SHARE;
    step = step < LEAST_STEP ? LEAST_STEP : step;
    if (thread && (mapped > told ? mapped - told : told - mapped) >= step)
        tell(thread, &tnd_heap_counters[thread->slot], false, NULL);
}

static void tell_now(struct tnd_thread *thread)
{
    if (thread)
        tell(thread, &tnd_heap_counters[thread->slot], true, NULL);
}

/* Records the process's totals so far, and the sites. */
static void tell_all(struct tnd_thread *thread)
{
    if (!thread || !tnd_thread_recording)
        return;
    tell_now(thread);
    if (!begin_telling(true))
        return;
    struct sums sums = sum_up();
    uint64_t now = tnd_clock_ticks(), n_allocations = sums.n_allocations - heap.before.n_allocations;
    if (tnd_heap_flags & TND_HEAP_SITES)
        tnd_heap_sites_tell(thread, now);
    uint64_t period = tnd_heap_flags & TND_HEAP_SITES ? tnd_heap_sites_period() : UINT64_MAX;
    tnd_emit_words(&thread->main, now, TND_RECORD_HEAP, 0, 0, 6,
                   (uint64_t[]){(uint64_t)sums.live, heap.peak_site, sums.allocated - heap.before.allocated,
                                n_allocations, (uint64_t)heap.peak, period});
    end_telling();
}

static bool start(void)
{
    const char *mode = tnd_config.heap;
    tnd_heap_flags = TND_HEAP_OFF;
    if (strcmp(mode, "none") == 0)
        return false;
    if (!tnd_heap_next_check())
        return false;
    bool wants_sites = strcmp(mode, "values") != 0;
    if (wants_sites && !tnd_heap_sites_start(strcmp(mode, "leaks") == 0))
        wants_sites = false;
    tnd_heap_flags = (wants_sites ? TND_HEAP_SITES : 0) | (strcmp(mode, "calls") == 0 ? TND_HEAP_CALLS : 0);
    if (tnd_config.heap_python)
        tnd_heap_python_start();
    heap.credit_at_ns = tnd_clock_monotonic_ns();
    heap.credit_ns = MAX_AT_ONCE * tnd_config.heap_period_ns;
    tnd_user_before = tell_now;
    return true;
}

static void thread_start(struct tnd_thread *thread)
{
    struct tnd_heap_counters *own = &tnd_heap_counters[thread->slot];
    uint32_t n = READ(heap.n_slots);
    while (n <= thread->slot &&
           !__atomic_compare_exchange_n(&heap.n_slots, &n, thread->slot + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    own->until_site = tnd_heap_flags & TND_HEAP_SITES ? tnd_heap_sites_next() : INT64_MAX;
    own->top = own->live;
    own->n_calls = LEAST_CALLS;
    set_next(own, tnd_clock_monotonic_ns(), false);
    if (thread->number == 0)
        tell_all(thread);
}

static void thread_end(struct tnd_thread *thread)
{
    tell(thread, &tnd_heap_counters[thread->slot], false, NULL);
}

/* The child has its parent's blocks, but what it allocated by itself counts from here. */
static void fork_child(void)
{
    struct sums sums = sum_up();
    heap.is_told_now = heap.has_told = false;
    heap.told_allocations = sums.n_allocations;
    heap.told_allocated = sums.allocated;
    heap.before = sums;
    heap.peak = heap.peak_kept = sums.live;
    heap.peak_told = 0;
    if (tnd_heap_flags & TND_HEAP_SITES)
        tnd_heap_sites_fork_child();
}

static void stop(void)
{
    tell_all(tnd_thread_self);
}

static void switched(bool on)
{
    if (on)
        heap.has_told = false;
}

static const struct tnd_source heap_source = {.name = "heap",
                                              .rank = 220,
                                              .start = start,
                                              .thread_start = thread_start,
                                              .thread_end = thread_end,
                                              .fork_child = fork_child,
                                              .before_exec = tell_all,
                                              .stop = stop,
                                              .switched = switched};
TND_SOURCE(heap_source);
