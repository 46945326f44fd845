/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a row of a view: those that it reads or, if it is about states, messages or other views, all.  Rows of
 * CPUs have none.
 */
#ifndef TND_VIEW_EVENTS_H
#define TND_VIEW_EVENTS_H

#include "analysis/views/view.h"

/* How many events the blocks have that may have any in [begin_ns, end_ns): at least as many as there are. */
guint64 tnd_view_events_most(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns);

/* Calls take with the time of each event in [begin_ns, end_ns), thread by thread.  Cost: 6 to 9 ns an event. */
typedef void (*TndViewEventsTake)(guint64 time_ns, gpointer data);
void tnd_view_events_each(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns, TndViewEventsTake take,
                          gpointer data);

#endif
