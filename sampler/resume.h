/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits that our signal has interrupted all the same: the program, or a library, calls the kernel by an instruction of
 * its own, so that no wrapper keeps the signal out (restartless.c).  Our handler goes on with the call where the kernel
 * would have had it end with EINTR, for the time that is left.
 *
 * Context: our signal's handler, on its own stack, last; it may last as long as the wait.
 */
#ifndef TND_RESUME_H
#define TND_RESUME_H

#include <ucontext.h>

/* At start. */
void tnd_resume_start(void);

enum tnd_resumed {
    TND_RESUMED_NOTHING, /* no wait was interrupted, or a signal of the program's ends it */
    TND_RESUMED_EXACTLY, /* the wait has lasted as long as it would have */
    TND_RESUMED_LATE,    /* it has begun anew, or ends with EINTR because its call is not known */
};

/* The handler has interrupted `context`.  If that is a wait that nobody else's signal is to end, waits on, with the
 * program's signals let in and ours (signal) held, and puts what the kernel answers into the context. */
enum tnd_resumed tnd_resume_call(ucontext_t *context, int signal);

#endif
