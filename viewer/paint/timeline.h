/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a timeline: title, rows with labels, cells or lines, messages, ruler, legend.  Laid out once for a
 * size, then painted any number of times, on a window or into a file; what is under a pixel can be asked.
 *
 * What it is not: it knows no window, no mouse and no history of zooms.
 */
#ifndef TND_TIMELINE_H
#define TND_TIMELINE_H

#include "viewer/paint/palette.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndTimeline TndTimeline;

typedef enum {
    TND_MESSAGES_FITTING, /* while they are few enough to see what is under them */
    TND_MESSAGES_ALL,
    TND_MESSAGES_NONE,
} TndMessagesShown;

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;  /* begin < end */
    guint first_row, last_row; /* both are shown */
    TndMessagesShown messages;
    gboolean fits_scale;          /* the gradient, or the axis of lines, spans what is shown, not the whole trace */
    TndDraw draw;                 /* lines only where values are no codes and rows are high enough */
    const TndPaletteScale *scale; /* the view's, if it is known: finding it asks all rows */
} TndTimelineSubject;

enum {
    TND_TIMELINE_MESSAGE_WIDTH = 3,    /* pixels of the canvas that each message must have to be of the fitting */
    TND_TIMELINE_MOST_MESSAGES = 5000, /* lines; of more, every n-th is drawn */
};

/* zoom: device pixels per unit (2 on a dense display). */
TndTimeline *tnd_timeline_new(const TndTimelineSubject *subject, double width, double height, double zoom);
void tnd_timeline_free(TndTimeline *timeline);

void tnd_timeline_paint(const TndTimeline *timeline, cairo_t *cr);

/* Where the cells are; between the canvas and time, rows. */
TndRectangle tnd_timeline_canvas(const TndTimeline *timeline);
double tnd_timeline_x(const TndTimeline *timeline, guint64 time_ns);
guint64 tnd_timeline_time(const TndTimeline *timeline, double x); /* clamped to what is shown */
guint tnd_timeline_row(const TndTimeline *timeline, double y);    /* clamped */
gboolean tnd_timeline_contains(const TndTimeline *timeline, double x, double y);
/* Whether the messages in sight are few enough for TND_MESSAGES_FITTING. */
gboolean tnd_timeline_messages_fit(const TndTimeline *timeline);
void tnd_timeline_row_span(const TndTimeline *timeline, guint row, double *top, double *bottom);

/* For tests: every text (TndText), and the boxes that nothing else may cover (TndRectangle: canvas, legend swatches).
 */
const GArray *tnd_timeline_texts(const TndTimeline *timeline);
const GArray *tnd_timeline_boxes(const TndTimeline *timeline);

#endif
