/* SPDX-License-Identifier: Apache-2.0
 *
 * Room for our signal handler.  It never runs on a stack of the program's: the kernel puts our signal's frame on a
 * stack of our own where the thread has no alternate signal stack, and where it has one the handler leaves that at
 * once.  Of an alternate stack of the program's there has to be room for the kernel's frame alone; a thread whose stack
 * is smaller is not sampled.  The program sees the alternate stack that it has set, as sigaltstack is interposed.
 *
 * A handler of the program's with SA_ONSTACK, in a thread for which it has set no alternate stack, runs on ours: so
 * much room is there, of which pages are used as they are touched.
 *
 * Context: as each function says.
 */
#ifndef TND_OWN_STACK_H
#define TND_OWN_STACK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Gives the calling thread, which has that slot, its stack.  False: there is no memory for it.  At a thread's start. */
bool tnd_own_stack_take(uint32_t slot);

/* The thread may no longer be interrupted on it.  At its end. */
void tnd_own_stack_leave(void);

/* Whether an alternate stack that the program has set has no room for a signal of ours.  Any context. */
bool tnd_own_stack_is_cramped(void);

/* Called when that changes, in the thread itself; any context. */
void tnd_own_stack_cramped_changes(void (*changed)(bool is_cramped));

/* Whether the kernel has our stack for the calling thread, as the program has set none.  Any context. */
bool tnd_own_stack_is_kernels(void);

/* What the kernel is given as the handler: calls tnd_own_stack_handler on the thread's own stack. */
void tnd_own_stack_enter(int signal, siginfo_t *info, void *context);

/* signals.c */
void tnd_own_stack_handler(int signal, siginfo_t *info, void *context);

#endif
