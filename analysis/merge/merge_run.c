/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A merge from beginning to end: runs the passes of merge_model.h one after another and says how far it is.
 */
#include "analysis/merge/base/merge_progress.h"
#include "analysis/merge/base/merge_threads.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/match/merge_comms.h"
#include "analysis/merge/match/merge_messages.h"
#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/match/merge_tasks.h"
#include "analysis/merge/merge.h"
#include "analysis/merge/merge_missed.h"
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_clock.h"
#include "analysis/merge/read/merge_counters.h"
#include "analysis/merge/read/merge_library.h"
#include "analysis/merge/read/merge_names.h"
#include "analysis/merge/read/merge_process.h"
#include "analysis/merge/read/merge_python.h"
#include "analysis/merge/read/merge_reader.h"
#include "analysis/merge/read/merge_rows.h"
#include "analysis/merge/read/merge_scan.h"
#include "analysis/merge/read/merge_script.h"
#include "analysis/merge/write/merge_counted.h"
#include "analysis/merge/write/merge_labels.h"
#include "analysis/merge/write/merge_write.h"
#include "analysis/output/trace_output.h"
#include "run/job.h"
#include "run/rundir.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

static void free_application(gpointer data)
{
    TndMergeApplication *application = data;
    for (guint i = 0; i < application->tasks->len; i++)
        g_free(g_array_index(application->tasks, TndMergeTask, i).name);
    g_array_unref(application->tasks);
    g_free(application);
}

static void free_row(gpointer data)
{
    g_array_unref(((TndMergeRow *)data)->parts);
    g_free(data);
}

static void free_guest(gpointer data)
{
    g_array_unref(((TndMergeGuest *)data)->row.parts);
    g_free(data);
}

static void clear_label(gpointer label)
{
    g_free(((TndMergeLabel *)label)->label);
}

static void clear_wish(gpointer wish)
{
    g_free(((TndMergePythonWish *)wish)->pattern);
}

static void clear_library_wish(gpointer wish)
{
    g_free(((TndMergeLibraryWish *)wish)->pattern);
}

static void start(TndMerge *merge)
{
    merge->processes = g_ptr_array_new();
    merge->clocks = g_ptr_array_new_with_free_func(g_free);
    merge->by_image_id = g_hash_table_new(g_int64_hash, g_int64_equal);
    merge->applications = g_ptr_array_new_with_free_func(free_application);
    merge->members = g_array_new(FALSE, FALSE, sizeof(TndMergeMember));
    merge->rows = g_ptr_array_new_with_free_func(free_row);
    merge->guests = g_ptr_array_new_with_free_func(free_guest);
    merge->nodes = g_ptr_array_new_with_free_func(g_free);
    merge->node_cpus = g_array_new(FALSE, FALSE, sizeof(guint32));
    merge->communicators = g_ptr_array_new_with_free_func(g_free);
    merge->peer_clocks = g_array_new(FALSE, FALSE, sizeof(TndMergePeerClock));
    merge->labels = g_array_new(FALSE, FALSE, sizeof(TndMergeLabel));
    g_array_set_clear_func(merge->labels, clear_label);
    merge->python_wishes = g_array_new(FALSE, FALSE, sizeof(TndMergePythonWish));
    g_array_set_clear_func(merge->python_wishes, clear_wish);
    merge->library_wishes = g_array_new(FALSE, FALSE, sizeof(TndMergeLibraryWish));
    g_array_set_clear_func(merge->library_wishes, clear_library_wish);
    merge->region_names = g_ptr_array_new();
    merge->counter_names = g_ptr_array_new();
    merge->image_names = g_ptr_array_new();
    merge->python_names = g_ptr_array_new();
    merge->library_names = g_ptr_array_new();
    merge->library_files = g_ptr_array_new();
    merge->function_names = g_ptr_array_new_with_free_func(g_free);
    merge->line_names = g_ptr_array_new_with_free_func(g_free);
    merge->types = g_hash_table_new(NULL, NULL);
}

