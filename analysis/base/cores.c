/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread takes the next item when it is free.  A thread that gets no core before all items are taken is not waited
 * for: it finds no item, and ends by itself.
 */
#include "analysis/base/cores.h"

/* The last thread to leave a run frees it.  `data` is not valid any more once all items are done. */
typedef struct {
    guint n_items;
    guint next; /* atomic */
    void (*work)(guint item, gpointer data);
    gpointer data;
    gint n_users; /* atomic */
    GMutex lock;
    GCond all_done;
    guint n_done;
} Run;

static void leave(Run *run)
{
    if (!g_atomic_int_dec_and_test(&run->n_users))
        return;
    g_mutex_clear(&run->lock);
    g_cond_clear(&run->all_done);
    g_free(run);
}

static void take_items(Run *run)
{
    guint n_done = 0;
    for (guint item; (item = (guint)g_atomic_int_add(&run->next, 1)) < run->n_items; n_done++)
        run->work(item, run->data);
    g_mutex_lock(&run->lock);
    run->n_done += n_done;
    if (run->n_done == run->n_items)
        g_cond_signal(&run->all_done);
    g_mutex_unlock(&run->lock);
}

static gpointer help(gpointer run)
{
    take_items(run);
    leave(run);
    return NULL;
}

void tnd_cores_run(guint n_items, void (*work)(guint item, gpointer data), gpointer data)
{
    Run *run = g_new0(Run, 1);
    *run = (Run){.n_items = n_items, .work = work, .data = data, .n_users = 1};
    g_mutex_init(&run->lock);
    g_cond_init(&run->all_done);
    guint n_others = n_items ? MIN(g_get_num_processors(), n_items) - 1 : 0;
    for (guint i = 0; i < n_others; i++) {
        g_atomic_int_inc(&run->n_users);
        GThread *other = g_thread_try_new("tandem", help, run, NULL);
        if (other)
            g_thread_unref(other);
        else
            leave(run);
    }
    take_items(run);
    g_mutex_lock(&run->lock);
    while (run->n_done < run->n_items)
        g_cond_wait(&run->all_done, &run->lock);
    g_mutex_unlock(&run->lock);
    leave(run);
}

struct TndCoresProgress {
    TndProgressCallback callback;
    gpointer user_data;
    guint64 n_items, n_done;
    GMutex lock;
    gint is_cancelled; /* atomic */
};

TndCoresProgress *tnd_cores_progress_new(TndProgressCallback callback, gpointer user_data, guint64 n_items)
{
    TndCoresProgress *progress = g_new0(TndCoresProgress, 1);
    *progress = (TndCoresProgress){.callback = callback, .user_data = user_data, .n_items = n_items};
    g_mutex_init(&progress->lock);
    return progress;
}

void tnd_cores_progress_free(TndCoresProgress *progress)
{
    if (!progress)
        return;
    g_mutex_clear(&progress->lock);
    g_free(progress);
}

/* The work of a run, and the progress that it is reported to. */
typedef struct {
    TndCoresProgress *progress;
    void (*work)(guint item, gpointer data);
    gpointer data;
} ReportedWork;

static void report(TndCoresProgress *progress)
{
    g_mutex_lock(&progress->lock);
    double fraction = (double)++progress->n_done / (double)progress->n_items;
    if (!progress->is_cancelled && !progress->callback(MIN(fraction, 1), progress->user_data))
        g_atomic_int_set(&progress->is_cancelled, 1);
    g_mutex_unlock(&progress->lock);
}

static void work_and_report(guint item, gpointer data)
{
    const ReportedWork *reported = data;
    if (g_atomic_int_get(&reported->progress->is_cancelled))
        return;
    reported->work(item, reported->data);
    report(reported->progress);
}

gboolean tnd_cores_run_with_progress(TndCoresProgress *progress, guint n_items, void (*work)(guint item, gpointer data),
                                     gpointer data)
{
    ReportedWork reported = {progress, work, data};
    tnd_cores_run(n_items, progress ? work_and_report : work, progress ? (gpointer)&reported : data);
    return !progress || !g_atomic_int_get(&progress->is_cancelled);
}
