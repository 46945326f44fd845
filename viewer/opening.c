/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GTask; the two threads share a fraction and a wish to stop, both atomic.
 */
#include "viewer/opening.h"

#include <gio/gio.h>

struct TndOpening {
    char *path;
    gint per_mille, wants_stop; /* atomic */
    TndOpeningDone done;
    gpointer user_data;
};

static void opening_free(gpointer data)
{
    TndOpening *opening = data;
    g_free(opening->path);
    g_free(opening);
}

static gboolean on_progress(double fraction, gpointer data)
{
    TndOpening *opening = data;
    g_atomic_int_set(&opening->per_mille, (gint)(fraction * 1000));
    return !g_atomic_int_get(&opening->wants_stop);
}

static void work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    TndOpening *opening = data;
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(opening->path, on_progress, opening, &error);
    if (trace)
        g_task_return_pointer(task, trace, (GDestroyNotify)tnd_trace_free);
    else
        g_task_return_error(task, error);
}

static void on_done(GObject *source, GAsyncResult *result, gpointer data)
{
    TndOpening *opening = data;
    GError *error = NULL;
    TndTrace *trace = g_task_propagate_pointer(G_TASK(result), &error);
    if (opening->done)
        opening->done(trace, error, opening->user_data);
    else if (trace)
        tnd_trace_free(trace);
    else
        g_error_free(error);
}

TndOpening *tnd_opening_start(const char *path, TndOpeningDone done, gpointer user_data)
{
    TndOpening *opening = g_new0(TndOpening, 1);
    opening->path = g_strdup(path);
    opening->done = done;
    opening->user_data = user_data;
    GTask *task = g_task_new(NULL, NULL, on_done, opening);
    g_task_set_task_data(task, opening, opening_free);
    g_task_run_in_thread(task, work);
    g_object_unref(task);
    return opening;
}

double tnd_opening_fraction(TndOpening *opening)
{
    return g_atomic_int_get(&opening->per_mille) / 1000.0;
}

void tnd_opening_cancel(TndOpening *opening)
{
    g_atomic_int_set(&opening->wants_stop, 1);
}

void tnd_opening_abandon(TndOpening *opening)
{
    opening->done = NULL;
    tnd_opening_cancel(opening);
}
