/* SPDX-License-Identifier: Apache-2.0
 *
 * The measurement: for a few signals at a moderate period the thread does nothing but read the time.  What passes from
 * one reading to the next while a signal comes is all that it takes: interrupt, delivery, an empty handler and the way
 * back.  It is not measured where signals follow each other without a pause: there interrupts that are wasted in the
 * kernel make it two to three times as much.
 *
 * Context: as sampling_cost.h says.
 */
#include "sampler/sampling_cost.h"

#include <stdio.h>
#include <time.h>

#define US 1000
#define TRIAL_PERIOD_NS 200000
#define TRIALS 7
#define MOST_SIGNALS 64  /* of a machine so slow that they leave no time to see one of them */
#define MOST_NS 30000000 /* of one so busy that none comes */
#define UNKNOWN_NS 50000 /* what a signal takes there */

static struct {
    struct tnd_sampling *trial; /* NULL: none is under way */
    uint32_t n_signals;
    uint64_t signal_ns;
    uint64_t ns_per_tick; /* 32.32 */
} cost;

void tnd_sampling_cost_note_signal(void)
{
    if (cost.trial && ++cost.n_signals >= MOST_SIGNALS)
        cost.trial->ops->disarm(cost.trial);
}

static uint32_t count_signals(void)
{
    return __atomic_load_n(&cost.n_signals, __ATOMIC_RELAXED);
}

/* The least that a signal took that came between two readings of the time: where others want the core, too, more of
 * them than not include a wait for it, which is no part of what a signal costs. */
static uint64_t watch(uint64_t begin_ns)
{
    uint64_t least_ns = UINT64_MAX, before_ns = begin_ns, now_ns = begin_ns;
    uint32_t n_seen = count_signals();
    unsigned n = 0;
    while (n < TRIALS && n_seen < MOST_SIGNALS && now_ns - begin_ns < MOST_NS) {
        now_ns = tnd_clock_monotonic_ns();
        uint32_t n_signals = count_signals();
        if (n_signals != n_seen) {
            now_ns = tnd_clock_monotonic_ns(); /* it may have come after the time was read */
            least_ns = now_ns - before_ns < least_ns ? now_ns - before_ns : least_ns;
            n++;
        }
        n_seen = n_signals;
        before_ns = now_ns;
    }
    if (n_seen >= MOST_SIGNALS)
        return (now_ns - begin_ns) / MOST_SIGNALS;
    return n ? least_ns : UNKNOWN_NS;
}

bool tnd_sampling_cost_measure(const struct tnd_sampling_ops *ops)
{
    struct tnd_sampling trial = {.ops = ops, .period_ns = TRIAL_PERIOD_NS};
    cost.n_signals = 0;
    cost.trial = &trial;
    bool is_armed = ops->arm(&trial) == 0;
    if (is_armed) {
        uint64_t begin_ns = tnd_clock_monotonic_ns(), begin = tnd_clock_ticks();
        cost.signal_ns = watch(begin_ns);
        uint64_t passed = tnd_clock_ticks() - begin;
        cost.ns_per_tick = ((tnd_clock_monotonic_ns() - begin_ns) << 32) / (passed ? passed : 1);
    }
    cost.trial = NULL;
    ops->disarm(&trial);
    return is_armed;
}

uint64_t tnd_sampling_cost_limit(uint64_t period_ns, uint64_t handler_ticks)
{
    uint64_t sample_ns = cost.signal_ns + (uint64_t)((__uint128_t)handler_ticks * cost.ns_per_tick >> 32);
    return sample_ns * 2 <= period_ns ? period_ns : (sample_ns * 5 / 2 / US + 1) * US;
}

uint32_t tnd_sampling_cost_usual(uint32_t usual_ticks, uint64_t ticks)
{
    if (ticks > usual_ticks)
        return usual_ticks < UINT32_MAX / 2 ? usual_ticks + usual_ticks / 8 + 64 : usual_ticks;
    return usual_ticks - (usual_ticks - (uint32_t)ticks) / 8;
}

/* A time as a user would type it. */
static const char *in_words(char *text, unsigned size, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    unsigned i = 0;
    while (ns % units[i].ns)
        i++;
    snprintf(text, size, "%llu%s", (unsigned long long)(ns / units[i].ns), units[i].name);
    return text;
}

void tnd_sampling_cost_explain(char *sentence, unsigned size, uint64_t asked_ns, uint64_t period_ns)
{
    char asked[32], period[32], one[32];
    snprintf(sentence, size,
             "sampling-period: a sample every %s, not every %s: one takes %s here, and half of a thread's time at most "
             "is for them",
             in_words(period, sizeof period, period_ns), in_words(asked, sizeof asked, asked_ns),
             in_words(one, sizeof one, (period_ns * 2 / 5 / US + 1) * US));
}

bool tnd_sampling_cost_explain_tick(char *sentence, unsigned size, uint64_t asked_ns)
{
    struct timespec tick;
    char asked[32], period[32];
    if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0)
        return false;
    uint64_t tick_ns = (uint64_t)tick.tv_sec * 1000000000 + (uint64_t)tick.tv_nsec;
    if (tick_ns <= asked_ns)
        return false;
    snprintf(sentence, size, "sampling-period: a sample every %s, not every %s: this clock goes by the kernel's tick",
             in_words(period, sizeof period, tick_ns), in_words(asked, sizeof asked, asked_ns));
    return true;
}
