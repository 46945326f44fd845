/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Efficiencies as the POP project defines them.  With U the useful time of a process (outside of every runtime), T the
 * duration, and T_ideal the duration in a replay on an ideal network:
 *
 *   parallel efficiency = load balance * communication = average U / T
 *   load balance = average U / maximum U;  communication = maximum U / T
 *   communication = running * serialisation * transfer;  transfer = T_ideal / T
 *   running = maximum U / maximum O;  serialisation = maximum O / T_ideal
 *
 * where O is the time of a process outside of MPI: it may be stopped there, or in another runtime.
 *
 * These are of the first threads of processes, because a helper thread of an MPI library would look useful.  If there
 * are threads of OpenMP, a second model has all of them, and splits its efficiency into that of MPI, whose useful time
 * is the first thread's time outside of MPI, and that of OpenMP; factors of the latter may exceed 1.
 *
 * What is lost adds up: 1 - parallel = lost by load balance + stops + serialisation + transfer.
 *
 * Cost: one pass over the states and operations of those threads, and over the events of two counters.
 */
#ifndef TND_EFFICIENCY_H
#define TND_EFFICIENCY_H

#include "analysis/causes/replay.h"

/* Factors whose product is the parallel efficiency; 0: not known. */
typedef struct {
    double parallel, load_balance, communication;
    double running, serialisation, transfer; /* of the communication */
} TndEfficiencyFactors;

/* Shares of the time of all threads. */
typedef struct {
    double load_balance;
    double stopped, serialisation, transfer; /* without a replay all in `transfer` */
    double openmp;                           /* in the model of all threads: outside of MPI and not useful */
} TndEfficiencyLosses;

typedef struct {
    guint64 begin_ns, end_ns; /* of the time that it is about */
    guint n_processes, n_threads;
    TndEfficiencyFactors processes; /* parallel 0: there is no useful time */
    TndEfficiencyLosses lost;
    gboolean has_openmp;         /* the following are known */
    TndEfficiencyFactors hybrid; /* of all threads */
    TndEfficiencyFactors mpi;    /* of time outside of MPI */
    TndEfficiencyFactors openmp; /* parallel and so on: of hybrid, divided by that of mpi */
    TndEfficiencyLosses hybrid_lost;
    double useful_ns;            /* of all those threads */
    double instructions, cycles; /* while useful; 0: not counted */
} TndEfficiency;

/* Over a stretch of time.  ideal: the replay on an ideal network, or NULL.  is_mpi: only processes that call MPI. */
TndEfficiency tnd_efficiency_of(const TndSyncOps *ops, const TndReplay *ideal, guint64 begin_ns, guint64 end_ns,
                                gboolean is_mpi);

/* How runs with more processes compare with the first one. */
typedef struct {
    gboolean is_weak;   /* the work grows with the number of processes */
    double computation; /* scalability of the useful time; its product with parallel is the global efficiency */
    double global;
    double instructions, ipc, frequency; /* scalabilities whose product is that of the computation; 0: not known */
    double speedup;
} TndScaling;

/* For each of n runs, the first of which is the reference.  If instructions were counted, they say whether scaling is
 * weak; if not, it is taken for strong. */
void tnd_efficiency_scale(const TndEfficiency *runs, guint n, TndScaling *scalings);

#endif
