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

#endif
