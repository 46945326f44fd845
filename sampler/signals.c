/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrappers of signals.h.  What the program sets is kept here; the kernel gets something else for one signal only.
 * A thread's wish to block that signal is kept in a thread-local flag; a thread that is born with it blocked does not
 * know (nobody has used that signal since the coprocessor it was made for).
 *
 * The masks are changed by direct system calls, since the C library's own entry is the name that is interposed here;
 * like it, these leave alone the two signals that the library keeps to itself.
 *
 * Context: any, handlers included, as POSIX demands of sigaction and sigprocmask.
 */
#include "sampler/signals.h"
#include "runtime/run.h"
#include "runtime/target.h"
#include "sampler/sample.h"
#include "sampler/sampling_clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* The C library's other name for sigaction: what sigaction does when it is not interposed. */
extern int __sigaction(int, const struct sigaction *, struct sigaction *);

static int our_signal; /* 0: no signal is ours */
static bool restart_as_wished;
static struct sigaction wish; /* what the program has installed */
static char wish_lock;
static _Thread_local bool wants_blocked __attribute__((tls_model("initial-exec")));

typedef uint64_t kernel_mask; /* _NSIG / 8 bytes */
#define MASK(signal) ((kernel_mask)1 << ((signal)-1))

static kernel_mask to_kernel(const sigset_t *set)
{
    kernel_mask mask;
    memcpy(&mask, set, sizeof mask);
    return mask;
}

static int kernel_sigmask(int how, const kernel_mask *mask, kernel_mask *old)
{
    int saved_errno = errno;
    int error = syscall(SYS_rt_sigprocmask, how, mask, old, sizeof *mask) == 0 ? 0 : errno;
    errno = saved_errno;
    return error;
}

static kernel_mask lock(void)
{
    kernel_mask all = ~(kernel_mask)0, old = 0;
    kernel_sigmask(SIG_BLOCK, &all, &old);
    while (__atomic_test_and_set(&wish_lock, __ATOMIC_ACQUIRE)) {
    }
    return old;
}

static void unlock(kernel_mask old)
{
    __atomic_clear(&wish_lock, __ATOMIC_RELEASE);
    kernel_sigmask(SIG_SETMASK, &old, NULL);
}

static bool is_function(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* Sends the signal again, as it was, so that it is pending.  Both calls may carry any code to one's own process. */
static void requeue(int signal, siginfo_t *info)
{
    pid_t pid = getpid();
    if (info->si_code == SI_TKILL)
        syscall(SYS_rt_tgsigqueueinfo, pid, (pid_t)syscall(SYS_gettid), signal, info);
    else
        syscall(SYS_rt_sigqueueinfo, pid, signal, info);
}

/* A signal for the program: does what would happen without us. */
static void pass(int signal, siginfo_t *info, ucontext_t *context)
{
    int saved_errno = errno;
    if (wants_blocked) { /* from here on the kernel blocks it, too */
        sigaddset(&context->uc_sigmask, signal);
        requeue(signal, info);
        errno = saved_errno;
        return;
    }
    kernel_mask old = lock();
    struct sigaction action = wish;
    if (is_function(&wish) && (wish.sa_flags & (int)SA_RESETHAND))
        wish.sa_handler = SIG_DFL;
    unlock(old);
    if (action.sa_handler == SIG_DFL) {
        __sigaction(signal, &action, NULL);
        requeue(signal, info); /* comes when this handler returns, and ends the process */
    } else if (action.sa_handler != SIG_IGN) {
        kernel_mask mask = to_kernel(&context->uc_sigmask) | to_kernel(&action.sa_mask);
        mask = action.sa_flags & SA_NODEFER ? mask : mask | MASK(signal);
        kernel_sigmask(SIG_SETMASK, &mask, NULL);
        errno = saved_errno;
        action.sa_sigaction(signal, info, context);
        return;
    }
    errno = saved_errno;
}

static void handler(int signal, siginfo_t *info, void *context)
{
    if (!tnd_sample_signal(info, context))
        pass(signal, info, context);
}

/* While our handler runs nothing else is delivered that could jump out of it; faults are, they are not ours to hide. */
static int install(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
    action.sa_sigaction = handler;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&action.sa_mask, faults[i]);
    if (!restart_as_wished || !is_function(&wish) || (wish.sa_flags & SA_RESTART))
        action.sa_flags |= SA_RESTART;
    return __sigaction(our_signal, &action, NULL);
}

/* gdb stops at each SIGSTKFLT and cannot pass it on; SIGPROF it lets through, and where the program has no use for it
 * (and later: by who sent it) it does as well. */
static int choose(int signal)
{
    struct sigaction at_profile;
    if (signal != TND_SAMPLING_SIGNAL || !tnd_target_traced() || __sigaction(SIGPROF, NULL, &at_profile) != 0 ||
        at_profile.sa_handler != SIG_DFL)
        return signal;
    tnd_run_note("samples come by SIGPROF, because a debugger is watching");
    return SIGPROF;
}

bool tnd_signals_start(int signal, bool never_in_calls)
{
    signal = choose(signal);
    if (__sigaction(signal, NULL, &wish) != 0)
        return false;
    restart_as_wished = never_in_calls;
    our_signal = signal;
    if (install() == 0)
        return true;
    our_signal = 0;
    return false;
}

