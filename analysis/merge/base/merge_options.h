/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of a merge, and what it says of itself when it is over.
 */
#ifndef TND_MERGE_OPTIONS_H
#define TND_MERGE_OPTIONS_H

#include <glib.h>

typedef struct {
    const char *run_directory;
    const char *const *others;  /* further run directories of the same run, of other nodes; ends with NULL; or NULL */
    const char *output;         /* "x.prv" or "x.prv.gz"; NULL: beside the run directory, its name with .prv */
    gboolean force;             /* overwrite; otherwise the next free name */
    gboolean all_processes;     /* show launchers and helpers of MPI and Python too */
    guint n_threads;            /* that merge together; 0: one.  The bytes are the same */
    gboolean has_task_creation; /* lines from where a task was made to where it began, too */
    gboolean (*progress)(double fraction, gpointer user_data); /* may be NULL; FALSE cancels */
    gpointer user_data;
} TndMergeOptions;

typedef struct {
    char *output; /* the trace that was written */
    guint64 n_processes, n_threads, n_records, n_samples, n_messages;
    guint64 n_lost; /* records that the run could not keep */
    guint64 n_unmatched_sends, n_unmatched_receives;
    guint64 n_open; /* calls that a crash left open and merge closed */
    guint64 n_damaged_bytes;
    guint64 overhead_ns; /* measured: writing rings out, plus records x cost of one */
    GPtrArray *notes;    /* sentences for the user (char *) */
    char *about_python;  /* of them the one of how the user chose functions of Python; NULL: none */
} TndMergeResult;

#endif
