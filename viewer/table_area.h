/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget of a histogram: choosers of the statistic and the plane, and the table, which scrolls by rows and columns
 * while its heads and totals stay visible.  The table is made in a thread of its own, with a progress bar if that takes
 * long.
 */
#ifndef TND_TABLE_AREA_H
#define TND_TABLE_AREA_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_table_area_new(TndSession *session);

/* To be called when the session's view is prepared: shows its histogram, or starts to make it. */
void tnd_table_area_refresh(GtkWidget *area);

/* For tests: the table that was painted last, for its texts; NULL: none is visible. */
const TndHistogramTable *tnd_table_area_picture(GtkWidget *area);

/* To be called before the session's trace is freed: returns when no thread reads it any more. */
void tnd_table_area_stop(GtkWidget *area);

#endif
