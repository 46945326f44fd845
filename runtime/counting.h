/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters at records: a source that has written an ENTER, a LEAVE or a SAMPLE calls this, and where the user wants
 * counters, those of the thread are read and written after the record (TND_RECORD_COUNTERS).  sampler/counters.c reads
 * them.
 *
 * Cost: where no counters are wanted, a load and a jump that is predicted.
 * Context: hot path, handlers included.
 */
#ifndef TND_COUNTING_H
#define TND_COUNTING_H

#include "runtime/thread.h"

enum tnd_counting_at {
    TND_COUNTING_MPI = 1,
    TND_COUNTING_OPENMP = 2,
    TND_COUNTING_PTHREAD = 4,
    TND_COUNTING_REGIONS = 8,
    TND_COUNTING_SAMPLES = 16,
    TND_COUNTING_PYTHON = 32,
};

struct tnd_counting {
    unsigned at; /* where they are wanted; constant after start */
    void (*read)(struct tnd_thread *thread, struct tnd_writer *writer, uint64_t time);
};
extern struct tnd_counting tnd_counting __attribute__((visibility("hidden")));

/* After the record of that time in the thread's main stream. */
static inline void tnd_counting_mark(struct tnd_thread *thread, uint64_t time, enum tnd_counting_at at)
{
    if (__builtin_expect(tnd_counting.at & at, 0))
        tnd_counting.read(thread, &thread->main, time);
}

#endif
