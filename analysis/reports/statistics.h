/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first look at a trace in numbers: shares of time, efficiencies, the calls and functions that take most, messages.
 * One pass over states, events and messages.
 *
 * What it is not: text (cli/stat.c).
 */
#ifndef TND_STATISTICS_H
#define TND_STATISTICS_H

#include "analysis/trace/trace.h"

/* Of one row; the three add up to the trace's duration. */
typedef struct {
    guint64 useful_ns; /* running, outside of every runtime */
    guint64 mpi_ns;    /* inside MPI */
    guint64 other_ns;
} TndShare;

/* A call or a function, over all rows. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n;
    double time_ns; /* of functions: the weight of their samples; 0 if the trace has no weights */
} TndUser;

/* A function of Python's, over all rows, as the merge summed it up. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n_calls, self_ns, inclusive_ns; /* inclusive: with those that it called; once where it called itself */
} TndPythonUse;

typedef struct {
    guint n_rows, n_tasks;
    TndShare *shares;
    guint64 mpi_ns; /* over all rows */

    /* Efficiencies as POP defines them for MPI: the workers are the first threads of the processes, because a thread
     * that an MPI library keeps for itself would look useful.  0 without useful time. */
    double parallel_efficiency, load_balance, communication_efficiency;

    GArray *calls;     /* of TndUser: MPI calls, longest first */
    GArray *functions; /* of TndUser: sampled functions, heaviest first */
    guint64 n_calls, n_samples;
    double sampled_ns; /* weight of all samples; 0: the trace has no weights */

    GArray *python;    /* of TndPythonUse: those that took most by themselves; empty in traces of other tools */
    guint64 n_python;  /* how many there are */
    guint64 python_ns; /* in those of the array, by themselves */

    guint64 n_messages, n_negative; /* of them received before they were sent */
    double message_bytes;
    gint64 largest_message_bytes;
    guint64 n_lines; /* between tasks of OpenMP: no messages */
} TndStatistics;

TndStatistics *tnd_statistics_new(const TndTrace *trace);
void tnd_statistics_free(TndStatistics *statistics);

/* The value of the trace's first fact of this key (formats/fact.h); NULL: it has none. */
const char *tnd_statistics_comment(const TndTrace *trace, const char *key);

#endif
