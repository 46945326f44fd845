/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread as the runtime sees it: two writers (its own code's, its signal handler's) and what sources keep per thread.
 *
 * A slot (two streams, a place in the tables) is taken at birth and given back at death to the next thread born: a
 * program that makes 100,000 threads one after another uses one slot for all of them.
 *
 * Context: as each function says.
 */
#ifndef TND_THREAD_H
#define TND_THREAD_H

#include "formats/record.h"
#include "formats/stream.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One writer of one stream.  Only its owner's context touches it. */
struct tnd_writer {
    struct tnd_stream_header *header; /* the mapped ring; NULL: nothing can be recorded */
    uint8_t *next;                    /* where the next record goes */
    uint8_t *limit;                   /* past the ring's last byte; == next when recording is over */
    uint64_t published;               /* mirror of header->published */
    uint64_t n_lost_nested;           /* dropped because a record was being written in this very context */
    uint8_t busy;                     /* a record is being written */
};

/* Room for what a source keeps per thread, by the source's rank / 100. */
#define TND_THREAD_SOURCE_BYTES 128

struct tnd_thread {
    struct tnd_writer main;
    struct tnd_writer signal;
    uint32_t slot;
    uint32_t number; /* in the process, from 0; never used twice */
    pid_t tid;
    uint64_t born_cpu_ns; /* its CPU clock at THREAD */
    void *stack_low;      /* bounds of its stack, NULL if unknown */
    void *stack_high;
    struct tnd_thread *next_free;
    _Alignas(16) uint8_t source_data[2][TND_THREAD_SOURCE_BYTES]; /* [0] sampler, [1] interceptors; zeroed at birth */
};

/* The calling thread, or NULL while it has no streams.  Initial-exec: one load, no call. */
extern _Thread_local struct tnd_thread *tnd_thread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* 0: nothing is recorded (off, over, or not started); the only test that a hot path makes before tnd_thread_get. */
extern int tnd_thread_recording __attribute__((visibility("hidden")));

/* The slow half of tnd_thread_get: gives the calling thread its slot.  NULL if that fails or it is not to have one.
 * System calls only; in a handler too. */
struct tnd_thread *tnd_thread_adopt(void);

/* The calling thread's streams, making them if this is the first time; NULL when nothing is recorded. */
static inline struct tnd_thread *tnd_thread_get(void)
{
    if (__builtin_expect(!tnd_thread_recording, 0))
        return NULL;
    struct tnd_thread *self = tnd_thread_self;
    if (__builtin_expect(self != NULL, 1))
        return self;
    return tnd_thread_adopt();
}

#endif
