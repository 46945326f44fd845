/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The row of buttons above the histogram: statistic, plane, colours, CSV.
 */
#ifndef TND_TABLE_TOOLS_H
#define TND_TABLE_TOOLS_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_table_tools_new(TndSession *session);

/* To be called when the histogram was made: its planes and its statistic are known now. */
void tnd_table_tools_follow(GtkWidget *tools);

#endif
