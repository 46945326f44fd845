/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases of a run: stretches of time in which the program iterates.  The calls of MPI that communicate, begins of
 * parallel regions, and begins of the user's regions, of the one process that has the median number of them, are a
 * string, in which loops (loops.h) are looked for.  Loops with the same body, whose iterations take about as long, and
 * with less between them than is in the longest of them, are one phase.  Loops of less than four iterations, loops that
 * chance may have made, and phases of less than 3 % of the run, or with more than half of their time in one iteration,
 * are none.  If there are no such calls, those of instrumented functions are taken, from the outermost ones down to the
 * depth at which phases have most of the time.
 *
 * Cost: that of loops.h, and a walk over states and operations for the efficiencies of each phase.  Memory: 20 bytes a
 * call of that process.
 */
#ifndef TND_PHASES_H
#define TND_PHASES_H

#include "analysis/causes/efficiency.h"

typedef struct {
    guint64 begin_ns, end_ns;
    guint n_loops;         /* it is made of */
    GArray *iterations_ns; /* double: how long each iteration took */
    double shortest_ns, median_ns, longest_ns;
    char *body; /* what an iteration does: of the loop with most of the time */
    TndEfficiency efficiency;
} TndPhase;

typedef struct {
    guint64 begin_ns, end_ns; /* of the time that was looked at: the run, or the whole trace if it has none */
    gboolean is_run;
    guint row;                /* whose calls they are */
    gsize n_calls;            /* of the row; 0: nothing was recorded that could repeat */
    gboolean is_of_functions; /* they are of functions, because there are no others */
    gboolean is_cut;          /* these are only its first calls, and the time is that until the last of them */
    GArray *phases;           /* TndPhase, in the order of time, none overlaps the next one */
} TndPhases;

/* ideal: as of tnd_efficiency_of. */
TndPhases *tnd_phases_new(const TndSyncOps *ops, const TndReplay *ideal);
void tnd_phases_free(TndPhases *phases);

#endif
