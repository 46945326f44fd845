/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user has marked in the timelines: a stretch of time, and notes at a time and a row, which are small flags.
 * They are drawn over the picture, of a window as of a file.
 *
 * Cost: none that depends on the trace.
 */
#ifndef TND_MARKS_H
#define TND_MARKS_H

#include "viewer/paint/lane_stack.h"

typedef struct {
    guint64 time_ns;
    TndLevel level;
    guint row;  /* of the level */
    char *text; /* "": it is a bookmark */
} TndNote;

typedef struct {
    guint64 begin_ns, end_ns; /* equal: no stretch of time is marked */
    GArray *notes;            /* of TndNote, by time */
} TndMarks;

enum { TND_MARKS_FLAG = 9 }; /* pixels: the width and the height of a flag, whose lower left corner is its place */

void tnd_marks_paint(const TndMarks *marks, const TndLaneStack *stack, TndTheme theme, cairo_t *cr);

/* The row of a timeline that a note is drawn in: its own, or the one above it.  FALSE: the timeline's rows are others,
 * or the row is hidden. */
gboolean tnd_marks_find_row(const TndNote *note, const TndView *view, guint *row);

/* Says how long [begin_ns, end_ns) is, in the middle of what is seen of it. */
void tnd_marks_paint_length(const TndTimeline *timeline, guint64 begin_ns, guint64 end_ns, TndTheme theme, cairo_t *cr);

#endif
