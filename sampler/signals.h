/* SPDX-License-Identifier: Apache-2.0
 *
 * Sharing the sampling signal with the program.  The kernel has our handler; the program sees the handler, the mask and
 * the answers that it would have without us, because sigaction, signal and similar functions, sigprocmask and
 * pthread_sigmask are wrapped for that one signal (for all others the wrappers only pass the call on).
 *
 * A signal that the sampling clock did not send is passed to the program's handler.  A program that blocks everything
 * is still sampled: our signal stays open until one of the program's own comes, which then waits as it would have.
 *
 * Context: as each function says.
 */
#ifndef TND_SIGNALS_H
#define TND_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Installs our handler for the signal.  Once, at start.  never_in_calls: the clock's signals do not come inside system
 * calls, so that the program's own wish about SA_RESTART can hold.  False if the kernel refuses. */
bool tnd_signals_start(int signal, bool never_in_calls);

/* The sampling signal: the one that was asked for, or SIGPROF under a debugger. */
int tnd_signals_number(void);

/* Blocks the sampling signal in the calling thread; false: it was blocked before.  And unblocks it: one that has waited
 * comes before that returns. */
bool tnd_signals_hold(void);
void tnd_signals_release(void);

/* The mask that the program asks the kernel to use during a call, with our signal in it: *copy, or NULL if that is
 * what it asks for.  Any context. */
const sigset_t *tnd_signals_held_mask(const sigset_t *mask, sigset_t *copy);

/* What the program asks of its mask, by a call of the kernel: the mask's first 64 signals; set and old may be NULL.  0
 * or an errno.  Any context. */
int tnd_signals_change_mask(int how, const uint64_t *set, uint64_t *old);

/* The program has set an alternate signal stack in some thread: from here on its handlers with SA_ONSTACK have that
 * flag in the kernel, too.  is_narrow: there may be no room for a signal of ours beside its own handler, and ours waits
 * while such handlers run.  Any context. */
void tnd_signals_stack_is_set(bool is_narrow);

/* Whether the program has a handler of its own for the sampling signal. */
bool tnd_signals_is_handled(void);

/* Whether the kernel still has our handler, which a program could replace only by a call that we do not see. */
bool tnd_signals_are_ours(void);

/* In the child of a fork(). */
void tnd_signals_fork_child(void);

/* In the thread that calls exec, with its clock disarmed: makes what the new program inherits what the program chose,
 * and lets no pending signal of ours kill it.  Our handler stays, because the clocks of other threads go on until the
 * kernel has ended them.  System calls only. */
void tnd_signals_before_exec(void);
void tnd_signals_after_failed_exec(void);

#endif
