/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of a merge, and what it says of itself when it is over.
 */
#ifndef TND_MERGE_OPTIONS_H
#define TND_MERGE_OPTIONS_H

#include <glib.h>

typedef struct {
    const char *run_directory;
    const char *const *others;  /* further directories of the same run, of other nodes; NULL ends them; or NULL */
    const char *output;         /* "x.prv" or "x.prv.gz"; NULL: the run directory's name with .prv, beside it */
    const char *binary;         /* a board's program, whose records name it without a path; NULL: it is not here */
    gboolean force;             /* overwrite a trace of that name; otherwise it is set aside: result->aside */
    gboolean all_processes;     /* show launchers and the helpers of MPI and Python, too */
    guint n_threads;            /* how many threads merge together; 0: one.  The trace is the same */
    gboolean has_task_creation; /* write lines from where a task was made to where it began, too */
    gboolean (*progress)(double fraction, gpointer user_data); /* may be NULL; it returns FALSE to cancel the merge */
    gpointer user_data;
} TndMergeOptions;

typedef struct {
    char *output;   /* the trace that was written; NULL: none, because of `launcher` */
    char *launcher; /* only this launcher of MPI was recorded, and no program that it started; NULL: more was */
    char *aside;    /* where the trace is now that had the name; NULL: there was none */
    guint64 n_processes, n_threads, n_records, n_samples, n_messages;
    guint64 n_lost; /* records that the run could not keep */
    guint64 n_unmatched_sends, n_unmatched_receives;
    guint64 n_open; /* calls that a crash left open and the merge closed */
    guint64 n_damaged_bytes;
    guint64 sampling_period_ns; /* that was asked for; 0: samples did not go by time */
    guint64 overhead_ns;        /* of writing rings out and samples, measured, and a constant for each other record */
    GPtrArray *notes;           /* sentences for the user (char *) */
    char *about_library;        /* the note about libraries that were asked for in vain; NULL: there is none */
    char *about_python;         /* the note about the user's choice of functions of Python; NULL: there is none */
} TndMergeResult;

#endif