static void end(TndMerge *merge)
{
    g_ptr_array_unref(merge->function_names);
    g_ptr_array_unref(merge->line_names);
    g_ptr_array_unref(merge->region_names);
    g_ptr_array_unref(merge->counter_names);
    g_ptr_array_unref(merge->image_names);
    g_ptr_array_unref(merge->python_names);
    g_ptr_array_unref(merge->library_names);
    g_ptr_array_unref(merge->library_files);
    g_hash_table_unref(merge->types);
    g_array_unref(merge->labels);
    g_array_unref(merge->python_wishes);
    g_array_unref(merge->library_wishes);
    g_array_unref(merge->peer_clocks);
    g_ptr_array_unref(merge->communicators);
    g_array_unref(merge->node_cpus);
    g_ptr_array_unref(merge->nodes);
    g_ptr_array_unref(merge->rows);
    g_ptr_array_unref(merge->guests);
    g_array_unref(merge->members);
    g_ptr_array_unref(merge->applications);
    g_hash_table_unref(merge->by_image_id);
    g_ptr_array_unref(merge->clocks);
    g_ptr_array_foreach(merge->processes, (GFunc)(void (*)(void))tnd_merge_process_free, NULL);
    g_ptr_array_unref(merge->processes);
    tnd_merge_spill_free(merge->messages);
    if (merge->images)
        g_ptr_array_unref(merge->images);
    g_free(merge->row_ranks);
    g_free(merge->python_sums);
    g_free(merge->library_sums);
    g_free(merge->counted_calls);
    g_free(merge->library_file_of);
    g_free(merge->command);
}

/* Each stream that is alive at one time takes two descriptors. */
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static char *choose_output(const TndMergeOptions *options)
{
    char wanted[TND_RUNDIR_PATH_MAX];
    if (options->output)
        return g_strdup(options->output);
    if (tnd_rundir_get(options->run_directory, "output", wanted, sizeof wanted) && wanted[0])
        return g_strdup(wanted);
    char *name = g_strdup(options->run_directory);
    while (strlen(name) > 1 && g_str_has_suffix(name, "/"))
        name[strlen(name) - 1] = 0;
    if (g_str_has_suffix(name, TND_RUNDIR_ENDING))
        name[strlen(name) - strlen(TND_RUNDIR_ENDING)] = 0;
    char *output = g_strconcat(name, ".prv", NULL);
    g_free(name);
    return output;
}

/* Whether another of the run directories stands before this one under the same or another name. */
static gboolean is_repeated(const TndMergeOptions *options, const char *const *other)
{
    GStatBuf that, before;
    gboolean is_there = g_stat(*other, &that) == 0, is_same = FALSE;
    for (const char *const *at = options->others; is_there && at <= other && !is_same; at++) {
        const char *path = at == options->others ? options->run_directory : at[-1];
        is_same = g_stat(path, &before) == 0 && before.st_dev == that.st_dev && before.st_ino == that.st_ino;
    }
    return is_same;
}

/* Lists the images of all directories, in the order of the directories, then of their names. */
static gboolean list_images(TndMerge *merge, GError **error)
{
    merge->images = tnd_run_files_list(merge->options->run_directory, error);
    for (const char *const *other = merge->options->others; merge->images && other && *other; other++) {
        GPtrArray *more = is_repeated(merge->options, other) ? NULL : tnd_run_files_list(*other, error);
        if (!more && !*error)
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: is named twice", *other);
        if (!more)
            return FALSE;
        g_ptr_array_extend_and_steal(merge->images, more);
    }
    return merge->images != NULL;
}

/* Decides which rank renders which row.  The rows of a task stay together, because messages, communicators and tasks
 * of OpenMP are the process's. */
static void share_rows(TndMerge *merge)
{
    guint64 *loads = g_new0(guint64, merge->team->n_ranks);
    merge->row_ranks = g_new0(guint, MAX(merge->rows->len, 1));
    for (guint i = 0, end; i < merge->rows->len; i = end) {
        const TndMergeRow *first = merge->rows->pdata[i];
        guint64 n_bytes = 0;
        for (end = i; end < merge->rows->len; end++) {
            const TndMergeRow *row = merge->rows->pdata[end];
            if (row->at.application != first->at.application || row->at.task != first->at.task)
                break;
            for (guint j = 0; j < row->parts->len; j++) {
                const TndMergePart *part = &g_array_index(row->parts, TndMergePart, j);
                for (guint which = 0; which < TND_MERGE_N_STREAMS; which++) {
                    int index = part->streams[which];
                    n_bytes += index < 0 ? 0 : g_array_index(part->process->streams, TndMergeStream, index).n_bytes;
                }
            }
        }
        guint rank = tnd_merge_team_assign(merge->team, loads, n_bytes);
        for (guint j = i; j < end; j++)
            merge->row_ranks[j] = rank;
    }
    g_free(loads);
}

