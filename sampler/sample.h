/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampler for its neighbours: whether samples can end a call, and how to keep them out of one (restartless.c).
 *
 * Context: in the thread itself, handlers included.
 */
#ifndef TND_SAMPLE_H
#define TND_SAMPLE_H

#include <signal.h>
#include <stdbool.h>

/* True while a sampling clock is in use whose signals may come inside a system call. */
extern bool tnd_sample_in_calls __attribute__((visibility("hidden")));

/* Keeps samples out of what the thread does next; true if tnd_sample_leave_call is to follow.  Keeps errno. */
bool tnd_sample_enter_call(void);
void tnd_sample_leave_call(void);

/* Takes a sample, in a handler that is the clock's own.  Keeps errno. */
void tnd_sample_take(void *context);

/* A signal of the sampling clock's number has come: takes a sample if the clock sent it, false if somebody else did.
 * Keeps errno. */
bool tnd_sample_signal(const siginfo_t *info, void *context);

#endif
