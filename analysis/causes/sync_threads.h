/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of OpenMP and pthread, for sync_reading.c.
 */
#ifndef TND_SYNC_THREADS_H
#define TND_SYNC_THREADS_H

#include "analysis/causes/sync_reading.h"

/* An event of another type than those of MPI. */
void tnd_sync_threads_see(TndSyncReading *reading, guint row, const TndEvent *event);

/* The row waits for work until time_ns, when it ends or gets some. */
void tnd_sync_threads_end_pool(TndSyncReading *reading, guint row, guint64 time_ns);

/* Must be called for the items of the array of regions. */
void tnd_sync_threads_clear_region(gpointer region);

#endif