/* Ranks on several nodes must have the same directory before them. */
static gboolean list_files(TndMerge *merge, GError **error)
{
    list_images(merge, error);
    if (!tnd_merge_team_agree(merge->team, error))
        return FALSE;
    guint64 n_streams = 0, n_first;
    for (guint i = 0; i < merge->images->len; i++) {
        merge->n_bytes += tnd_run_files_bytes(merge->images->pdata[i]) / merge->team->n_ranks;
        n_streams += ((TndRunImage *)merge->images->pdata[i])->streams->len;
    }
    merge->n_work = (TND_MERGE_SCAN + TND_MERGE_WRITE) * merge->n_bytes;
    n_first = n_streams;
    tnd_merge_team_share(merge->team, &n_first, sizeof n_first);
    if (n_first != n_streams)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                    "%s: not the same on all nodes: %" G_GUINT64_FORMAT " streams here, %" G_GUINT64_FORMAT " there",
                    merge->options->run_directory, n_first, n_streams);
    return tnd_merge_team_agree(merge->team, error);
}

/* The passes that find out who was there, and when. */
static gboolean place(TndMerge *merge, GError **error)
{
    if (!list_files(merge, error) || !tnd_merge_scan_run(merge, error) || !tnd_merge_clock_run(merge, error))
        return FALSE;
    tnd_merge_rows_run(merge);
    return TRUE;
}

static gboolean gather(TndMerge *merge, GError **error)
{
    if (!place(merge, error))
        return FALSE;
    tnd_merge_names_run(merge);
    tnd_merge_python_run(merge);
    tnd_merge_library_run(merge);
    tnd_merge_counted_new(merge);
    tnd_merge_counters_run(merge);
    tnd_merge_script_run(merge);
    tnd_merge_comms_run(merge);
    tnd_merge_addresses_run(merge);
    share_rows(merge);
    tnd_merge_reader_prepare(merge);
    tnd_merge_missed_tell(merge);
    return TRUE;
}

/* The launcher, if launchers of MPI are all there is to show: no program that they started was recorded.  NULL: there
 * is more, or all processes are asked for. */
static const char *find_launcher(const TndMerge *merge)
{
    const char *launcher = NULL;
    for (guint i = 0; i < merge->applications->len; i++) {
        const TndMergeApplication *application = merge->applications->pdata[i];
        for (guint j = 0; j < application->tasks->len; j++) {
            enum tnd_job_mpi mpi;
            const char *name = g_array_index(application->tasks, TndMergeTask, j).name;
            if (application->is_ranked || !tnd_job_is_launcher(name, &mpi))
                return NULL;
            launcher = launcher ? launcher : name;
        }
    }
    return merge->options->all_processes ? NULL : launcher;
}

/* Finishes the trace's files, on rank 0 alone. */
static gboolean finish(TndMerge *merge, TndTraceOutput *output, GError **error)
{
    struct tnd_pcf *pcf = tnd_merge_labels_pcf(merge);
    struct tnd_row *row = tnd_merge_labels_row(merge);
    merge->result->output = tnd_trace_output_finish(output, pcf, row, &merge->result->aside, error);
    tnd_pcf_free(pcf);
    tnd_row_free(row);
    return merge->result->output != NULL;
}

/* path: of the file that all ranks write into; "": only rank 0 writes.  directory: where that file is. */
static gboolean write_trace(TndMerge *merge, TndTraceOutput *output, const char *path, const char *directory,
                            GError **error)
{
    merge->messages = tnd_merge_spill_new(directory);
    if (!tnd_merge_tasks_run(merge, error) || !tnd_merge_messages_run(merge, error) ||
        !tnd_merge_write_run(merge, output, path[0] ? path : NULL, error))
        return FALSE;
    if (output)
        finish(merge, output, error);
    return tnd_merge_team_agree(merge->team, error);
}

/* Rank 0 makes the output, and all ranks write. */
static gboolean make_trace(TndMerge *merge, GError **error)
{
    char path[TND_RUNDIR_PATH_MAX] = "", directory[TND_RUNDIR_PATH_MAX] = "";
    TndTraceOutput *output = NULL;
    if (merge->team->rank == 0) {
        char *wanted = choose_output(merge->options);
        output = tnd_trace_output_new(wanted, merge->options->force, error);
        if (output) {
            g_strlcpy(directory, tnd_trace_output_directory(output), sizeof directory);
            g_strlcpy(path, tnd_trace_output_path(output), sizeof path);
        }
        g_free(wanted);
    }
    gboolean made = tnd_merge_team_agree(merge->team, error);
    if (made) {
        tnd_merge_team_share(merge->team, path, sizeof path);
        tnd_merge_team_share(merge->team, directory, sizeof directory);
        made = write_trace(merge, output, path, directory, error);
    }
    tnd_trace_output_free(output);
    return made;
}

