/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampler: arms a sampling clock for each thread, and writes a SAMPLE record each time its signal comes.
 *
 * A sample counts as the CPU time, user and system, that its thread has used since its sample before.  Reading that
 * from the kernel takes a system call (about 230 ns, measured, tests/bench); so it is read exactly only now and then
 * and continued by the record's clock in between, as long as the perf event's page shows that the thread has not been
 * switched out since.  If an estimate was wrong, the next exact reading corrects the sum.
 *
 * Cost in user space: some 40 ns a sample without stack, mostly the clock and faults of the cold ring; the stack is
 * unwind.c's (measured, tests/bench).
 *
 * Context: hooks as runtime/source.h says; tnd_sample_signal in the handler: no allocation, no lock.
 */
#include "sampler/sample.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/miss.h"
#include "runtime/place.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "sampler/direct_calls.h"
#include "sampler/own_stack.h"
#include "sampler/restartless.h"
#include "sampler/resume.h"
#include "sampler/sampling_clock.h"
#include "sampler/sampling_cost.h"
#include "sampler/signals.h"
#include "sampler/stacks.h"
#include "sampler/unwind.h"
#include "sampler/waits.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Samples from one exact reading of the CPU time to the next: 230 ns / 8 = 29 ns a sample. */
#define SAMPLES_TO_SYNC 8

bool tnd_sample_in_calls;

static const struct tnd_sampling_ops *chosen; /* the process's clock */
static uint32_t n_switched;                   /* how often recording was switched on or off */
static bool is_off;                           /* it is off */
static bool has_left;                         /* the process goes on without us */
static uint64_t period;                       /* that was asked for, in ns or in counts */
static uint64_t raised;                       /* the longest one that a clock was raised to; that, if none was */
static uint64_t raised_sample_ns;             /* what a sample took there */
static uint64_t told;                         /* the longest one that the user was told of */

/* Period of a clock that counts: any time may pass between two samples. */
#define PERIOD_OF_COUNTS_NS (UINT64_MAX / 4)

static uint64_t exact_cpu_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now); /* libc's may be a sanitizer's */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t read_exactly(struct tnd_sampling *sampling, uint64_t ticks, uint32_t page_lock)
{
    sampling->sync_ticks = ticks;
    sampling->sync_cpu_ns = exact_cpu_ns();
    sampling->page_lock = page_lock;
    sampling->n_to_sync = SAMPLES_TO_SYNC;
    return sampling->sync_cpu_ns;
}

/* As long as the thread has not left its core, its CPU time goes as the clock does: a rate that were learned from the
 * two would be wrong from when the host of a virtual machine took the core for a while. */
static uint64_t cpu_ns_at(struct tnd_sampling *sampling, uint64_t ticks)
{
    const volatile struct perf_event_mmap_page *page = sampling->page;
    if (!page)
        return exact_cpu_ns();
    uint32_t page_lock = page->lock;
    uint64_t passed_ns = tnd_clock_ns(ticks - sampling->sync_ticks);
    if (page_lock == sampling->page_lock && passed_ns && sampling->n_to_sync-- > 0) {
        uint64_t cpu_ns = sampling->sync_cpu_ns + passed_ns;
        /* A late sample is rare, and its CPU time is read exactly; so a kernel that does not update the page does no
         * harm. */
        if (cpu_ns - sampling->accounted_ns < sampling->period_ns * 3 / 2)
            return cpu_ns;
    }
    return read_exactly(sampling, ticks, page_lock);
}

static bool write_sample(struct tnd_sampling *sampling, uint64_t ticks, uint32_t weight_ns, ucontext_t *context)
{
    struct tnd_writer *writer = &tnd_thread_self->signal;
    unsigned depth = tnd_unwind_depth(), n = 0;
    tnd_place_note_sample(tnd_thread_self, ticks, tnd_unwind_stack_pointer(context));
    uint8_t flags = weight_ns > sampling->period_ns * 3 / 2 ? TND_SAMPLE_LATE : 0;
    flags |= tnd_waits_see_sample(ticks, weight_ns);
    uint64_t *frames = tnd_stacks_begin(writer, ticks);
    if (!frames)
        return false;
    if (depth) {
        bool deeper = false;
        if (sampling->call)
            n = tnd_unwind_call(context, (const void *)sampling->call, frames, depth, &deeper);
        else
            n = tnd_unwind_handler(context, tnd_stacks_trail(writer), frames, depth, &deeper);
        sampling->call = 0; /* a handler of the program's may leave the call for good */
        flags |= deeper ? TND_SAMPLE_TRUNCATED : 0;
    }
    tnd_stacks_end(writer, &(struct tnd_pack_entry){ticks, weight_ns, TND_RECORD_SAMPLE, flags}, n);
    if (tnd_counting.at & TND_COUNTING_SAMPLES)
        tnd_counting.read(tnd_thread_self, writer, ticks);
    return true;
}

