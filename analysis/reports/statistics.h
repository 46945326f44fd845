/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics for a first look at a trace: shares of time, efficiencies, the calls and functions that take most,
 * messages. cli/stat.c prints them.
 *
 * Cost: one pass over states, events and messages.
 */
#ifndef TND_STATISTICS_H
#define TND_STATISTICS_H

#include "analysis/reports/efficiency.h"

/* How a row spends its time; the first three add up to the trace's duration. */
typedef struct {
    guint64 useful_ns; /* running, outside of every runtime */
    guint64 mpi_ns;    /* inside MPI */
    guint64 other_ns;
    guint64 cpu_ns; /* the CPU time that its samples stand for, wherever that was; 0: it has none */
} TndShare;

/* A call or a function, over all rows. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n;
    double time_ns; /* of functions: the weight of their samples; 0: the trace has no weights */
} TndUser;

/* A function of Python, or of a wrapped library, over all rows, as summed up by the merge. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n_calls, self_ns, inclusive_ns; /* inclusive: with its callees; recursive calls count once */
} TndFunctionUse;

typedef struct {
    GArray *most;    /* TndFunctionUse: those with the most self time; empty in traces of other tools */
    guint64 n;       /* how many functions were called */
    guint64 self_ns; /* of those in the array */
} TndFunctionUses;

typedef struct {
    guint n_rows, n_tasks;
    TndShare *shares;
    guint64 mpi_ns; /* over all rows */

    TndEfficiency efficiency, of_run; /* of the whole trace, and between MPI_Init and MPI_Finalize */
    gboolean has_run;

    GArray *calls;     /* TndUser: MPI calls, the longest first */
    GArray *functions; /* TndUser: sampled functions, the heaviest first */
    guint64 n_calls, n_samples;
    double sampled_ns; /* weight of all samples; 0: the trace has no weights */

    TndFunctionUses python, library;

    guint64 n_messages, n_negative; /* n_negative: received before they were sent */
    double message_bytes;
    gint64 largest_message_bytes;
    guint64 n_lines; /* between tasks of OpenMP; they are not counted as messages */
} TndStatistics;

TndStatistics *tnd_statistics_new(const TndTrace *trace);
void tnd_statistics_free(TndStatistics *statistics);

/* The value of the trace's first fact with this key (formats/fact.h); NULL: it has none. */
const char *tnd_statistics_comment(const TndTrace *trace, const char *key);

#endif
