/* SPDX-License-Identifier: Apache-2.0
 *
 * A sampling clock sends a thread its sampling signal.  Each is a table of functions; also here: what the sampler keeps
 * per thread.  Four clocks count time: clock_timer.c (two), clock_perf.c, clock_itimer.c, which also has one that never
 * ticks by itself, for tests.  Two count something else: clock_perf.c, clock_papi.c.
 *
 * A clock only decides when a sample is taken.  A sample counts as the CPU time that its thread has used since the
 * sample before, which sample.c reads: late, merged and lost signals therefore do not change the sums.
 *
 * Context: as each function says.
 */
#ifndef TND_SAMPLING_CLOCK_H
#define TND_SAMPLING_CLOCK_H

#include "formats/record.h"
#include "runtime/thread.h"
#include "sampler/perf_event.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* What the sampler keeps in source_data[1] of a thread. */
struct tnd_sampling {
    const struct tnd_sampling_ops *ops; /* NULL: this thread is not sampled */
    uint64_t accounted_ns;              /* CPU time of the thread that its samples account for so far */
    uint64_t sync_ticks;                /* when its CPU time was last read exactly */
    uint64_t sync_cpu_ns;               /* the CPU time then */
    uint64_t period_ns;                 /* of its clock, at least the period that the user asked for */
    uint64_t counts;                    /* the same of a clock that counts something else; 0: it counts time */
    uint64_t took_ns;                   /* that samples have taken of the thread, not written yet */
    uint64_t window_took_ns;            /* sampling_cost.h: the same, of late, */
    uint64_t window_ns;                 /* and the CPU time in which they did */
    const struct perf_event_mmap_page *page;
    uint32_t page_lock;   /* the page's at sync_ticks: another value means that the thread was switched out since */
    uint32_t n_to_sync;   /* samples until its CPU time is read exactly again */
    uint32_t n_switched;  /* sample.c: how often recording was switched when it last looked */
    uint32_t usual_ticks; /* sampling_cost.h: of the handler */
    uint32_t n_taken;     /* samples whose time is in took_ns */
    uint64_t call;        /* the function whose call is being left, in which samples were held back; 0: none */
    union {               /* what its clock keeps */
        struct tnd_perf_event event; /* clock_perf.c */
        int papi;                    /* clock_papi.c: its event set */
        struct {                     /* clock_timer.c */
            uint64_t due_ns;         /* the CPU time of the period that runs */
            uint64_t watched_ns;     /* what was used of it when the watchdog was set */
            uint32_t random;
            int timer, cpu_timer;
            uint32_t n_slept; /* the thread's voluntary context switches when last looked at */
            bool has_timer;   /* these two: the timers exist */
            bool has_cpu_timer;
            uint8_t n_early, patience;
            uint8_t n_felt;    /* its signals that the program has felt */
            uint16_t n_spared; /* periods that are to be those of the tick, because of that */
        };
    };
    volatile uint8_t pace; /* clock_timer.c */
    bool armed;            /* the clock's events exist */
};

_Static_assert(sizeof(struct tnd_sampling) <= TND_THREAD_SOURCE_BYTES, "fits in what a thread gives a source");

struct tnd_sampling_ops {
    enum tnd_sampling_clock kind;
    bool goes_by_tick; /* the clock goes by the kernel's tick: no period is shorter than that */
    bool in_calls;     /* its signals come inside system calls as well */
    int signal;        /* 0: the clock has a handler of its own, which calls tnd_sample_take */

    /* In the thread itself.  0 or the errno of what was refused.  System calls only. */
    int (*arm)(struct tnd_sampling *sampling);

    /* In the handler: the period, in ns or counts, has been raised.  NULL where that goes_by_tick, or cannot be done.
     */
    void (*set_period)(struct tnd_sampling *sampling);

    /* In the thread itself, armed or not: no signal comes after it, but one already pending may. */
    void (*disarm)(struct tnd_sampling *sampling);

    /* In the thread that calls exec, after disarm: stops what survives exec.  May be NULL. */
    void (*leave_process)(void);

    /* Stops and starts the clocks of all threads; in any one of them.  May be NULL. */
    void (*switch_all)(bool on);

    /* In a fork()ed child, for all threads: closes what is the parent's.  May be NULL. */
    void (*forget)(void);

    /* In the handler: whether the signal is this clock's, of any thread, armed or not. */
    bool (*owns)(const siginfo_t *info);

    /* In the handler, the thread having used that much CPU time since its last sample: whether the signal is to give
     * one.  If not, the clock sees to it that another signal comes.  NULL where each signal gives a sample. */
    bool (*on_signal)(struct tnd_sampling *sampling, const siginfo_t *info, uint64_t used_ns);

    /* In the handler: the clock's signal has disturbed a wait.  May be NULL. */
    void (*felt)(struct tnd_sampling *sampling);

    /* In the thread itself, which comes back from a wait, with the CPU time since its last sample.  May be NULL. */
    void (*woken)(struct tnd_sampling *sampling, uint64_t used_ns);
};

extern const struct tnd_sampling_ops tnd_clock_perf __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_real __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_cpu __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_itimer __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_fake __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_event __attribute__((visibility("hidden")));
extern const struct tnd_sampling_ops tnd_clock_papi __attribute__((visibility("hidden")));

/* Sets what tnd_clock_event counts.  At start. */
void tnd_sampling_clock_count(uint32_t type, uint64_t config);

/* Whether that is ns, too. */
bool tnd_sampling_clock_counts_ns(void);

/* The clock for "papi:EVENT@N" or "perf:EVENT@N": tnd_clock_event or tnd_clock_papi, depending on which can count that
 * event here; NULL, and a sentence in `refused`: none can.  At start. */
const struct tnd_sampling_ops *tnd_sampling_clock_choose(const char *setting, uint64_t *n, char *refused,
                                                         unsigned size);

/* The value (sigqueue) by which a test asks the fake clock for a sample. */
#define TND_SAMPLING_FAKE_VALUE 0x7a4d

/* The signal of all clocks but itimer, unless a debugger watches (signals.h): one that no program uses, so that SIGPROF
 * and SIGALRM stay the program's.  Not a real-time signal: of those, each pending one takes a place of a limited queue,
 * and when it is full the kernel sends SIGIO instead, which kills.  One pending signal of ours is enough. */
#ifdef SIGSTKFLT
#define TND_SAMPLING_SIGNAL SIGSTKFLT
#else
#define TND_SAMPLING_SIGNAL SIGURG
#endif

/* The calling thread's sampling, or NULL.  Any context. */
static inline struct tnd_sampling *tnd_sampling_clock_self(void)
{
    struct tnd_thread *thread = tnd_thread_self;
    return thread ? (struct tnd_sampling *)thread->source_data[1] : NULL;
}

#endif
