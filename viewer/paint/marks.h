/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user has marked in the timelines: a stretch of time.  It is drawn over the picture, of a window as of a
 * file.
 *
 * Cost: none that depends on the trace.
 */
#ifndef TND_MARKS_H
#define TND_MARKS_H

#include "viewer/paint/lane_stack.h"

typedef struct {
    guint64 begin_ns, end_ns; /* equal: no stretch of time is marked */
} TndMarks;

void tnd_marks_paint(const TndMarks *marks, const TndLaneStack *stack, TndTheme theme, cairo_t *cr);

/* Says how long [begin_ns, end_ns) is, in the middle of what is seen of it. */
void tnd_marks_paint_length(const TndTimeline *timeline, guint64 begin_ns, guint64 end_ns, TndTheme theme, cairo_t *cr);

#endif
