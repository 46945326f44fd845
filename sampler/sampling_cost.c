/* SPDX-License-Identifier: Apache-2.0
 *
 * The measurement: for a few signals at a moderate period the thread does nothing but read the time.  What passes from
 * one reading to the next while a signal comes is all that it takes: interrupt, delivery, an empty handler and the way
 * back.  It is not measured where signals follow each other without a pause: there interrupts that are wasted in the
 * kernel make it two to three times as much.  A clock that goes by the kernel's tick has no interrupts of its own, and
 * a signal that the thread sends itself costs as much as one of its.
 *
 * Context: as sampling_cost.h says.
 */
#include "sampler/sampling_cost.h"
#include "formats/fact.h"
#include "runtime/config.h"
#include "sampler/signals.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define US 1000
#define TRIAL_PERIOD_NS 100000
#define TRIALS 5
#define MOST_TRIALS 15   /* where those say that the period must be raised */
#define MOST_SIGNALS 64  /* of a machine so slow that they leave no time to see one of them */
#define MOST_NS 20000000 /* of one so busy that none comes: of time in which the thread did not stand still */
#define PAUSE_NS 1000000 /* between two readings, for each signal: others had the core, or the host stood still */
#define UNKNOWN_NS 6000  /* what a signal takes where it cannot be measured */

#define MOST_SHARE 50 /* of run/setting.h, in percent */

/* Nor may they be found to take more than this, in percent: near a half, interrupts come while the signal before is
 * being delivered, and what they waste makes it nearly all (0.49 measured was 0.8 of the CPU time of eight threads). */
#define MOST_FOUND 40

/* Samples may take so much more than their share before the period is raised: what is counted may come in bursts. */
#define SLACK_NS 5000000

/* "Of late": what was longer ago counts half after each such time. */
#define WINDOW_NS 1000000000

/* How much a period is raised at once. */
#define MOST_EIGHTHS (64 * 8)

static struct {
    struct tnd_sampling *trial; /* NULL: none is under way */
    uint32_t n_signals;
    uint64_t signal_ns;
} cost;

/* The share, in percent, above which a period is raised.  A host that takes the cores away makes one measurement twice
 * as long as another one, and a program is not to be told of that: so it is twice the share that the user grants. */
static uint64_t most_share(void)
{
    uint64_t twice = 2 * tnd_config.sampling_share;
    return twice < MOST_FOUND ? twice : MOST_FOUND;
}

bool tnd_sampling_cost_note_signal(const siginfo_t *info, bool is_clocks)
{
    if (!cost.trial)
        return is_clocks;
    const struct tnd_sampling_ops *ops = cost.trial->ops;
    if (is_clocks && ops->on_signal)
        ops->on_signal(cost.trial, info, 2 * TRIAL_PERIOD_NS); /* a period is over: the timer is set again */
    is_clocks = is_clocks || info->si_code == SI_TKILL;
    if (is_clocks && ++cost.n_signals >= MOST_SIGNALS)
        ops->disarm(cost.trial);
    return is_clocks;
}

static uint32_t count_signals(void)
{
    return __atomic_load_n(&cost.n_signals, __ATOMIC_RELAXED);
}

static void send_signal(void)
{
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), tnd_signals_number());
}

/* The last reading of the time, and how many signals had come; until when more of them are waited for. */
struct wait {
    uint64_t now_ns, until_ns;
    uint32_t n_signals;
};

/* Reads the time; a pause puts off the end.  Returns whether signals came since the last reading. */
static bool read_time(struct wait *wait)
{
    uint64_t passed_ns = tnd_clock_monotonic_ns() - wait->now_ns;
    uint32_t n = count_signals() - wait->n_signals; /* not before: what a signal takes would be in neither reading */
    if (passed_ns >= (uint64_t)PAUSE_NS * (n ? n : 1))
        wait->until_ns += passed_ns;
    wait->now_ns += passed_ns;
    wait->n_signals += n;
    return n;
}

/* Waits for a signal, or sends one.  What it took; 0: none came. */
static uint64_t time_signal(const struct tnd_sampling_ops *ops, struct wait *wait)
{
    uint64_t before_ns;
    bool has_come;
    do {
        before_ns = wait->now_ns;
        if (ops->goes_by_tick)
            send_signal();
        has_come = read_time(wait);
    } while (!has_come && wait->now_ns < wait->until_ns);
    read_time(wait); /* it may have come after the time was read */
    return has_come ? wait->now_ns - before_ns : 0;
}

/* What a signal takes: less than most of those that were seen took, as where others want the core, too, more of them
 * than not include a wait for it, which is no part of what a signal costs. */
