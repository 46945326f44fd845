/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lights the bursts of a cell of a histogram, that is, of a row and of some values: all else is dimmed.  Those of some
 * columns, in every row, are lit by their colours (palette.h).
 *
 * Cost: 4 ns for each burst of the row in the stretch of time that is shown.
 */
#ifndef TND_LIT_BURSTS_H
#define TND_LIT_BURSTS_H

#include "analysis/views/view.h"
#include "viewer/paint/text.h"

typedef struct {
    guint row;             /* G_MAXUINT: every row */
    double least, largest; /* values of the bursts, both included */
    gboolean are_others;   /* of every row: the bursts of all other values are lit instead */
} TndLitBursts;

/* Dims the canvas of [begin_ns, end_ns) but for these bursts, whose row is from top to bottom. */
void tnd_lit_bursts_paint(const TndLitBursts *lit, TndView *view, guint64 begin_ns, guint64 end_ns, TndRectangle canvas,
                          double top, double bottom, cairo_t *cr);

void tnd_lit_bursts_dim(TndRectangle canvas, cairo_t *cr); /* all of it: the row is hidden */

#endif
