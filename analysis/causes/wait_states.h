/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wait states: the time that threads lost because others came late, where they lost it, and who caused it.
 *
 * An operation waits from its begin until the last thing that it waits for has begun on another row, which is late.
 * Who caused that is found by comparing both rows since they last met: what the late one did there, and the waiting one
 * did not, or less of it, is to blame, in proportion to its time.  Where the late one waited itself, those are to blame
 * whom it waited for.  The blame of a wait always adds up to its time.
 *
 * Cost: a pass over the operations in the order of time, a second for some five million of them (measured), and for
 * each wait a look at what both rows did since they met.
 * Memory: 40 bytes a wait (large_memory.h), and 20 KB a row.
 */
#ifndef TND_WAIT_STATES_H
#define TND_WAIT_STATES_H

#include "analysis/causes/sync_ops.h"

typedef enum {
    TND_WAIT_NONE,          /* for another thread */
    TND_WAIT_LATE_SENDER,   /* a receive, for a message that is not sent yet */
    TND_WAIT_WRONG_ORDER,   /* the same, while a message that was sent before waited to be received */
    TND_WAIT_LATE_RECEIVER, /* a send, for a receive that is not posted yet */
    TND_WAIT_N_TO_N,        /* a collective, for the last one to come */
    TND_WAIT_ONE_TO_N,      /* ..., for the root */
    TND_WAIT_N_TO_ONE,      /* ..., of the root, for the last one */
    TND_WAIT_MPI_BARRIER,
    TND_WAIT_BARRIER, /* of OpenMP or pthread */
    TND_WAIT_REGION_END,
    TND_WAIT_NO_REGION, /* a thread of OpenMP without a parallel region */
    TND_WAIT_LOCK,
    TND_WAIT_CONDITION,
    TND_WAIT_N_KINDS
} TndWaitKind;

/* "Late sender", ...; NULL behind the last one. */
extern const char *const tnd_wait_titles[TND_WAIT_N_KINDS + 1];

/* A wait: an operation, and the row that it waited for, which came at end_ns. */
typedef struct {
    guint64 begin_ns, end_ns;
    gsize op; /* of its row */
    guint32 cause_row;
    guint32 kind; /* a TndWaitKind */
} TndWait;

/* Sums. */
typedef struct {
    guint64 n;
    double lost_ns;
} TndWaitSum;

typedef struct {
    TndWaitKind kind;
    TndSyncPlace place; /* where is waited */
    TndWaitSum sum;
    guint32 worst_row; /* that waits most there */
    double worst_ns;
} TndWaiter;

typedef struct {
    guint32 row;
    TndSyncPlace place; /* what the row did, instead of coming */
    double lost_ns;     /* by others */
    double by_kind_ns[TND_WAIT_N_KINDS];
    double itself_ns; /* the row's whole time at this place */
} TndCulprit;

typedef struct TndWaitStates TndWaitStates;

/* Those of a trace, which are found on first use and kept with it. */
const TndWaitStates *tnd_wait_states_of(const TndTrace *trace);

/* NULL and error: progress (may be NULL) cancelled it. */
TndWaitStates *tnd_wait_states_new(const TndSyncOps *ops, TndTraceProgress progress, gpointer user_data,
                                   GError **error);
void tnd_wait_states_free(TndWaitStates *states);

const TndSyncOps *tnd_wait_states_ops(const TndWaitStates *states);
TndWaitSum tnd_wait_states_sum(const TndWaitStates *states, TndWaitKind kind);
TndWaitSum tnd_wait_states_all(const TndWaitStates *states);

/* The waits of a row, in the order of time. */
gsize tnd_wait_states_n(const TndWaitStates *states, guint row);
const TndWait *tnd_wait_states_at(const TndWaitStates *states, guint row, gsize index);

/* Who waits, and who made others wait for 1 ns at least, those with the most lost time first. */
const TndWaiter *tnd_wait_states_waiters(const TndWaitStates *states, guint *n);
const TndCulprit *tnd_wait_states_culprits(const TndWaitStates *states, guint *n);

/* The time that a row lost in waiting for another one. */
double tnd_wait_states_lost_ns(const TndWaitStates *states, guint row, guint cause_row);

#endif
