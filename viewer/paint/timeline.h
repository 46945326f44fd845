/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a timeline: title, rows with labels, cells or lines, messages, ruler, legend.  It is laid out once for
 * a size, then painted any number of times, on a window or into a file.  It also converts between coordinates and times
 * or rows.
 *
 * What it is not: it knows nothing of windows, of the mouse and of the history of zooms.
 */
#ifndef TND_TIMELINE_H
#define TND_TIMELINE_H

#include "viewer/paint/look.h"
#include "viewer/paint/palette.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndTimeline TndTimeline;

typedef enum {
    TND_MESSAGES_FITTING, /* if they are few enough to leave the cells visible */
    TND_MESSAGES_ALL,
    TND_MESSAGES_NONE,
} TndMessagesShown;

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;  /* begin < end */
    guint first_row, last_row; /* both are shown */
    TndMessagesShown messages;
    gboolean fits_scale; /* the gradient or the axis of lines spans the values that are shown, not the trace's */
    TndLook look;
    TndDraw draw;                 /* lines are drawn only if the values are no codes and rows are high enough */
    const TndPaletteScale *scale; /* the view's; NULL: it is computed, which evaluates all rows */
} TndTimelineSubject;

enum {
    TND_TIMELINE_MESSAGE_WIDTH = 3,    /* pixels of the canvas' width per message; with less they do not fit */
    TND_TIMELINE_MOST_MESSAGES = 5000, /* of more messages only every n-th is drawn */
};

/* zoom: device pixels per unit (2 on a dense display). */
TndTimeline *tnd_timeline_new(const TndTimelineSubject *subject, double width, double height, double zoom);
void tnd_timeline_free(TndTimeline *timeline);

void tnd_timeline_paint(const TndTimeline *timeline, cairo_t *cr);

/* Where the cells are; and conversions between its coordinates and times or rows. */
TndRectangle tnd_timeline_canvas(const TndTimeline *timeline);
double tnd_timeline_x(const TndTimeline *timeline, guint64 time_ns);
guint64 tnd_timeline_time(const TndTimeline *timeline, double x); /* clamped to the time that is shown */
guint tnd_timeline_row(const TndTimeline *timeline, double y);    /* clamped to the rows that are shown */
/* The row and a time of the burst that the pixel at a point shows, if it covers several. */
void tnd_timeline_find(const TndTimeline *timeline, double x, double y, guint *row, guint64 *time_ns);
gboolean tnd_timeline_contains(const TndTimeline *timeline, double x, double y);
/* Whether the visible messages are few enough for TND_MESSAGES_FITTING. */
gboolean tnd_timeline_messages_fit(const TndTimeline *timeline);
void tnd_timeline_row_span(const TndTimeline *timeline, guint row, double *top, double *bottom);

/* For tests: all texts (TndText), and the areas that no text may cover (TndRectangle): canvas, swatches, gradient. */
const GArray *tnd_timeline_texts(const TndTimeline *timeline);
const GArray *tnd_timeline_boxes(const TndTimeline *timeline);

#endif
