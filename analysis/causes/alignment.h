/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By which moment two traces are laid beside each other (trace_join.h): that of each trace at which the same begins.
 *
 * Cost: a walk over the events of a type; for iterations, that of phases.h.
 */
#ifndef TND_ALIGNMENT_H
#define TND_ALIGNMENT_H

#include "analysis/trace/trace.h"

/* What the texts of alignments may be. */
#define TND_ALIGNMENT_TAKES                                                                                            \
    "start, iteration (the first one of the longest phase), or an event TYPE[:VALUE], where VALUE is a number or a "   \
    "label"

/* The moment of a trace that an alignment names.  FALSE and error: it is none (G_IO_ERROR_INVALID_ARGUMENT), the trace
 * has no such moment (G_IO_ERROR_NOT_SUPPORTED), or it was cancelled. */
gboolean tnd_alignment_find(const TndTrace *trace, const char *alignment, guint64 *time_ns, TndTraceProgress progress,
                            gpointer user_data, GError **error);

/* Opens two traces as one; the one whose moment comes earlier is delayed.  The result tells where it is from:
 * tnd_trace_beside, tnd_trace_alignment. */
TndTrace *tnd_alignment_open(const char *path, const char *beside, const char *alignment, TndTraceProgress progress,
                             gpointer user_data, GError **error);

#endif
