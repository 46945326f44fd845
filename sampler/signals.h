/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampling signal's two owners.  The kernel knows our handler; the program sees the handler, the mask and the
 * answers that it would have without us, because sigaction, signal and their kin, sigprocmask and pthread_sigmask are
 * ours for that one signal (and pass straight through for all others).
 *
 * A signal that the sampling clock did not send goes to what the program installed.  A program that blocks everything
 * is still sampled: our signal stays open until one of the program's own comes, which then waits as it would have.
 *
 * Context: as each function says.
 */
#ifndef TND_SIGNALS_H
#define TND_SIGNALS_H

#include <stdbool.h>

/* Takes the signal over from what is installed.  Once, at start.  never_in_calls: the clock's signals do not come
 * inside system calls, so that the program's own wish about SA_RESTART can hold.  False if the kernel refuses. */
bool tnd_signals_start(int signal, bool never_in_calls);

/* The sampling signal: the one that was asked for, or, in the hands of a debugger, SIGPROF. */
int tnd_signals_number(void);

/* Keeps the sampling signal off the calling thread for a moment. */
void tnd_signals_hold(void);
void tnd_signals_release(void);

/* In the child of a fork(). */
void tnd_signals_fork_child(void);

/* In the thread that calls exec, with its clock disarmed: makes what the new program inherits what the program chose,
 * and lets no pending signal of ours kill it.  System calls only. */
void tnd_signals_before_exec(void);
void tnd_signals_after_failed_exec(void);

#endif
