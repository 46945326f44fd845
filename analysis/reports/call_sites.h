/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long threads are in calls of MPI and in waits of OpenMP and of pthread, by call and by where it was called.
 *
 * Cost: one pass over the operations.
 */
#ifndef TND_CALL_SITES_H
#define TND_CALL_SITES_H

#include "analysis/causes/sync_ops.h"

/* Over all rows. */
typedef struct {
    char *where; /* "in MPI_Recv in step (app.c:12)" */
    guint64 n, time_ns;
    guint32 worst_row; /* the row that spends most of the time */
    guint64 worst_ns;
} TndCallSite;

/* TndCallSite, the most time first, without those that took none.  n_frames: how many callers a site is told by; those
 * with the same ones are one.  Free with g_array_unref. */
GArray *tnd_call_sites_new(const TndSyncOps *ops, guint n_frames);

#endif