static uint64_t time_signals(const struct tnd_sampling_ops *ops, uint64_t most_ns)
{
    const uint64_t begin_ns = tnd_clock_monotonic_ns();
    struct wait wait = {begin_ns, begin_ns + MOST_NS, count_signals()};
    uint64_t least_ns[2] = {UINT64_MAX, UINT64_MAX};
    unsigned n = 0;
    while (n < (least_ns[1] > most_ns ? MOST_TRIALS : TRIALS) && count_signals() < MOST_SIGNALS) {
        uint64_t ns = time_signal(ops, &wait);
        if (!ns)
            break;
        if (ns >= PAUSE_NS)
            continue;
        n++;
        uint64_t more_ns = ns < least_ns[0] ? least_ns[0] : ns;
        least_ns[0] = ns < least_ns[0] ? ns : least_ns[0];
        least_ns[1] = more_ns < least_ns[1] ? more_ns : least_ns[1];
    }
    if (count_signals() >= MOST_SIGNALS)
        return (wait.now_ns + MOST_NS - wait.until_ns) / MOST_SIGNALS; /* without pauses */
    if (n < TRIALS) /* others had the core meanwhile: all but one of so few may be a wait for it */
        return n > 1 ? least_ns[0] : UNKNOWN_NS;
    return least_ns[1];
}

void tnd_sampling_cost_measure(const struct tnd_sampling_ops *ops, uint64_t period_ns)
{
    struct tnd_sampling trial = {.ops = ops, .period_ns = TRIAL_PERIOD_NS};
    cost.signal_ns = UNKNOWN_NS;
    cost.n_signals = 0;
    cost.trial = &trial;
    if (ops->signal) {
        tnd_signals_release(); /* what started the program may have blocked it */
        if (ops->goes_by_tick || ops->arm(&trial) == 0)
            cost.signal_ns = time_signals(ops, period_ns / 100 * most_share());
    }
    cost.trial = NULL;
    ops->disarm(&trial);
}

uint64_t tnd_sampling_cost_signal_ns(void)
{
    return cost.signal_ns;
}

uint64_t tnd_sampling_cost_limit(uint64_t period_ns)
{
    uint64_t least_ns = cost.signal_ns * 100 / tnd_config.sampling_share;
    return cost.signal_ns * 100 <= period_ns * most_share() ? period_ns : (least_ns * 5 / 4 / US + 1) * US;
}

/* The handler's usual ticks, with those of one more sample in it: of one that was interrupted little is believed. */
static uint32_t usual(uint32_t usual_ticks, uint64_t ticks)
{
    if (ticks > usual_ticks)
        return usual_ticks < UINT32_MAX / 2 ? usual_ticks + usual_ticks / 8 + 64 : usual_ticks;
    return usual_ticks - (usual_ticks - (uint32_t)ticks) / 8;
}

/* The least period at which samples would have taken their share of the window, and a quarter more. */
static uint64_t raised_period(struct tnd_sampling *sampling, uint64_t share_ns)
{
    uint64_t eighths = sampling->window_took_ns * 10 / (share_ns + 1);
    eighths = eighths < MOST_EIGHTHS ? eighths : MOST_EIGHTHS;
    sampling->window_took_ns = sampling->window_ns = 0;
    if (sampling->counts)
        return sampling->counts + sampling->counts * (eighths - 8) / 8 + 1;
    return (sampling->period_ns * eighths / 8 / US + 1) * US;
}

uint64_t tnd_sampling_cost_add(struct tnd_sampling *sampling, uint64_t handler_ticks, uint64_t used_ns)
{
    uint64_t period = sampling->counts ? sampling->counts : sampling->period_ns;
    sampling->usual_ticks = usual(sampling->usual_ticks, handler_ticks);
    uint64_t took_ns = cost.signal_ns + tnd_clock_ns(sampling->usual_ticks);
    sampling->took_ns += took_ns;
    if (!used_ns)
        return period;
    sampling->window_took_ns += took_ns;
    sampling->window_ns += used_ns;
    if (sampling->window_took_ns > sampling->window_ns * most_share() / 100 + SLACK_NS)
        return raised_period(sampling, sampling->window_ns * tnd_config.sampling_share / 100);
    if (sampling->window_ns > WINDOW_NS) {
        sampling->window_ns /= 2;
        sampling->window_took_ns /= 2;
    }
    return period;
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

static const char *period_in_words(char *text, unsigned size, uint64_t period, bool counts)
{
    if (!counts)
        return in_words(text, size, period);
    snprintf(text, size, "%llu", (unsigned long long)period);
    return text;
}

void tnd_sampling_cost_explain(char *sentence, unsigned size, const struct tnd_sampling_raise *raise)
{
    char asked[32], period[32], one[32];
    snprintf(sentence, size,
             "sampling-%s" TND_FACT_NOTE_SAMPLE_EVERY
             "%s%s, not every %s: one takes %s here, and samples may take %u %% of a "
             "thread's time%s",
             raise->counts ? "clock" : "period", period_in_words(period, sizeof period, raise->is, raise->counts),
             raise->counts ? " counts" : "", period_in_words(asked, sizeof asked, raise->asked, raise->counts),
             in_words(one, sizeof one, (raise->sample_ns / US + 1) * US), (unsigned)tnd_config.sampling_share,
             tnd_config.sampling_share < MOST_SHARE ? "; --sampling-share 50 allows more" : "");
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
    snprintf(sentence, size,
             "sampling-period" TND_FACT_NOTE_SAMPLE_EVERY "%s, not every %s: this clock goes by the kernel's tick",
             in_words(period, sizeof period, tick_ns), in_words(asked, sizeof asked, asked_ns));
    return true;
}
