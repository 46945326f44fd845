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
#include "sampler/own_stack.h"
#include "sampler/resume.h"
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

/* Sends the signal again, as it was, so that it is pending.  The kernel lets a thread send any code to itself, and only
 * the first thread to its process. */
static void requeue(int signal, siginfo_t *info)
{
    pid_t pid = getpid(), tid = (pid_t)syscall(SYS_gettid);
    if (info->si_code == SI_TKILL || syscall(SYS_rt_sigqueueinfo, pid, signal, info) != 0)
        syscall(SYS_rt_tgsigqueueinfo, pid, tid, signal, info);
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

void tnd_own_stack_handler(int signal, siginfo_t *info, void *context)
{
    if (!tnd_sample_signal(info, context))
        pass(signal, info, context);
    else if (tnd_sample_in_calls && tnd_resume_call(context, signal) == TND_RESUMED_LATE)
        tnd_sample_was_felt();
}

/* While our handler runs nothing else is delivered that could jump out of it; faults are, they are not ours to hide. */
static int install(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};
    action.sa_sigaction = tnd_own_stack_enter;
    memset(&action.sa_mask, 0xff, sizeof(kernel_mask)); /* libc's own, too: a thread is not cancelled in here */
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

static void install_others(void);

bool tnd_signals_start(int signal, bool never_in_calls)
{
    signal = choose(signal);
    if (__sigaction(signal, NULL, &wish) != 0)
        return false;
    restart_as_wished = never_in_calls;
    our_signal = signal;
    if (install() != 0) {
        our_signal = 0;
        return false;
    }
    install_others(); /* what constructors have installed */
    return true;
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

bool tnd_signals_are_ours(void)
{
    struct sigaction action;
    return !our_signal || __sigaction(our_signal, NULL, &action) != 0 || action.sa_sigaction == tnd_own_stack_enter;
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
        if (!tnd_sample_swallow(&info)) {
            requeue(our_signal, &info);
            break;
        }
    if (wish.sa_handler == SIG_IGN) /* goes on to the new program, to which the kernel gives no handler */
        __sigaction(our_signal, &wish, NULL);
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

/* What is different in the kernel for handlers of the program's with SA_ONSTACK, by signal: as long as the program has
 * set no alternate stack, the flag is left out, because the stack that the kernel has is ours.  Once it has set one on
 * which there may be no room for our signal's frame below that of its own handler, our signal is added to the mask. */
static kernel_mask without_stack, extended;
static bool has_stack, has_narrow_stack;

static bool is_on_stack(int signal, const struct sigaction *action)
{
    return our_signal && action && is_function(action) && (action->sa_flags & SA_ONSTACK) && signal > 0 &&
           signal < _NSIG;
}

static void note(kernel_mask *signals, int signal, bool is)
{
    if (is)
        __atomic_fetch_or(signals, MASK(signal), __ATOMIC_RELAXED);
    else if (signal > 0 && signal < _NSIG)
        __atomic_fetch_and(signals, ~MASK(signal), __ATOMIC_RELAXED);
}

static bool is_noted(const kernel_mask *signals, int signal)
{
    return signal > 0 && signal < _NSIG && (__atomic_load_n(signals, __ATOMIC_RELAXED) & MASK(signal));
}

/* Of two calls at once for one signal either may win. */
static int install_other(int signal, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction mine;
    bool was_without = is_noted(&without_stack, signal), was_extended = is_noted(&extended, signal);
    bool is_on = is_on_stack(signal, action), is_without = is_on && !has_stack;
    bool is_extended = is_on && has_narrow_stack && !sigismember(&action->sa_mask, our_signal);
    if (is_on) {
        mine = *action;
        mine.sa_flags &= is_without ? ~SA_ONSTACK : ~0;
        if (is_extended)
            sigaddset(&mine.sa_mask, our_signal);
    }
    int error = __sigaction(signal, is_on ? &mine : action, old);
    if (error)
        return error;
    if (old && was_without)
        old->sa_flags |= SA_ONSTACK;
    if (old && was_extended)
        sigdelset(&old->sa_mask, our_signal);
    if (action && our_signal) {
        note(&without_stack, signal, is_without);
        note(&extended, signal, is_extended);
    }
    return 0;
}

/* Installs again what the program has installed with SA_ONSTACK. */
static void install_others(void)
{
    struct sigaction action;
    for (int i = 1; i < _NSIG; i++)
        if (i != our_signal && i != SIGBUS && install_other(i, NULL, &action) == 0 && is_on_stack(i, &action))
            install_other(i, &action, NULL);
}

void tnd_signals_stack_is_set(bool is_narrow)
{
    bool is_new = !__atomic_exchange_n(&has_stack, true, __ATOMIC_RELAXED);
    is_new |= is_narrow && !__atomic_exchange_n(&has_narrow_stack, true, __ATOMIC_RELAXED);
    if (is_new && our_signal)
        install_others();
}

PUBLIC int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    if (signal == SIGBUS)
        return tnd_target_fault_action(action, old);
    if (signal != our_signal || !signal)
        return install_other(signal, action, old);
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

int tnd_signals_change_mask(int how, const uint64_t *set, uint64_t *old)
{
    kernel_mask mask = 0, old_mask = 0, ours = our_signal ? MASK(our_signal) : 0;
    bool wanted = wants_blocked, named = false;
    if (set) {
        bool must_block = tnd_own_stack_is_cramped();
        mask = *set;
        named = mask & ours;
        if (how == SIG_UNBLOCK ? must_block : !must_block)
            mask &= ~ours;
        else if (must_block)
            mask |= ours;
    }
    if (set && (named || how == SIG_SETMASK))
        wants_blocked = named && how != SIG_UNBLOCK; /* first: what waits is delivered in the system call */
    int error = kernel_sigmask(how, set ? &mask : NULL, &old_mask);
    if (error) {
        wants_blocked = wanted;
        return error;
    }
    if (old)
        *old = wanted ? old_mask | ours : old_mask & ~ours;
    return 0;
}

/* 0 or an errno. */
static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    kernel_mask mask = set ? to_kernel(set) & ~(MASK(__SIGRTMIN) | MASK(__SIGRTMIN + 1)) : 0, old_mask;
    int error = tnd_signals_change_mask(how, set ? &mask : NULL, old ? &old_mask : NULL);
    if (!error && old) {
        memset(old, 0, sizeof *old);
        memcpy(old, &old_mask, sizeof old_mask);
    }
    return error;
}

PUBLIC int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    int error = change_mask(how, set, old);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* What is pending of ours waits for a handler of the program's to end. */
PUBLIC int sigpending(sigset_t *set)
{
    int error = (int)syscall(SYS_rt_sigpending, set, sizeof(kernel_mask));
    if (error == 0 && our_signal && !wants_blocked)
        sigdelset(set, our_signal);
    return error;
}

/* A libc header that promised a set would let the compiler leave out the question whether there is one. */
int take_signals(int fd, const sigset_t *set, int flags) __asm__("signalfd");
PUBLIC int take_signals(int fd, const sigset_t *set, int flags)
{
    kernel_mask mask = set ? to_kernel(set) : 0;
    if (our_signal)
        mask &= ~MASK(our_signal);
    return (int)syscall(SYS_signalfd4, fd, set ? &mask : NULL, sizeof mask, flags);
}

PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return change_mask(how, set, old);
}
