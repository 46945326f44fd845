/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The legend under a timeline: the codes that occur, the gradient with its ends, or what lines span.
 */
#ifndef TND_LEGEND_H
#define TND_LEGEND_H

#include "viewer/paint/cells.h"
#include "viewer/paint/text.h"
#include "viewer/paint/value_axis.h"

typedef struct {
    GArray *swatches;      /* TndLegendSwatch */
    TndRectangle gradient; /* width 0: none */
    double height;
} TndLegend;

typedef struct {
    TndRectangle box;
    guint32 colour;
} TndLegendSwatch;

/* Lays it out from `top` down over at most `most_lines`; its texts go to `texts`. */
TndLegend tnd_legend_new(TndView *view, const TndCells *cells, const TndPaletteScale *scale, double left, double width,
                         guint most_lines, GArray *texts);
/* Of lines: what each row spans. */
TndLegend tnd_legend_of_lines(TndView *view, const TndValueAxis *axis, double left, double width, GArray *texts);
double tnd_legend_line_height(void);
/* Moves it: a legend's height must be known before its place is. */
void tnd_legend_move(TndLegend *legend, double down);
void tnd_legend_paint(const TndLegend *legend, cairo_t *cr);
void tnd_legend_clear(TndLegend *legend);

#endif
