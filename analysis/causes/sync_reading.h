/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the operations of a process.  What is known meanwhile is only for sync_reading.c, which walks over the events
 * and sees those of MPI, and sync_threads.c, which sees those of OpenMP and pthread.
 */
#ifndef TND_SYNC_READING_H
#define TND_SYNC_READING_H

#include "analysis/causes/sync_store.h"
#include "analysis/trace/walk.h"

#define TND_SYNC_MOST_OPEN 16
#define TND_SYNC_MOST_FRAMES 99

typedef struct {
    guint32 type; /* of the event that began it */
    TndSyncOp op;
    guint properties;
    gint64 communicator;
    guint64 size_bytes;
    gboolean is_root;
} TndSyncOpen;

typedef struct {
    TndWalk walk;
    TndEvent event; /* the next one */
    guint n_open;
    TndSyncOpen *open;    /* [TND_SYNC_MOST_OPEN]; NULL until the first one */
    TndSyncFrame *frames; /* [TND_SYNC_MOST_FRAMES]; NULL until the first one */
    guint n_frames;
    guint32 pending;   /* the group of the last nonblocking collective that was not waited for; 0: none */
    gsize received;    /* among the messages that the row receives: the first that may be received later on */
    guint32 region;    /* whose part it runs; 0: none */
    TndSyncFrame part; /* the function and line of that */
} TndSyncReadingRow;

typedef struct {
    guint32 number, fork; /* its number, and the group of the threads that it wakes */
    guint row;            /* of the thread that began it */
    guint64 begin_ns;
    GArray *ended; /* TndSyncPart */
} TndSyncRegion;

typedef struct {
    guint row;
    guint64 end_ns;
    guint32 path;
} TndSyncPart;

/* The last signal to threads that wait for something of a kind. */
typedef struct {
    guint32 group;
    guint row;
    guint64 time_ns;
} TndSyncSignal;
enum {
    TND_SYNC_OF_NAMED_LOCK,
    TND_SYNC_OF_UNNAMED_LOCK,
    TND_SYNC_OF_PTHREAD_LOCK,
    TND_SYNC_OF_CONDITION,
    TND_SYNC_N_SIGNALS
};

typedef struct {
    TndSyncOps *ops;
    GHashTable *communicators; /* application and number, to the GArray of the groups of its collectives */
    guint32 n_regions;
    /* Of the current process: */
    guint first, end;
    TndSyncReadingRow *rows;
    GHashTable *n_collectives; /* communicator, to how many collectives of it were called */
    GArray *regions;           /* TndSyncRegion: those that are open, the last to begin last */
    TndSyncSignal signals[TND_SYNC_N_SIGNALS];
    guint32 life_end;     /* the group of threads that wait for the end of the process; 0: none yet */
    guint64 pools_end_ns; /* when the first of those ends */
} TndSyncReading;

static inline TndSyncOpen *tnd_sync_reading_top(TndSyncReadingRow *row)
{
    return row->n_open ? &row->open[row->n_open - 1] : NULL;
}

/* Appends an operation, which begins no earlier than the last one ended; what is open on the row waits only after it.
 */
void tnd_sync_reading_emit(TndSyncReading *reading, guint row, TndSyncOp op);

/* An event begins an operation. */
void tnd_sync_reading_begin(TndSyncReading *reading, TndSyncReadingRow *row, const TndEvent *event, TndSyncKind kind);

/* The innermost open operation that an event of this type began, after those within it were dropped; NULL: none. */
TndSyncOpen *tnd_sync_reading_find(TndSyncReadingRow *row, guint32 type);

/* Finds the operations of the rows from first to end, which are those of a process. */
TndSyncReading *tnd_sync_reading_new(TndSyncOps *ops);
void tnd_sync_reading_free(TndSyncReading *reading);
void tnd_sync_reading_run(TndSyncReading *reading, guint first, guint end);

#endif
