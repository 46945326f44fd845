/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages in a picture of a timeline: which ones, what its caption says of them, and their lines.
 */
#ifndef TND_TIMELINE_MESSAGES_H
#define TND_TIMELINE_MESSAGES_H

#include "viewer/paint/timeline_inside.h"

/* In this order; the canvas' x and width are known before. */
void tnd_timeline_messages_find(TndTimeline *timeline);
void tnd_timeline_messages_append(const TndTimeline *timeline, GString *caption);
void tnd_timeline_messages_paint(const TndTimeline *timeline, cairo_t *cr);

#endif
