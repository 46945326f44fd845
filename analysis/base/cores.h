/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs independent items of work on all cores.
 *
 * Cost: a thread a core is started and ended, some 50 us; nothing where there is one item, or one core.  On a busy
 * machine nobody waits for a thread to get a core.
 */
#ifndef TND_CORES_H
#define TND_CORES_H

#include <glib.h>

/* Calls work for each item of 0..n_items-1, in any order, by several threads at once; returns when all are done.  A
 * thread that came too late for any may still be there then, for a moment. */
void tnd_cores_run(guint n_items, void (*work)(guint item, gpointer data), gpointer data);

/* Is told which fraction of the work is done.  FALSE: the work is to be cancelled. */
typedef gboolean (*TndProgressCallback)(double fraction, gpointer user_data);

/* The progress of work that consists of one or several runs with n_items in all.  The callback is called after each
 * item, by one thread at a time, and no more after it has cancelled. */
typedef struct TndCoresProgress TndCoresProgress;
TndCoresProgress *tnd_cores_progress_new(TndProgressCallback callback, gpointer user_data, guint64 n_items);
void tnd_cores_progress_free(TndCoresProgress *progress);

/* Like tnd_cores_run, and reports to `progress` (NULL: no reports).  FALSE: the callback cancelled this run or an
 * earlier one; the items that were left are not done. */
gboolean tnd_cores_run_with_progress(TndCoresProgress *progress, guint n_items, void (*work)(guint item, gpointer data),
                                     gpointer data);

#endif
