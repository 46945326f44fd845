/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The critical path of a run: from its end backwards, what happened on the row that the others waited for.  Where that
 * row itself waited, the path goes on with the row that it waited for.  Only what is on the path makes the run longer.
 *
 * Cost: two searches among the waits for each change of the row; a pass over the operations, events and samples of the
 * rows on the path.  Memory: 16 bytes for each change, in an unnamed file if there are many (large_memory.h).
 */
#ifndef TND_CRITICAL_PATH_H
#define TND_CRITICAL_PATH_H

#include "analysis/causes/wait_states.h"

/* The time that the path spends at a place of the program. */
typedef struct {
    TndSyncPlace place;
    double path_ns;
    guint32 worst_row; /* the row with the most of it */
    double worst_ns;
} TndPathPlace;

/* The time that the path spends in a function itself; of samples, the CPU time that they stand for. */
typedef struct {
    char *name;
    double path_ns;
    gboolean is_sampled; /* otherwise instrumented */
} TndPathFunction;

typedef struct {
    gsize n_pieces;    /* each on another row than the one before */
    GArray *places;    /* TndPathPlace, the most time first */
    GArray *functions; /* TndPathFunction, the most time first */
    gboolean is_mpi;   /* it is from when the last process leaves MPI_Init until the last one enters MPI_Finalize */
    guint64 begin_ns, end_ns;
    guint last_row; /* which it ends on */
} TndCriticalPath;

/* Without MPI it is of the whole trace, and ends where the last process does. */
TndCriticalPath *tnd_critical_path_new(const TndWaitStates *states);
void tnd_critical_path_free(TndCriticalPath *path);

/* How much sooner the row of the path's end would get there if a function took 10 % less time: by a replay on the
 * network of the run.  NAN: not known. */
double tnd_critical_path_gain_ns(const TndCriticalPath *path, const TndSyncOps *ops, const char *function);

/* The same of each of the first n places of the path, by replays on all cores at once.  NAN also where no code runs. */
void tnd_critical_path_gains(const TndCriticalPath *path, const TndSyncOps *ops, guint n, double *gains_ns);

#endif