int tnd_signals_number(void)
{
    return our_signal;
}

/* For a clock with a handler of its own all signals are blocked, because its signal is unknown. */
static _Thread_local struct tnd_target_signals held __attribute__((tls_model("initial-exec")));

bool tnd_signals_hold(void)
{
    if (!our_signal) {
        tnd_target_block_signals(&held);
        return true;
    }
    kernel_mask ours = MASK(our_signal), old = 0;
    kernel_sigmask(SIG_BLOCK, &ours, &old);
    return !(old & ours);
}

void tnd_signals_release(void)
{
    if (!our_signal) {
        tnd_target_restore_signals(&held);
        return;
    }
    kernel_mask ours = MASK(our_signal);
    kernel_sigmask(SIG_UNBLOCK, &ours, NULL);
}

const sigset_t *tnd_signals_held_mask(const sigset_t *mask, sigset_t *copy)
{
    if (!mask || !our_signal)
        return mask;
    *copy = *mask;
    sigaddset(copy, our_signal);
    return copy;
}

bool tnd_signals_is_handled(void)
{
    return is_function(&wish);
}

void tnd_signals_fork_child(void)
{
    __atomic_clear(&wish_lock, __ATOMIC_RELAXED); /* a thread of the parent may have held it */
}

void tnd_signals_before_exec(void)
{
    if (!our_signal)
        return;
    int saved_errno = errno;
    kernel_mask ours = MASK(our_signal);
    static const struct timespec at_once;
    siginfo_t info;
    tnd_signals_hold();
    while (syscall(SYS_rt_sigtimedwait, &ours, &info, &at_once, sizeof ours) > 0)
        if (!tnd_sample_signal(&info, NULL)) {
            requeue(our_signal, &info);
            break;
        }
    if (!is_function(&wish))
        __sigaction(our_signal, &wish, NULL); /* SIG_IGN goes on to the new program */
    if (!wants_blocked)
        tnd_signals_release();
    errno = saved_errno;
}

void tnd_signals_after_failed_exec(void)
{
    if (!our_signal)
        return;
    int saved_errno = errno;
    install();
    tnd_signals_release();
    errno = saved_errno;
}

/* What the program calls. */

PUBLIC int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    if (signal == SIGBUS)
        return tnd_target_fault_action(action, old);
    if (signal != our_signal || !signal)
        return __sigaction(signal, action, old);
    struct sigaction new_wish, old_wish;
    if (action)
        new_wish = *action;
    kernel_mask mask = lock();
    old_wish = wish;
    if (action) {
        wish = new_wish;
        install();
    }
    unlock(mask);
    if (old)
        *old = old_wish;
    return 0;
}

/* Whether the kernel has a handler of ours for it, of which the program is not to know. */
static bool is_shared(int signal)
{
    return signal == SIGBUS || (signal == our_signal && signal);
}

static sighandler_t install_plain(int signal, sighandler_t function, int flags)
{
    struct sigaction action = {.sa_flags = flags}, old;
    action.sa_handler = function;
    sigemptyset(&action.sa_mask);
    if (!(flags & SA_NODEFER))
        sigaddset(&action.sa_mask, signal);
    return sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* The older ways of installing a handler: name, flags it implies. */
#define OLDER_WAYS(X)                                                                                                  \
    X(signal, SA_RESTART)                                                                                              \
    X(ssignal, SA_RESTART)                                                                                             \
    X(bsd_signal, SA_RESTART)                                                                                          \
    X(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))                                                                   \
    X(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))                                                                 \
    X(sigset, 0)

#define OLDER_WAY(name, flags)                                                                                         \
    sighandler_t name(int number, sighandler_t function);                                                              \
    PUBLIC sighandler_t name(int number, sighandler_t function)                                                        \
    {                                                                                                                  \
        static sighandler_t (*next)(int, sighandler_t);                                                                \
        if (is_shared(number) && function != SIG_HOLD)                                                                 \
            return install_plain(number, function, flags);                                                             \
        if (!next)                                                                                                     \
            next = (sighandler_t(*)(int, sighandler_t))dlsym(RTLD_NEXT, #name);                                        \
        return next(number, function);                                                                                 \
    }
OLDER_WAYS(OLDER_WAY)

/* 0 or an errno. */
static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    kernel_mask mask = 0, old_mask = 0, ours = our_signal ? MASK(our_signal) : 0;
    bool wanted = wants_blocked, named = false;
    if (set) {
        mask = to_kernel(set) & ~(MASK(__SIGRTMIN) | MASK(__SIGRTMIN + 1));
        named = mask & ours;
        if (how != SIG_UNBLOCK)
            mask &= ~ours;
    }
    if (set && (named || how == SIG_SETMASK))
        wants_blocked = named && how != SIG_UNBLOCK; /* first: what waits is delivered in the system call */
    int error = kernel_sigmask(how, set ? &mask : NULL, &old_mask);
    if (error) {
        wants_blocked = wanted;
        return error;
    }
    if (old) {
        old_mask = wanted ? old_mask | ours : old_mask & ~ours;
        memset(old, 0, sizeof *old);
        memcpy(old, &old_mask, sizeof old_mask);
    }
    return 0;
}

PUBLIC int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    int error = change_mask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return change_mask(how, set, old);
}