/* CPU time that was used while recording was off is not accounted for: the first sample after it counts as one period
 * at most. */
static void skip_to(struct tnd_sampling *sampling, uint64_t cpu_ns)
{
    uint64_t from_ns = sampling->period_ns == PERIOD_OF_COUNTS_NS ? cpu_ns : cpu_ns - sampling->period_ns;
    if ((int64_t)(from_ns - sampling->accounted_ns) > 0)
        sampling->accounted_ns = from_ns;
}

/* CPU time that no sample of the thread accounts for yet.  What is too much for one sample goes to the next one, as
 * does the time of a sample that cannot be written. */
static uint32_t unaccounted_ns(struct tnd_sampling *sampling, uint64_t cpu_ns)
{
    if (sampling->n_switched != n_switched) {
        sampling->n_switched = n_switched;
        skip_to(sampling, cpu_ns);
    }
    uint64_t weight_ns = cpu_ns > sampling->accounted_ns ? cpu_ns - sampling->accounted_ns : 0;
    return weight_ns < UINT32_MAX ? (uint32_t)weight_ns : UINT32_MAX;
}

/* A signal has been handled.  If samples take too much of the thread's time, raises the period of its clock. */
static void watch(struct tnd_sampling *sampling, uint64_t began, uint64_t used_ns)
{
    uint64_t *its_period = sampling->counts ? &sampling->counts : &sampling->period_ns, took_ns = sampling->took_ns;
    uint64_t wanted = tnd_sampling_cost_add(sampling, tnd_clock_ticks() - began, used_ns);
    if (wanted == *its_period || !sampling->ops->set_period)
        return;
    uint64_t others = __atomic_load_n(&raised, __ATOMIC_RELAXED);
    *its_period = wanted > others ? wanted : others;
    sampling->ops->set_period(sampling);
    if (wanted > others) { /* of two at once, either will do */
        __atomic_store_n(&raised_sample_ns, sampling->took_ns - took_ns, __ATOMIC_RELAXED);
        __atomic_store_n(&raised, wanted, __ATOMIC_RELAXED);
    }
}

/* One sample of the calling thread. */
static void take(struct tnd_sampling *sampling, const siginfo_t *info, ucontext_t *context)
{
    uint64_t ticks = tnd_clock_ticks();
    uint32_t weight_ns = unaccounted_ns(sampling, cpu_ns_at(sampling, ticks));
    bool is_due = !sampling->ops->on_signal || sampling->ops->on_signal(sampling, info, weight_ns);
    bool is_written = is_due && tnd_thread_recording && write_sample(sampling, ticks, weight_ns, context);
    if (is_written || (is_due && is_off)) /* what comes while the process ends is part of the rest */
        sampling->accounted_ns += weight_ns;
    sampling->n_taken += is_written;
    watch(sampling, ticks, is_due ? weight_ns : 0);
}

bool tnd_sample_signal(const siginfo_t *info, void *context)
{
    bool is_clocks = chosen->owns(info);
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (has_left)
        return is_clocks;
    if (!sampling || !sampling->ops)
        return tnd_sampling_cost_note_signal(info, is_clocks);
    if (is_clocks) {
        int saved_errno = errno;
        take(sampling, info, context);
        errno = saved_errno;
    }
    return is_clocks;
}

void tnd_sample_was_felt(void)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (sampling && sampling->ops && sampling->ops->felt)
        sampling->ops->felt(sampling);
}

bool tnd_sample_swallow(const siginfo_t *info)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (!chosen || !chosen->owns(info))
        return false;
    if (sampling && sampling->ops && sampling->armed && sampling->ops->on_signal)
        sampling->ops->on_signal(sampling, info, unaccounted_ns(sampling, exact_cpu_ns()));
    return true;
}

void tnd_sample_take(void *context)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (sampling && sampling->ops && sampling->armed) {
        int saved_errno = errno;
        take(sampling, NULL, context);
        errno = saved_errno;
    }
}

bool tnd_sample_enter_call(void)
{
    const struct tnd_sampling *sampling = tnd_sampling_clock_self();
    return sampling && sampling->armed && !tnd_signals_is_handled() && tnd_signals_hold();
}

void tnd_sample_leave_call(const void *function)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (has_left)
        return;
    if (sampling)
        sampling->call = (uint64_t)function;
    tnd_signals_release();
    if (sampling)
        sampling->call = 0;
}

/* Arms the clock.  The errno of the refusal, 0 if there was none; ops is NULL if there was. */
static int arm(struct tnd_sampling *sampling)
{
    int refusal = chosen->arm(sampling);
    sampling->ops = refusal ? NULL : chosen;
    return refusal;
}

