/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The legend under a timeline: the codes that occur, the gradient with its ends, or the range of the axis of lines.
 */
#ifndef TND_LEGEND_H
#define TND_LEGEND_H

#include "viewer/paint/cells.h"
#include "viewer/paint/text.h"
#include "viewer/paint/value_axis.h"

typedef struct {
    GArray *swatches;      /* of TndLegendSwatch */
    TndRectangle gradient; /* width 0: there is no gradient */
    double height;
    TndColours colours; /* of the gradient */
} TndLegend;

typedef struct {
    TndRectangle box;
    guint32 colour;
    double width; /* with its text; 0: it stands for no single value */
    double value;
} TndLegendSwatch;

/* Lays out the legend in at most `most_lines` lines, the first at y 0, and appends its texts to `texts`. */
TndLegend tnd_legend_new(TndView *view, const TndCells *cells, const TndPaletteScale *scale, double left, double width,
                         guint most_lines, GArray *texts);
/* The legend of a timeline that is drawn as lines: the range of each row's axis. */
TndLegend tnd_legend_of_lines(TndView *view, const TndValueAxis *axis, double left, double width, GArray *texts);
/* Adds a line: what the lines over the cells are, and the range of each row's axis. */
void tnd_legend_add_over(TndLegend *legend, TndView *view, const TndValueAxis *axis, double left, double width,
                         GArray *texts);
/* The text of a value in legends, at the pointer and in details; NaN is no value.  Free with g_free. */
char *tnd_legend_text(const TndView *view, double value);
void tnd_legend_paint_gradient(TndColours colours, TndRectangle bar, cairo_t *cr);
/* One empty line, for a timeline without values. */
TndLegend tnd_legend_of_nothing(void);
double tnd_legend_line_height(void);
/* Moves it down by so many pixels: its height is needed before its place is known. */
void tnd_legend_move(TndLegend *legend, double down);
/* The value whose swatch or text is at a place; FALSE: there is none. */
gboolean tnd_legend_find(const TndLegend *legend, double x, double y, double *value);
void tnd_legend_paint(const TndLegend *legend, cairo_t *cr);
void tnd_legend_clear(TndLegend *legend);

#endif
