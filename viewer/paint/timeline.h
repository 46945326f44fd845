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

#include "viewer/paint/lit_bursts.h"
#include "viewer/paint/look.h"
#include "viewer/paint/message_choice.h"
#include "viewer/paint/palette.h"
#include "viewer/paint/row_order.h"
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
    guint first_row, last_row; /* places of `order`, both are shown; without an order, rows */
    TndMessagesShown messages;
    const TndMessageChoice *message_choice; /* NULL: all */
    gboolean shows_flags;                   /* where events are */
    gboolean fits_scale; /* the gradient or the axis of lines spans the values that are shown, not the trace's */
    TndLook look;
    TndDraw draw;                      /* lines are drawn only if the values are no codes and rows are high enough */
    const TndPaletteScale *scale;      /* the view's; NULL: it is computed, which evaluates all rows */
    TndView *over;                     /* quantities of the same level, as lines over the cells; NULL: none */
    const TndPaletteScale *over_scale; /* of `over`; NULL: it is computed */
    const TndRowOrder *order;          /* NULL: all rows in the trace's order */
    const TndLitBursts *lit;           /* only these bursts are bright; NULL: all are */
    const char *note;       /* shown in place of the values, of which none is read; NULL: the values are shown */
    double top;             /* the y at which it begins, if others are above it */
    gboolean is_compact;    /* title and caption share a line */
    gboolean without_trace; /* the trace is not named */
    gboolean without_ruler;
    gboolean is_apart; /* one of several, with a stretch of time and rows of its own */
} TndTimelineSubject;

enum {
    TND_TIMELINE_MESSAGE_WIDTH = 3,    /* pixels of the canvas' width per message; with less they do not fit */
    TND_TIMELINE_MESSAGE_HEIGHT = 600, /* in one of several timelines that is half as high, half as many fit */
    TND_TIMELINE_MOST_MESSAGES = 5000, /* of more messages only every n-th is drawn */
    TND_TIMELINE_MOST_ROW = 60,        /* pixels of a row of cells; what is more stays free below */
    TND_TIMELINE_CORNER = 20,          /* pixels that a compact head leaves free at its right end, for a button */
};

/* zoom: device pixels per unit (2 on a dense display). */
TndTimeline *tnd_timeline_new(const TndTimelineSubject *subject, double width, double height, double zoom);
void tnd_timeline_free(TndTimeline *timeline);

/* The same in two steps, for timelines that are to begin at the same x: the first one finds out how much room the
 * labels need, the second one lays out the rest.  `left`: the largest tnd_timeline_left of all of them. */
TndTimeline *tnd_timeline_start(const TndTimelineSubject *subject, double width, double height);
double tnd_timeline_left(const TndTimeline *timeline);
void tnd_timeline_finish(TndTimeline *timeline, double left, double zoom);

double tnd_timeline_ruler_height(void);

/* With more height, rows get no higher; rows of lines have no limit. */
double tnd_timeline_most_height(const TndTimelineSubject *subject);

void tnd_timeline_paint(const TndTimeline *timeline, cairo_t *cr);

const TndView *tnd_timeline_view(const TndTimeline *timeline);

/* Where the cells are; and conversions between its coordinates and times or rows. */
TndRectangle tnd_timeline_canvas(const TndTimeline *timeline);
double tnd_timeline_x(const TndTimeline *timeline, guint64 time_ns);
guint64 tnd_timeline_time(const TndTimeline *timeline, double x); /* clamped to the time that is shown */
guint tnd_timeline_row(const TndTimeline *timeline, double y);    /* the first of its line; clamped to what is shown */
guint tnd_timeline_last_row(const TndTimeline *timeline, double y); /* the last one of its line */
/* The row and a time of the burst that the pixel at a point shows, if it covers several. */
void tnd_timeline_find(const TndTimeline *timeline, double x, double y, guint *row, guint64 *time_ns);
gboolean tnd_timeline_contains(const TndTimeline *timeline, double x, double y);
/* The message whose line is at a point; the nearest, if there are several.  FALSE: there is none. */
gboolean tnd_timeline_find_message(const TndTimeline *timeline, double x, double y, TndMessage *message);
/* Draws the line of such a message so that it stands out. */
void tnd_timeline_paint_message(const TndTimeline *timeline, const TndMessage *message, cairo_t *cr);
/* Whether the visible messages are few enough for TND_MESSAGES_FITTING. */
gboolean tnd_timeline_messages_fit(const TndTimeline *timeline);
/* FALSE: the row is hidden.  One that is scrolled away is above or below the canvas. */
gboolean tnd_timeline_row_span(const TndTimeline *timeline, guint row, double *top, double *bottom);

/* The label of a process or node (by level) at a place, and the first of the rows beside it.  FALSE: there is none. */
gboolean tnd_timeline_find_legend(const TndTimeline *timeline, double x, double y, double *value);
gboolean tnd_timeline_find_parent(const TndTimeline *timeline, double x, double y, TndLevel *level, guint *row);

/* For tests: all texts (TndText), and the areas that no text may cover (TndRectangle): canvas, swatches, gradient. */
const GArray *tnd_timeline_texts(const TndTimeline *timeline);
const GArray *tnd_timeline_boxes(const TndTimeline *timeline);

#endif
