/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job is a GTask.  The two threads share the fraction that is done, a request to stop, and whether the work has
 * ended.
 */
#include "viewer/long_job.h"

#include <gio/gio.h>

struct TndLongJob {
    const TndLongJobKind *kind;
    gpointer subject, user_data;
    gint per_mille, wants_stop; /* atomic */
    gboolean is_stopped;
    GMutex mutex;
    GCond ends;
    gboolean has_ended;
};

static void job_free(gpointer data)
{
    TndLongJob *job = data;
    if (job->kind->free_subject)
        job->kind->free_subject(job->subject);
    g_mutex_clear(&job->mutex);
    g_cond_clear(&job->ends);
    g_free(job);
}

static gboolean on_progress(double fraction, gpointer data)
{
    TndLongJob *job = data;
    g_atomic_int_set(&job->per_mille, (gint)(fraction * 1000));
    return !g_atomic_int_get(&job->wants_stop);
}

static void work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    TndLongJob *job = data;
    GError *error = NULL;
    gpointer result = job->kind->work(job->subject, on_progress, job, &error);
    g_mutex_lock(&job->mutex);
    job->has_ended = TRUE;
    g_cond_broadcast(&job->ends);
    g_mutex_unlock(&job->mutex);
    if (error)
        g_task_return_error(task, error);
    else
        g_task_return_pointer(task, result, job->kind->free_result);
}

static void on_done(GObject *source, GAsyncResult *result, gpointer data)
{
    TndLongJob *job = data;
    GError *error = NULL;
    gpointer made = g_task_propagate_pointer(G_TASK(result), &error);
    if (!job->is_stopped)
        job->kind->done(made, error, job->user_data);
    else if (error)
        g_error_free(error);
    else if (job->kind->free_result)
        job->kind->free_result(made);
}

TndLongJob *tnd_long_job_start(const TndLongJobKind *kind, gpointer subject, gpointer user_data)
{
    TndLongJob *job = g_new0(TndLongJob, 1);
    job->kind = kind;
    job->subject = subject;
    job->user_data = user_data;
    g_mutex_init(&job->mutex);
    g_cond_init(&job->ends);
    GTask *task = g_task_new(NULL, NULL, on_done, job);
    g_task_set_task_data(task, job, job_free);
    g_task_run_in_thread(task, work);
    g_object_unref(task);
    return job;
}

double tnd_long_job_fraction(TndLongJob *job)
{
    return g_atomic_int_get(&job->per_mille) / 1000.0;
}

void tnd_long_job_cancel(TndLongJob *job)
{
    g_atomic_int_set(&job->wants_stop, 1);
}

static gboolean wait_until(TndLongJob *job, gint64 until_us)
{
    g_mutex_lock(&job->mutex);
    while (!job->has_ended && g_cond_wait_until(&job->ends, &job->mutex, until_us))
        ;
    gboolean has_ended = job->has_ended;
    g_mutex_unlock(&job->mutex);
    return has_ended;
}

void tnd_long_job_stop(TndLongJob *job)
{
    job->is_stopped = TRUE;
    tnd_long_job_cancel(job);
    wait_until(job, G_MAXINT64);
}

gboolean tnd_long_job_wait(TndLongJob *job, guint at_most_ms)
{
    return wait_until(job, g_get_monotonic_time() + (gint64)at_most_ms * 1000);
}