/* No signal may come as long as the alternate stack of the program's has no room for one. */
static void cramped_changes(bool is_cramped)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (!sampling || !sampling->ops)
        return;
    if (is_cramped) {
        tnd_signals_hold();
        sampling->ops->disarm(sampling);
        tnd_miss_tell(TND_MISSED_NARROW, NULL);
    } else {
        arm(sampling);
        tnd_signals_release();
    }
}

/* The clock that counts what it says. */
static const struct tnd_sampling_ops *choose_by_counts(void)
{
    char refused[1000];
    const struct tnd_sampling_ops *ops =
        tnd_sampling_clock_choose(tnd_config.sampling_clock, &period, refused, sizeof refused);
    tnd_config.sampling_period_ns = ops ? PERIOD_OF_COUNTS_NS : 0;
    if (!ops)
        tnd_run_tell("sampling-clock", refused);
    return ops;
}

static bool choose(void)
{
    static const struct {
        const char *name;
        const struct tnd_sampling_ops *ops;
    } clocks[] = {
        {"auto", &tnd_clock_real}, {"perf", &tnd_clock_perf},     {"real", &tnd_clock_real},
        {"cpu", &tnd_clock_cpu},   {"itimer", &tnd_clock_itimer}, {"fake", &tnd_clock_fake},
    };
    if (strchr(tnd_config.sampling_clock, ':')) {
        chosen = choose_by_counts();
        return chosen != NULL;
    }
    period = tnd_config.sampling_period_ns;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        if (strcmp(tnd_config.sampling_clock, clocks[i].name) == 0)
            chosen = clocks[i].ops;
    return period && chosen;
}

static bool is_counting(void)
{
    return tnd_config.sampling_period_ns == PERIOD_OF_COUNTS_NS;
}

static void note_raise(void)
{
    char sentence[300];
    if (raised == told)
        return;
    told = raised;
    tnd_sampling_cost_explain(sentence, sizeof sentence,
                              &(struct tnd_sampling_raise){period, raised, raised_sample_ns, is_counting()});
    tnd_run_note(sentence);
}

/* Raises a period at which samples would take too much time, and reports one that the clock cannot keep. */
static void limit_period(void)
{
    char sentence[300];
    if (chosen->goes_by_tick && tnd_sampling_cost_explain_tick(sentence, sizeof sentence, period))
        tnd_run_note(sentence);
    if (chosen != &tnd_clock_fake)
        tnd_sampling_cost_measure(chosen, tnd_config.sampling_period_ns);
    told = raised = period;
    if (!chosen->set_period || (is_counting() && !tnd_sampling_clock_counts_ns()))
        return;
    raised = tnd_sampling_cost_limit(period);
    raised_sample_ns = tnd_sampling_cost_signal_ns();
    note_raise();
}

static bool start(void)
{
    tnd_direct_calls_start();
    tnd_restartless_start(); /* without samples, too: the program calls our functions all the same */
    if (!choose())
        return false;
    tnd_sample_in_calls = chosen->in_calls;
    tnd_unwind_start();
    tnd_resume_start();
    tnd_own_stack_cramped_changes(cramped_changes);
    if (chosen->signal && !tnd_signals_start(chosen->signal, !chosen->in_calls))
        return false;
    limit_period();
    if (chosen->kind != TND_SAMPLING_FAKE)
        tnd_waits_start(is_counting() ? PERIOD_OF_COUNTS_NS : raised);
    return true;
}

static void tell_refusal(int refusal)
{
    char sentence[300];
    const char *why = strerrordesc_np(refusal);
    snprintf(sentence, sizeof sentence,
             "sampling-clock: the kernel refuses this clock (%s), and threads are not sampled%s",
             why ? why : "unknown error", chosen == &tnd_clock_real ? "" : "; real, the default, needs no permission");
    tnd_run_tell("sampling-clock", sentence);
}

/* Records what samples have taken of the calling thread.  The signal is held. */
static void write_cost(struct tnd_thread *thread, struct tnd_sampling *sampling)
{
    tnd_emit_words(&thread->signal, tnd_clock_ticks(), TND_RECORD_SAMPLING_COST, sampling->n_taken, 0, 2,
                   (uint64_t[]){tnd_sampling_cost_signal_ns(), sampling->took_ns});
    sampling->n_taken = 0;
    sampling->took_ns = 0;
}

