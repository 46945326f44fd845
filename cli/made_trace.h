/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line that a command prints of a trace that it has made of something else.
 */
#ifndef TND_MADE_TRACE_H
#define TND_MADE_TRACE_H

#include <glib.h>

typedef struct {
    const char *output, *aside; /* aside: where the trace is now that had the name; NULL: there was none */
    guint64 n_rows, n_states, n_events, n_messages, end_ns;
} TndMadeTrace;

/* On standard output. */
void tnd_made_trace_print(const TndMadeTrace *made);

#endif
