/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget of a histogram: a chooser of the statistic, and the table, scrolled by rows and columns with its heads and
 * totals always in sight.  It is summed up beside the window's thread, with a bar if that takes long.
 */
#ifndef TND_TABLE_AREA_H
#define TND_TABLE_AREA_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_table_area_new(TndSession *session);

/* The session's view is prepared now: shows its histogram, or sees to it that it is made. */
void tnd_table_area_refresh(GtkWidget *area);

/* The table that was painted last, for tests: its texts; NULL: none is to be seen. */
const TndHistogramTable *tnd_table_area_picture(GtkWidget *area);

/* Before the session's trace goes: returns when nothing looks at it any more. */
void tnd_table_area_stop(GtkWidget *area);

#endif
