/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread as the runtime sees it: two writers (one for its own code, one for our signal handler in it) and what
 * sources keep per thread.
 *
 * A thread takes a slot (two streams, an entry of the tables) when it begins, and gives it back when it ends: a program
 * that makes 100,000 threads one after another uses one slot for all of them.
 *
 * Context: as each function says.
 */
#ifndef TND_THREAD_H
#define TND_THREAD_H

#include "formats/record.h"
#include "formats/stream.h"
#include "runtime/clock.h"
#include "runtime/machine.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A turn of the ring, kept until a later record is written (runtime/emit.c). */
struct tnd_turn {
    uint64_t begin;          /* ticks; 0: no turn is kept */
    struct tnd_clock_at end; /* all clocks at its end */
    uint64_t cpu_ns;         /* CPU time that it took */
    uint8_t *limit;          /* the writer's limit after its records have been written */
};

/* One writer of one stream.  Only its owner's context touches it. */
struct tnd_writer {
    struct tnd_stream_header *header; /* the mapped ring; NULL: nothing can be recorded */
    uint8_t *next;                    /* where the next record goes */
    uint8_t *limit;         /* a record that would end behind it calls tnd_emit_turn; at most the ring's end */
    uint64_t bias;          /* header->published - next, as numbers: constant between turns */
    uintptr_t owner;        /* stack pointer of whoever is writing a record; 0: nobody is */
    uintptr_t stepped_over; /* the owner whose lent record others have stepped over; 0: none */
    struct tnd_turn turn;
    struct tnd_record *open; /* the last record, which still takes bytes (runtime/emit.h); NULL: none does */
    uint8_t *open_end;       /* behind the bytes that it has */
    uint8_t *open_limit;     /* the limit, once it is closed */
    uint8_t *end, *ring_end; /* of what is reserved of the ring, and of all of it */
    void *pack;              /* what the sampler keeps of what it has written, in the slot's pages (sampler/stacks.c) */
};

/* More threads at once than this have no streams: they are counted, and the run says so. */
#define TND_THREAD_MAX_SLOTS TND_MACHINE_SLOTS

/* Room for what sources keep per thread, by their rank / 100. */
#define TND_THREAD_SOURCE_BYTES 160

struct tnd_thread {
    struct tnd_writer main;
    struct tnd_writer signal;
    uint32_t slot;
    uint32_t number;      /* in the process, from 0; never used twice */
    pid_t tid;            /* 0: no thread has the slot */
    uint64_t born_ticks;  /* time of its THREAD, in both streams */
    uint64_t born_cpu_ns; /* its CPU clock at THREAD */
    void *stack_low;      /* bounds of its stack, NULL if unknown */
    void *stack_high;
    bool has_signal; /* its signal stream has its THREAD */
    bool is_own;     /* ours: tnd_thread_begin_own */
    struct {
        int32_t cpu_seen, cpu_told;
        bool is_depth_sampled; /* depth_told was recorded in the signal stream */
        uint64_t depth_told;
        uintptr_t stack_floor, stack_touched;                     /* 0: unknown */
    } place;                                                      /* runtime/place.c */
    uint32_t next_free;                                           /* slot + 1 */
    char name[16];                                                /* as recorded last; at first the image's */
    _Alignas(16) uint8_t source_data[3][TND_THREAD_SOURCE_BYTES]; /* [0] counters, [1] sampler, [2] interceptors;
                                                                   * zeroed at birth */
};

/* The calling thread, or NULL while it has no streams.  Initial-exec: one load, no call. */
extern _Thread_local struct tnd_thread *tnd_thread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/*
 * 0: nothing is recorded (off, over, or not started); the only test that a hot path makes before tnd_thread_get.
 * It has a page for itself, which the kernel wipes in the child of a fork: a child that came to be behind our back
 * (clone, syscall(SYS_fork)) does not write into its parent's rings.
 */
#define TND_THREAD_PAGE TND_MACHINE_PAGE
union tnd_thread_switch {
    int on;
    char page[TND_THREAD_PAGE];
};
extern union tnd_thread_switch tnd_thread_switch __attribute__((visibility("hidden")));
#define tnd_thread_recording (tnd_thread_switch.on)

/* The slow half of tnd_thread_get: gives the calling thread its slot, writes THREAD, calls the sources' thread_start.
 * NULL if that fails, or if the thread has ended before.  System calls only, but for the sources' hooks. */
struct tnd_thread *tnd_thread_adopt(void);

/* Gives the calling thread's signal writer a ring (a quarter of the main one's, at least 16 KiB) and writes THREAD to
 * it; from then on it also gets THREAD_END.  For a source's thread_start.  False: it cannot be had. */
bool tnd_thread_open_signal(struct tnd_thread *self);

/* Ends the calling thread: the sources' thread_end, THREAD_END; then its slot is free for another.  No more records
 * from this thread.  Does nothing for a thread without a slot. */
void tnd_thread_end(void);

/* The same for our own thread (runtime/target.h): its begin and its end.  There is one such thread at a time; it is not
 * counted among the program's, and the sources' hooks are not called for it.  System calls only. */
struct tnd_thread *tnd_thread_begin_own(void);
void tnd_thread_end_own(void);

/* The calling thread's streams, for the last records of the process: the thread is ended but keeps its slot; one that
 * has ended before gets a slot for them. */
struct tnd_thread *tnd_thread_last(void);

/* The calling thread has a new name. */
void tnd_thread_rename(const char *name);

/* Visits the slots that threads have now, the calling thread's included; they may end meanwhile. */
void tnd_thread_each(void (*visit)(const struct tnd_thread *thread, void *user_data), void *user_data);

/* Writes the names of other threads as DEFINEs, where they differ from what was recorded.  System calls only. */
void tnd_thread_tell_names(struct tnd_writer *writer);

/* At the start of the process (or in the child of a fork, before anything may record): the tables, empty.  `describe`
 * writes what the stream of the thread with number 0 begins with.  False: no memory. */
bool tnd_thread_start(void (*describe)(struct tnd_writer *writer));

/* In the child of a fork, before tnd_thread_start: unmaps the parent's rings.  System calls only. */
void tnd_thread_forget(void);

/* Name of a stream's file without its directory: "<slot>.<context>.<ending>". */
#define TND_THREAD_FILE_MAX 40
void tnd_thread_file(uint32_t slot, unsigned context, const char *ending, char name[static TND_THREAD_FILE_MAX]);

/* Reserves the disk's space for more of a ring: from its first n_reserved bytes, header included, to n_bytes.  0 or an
 * errno.  System calls only. */
int tnd_thread_reserve(struct tnd_stream_header *header, size_t n_reserved, size_t n_bytes);

/* The rings are gone from the disk, and empty memory is in their place: recording is over.  In a handler, too. */
void tnd_thread_lose_rings(void);
bool tnd_thread_has_rings(void);

/* How many threads got no streams. */
uint32_t tnd_thread_refused(void);

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
