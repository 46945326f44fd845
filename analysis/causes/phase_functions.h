/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of instrumented functions as phases are found by, where nothing is recorded of MPI, OpenMP or regions.
 *
 * Cost: a walk over the events of a type.  Memory: 32 bytes a call.
 */
#ifndef TND_PHASE_FUNCTIONS_H
#define TND_PHASE_FUNCTIONS_H

#include "analysis/trace/trace.h"

typedef struct {
    gint64 function;
    guint64 begin_ns, end_ns;
    guint depth; /* 1: the function that runs first */
} TndPhaseFunction;

/* The type of functions that the trace has calls of: the user's, Python's, or those of libraries; 0: none. */
guint32 tnd_phase_functions_type(const TndTrace *trace);

/* The first calls of the first thread that has any, at most `most`, in the order of their begins.  row: set to that
 * thread.  An array of TndPhaseFunction. */
GArray *tnd_phase_functions_new(const TndTrace *trace, guint32 type, guint most, guint *row);

#endif
