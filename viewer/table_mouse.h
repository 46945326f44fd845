/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mouse in the table of a histogram: a click lights the bursts of a cell, a drag across columns those of their
 * values, which become those of all columns.
 */
#ifndef TND_TABLE_MOUSE_H
#define TND_TABLE_MOUSE_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* picture: where the table that was painted last stands; NULL stands there if there is none. */
void tnd_table_mouse_connect(GtkWidget *canvas, TndSession *session, TndHistogramTable *const *picture);

void tnd_table_mouse_draw_over(GtkWidget *canvas, cairo_t *cr); /* the columns that are being dragged over */

#endif
