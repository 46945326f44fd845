/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a window shows of a trace: from when to when, which rows, which events by their labels.  For windows.c and those
 * who ask it.
 */
#ifndef TND_WINDOW_LIMITS_H
#define TND_WINDOW_LIMITS_H

#include "analysis/cfg/cfg.h"

/* In ns, which Paraver does not round: a share of the trace's time may begin between two of them. */
void tnd_window_limits_time(const TndTrace *trace, const TndCfgWindow *window, double *begin_ns, double *end_ns);

/* One for each row of the window's level, TRUE: it is selected.  looks_up: and what it belongs to is, too.  Free with
 * g_free. */
gboolean *tnd_window_limits_rows(const TndTrace *trace, const TndCfgWindow *window, gboolean looks_up);

/* Numbers of event types or values, where the file gives labels and the trace has them: by the trace's.  FALSE and
 * error if there are not as many labels as numbers.  The values are to be freed. */
gboolean tnd_window_limits_events(const TndTrace *trace, const TndCfgWindow *window, TndFilterKind kind,
                                  TndNumbers *numbers, GError **error);

#endif
