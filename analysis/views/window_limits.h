/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a window of a configuration shows of a trace: a stretch of time, rows, and events by their labels.
 */
#ifndef TND_WINDOW_LIMITS_H
#define TND_WINDOW_LIMITS_H

#include "analysis/cfg/cfg.h"

/* The stretch of time in ns, which Paraver does not round: a percentage of the trace's time may not be a whole number.
 */
void tnd_window_limits_time(const TndTrace *trace, const TndCfgWindow *window, double *begin_ns, double *end_ns);

/* For each row of the window's level whether it is selected.  looks_up: the objects that it belongs to have to be
 * selected as well.  Free with g_free. */
gboolean *tnd_window_limits_rows(const TndTrace *trace, const TndCfgWindow *window, gboolean looks_up);

/* The numbers of a filter of event types or values.  Where the file gives labels, and the trace has them, they are the
 * trace's numbers.  Free numbers->values with g_free.  FALSE and error: there are not as many labels as numbers. */
gboolean tnd_window_limits_events(const TndTrace *trace, const TndCfgWindow *window, TndFilterKind kind,
                                  TndNumbers *numbers, GError **error);

#endif
