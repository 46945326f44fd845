/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for CPython's lock: its threads wait on condition variables within `_PyRuntime`, where no others are (3.9 to
 * 3.13), so that the wrappers of these calls know such a wait by its address.
 *
 * CPython waits in slices of 5 ms (pthread_cond_timedwait), after each of which it asks the owner to let go.  The owner
 * then says that the lock is free (pthread_cond_signal), waits until another has it (pthread_cond_wait), and then for
 * getting it back.  All of that is one wait, from where the lock is free on; a thread may well be without a CPU between
 * its parts.
 *
 * An interpreter within the process that has a lock of its own (3.12) has it elsewhere: its waits are seen as those of
 * any program.
 *
 * Cost: a subtraction and a comparison for a wait that is another's.
 * Context: the interpreter's threads, without its lock; not for handlers.  Nothing here allocates, locks or changes
 * errno.
 */
#ifndef TND_PYTHON_LOCK_H
#define TND_PYTHON_LOCK_H

#include "runtime/thread.h"

/* Where CPython's condition variables are; size 0: nowhere, or nobody wants to know. */
extern struct tnd_python_lock {
    uintptr_t low, size;
} tnd_python_lock __attribute__((visibility("hidden")));

static inline bool tnd_python_lock_has(const void *condition)
{
    return (uintptr_t)condition - tnd_python_lock.low < tnd_python_lock.size;
}

/* The calling thread says that the lock is free, or that it has it. */
void tnd_python_lock_signal(void);

/* A wait begins; NULL: it is not recorded.  It is over, because of its time limit or not; `has_limit`: it had one. */
struct tnd_thread *tnd_python_lock_enter(void);
void tnd_python_lock_leave(struct tnd_thread *thread, bool has_limit, bool timed_out);

#endif
