/* SPDX-License-Identifier: Apache-2.0
 *
 * The handler of SIGBUS.  The kernel has it with the mask and those flags that the program wants for its own handler,
 * so that it can call that one; but SIGBUS itself stays open meanwhile, because a sample may interrupt us and fault,
 * too. While a thread blocks the signal or the program ignores it, a fault ends the program, ours included: the kernel
 * does not ask.
 *
 * Context: ring_faults.h.
 */
#include "targets/linux/ring_faults.h"

#include "runtime/target.h"
#include "runtime/thread.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern int __sigaction(int, const struct sigaction *, struct sigaction *);

static struct {
    struct sigaction wish; /* what the program has installed */
    char lock;             /* taken with all signals blocked but those of faults */
    bool has_begun;
} faults;

static const uint64_t itself = (uint64_t)1 << (SIGBUS - 1);

static void lock(struct tnd_target_signals *before)
{
    tnd_target_block_signals(before);
    while (__atomic_test_and_set(&faults.lock, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock(const struct tnd_target_signals *before)
{
    __atomic_clear(&faults.lock, __ATOMIC_RELEASE);
    tnd_target_restore_signals(before);
}

static bool is_function(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* Does what would happen without us.  By default: what faulted does so again; what was sent is sent again, and comes
 * when this handler returns. */
static void pass(int signal, siginfo_t *info, void *context, int error)
{
    struct tnd_target_signals before;
    lock(&before);
    struct sigaction action = faults.wish;
    if (is_function(&action) && (action.sa_flags & (int)SA_RESETHAND))
        faults.wish.sa_handler = SIG_DFL;
    unlock(&before);
    if (is_function(&action)) {
        if (!(action.sa_flags & (int)SA_NODEFER))
            syscall(SYS_rt_sigprocmask, SIG_BLOCK, &itself, NULL, sizeof itself);
        errno = error;
        action.sa_sigaction(signal, info, context);
        return;
    }
    __sigaction(signal, &action, NULL);
    if (info->si_code <= 0 || info->si_code == BUS_MCEERR_AO)
        syscall(SYS_rt_tgsigqueueinfo, tnd_target_process_id(), tnd_target_thread_id(), signal, info);
    errno = error;
}

/* A signal for the program that came to our own thread, because the program's threads block it: waits for one of them,
 * and for none of ours.  One that kill() sent, which only its sender may send again as it was, is then one of ours. */
static void hand_over(int signal, siginfo_t *info, ucontext_t *context)
{
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &itself, NULL, sizeof itself);
    sigaddset(&context->uc_sigmask, signal);
    if (info->si_code == SI_USER || syscall(SYS_rt_sigqueueinfo, tnd_target_process_id(), signal, info) != 0)
        syscall(SYS_kill, tnd_target_process_id(), signal);
}

static void handler(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    bool is_ours = info->si_code > 0 && tnd_ring_faults_replace(info->si_addr);
    bool is_lost = !is_ours && info->si_code <= 0 && tnd_target_own_is_self();
    if (is_lost)
        hand_over(signal, info, context);
    errno = error;
    if (!is_ours && !is_lost)
        pass(signal, info, context, error);
}

/* Puts our handler before what the kernel has, which becomes the wish: as the program would see it. */
static void cover(void)
{
    struct sigaction action;
    if (__sigaction(SIGBUS, NULL, &faults.wish) != 0 || faults.wish.sa_handler == SIG_IGN)
        return;
    action = faults.wish;
    if (!is_function(&action)) {
        action.sa_flags = SA_ONSTACK | SA_RESTART;
        sigemptyset(&action.sa_mask);
    }
    action.sa_flags = (action.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO | SA_NODEFER;
    action.sa_sigaction = handler;
    __sigaction(SIGBUS, &action, NULL);
}

void tnd_ring_faults_start(void)
{
    if (!faults.has_begun)
        cover();
    faults.has_begun = true;
}

int tnd_target_fault_action(const struct sigaction *action, struct sigaction *old)
{
    struct tnd_target_signals signals;
    int error = 0;
    if (!faults.has_begun)
        return __sigaction(SIGBUS, action, old);
    lock(&signals);
    struct sigaction before = faults.wish;
    if (action) {
        error = __sigaction(SIGBUS, action, NULL);
        if (!error)
            cover();
    }
    unlock(&signals);
    if (old && !error)
        *old = before;
    return error;
}

void tnd_ring_faults_fork_child(void)
{
    __atomic_clear(&faults.lock, __ATOMIC_RELAXED); /* a thread of the parent may have held it */
}
