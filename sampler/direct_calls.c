/* SPDX-License-Identifier: Apache-2.0
 *
 * syscall(): calls that the program makes by their number, as run-time systems of other languages do.  They are treated
 * as the functions of those names are: our signal is kept out of waits (restartless.c) and of the program's sight
 * (signals.c, own_stack.c), and an exec, an end or a filter for calls of the kernel is noticed.
 *
 * Our own calls are none of the program's: what is compiled for the library calls tnd_target_syscall in its place
 * (targets/linux/kernel_call.c), by a macro of the build.
 *
 * Cost: one look into a table of bits.
 * Context: any, as the call.
 */
#include "sampler/direct_calls.h"
#include "runtime/target.h"
#include "sampler/kernel_waits.h"
#include "sampler/sample.h"
#include "sampler/signals.h"
#include "sampler/waits.h"
#include "unwind/unwind_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#undef syscall

#define PUBLIC __attribute__((visibility("default")))
#define N_NUMBERS 512

static uint64_t looked_at[N_NUMBERS / 64]; /* by number; none before the start */
static long (*next)(long, ...);

/* The calls that change or read what the wrappers of signals hide. */
#define LAST_RESERVED 33 /* signals 32 and 33 are libc's, and unknown to its sigaction */

struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static long change_action(int signal, const struct kernel_action *action, struct kernel_action *old)
{
    struct sigaction wanted, before;
    if (action) {
        wanted = (struct sigaction){.sa_flags = (int)action->flags, .sa_handler = action->handler};
        memcpy(&wanted.sa_mask, &action->mask, sizeof action->mask);
    }
    if (sigaction(signal, action ? &wanted : NULL, old ? &before : NULL) != 0)
        return -1;
    if (old) {
        *old = (struct kernel_action){before.sa_handler, (unsigned)before.sa_flags, NULL, 0};
        memcpy(&old->mask, &before.sa_mask, sizeof old->mask);
    }
    return 0;
}

static long change_mask(int how, const uint64_t *set, uint64_t *old)
{
    int error = tnd_signals_change_mask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

static long take_signal(const uint64_t *set, siginfo_t *info, const struct timespec *timeout)
{
    sigset_t whole;
    sigemptyset(&whole);
    memcpy(&whole, set, sizeof *set);
    return sigtimedwait(&whole, info, timeout);
}

/* A call that is made with our signal kept out. */
static long make_wait(const struct tnd_wait *kind, long number, uint64_t a[6])
{
    struct tnd_held_mask held;
    uint64_t began = tnd_waits_begin();
    bool entered = tnd_sample_in_calls && tnd_sample_enter_call();
    if (entered)
        tnd_kernel_waits_hold(kind, a, (uint64_t)1 << (tnd_signals_number() - 1), &held);
    long result = next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (began)
        tnd_waits_end(began, (const void *)next, entered);
    if (entered)
        tnd_sample_leave_call((const void *)next);
    return result;
}

static bool is_wake(uint64_t operation)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAKE:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_WAKE_OP:
    case FUTEX_UNLOCK_PI:
    case FUTEX_WAKE_BITSET:
        return true;
    }
    return false;
}

/* Whether what the program points to, if anything, can be read: a call with a bad pointer is the kernel's to refuse. */
static bool is_good(uint64_t pointer)
{
    uint64_t word;
    return !pointer || tnd_unwind_memory_load(pointer, &word);
}

/* The mask of a wait, where it has one, is what the kernel takes for one. */
static bool has_good_mask(const struct tnd_wait *wait, const uint64_t a[6])
{
    unsigned which = wait->mask & (TND_WAIT_INDIRECT - 1);
    uint64_t mask = which ? a[which - 1] : 0;
    if (!mask || !is_good(mask))
        return !mask;
    if (!(wait->mask & TND_WAIT_INDIRECT))
        return a[which] == sizeof mask;
    const uint64_t *pair = (const uint64_t *)mask;
    return is_good((uint64_t)(pair + 1)) && pair[1] == sizeof mask && is_good(pair[0]);
}

