/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work on all cores: items that do not know of each other.
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

/* Tells somebody how far it is; FALSE: it shall end. */
typedef gboolean (*TndCoresProgress)(double fraction, gpointer user_data);

/* Of work in several runs with n_items in all, whose progress is called after each by one thread at a time. */
typedef struct TndCoresTeller TndCoresTeller;
TndCoresTeller *tnd_cores_teller_new(TndCoresProgress progress, gpointer user_data, guint64 n_items);
void tnd_cores_teller_free(TndCoresTeller *teller);

/* tnd_cores_run for somebody who is told; NULL: for nobody.  FALSE: progress ended this run or one before; then nothing
 * was done for those items that were left. */
gboolean tnd_cores_run_telling(TndCoresTeller *teller, guint n_items, void (*work)(guint item, gpointer data),
                               gpointer data);

#endif