gboolean tnd_merge_run_in_team(const TndMergeOptions *options, TndMergeTeam *team, TndMergeResult *result,
                               GError **error)
{
    TndMerge merge = {.options = options, .result = result, .team = team};
    *result = (TndMergeResult){.notes = g_ptr_array_new_with_free_func(g_free)};
    GError *found = NULL;
    raise_file_limit();
    start(&merge);
    gboolean merged = gather(&merge, &found);
    result->launcher = merged ? g_strdup(find_launcher(&merge)) : NULL;
    merged = merged && (result->launcher || make_trace(&merge, &found));
    end(&merge);
    if (found)
        g_propagate_error(error, found);
    if (!merged)
        tnd_merge_result_clear(result);
    return merged;
}

/* A thread's share of a merge. */
struct share {
    TndMergeOptions options;
    TndMergeResult result;
    GError *error;
    gboolean merged;
    const TndMergeOptions *wanted;
    gint *is_cancelled; /* of all threads; atomic */
};

/* Rank 0 tells the caller of progress, and all ranks hear whether to go on. */
static gboolean tell_progress(double fraction, gpointer user_data)
{
    const struct share *share = user_data;
    if (share->wanted && share->wanted->progress && !share->wanted->progress(fraction, share->wanted->user_data))
        g_atomic_int_set(share->is_cancelled, TRUE);
    return !g_atomic_int_get(share->is_cancelled);
}

static void merge_share(TndMergeTeam *team, gpointer data)
{
    struct share *share = data;
    share->merged = tnd_merge_run_in_team(&share->options, team, &share->result, &share->error);
}

gboolean tnd_merge_run(const TndMergeOptions *options, TndMergeResult *result, GError **error)
{
    if (options->n_threads <= 1)
        return tnd_merge_run_in_team(options, tnd_merge_team_alone(), result, error);
    struct share *shares = g_new0(struct share, options->n_threads);
    gpointer *data = g_new(gpointer, options->n_threads);
    gint is_cancelled = FALSE;
    for (guint i = 0; i < options->n_threads; i++) {
        shares[i].options = *options;
        shares[i].options.progress = tell_progress;
        shares[i].options.user_data = data[i] = &shares[i];
        shares[i].wanted = i ? NULL : options;
        shares[i].is_cancelled = &is_cancelled;
    }
    tnd_merge_threads_run(options->n_threads, merge_share, data);
    for (guint i = 1; i < options->n_threads; i++) {
        tnd_merge_result_clear(&shares[i].result);
        g_clear_error(&shares[i].error);
    }
    *result = shares[0].result;
    gboolean merged = shares[0].merged;
    if (shares[0].error)
        g_propagate_error(error, shares[0].error);
    g_free(data);
    g_free(shares);
    return merged;
}

void tnd_merge_result_clear(TndMergeResult *result)
{
    g_free(result->output);
    g_free(result->launcher);
    g_free(result->aside);
    g_free(result->about_python);
    g_free(result->about_library);
    if (result->notes)
        g_ptr_array_unref(result->notes);
    *result = (TndMergeResult){0};
}

struct TndMergeTimes {
    TndMergeOptions options;
    TndMergeResult result;
    TndMerge merge;
};

TndMergeTimes *tnd_merge_times_new(const TndMergeOptions *options, GError **error)
{
    TndMergeTimes *times = g_new0(TndMergeTimes, 1);
    times->options = *options;
    times->result.notes = g_ptr_array_new_with_free_func(g_free);
    times->merge = (TndMerge){.options = &times->options, .result = &times->result, .team = tnd_merge_team_alone()};
    start(&times->merge);
    if (place(&times->merge, error))
        return times;
    tnd_merge_times_free(times);
    return NULL;
}

void tnd_merge_times_free(TndMergeTimes *times)
{
    if (!times)
        return;
    end(&times->merge);
    tnd_merge_result_clear(&times->result);
    g_free(times);
}

const TndMergeClock *tnd_merge_times_clock(const TndMergeTimes *times, const char *image_path)
{
    for (guint i = 0; i < times->merge.processes->len; i++) {
        const TndMergeProcess *process = times->merge.processes->pdata[i];
        if (strcmp(process->files->path, image_path) == 0)
            return process->clock;
    }
    return NULL;
}

void tnd_merge_times_step(const TndMergeClock *clock, guint64 ticks, guint64 *time)
{
    *time = MAX(*time, tnd_merge_ticks_time(clock, ticks));
}
