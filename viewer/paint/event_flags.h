/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flags at the tops of the rows of a timeline, where their events are: those that the view reads or, if it reads none,
 * all.  Events of one pixel column have one flag.
 *
 * Cost: 10 ns for each event of the rows in the stretch of time, on all cores; none is read if there are too many.
 */
#ifndef TND_EVENT_FLAGS_H
#define TND_EVENT_FLAGS_H

#include "viewer/paint/row_order.h"
#include "viewer/paint/text.h"

#include "analysis/views/view.h"

enum {
    TND_EVENT_FLAGS_LEAST_ROW = 12, /* pixels; lower rows have no flags */
    TND_EVENT_FLAGS_MOST = 1000000, /* events that are read */
    TND_EVENT_FLAGS_INK = 0x7dff6b,
};

typedef struct {
    guint n_lines, n_columns;
    gboolean *are_there; /* [line * n_columns + column]; NULL: there are too many */
    guint64 n;           /* events, or about how many, if there are too many */
} TndEventFlags;

/* first_row and last_row are places of the order, if there is one.  Rows of CPUs have no events. */
TndEventFlags *tnd_event_flags_new(TndView *view, const TndRowOrder *order, guint64 begin_ns, guint64 end_ns,
                                   guint first_row, guint last_row, guint n_columns);
void tnd_event_flags_free(TndEventFlags *flags); /* NULL is allowed */

void tnd_event_flags_paint(const TndEventFlags *flags, cairo_t *cr, TndRectangle canvas);

#endif