static bool has_good_pointers(long number, const uint64_t a[6])
{
    switch (number) {
    case SYS_sigaltstack:
        return is_good(a[0]) && is_good(a[1]);
    case SYS_rt_sigtimedwait:
        return is_good(a[0]) && is_good(a[1]) && is_good(a[2]);
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
        return is_good(a[1]) && is_good(a[2]);
    case SYS_signalfd4:
        return is_good(a[1]);
    }
    return true;
}

static long careful(long number, uint64_t a[6])
{
    const struct tnd_wait *kind = tnd_kernel_waits_find(number);
    if ((kind && !has_good_mask(kind, a)) || !has_good_pointers(number, a))
        return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    switch (number) {
    case SYS_rt_sigaction:
        if (a[3] == sizeof a[0] && (a[0] < LAST_RESERVED - 1 || a[0] > LAST_RESERVED))
            return change_action((int)a[0], (const struct kernel_action *)a[1], (struct kernel_action *)a[2]);
        break;
    case SYS_rt_sigprocmask:
        if (a[3] == sizeof a[0])
            return change_mask((int)a[0], (const uint64_t *)a[1], (uint64_t *)a[2]);
        break;
    case SYS_rt_sigtimedwait:
        if (a[0] && a[3] == sizeof a[0])
            return take_signal((const uint64_t *)a[0], (siginfo_t *)a[1], (const struct timespec *)a[2]);
        break;
    case SYS_rt_sigpending:
        if (a[1] == sizeof a[0])
            return sigpending((sigset_t *)a[0]);
        break;
#ifdef SYS_signalfd
    case SYS_signalfd:
        a[3] = 0;
        __attribute__((fallthrough));
#endif
    case SYS_signalfd4:
        if (a[2] == sizeof a[0])
            return signalfd((int)a[0], (const sigset_t *)a[1], (int)a[3]);
        break;
    case SYS_sigaltstack:
        return sigaltstack((const stack_t *)a[0], (stack_t *)a[1]);
    case SYS_execve:
        return execve((const char *)a[0], (char *const *)a[1], (char *const *)a[2]);
    case SYS_execveat:
        return execveat((int)a[0], (const char *)a[1], (char *const *)a[2], (char *const *)a[3], (int)a[4]);
    case SYS_exit_group:
        _exit((int)a[0]);
    case SYS_prctl:
        return prctl((int)a[0], a[1], a[2], a[3], a[4]);
    case SYS_unshare:
        return unshare((int)a[0]);
    case SYS_setns:
        return setns((int)a[0], (int)a[1]);
    case SYS_seccomp:
        tnd_target_filtering((unsigned)a[0], (const void *)a[2]);
        break;
    }
    if (kind && !(number == SYS_futex && is_wake(a[1])))
        return make_wait(kind, number, a);
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void tnd_direct_calls_start(void)
{
    static const short others[] = {
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigpending, SYS_signalfd4, SYS_sigaltstack,
        SYS_execve,       SYS_execveat,       SYS_exit_group,    SYS_prctl,     SYS_seccomp,
#ifdef SYS_signalfd
        SYS_signalfd,
#endif
    };
    next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    for (long number = 0; number < N_NUMBERS; number++)
        if (tnd_kernel_waits_find(number))
            looked_at[number / 64] |= (uint64_t)1 << number % 64;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        looked_at[others[i] / 64] |= (uint64_t)1 << others[i] % 64;
}

/* As libc has it, with all the arguments that a call can have.  What is not looked at is passed on by a jump, so that a
 * child that shares the stack (vfork) returns from it as from libc's. */
long tnd_direct_calls_entry(long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) __asm__("syscall");
PUBLIC long tnd_direct_calls_entry(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    if (__builtin_expect((unsigned long)number < N_NUMBERS && (looked_at[number / 64] >> number % 64 & 1), 0))
        return careful(number, (uint64_t[]){a, b, c, d, e, f});
    if (__builtin_expect(!next, 0))
        return tnd_target_syscall(number, a, b, c, d, e, f);
    return next(number, a, b, c, d, e, f);
}
