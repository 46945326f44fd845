/* SPDX-License-Identifier: Apache-2.0
 *
 * What other files need of the sampler: whether its signals can end a system call, how to keep them out of one
 * (restartless.c), and taking a sample in a handler.
 *
 * Context: in the thread itself, handlers included.
 */
#ifndef TND_SAMPLE_H
#define TND_SAMPLE_H

#include <signal.h>
#include <stdbool.h>

/* True while a sampling clock is in use whose signals may come inside a system call. */
extern bool tnd_sample_in_calls __attribute__((visibility("hidden")));

/* Keeps samples out of the call that the thread is about to make; true if tnd_sample_leave_call must follow.  A sample
 * that was due meanwhile is taken then, and stands at `function`, which was called.  Keep errno. */
bool tnd_sample_enter_call(void);
void tnd_sample_leave_call(const void *function);

/* Takes a sample, in a handler that is the clock's own.  Keeps errno. */
void tnd_sample_take(void *context);

/* For a signal with the sampling clock's number: takes a sample if the clock sent it; false if it did not.  Keeps
 * errno. */
bool tnd_sample_signal(const siginfo_t *info, void *context);

/* In the handler, after tnd_sample_signal: the signal has disturbed a wait of the program's.  The clock is to take care
 * that this remains rare. */
void tnd_sample_was_felt(void);

/* For a signal with that number which a call has taken off the queue, the thread's own: whether the clock sent it.  It
 * gives no sample; the clock goes on, and the next sample has the time.  May change errno. */
bool tnd_sample_swallow(const siginfo_t *info);

#endif
