/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that are counted instead of recorded (setting `library-short`): those of functions that have proved to be
 * short, and take less than TND_LIBRARY_WORTH_NS.
 *
 * Of each function the first TND_LIBRARY_TRIES calls in the process are recorded.  If nine of ten were short, further
 * ones are counted, as far as they are short, too; a longer one is recorded when it ends, unless a record was written
 * meanwhile, which would come before its begin.  Functions of which values are wished for are always recorded.
 *
 * How often each was counted, and how long it took in all, is written when the thread ends, and after each
 * TND_LIBRARY_TOLD calls in between, so that a process that is killed loses no more than these.
 *
 * Cost of a call that is counted: two clock reads and a few ns.  16 bytes for each function that a thread counts.
 * Context: library_shadow.h.
 */
#ifndef TND_LIBRARY_COUNTED_H
#define TND_LIBRARY_COUNTED_H

#include "intercept/library/library_shadow.h"

#define TND_LIBRARY_WORTH_NS 1000
#define TND_LIBRARY_TOLD 4096
#define TND_LIBRARY_TRIES 1000

/* How the calls of a function are recorded. */
enum tnd_library_nature {
    TND_LIBRARY_TRIED,    /* each, as long as it is tried */
    TND_LIBRARY_RECORDED, /* each */
    TND_LIBRARY_COUNTED,  /* those that are not short */
    TND_LIBRARY_APART,    /* each, with its values; or none: it is called where an exception is caught */
};

/* TND_LIBRARY_WORTH_NS in ticks; 0: not known yet. */
extern uint64_t tnd_library_counted_worth __attribute__((visibility("hidden")));

/* A recorded call of a function that is tried has taken so long. */
void tnd_library_counted_try(struct tnd_library_function *function, uint64_t ticks)
    __attribute__((visibility("hidden")));

/* A call of a function that is counted has taken so long.  False: it is counted; true: it is to be recorded. */
bool tnd_library_counted_tells(struct tnd_thread *thread, const struct tnd_library_entry *entry, uint64_t ticks)
    __attribute__((visibility("hidden")));

/* Counts a short call of a function that is counted.  False: it is for tnd_library_counted_tells, and not counted. */
static inline bool tnd_library_counted_adds(struct tnd_library_shadow *shadow, const struct tnd_library_entry *entry,
                                            uint64_t ticks)
{
    struct tnd_library_counted *counted = &shadow->counted[entry->function->index];
    if (ticks >= tnd_library_counted_worth || counted->n + 1 >= TND_LIBRARY_TOLD)
        return false;
    counted->n++;
    counted->ticks += ticks;
    return true;
}

/* Writes what the table's thread has counted.  Context: the thread's end, or that of the process. */
void tnd_library_counted_write(struct tnd_writer *writer, struct tnd_library_shadow *shadow)
    __attribute__((visibility("hidden")));

/* Forgets it. */
void tnd_library_counted_forget(struct tnd_library_shadow *shadow) __attribute__((visibility("hidden")));

#endif
