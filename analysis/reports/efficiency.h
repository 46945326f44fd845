/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Efficiencies of MPI programs as the POP project defines them: with U the useful time of a process (outside of every
 * runtime), T the duration: load balance = average U / maximum U; communication efficiency = maximum U / T; parallel
 * efficiency = their product.  Only the first threads of processes count, because a helper thread of an MPI library
 * would look useful.
 *
 * Cost: one pass over the states and the MPI calls of those threads.
 */
#ifndef TND_EFFICIENCY_H
#define TND_EFFICIENCY_H

#include "analysis/trace/trace.h"

typedef struct {
    guint64 begin_ns, end_ns; /* of the time that it is about */
    guint n_processes;
    double parallel, load_balance, communication; /* 0: there is no useful time */
} TndEfficiency;

/* Over the whole trace, of all processes. */
TndEfficiency tnd_efficiency_whole(const TndTrace *trace);

/* Over the run itself, from the moment when the last process leaves MPI_Init until the first one enters MPI_Finalize,
 * of the processes that call MPI_Init.  FALSE: there is no such time. */
gboolean tnd_efficiency_run(const TndTrace *trace, TndEfficiency *efficiency);

#endif
