/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics for a first look at a trace: shares of time, the calls and functions that take most, messages. cli/stat.c
 * prints them.
 *
 * Cost: one pass over states, events and messages.
 */
#ifndef TND_STATISTICS_H
#define TND_STATISTICS_H

#include "analysis/trace/trace.h"

/* How a row spends its time; all but the last add up to the trace's duration. */
typedef struct {
    guint64 useful_ns; /* running, outside of every runtime */
    guint64 mpi_ns;    /* inside MPI */
    guint64 openmp_ns; /* in OpenMP's library: to begin and end regions, to share out work, to wait for each other */
    guint64 pool_ns;   /* waits for a parallel region */
    guint64 other_ns;
    guint64 cpu_ns; /* the CPU time that its samples stand for, wherever that was; 0: it has none */
} TndShare;

/* A call or a function, over all rows. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n;
    double time_ns;      /* of functions: the weight of their samples; 0: the trace has no weights */
    gboolean is_counted; /* these calls are not in the trace, which only says how many there were */
} TndUser;

/* A function of Python, or of a wrapped library, over all rows, as summed up by the merge. */
typedef struct {
    gint64 value;
    char *name;
    guint64 n_calls, self_ns, inclusive_ns; /* inclusive: with its callees; recursive calls count once */
    guint64 n_counted, counted_ns; /* those of them that were counted instead of recorded; their callers have this time,
                                    * too */
} TndFunctionUse;

typedef struct {
    GArray *most;    /* TndFunctionUse: those with the most self time; empty in traces of other tools */
    guint64 n;       /* how many functions were called */
    guint64 self_ns; /* of those in the array */
} TndFunctionUses;

#define TND_STATISTICS_STATES 36 /* those that formats/event_types.tsv names */

typedef struct {
    guint n_rows, n_tasks;
    TndShare *shares;
    guint64 mpi_ns; /* over all rows */
    gboolean has_openmp;
    guint64 state_ns[TND_STATISTICS_STATES]; /* over all rows, of states that are no call and not Running */

    GArray *calls;     /* TndUser: MPI calls, the longest first */
    GArray *regions;   /* TndUser: functions of parallel regions, once for each thread that runs one, likewise */
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

/* What is to be known of a trace in which no thread does anything to the end, as of a file that was cut: numbers of the
 * whole duration are wrong.  NULL: there is no such thing.  Free with g_free. */
char *tnd_statistics_missing_end(const TndTrace *trace);

#endif
