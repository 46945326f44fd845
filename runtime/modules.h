/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files' code is where in memory: MODULE records, and a table of what they said, for the child of a fork, which
 * cannot ask the loader.
 *
 * Context: as each function says.
 */
#ifndef TND_MODULES_H
#define TND_MODULES_H

#include "runtime/thread.h"

/* Looks whether something was loaded or unloaded and writes that to the calling thread's stream.  Takes the loader's
 * lock: not in a handler, not in the child of a fork. */
void tnd_modules_look(void);

/* The program is about to load something, and tnd_modules_look will not be called right after it.  Any thread. */
void tnd_modules_expect(void);

/* Code is about to be loaded or unloaded, or was unloaded: raises the generation, by which caches of facts about code
 * know that they are out of date.  Any thread. */
extern uint64_t tnd_modules_generation __attribute__((visibility("hidden")));
static inline void tnd_modules_change(void)
{
    __atomic_fetch_add(&tnd_modules_generation, 1, __ATOMIC_RELAXED);
}

/* The last look.  In the child of a fork it looks only if the program itself has loaded something there: a thread of
 * the parent may have held the loader's lock, which then is never released. */
void tnd_modules_look_at_end(void);

/* Writes a MODULE for each module that is loaded.  System calls only. */
void tnd_modules_tell(struct tnd_writer *writer);

/* In the child of a fork.  System calls only. */
void tnd_modules_fork_child(void);

#endif
