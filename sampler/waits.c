/* SPDX-License-Identifier: Apache-2.0
 *
 * A call that lasts reads the thread's CPU time when it ends, exactly (230 ns): what neither this call nor what came
 * before it, since the last such reading, used of a CPU, was waited.
 *
 * Context: waits.h.
 */
#include "sampler/waits.h"

#include "runtime/clock.h"
#include "runtime/emit.h"
#include "sampler/sampling_clock.h"
#include "sampler/signals.h"
#include "sampler/stacks.h"
#include "sampler/unwind.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* A shorter call is not looked at. */
#define LEAST_NS 20000
/* A record comes after this part of a period has been waited, within bounds. */
#define PART_OF_PERIOD 8
#define WORTH_LEAST_NS 50000
#define WORTH_MOST_NS 1000000

bool tnd_waits_on;

static uint64_t worth_ns;

static _Thread_local struct {
    uint64_t ticks, cpu_ns; /* when its CPU time was read last, and that */
    uint64_t waited_ns;     /* since its last WAIT */
    uint64_t sample_ticks;  /* of its last sample */
    long n_slept;           /* voluntary context switches when last looked at */
} self __attribute__((tls_model("initial-exec")));

static uint64_t cpu_now_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now); /* libc's may be a sanitizer's */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tnd_waits_start(uint64_t period_ns)
{
    worth_ns = period_ns / PART_OF_PERIOD;
    worth_ns = worth_ns < WORTH_LEAST_NS ? WORTH_LEAST_NS : worth_ns > WORTH_MOST_NS ? WORTH_MOST_NS : worth_ns;
    tnd_waits_on = true;
}

void tnd_waits_thread_start(void)
{
    self.ticks = self.sample_ticks = tnd_clock_ticks();
    self.cpu_ns = cpu_now_ns();
    self.waited_ns = 0;
    self.n_slept = 0;
}

uint64_t tnd_waits_begin(void)
{
    const struct tnd_sampling *sampling = tnd_sampling_clock_self();
    return sampling && sampling->armed ? tnd_clock_ticks() : 0;
}

/* What the thread has waited in a call that lasted so long and ends now: at most what it has been off a CPU since its
 * CPU time was read before. */
static uint64_t waited_ns(uint64_t now, uint64_t lasted_ns, uint64_t cpu_ns)
{
    uint64_t passed_ns = tnd_clock_ns(now - self.ticks), used_ns = cpu_ns - self.cpu_ns;
    uint64_t off_ns = passed_ns > used_ns ? passed_ns - used_ns : 0;
    return off_ns < lasted_ns ? off_ns : lasted_ns;
}

/* How often the thread has waited by itself, and not only for a CPU, since the last call. */
static long count_waits(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return 0;
    long n = usage.ru_nvcsw - self.n_slept;
    self.n_slept = usage.ru_nvcsw;
    return n;
}

/* The function, and the stack of its caller. */
static unsigned find_stack(const void *function, uint64_t *frames, unsigned depth)
{
    ucontext_t context;
    bool deeper;
    frames[0] = (uint64_t)function;
    if (depth < 2 || getcontext(&context) != 0)
        return 1;
    return tnd_unwind_call(&context, function, frames, depth, &deeper);
}

static void write_wait(uint64_t now, uint64_t lasted, const struct tnd_sampling *sampling, const void *function)
{
    struct tnd_writer *writer = &tnd_thread_self->signal;
    uint64_t used_ns = self.cpu_ns > sampling->accounted_ns ? self.cpu_ns - sampling->accounted_ns : 0;
    unsigned depth = tnd_unwind_depth();
    uint8_t flags = count_waits() <= 1 ? TND_SAMPLE_PREEMPTED : 0; /* one is the call itself */
    uint64_t *frames = tnd_stacks_begin(writer, now);
    if (!frames)
        return;
    unsigned n = depth ? find_stack(function, frames, depth) : 0;
    tnd_stacks_end(writer,
                   &(struct tnd_pack_entry){now,
                                            used_ns < UINT32_MAX ? (uint32_t)used_ns : UINT32_MAX,
                                            TND_RECORD_WAIT,
                                            flags,
                                            {lasted, self.waited_ns}},
                   n);
    self.waited_ns = 0;
}

__attribute__((noinline)) static void end_long(uint64_t now, uint64_t lasted, const void *function, bool is_held)
{
    struct tnd_sampling *sampling = tnd_sampling_clock_self();
    if (!sampling || !sampling->armed)
        return;
    uint64_t cpu_ns = cpu_now_ns();
    if (sampling->ops->woken && cpu_ns > sampling->accounted_ns)
        sampling->ops->woken(sampling, cpu_ns - sampling->accounted_ns);
    self.waited_ns += waited_ns(now, tnd_clock_ns(lasted), cpu_ns);
    self.ticks = now;
    self.cpu_ns = cpu_ns;
    if (self.waited_ns < worth_ns || !tnd_thread_recording)
        return;
    bool holds = !is_held && tnd_signals_hold();
    write_wait(now, lasted, sampling, function);
    if (holds)
        tnd_signals_release();
}

void tnd_waits_end(uint64_t began, const void *function, bool is_held)
{
    uint64_t now = tnd_clock_ticks();
    if (tnd_clock_ns(now - began) < LEAST_NS)
        return;
    int saved_errno = errno;
    end_long(now, now - began, function, is_held);
    errno = saved_errno;
}

uint16_t tnd_waits_see_sample(uint64_t ticks, uint32_t weight_ns)
{
    uint64_t passed_ns = tnd_clock_ns(ticks - self.sample_ticks);
    self.sample_ticks = ticks;
    bool is_off = passed_ns > (uint64_t)weight_ns + weight_ns / 16 + WORTH_LEAST_NS;
    return is_off && count_waits() == 0 ? TND_SAMPLE_PREEMPTED : 0;
}
