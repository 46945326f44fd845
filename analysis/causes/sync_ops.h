/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What synchronises the threads of a run: for each row the calls and waits in which it may wait for others, and whom
 * for.  Each is an operation; an operation may wait for the messages that are received in it (message_table.h), and for
 * a group: operations of other rows that must have begun.  A collective call is a group, and so is a barrier, the end
 * of a parallel region, its begin (for the threads that wait for work), and the release of a lock that another thread
 * waits for.  Replay (replay.h), wait states (wait_states.h) and the critical path (critical_path.h) are made of this.
 *
 * In the trace, nothing ends before what it waited for has begun.  What a trace says otherwise (clocks of nodes that
 * disagree, or a wrong guess at whom a lock was waited for) is no dependence: tnd_sync_ops_group_of.
 *
 * Cost: one pass over the events of these types.  Memory: 40 bytes an operation, in an unnamed file if there are many
 * (large_memory.h).
 */
#ifndef TND_SYNC_OPS_H
#define TND_SYNC_OPS_H

#include "analysis/causes/message_table.h"

typedef enum {
    TND_SYNC_MPI,        /* an MPI call; `call` says which */
    TND_SYNC_BARRIER,    /* waits at a barrier of OpenMP or of pthread */
    TND_SYNC_REGION_END, /* has ended its part of a parallel region, and waits for the others */
    TND_SYNC_POOL,       /* a thread of OpenMP that waits for a region */
    TND_SYNC_FORK,       /* begins a parallel region */
    TND_SYNC_LOCK,       /* waits for a lock, of OpenMP or of pthread */
    TND_SYNC_SIGNAL,     /* unlocks, or signals a condition or a semaphore, that another thread waits for */
    TND_SYNC_CONDITION,  /* waits for a condition or a semaphore */
    TND_SYNC_LIFE_END,   /* a process ends, which threads wait for that have no work any more */
    TND_SYNC_N_KINDS
} TndSyncKind;

typedef struct {
    guint64 begin_ns, end_ns;
    guint32 arrives, waits; /* the group that waits for this, and the one that this waits for; 0: none */
    guint32 path;           /* index of its call path */
    guint16 call;           /* of MPI: index of the call */
    guint8 kind;            /* a TndSyncKind */
} TndSyncOp;

typedef struct {
    guint64 last_ns;    /* when the last operation that it waits for began */
    guint64 size_bytes; /* of a collective: the most bytes of a member */
    guint32 last_row;   /* whose that was */
    guint32 n_arrivals; /* how many operations it waits for */
    guint32 n_members;  /* of a collective: how many called it */
} TndSyncGroup;

typedef struct {
    guint32 type; /* of the event */
    gint64 value;
    guint properties; /* as in mpi_class.h */
} TndSyncCall;

/* A frame of a call path: values of events of the types, whose labels are the function and the line. */
typedef struct {
    guint32 function_type, line_type;
    gint64 function, line;
} TndSyncFrame;

typedef struct {
    const TndSyncFrame *frames; /* the innermost first */
    guint n_frames;
} TndSyncPath;

typedef struct TndSyncOps TndSyncOps;

/* NULL and error: progress (may be NULL) cancelled it. */
TndSyncOps *tnd_sync_ops_new(const TndTrace *trace, TndTraceProgress progress, gpointer user_data, GError **error);
void tnd_sync_ops_free(TndSyncOps *ops);

const TndTrace *tnd_sync_ops_trace(const TndSyncOps *ops);
const TndMessageTable *tnd_sync_ops_messages(const TndSyncOps *ops);

/* The operations of a row, in the order of time; none overlaps the next one. */
gsize tnd_sync_ops_n(const TndSyncOps *ops, guint row);
const TndSyncOp *tnd_sync_ops_at(const TndSyncOps *ops, guint row, gsize index);

const TndSyncGroup *tnd_sync_ops_group(const TndSyncOps *ops, guint32 group);
guint tnd_sync_ops_n_groups(const TndSyncOps *ops); /* they are numbered from 1 to this */

/* The group that an operation waited for; NULL: it waited for none. */
const TndSyncGroup *tnd_sync_ops_group_of(const TndSyncOps *ops, const TndSyncOp *op);

const TndSyncCall *tnd_sync_ops_call(const TndSyncOps *ops, const TndSyncOp *op); /* NULL: it is not of MPI */
TndSyncPath tnd_sync_ops_path(const TndSyncOps *ops, guint32 path);

/* A place of the program: what comes before an operation, or in it; the same for all rows.  Operations of one kind,
 * call and path have one place. */
typedef guint64 TndSyncPlace;
static inline TndSyncPlace tnd_sync_ops_place(const TndSyncOp *op, gboolean is_within)
{
    return (guint64)(is_within != 0) << 63 | (guint64)op->kind << 48 | (guint64)op->call << 32 | op->path;
}

/* Whether it is what the program does before an operation, which it could do faster; 0 is the end. */
static inline gboolean tnd_sync_ops_place_is_code(TndSyncPlace place)
{
    return place && !(place >> 63);
}
static inline guint32 tnd_sync_ops_place_path(TndSyncPlace place)
{
    return (guint32)place;
}

/* "before MPI_Send in step (app.c:12)"; "before the end" for the place 0.  Free with g_free. */
char *tnd_sync_ops_place_text(const TndSyncOps *ops, TndSyncPlace place, guint n_frames);

/* "MPI_Recv", "barrier". */
const char *tnd_sync_ops_name(const TndSyncOps *ops, const TndSyncOp *op);

/* "solve (app.c:12) < main (app.c:40)", at most n_frames of them, and no callers of main; "": it has none.  Free with
 * g_free. */
char *tnd_sync_ops_path_text(const TndSyncOps *ops, guint32 path, guint n_frames);

/* The time from when the last process leaves MPI_Init until the first one enters MPI_Finalize.  FALSE: there is none.
 */
gboolean tnd_sync_ops_run(const TndSyncOps *ops, guint64 *begin_ns, guint64 *end_ns);

#endif
