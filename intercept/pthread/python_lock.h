/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits for CPython's interpreter lock: its threads wait on condition variables inside `_PyRuntime`, which has no
 * others (3.9 to 3.13), so that the wrappers of these calls recognize such a wait by the address.
 *
 * CPython waits in slices of 5 ms (pthread_cond_timedwait), after each of which it asks the owner to release the lock.
 * The owner then signals that the lock is free (pthread_cond_signal), waits until another thread has it
 * (pthread_cond_wait), and then waits to get it back.  All of that is recorded as one wait, which begins when the lock
 * is free; the thread may be off the CPU between its parts.
 *
 * A subinterpreter with a lock of its own (3.12) has it elsewhere: its waits are recorded as those of any program.
 *
 * Cost for all other waits: a subtraction and a comparison.
 * Context: the interpreter's threads, without its lock; not for handlers.  Nothing here allocates, locks or changes
 * errno.
 */
#ifndef TND_PYTHON_LOCK_H
#define TND_PYTHON_LOCK_H

#include "runtime/thread.h"

/* Where CPython's condition variables are; size 0: there are none, or they are not to be recorded. */
extern struct tnd_python_lock {
    uintptr_t low, size;
} tnd_python_lock __attribute__((visibility("hidden")));

static inline bool tnd_python_lock_has(const void *condition)
{
    return (uintptr_t)condition - tnd_python_lock.low < tnd_python_lock.size;
}

/* The calling thread signals that the lock is free, or that it has taken it. */
void tnd_python_lock_signal(void);

/* A wait begins; NULL: it is not recorded.  And it ends: `has_limit`: it had a time limit; `timed_out`: it ended by
 * that. */
struct tnd_thread *tnd_python_lock_enter(void);
void tnd_python_lock_leave(struct tnd_thread *thread, bool has_limit, bool timed_out);

#endif