static void thread_start(struct tnd_thread *thread)
{
    struct tnd_sampling *sampling = (struct tnd_sampling *)thread->source_data[1];
    memset(sampling, 0, sizeof *sampling);
    if (!tnd_thread_open_signal(thread) || !tnd_stacks_open(&thread->signal))
        return;
    sampling->accounted_ns = thread->born_cpu_ns;
    tnd_waits_thread_start();
    sampling->n_switched = n_switched;
    sampling->counts = is_counting() ? __atomic_load_n(&raised, __ATOMIC_RELAXED) : 0;
    sampling->period_ns = is_counting() ? PERIOD_OF_COUNTS_NS : __atomic_load_n(&raised, __ATOMIC_RELAXED);
    tnd_signals_hold(); /* these are records in the handler's stream that no handler writes */
    bool has_stack = tnd_own_stack_take(thread->slot), is_cramped = tnd_own_stack_is_cramped();
    int refusal = has_stack ? arm(sampling) : ENOMEM;
    tnd_emit_words(&thread->signal, tnd_clock_ticks(), TND_RECORD_SAMPLING,
                   sampling->ops ? (uint32_t)sampling->ops->kind : 0, 0, 2,
                   (uint64_t[]){period, tnd_record_pair((uint32_t)refusal, tnd_unwind_depth())});
    if (!refusal && chosen != &tnd_clock_fake)
        write_cost(thread, sampling);
    if (is_cramped)
        cramped_changes(true);
    else
        tnd_signals_release();
    if (refusal)
        tell_refusal(refusal);
}

/* Records the CPU time that the calling thread has used since its last sample.  The signal is held. */
static void write_rest(struct tnd_thread *thread, struct tnd_sampling *sampling)
{
    uint32_t rest_ns = unaccounted_ns(sampling, exact_cpu_ns());
    uint64_t ticks = tnd_clock_ticks();
    uint8_t flags = TND_SAMPLE_REST | tnd_waits_see_sample(ticks, rest_ns);
    if (!tnd_stacks_begin(&thread->signal, ticks))
        return;
    tnd_stacks_end(&thread->signal, &(struct tnd_pack_entry){ticks, rest_ns, TND_RECORD_SAMPLE, flags}, 0);
    sampling->accounted_ns += rest_ns;
}

/* Ends the stream of the calling thread, whose clock is disarmed. */
static void write_end(struct tnd_thread *thread, struct tnd_sampling *sampling)
{
    if (sampling->ops->kind == TND_SAMPLING_FAKE)
        return;
    tnd_signals_hold();
    if (!is_off)
        write_rest(thread, sampling);
    write_cost(thread, sampling);
    tnd_signals_release();
}

static void thread_end(struct tnd_thread *thread)
{
    struct tnd_sampling *sampling = (struct tnd_sampling *)thread->source_data[1];
    if (!sampling->ops)
        return;
    sampling->ops->disarm(sampling);
    write_end(thread, sampling);
    tnd_own_stack_leave();
    sampling->ops = NULL;
}

static void fork_child(void)
{
    if (chosen->forget)
        chosen->forget();
    tnd_signals_fork_child();
}

static void before_exec(struct tnd_thread *thread)
{
    struct tnd_sampling *sampling = (struct tnd_sampling *)thread->source_data[1];
    if (sampling->ops) {
        sampling->ops->disarm(sampling);
        write_end(thread, sampling);
        if (sampling->ops->leave_process)
            sampling->ops->leave_process();
    }
    tnd_signals_before_exec();
}

static void after_failed_exec(struct tnd_thread *thread)
{
    struct tnd_sampling *sampling = (struct tnd_sampling *)thread->source_data[1];
    tnd_signals_after_failed_exec();
    if (sampling->ops)
        arm(sampling);
}

static void stop_clock(const struct tnd_thread *thread, void *unused)
{
    struct tnd_sampling *sampling = (struct tnd_sampling *)thread->source_data[1];
    if (!chosen->switch_all && sampling->ops && sampling->armed)
        sampling->ops->disarm(sampling);
    sampling->armed = false;
}

static void leave(void)
{
    tnd_sample_in_calls = false;
    if (chosen->switch_all)
        chosen->switch_all(false);
    tnd_thread_each(stop_clock, NULL);
    has_left = true;
}

static void switched(bool on)
{
    int saved_errno = errno;
    is_off = !on;
    __atomic_fetch_add(&n_switched, 1, __ATOMIC_RELAXED);
    if (chosen->switch_all)
        chosen->switch_all(on);
    errno = saved_errno;
}

static void stop(void)
{
    if (chosen && chosen->signal && !tnd_signals_are_ours())
        tnd_miss_tell(TND_MISSED_HANDLER, NULL);
    if (chosen && chosen->leave_process)
        chosen->leave_process();
    note_raise();
}

static const struct tnd_source sampler = {
    .name = "sampler",
    .rank = 100,
    .start = start,
    .thread_start = thread_start,
    .thread_end = thread_end,
    .fork_child = fork_child,
    .before_exec = before_exec,
    .after_failed_exec = after_failed_exec,
    .leave = leave,
    .stop = stop,
    .switched = switched,
};
TND_SOURCE(sampler);
