/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run directory to trace.  A deterministic walk in bounded memory: the same streams give the same bytes.
 */
#ifndef TND_MERGE_H
#define TND_MERGE_H

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

/* FALSE: nothing was left behind at the output's place. */
gboolean tnd_merge_run(const TndMergeOptions *options, TndMergeResult *result, GError **error);
/* The same by a team, of which each rank calls it with the same options; a rank other than 0 has no result->output. */
struct TndMergeTeam;
gboolean tnd_merge_run_in_team(const TndMergeOptions *options, struct TndMergeTeam *team, TndMergeResult *result,
                               GError **error);

void tnd_merge_result_clear(TndMergeResult *result);

/* When records are, in the trace that a merge with these options would write, for who reads the streams: reads all of
 * them once.  What the options point to stays with the caller, and must live as long. */
typedef struct TndMergeTimes TndMergeTimes;
TndMergeTimes *tnd_merge_times_new(const TndMergeOptions *options, GError **error);
void tnd_merge_times_free(TndMergeTimes *times); /* may be NULL */
/* The clock of an image, by the path of its directory; NULL: the merge leaves it out. */
const struct TndMergeClock *tnd_merge_times_clock(const TndMergeTimes *times, const char *image_path);
/* In ns.  A record is never before one that its stream has before it: time holds that one's. */
void tnd_merge_times_step(const struct TndMergeClock *clock, guint64 ticks, guint64 *time);

#endif
