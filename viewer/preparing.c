/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job at a time.  It has its own reference to the view, as it may end after the view's configuration was read anew.
 */
#include "viewer/preparing.h"

#include "viewer/long_job.h"
#include "viewer/waiting.h"

enum { PATIENCE_MS = 10 }; /* the picture that is shown meanwhile takes some more */

struct TndPreparing {
    TndSession *session;
    TndPreparingDone done;
    gpointer user_data;
    GtkWidget *line, *page;
    TndLongJob *job;      /* NULL: none runs */
    TndView *view;        /* that the job prepares */
    GHashTable *given_up; /* of TndView: the user cancelled them, and has not opened them again */
};

static gpointer prepare_view(gconstpointer view, TndTraceProgress progress, gpointer data, GError **error)
{
    tnd_view_prepare((TndView *)view, progress, data);
    return NULL;
}

static void show_job(TndPreparing *preparing, const char *text)
{
    tnd_waiting_show(preparing->line, text, preparing->job);
    tnd_waiting_show(preparing->page, text, preparing->job);
    gtk_widget_set_visible(preparing->line, preparing->job != NULL);
}

void tnd_preparing_stop(TndPreparing *preparing)
{
    if (preparing->job)
        tnd_long_job_stop(preparing->job);
    preparing->job = NULL;
    show_job(preparing, "");
    g_hash_table_remove_all(preparing->given_up);
}

static void on_prepared(gpointer result, GError *error, gpointer data)
{
    TndPreparing *preparing = data;
    TndView *view = preparing->view;
    preparing->job = NULL;
    show_job(preparing, "");
    if (!tnd_view_is_prepared(view))
        g_hash_table_add(preparing->given_up, view);
    tnd_preparing_follow(preparing, FALSE);
    preparing->done(preparing->user_data);
}

static void start(TndPreparing *preparing, TndView *view)
{
    static const TndLongJobKind kind = {
        .work = prepare_view, .free_subject = (GDestroyNotify)tnd_view_free, .done = on_prepared};
    char *text = g_strdup_printf("Preparing the view \342\200\234%s\342\200\235", tnd_view_rule(view)->title);
    preparing->job = tnd_long_job_start(&kind, tnd_view_share(view), preparing);
    preparing->view = view;
    if (!tnd_long_job_wait(preparing->job, PATIENCE_MS))
        show_job(preparing, text);
    g_free(text);
}

/* The view to prepare next; NULL: all are, or were given up.  *is_shown: a timeline shows the one of the job.  Those
 * that lie over timelines are last. */
static TndView *next_view(const TndPreparing *preparing, gboolean *is_shown)
{
    const guint n = tnd_session_n_lanes(preparing->session), selected = tnd_session_lane(preparing->session);
    TndView *next = NULL;
    *is_shown = FALSE;
    for (guint i = 0; i < 2 * n; i++) {
        TndView *view = (i < n ? tnd_session_lane_view : tnd_session_lane_over)(preparing->session, (selected + i) % n);
        *is_shown |= view == preparing->view;
        if (!next && view && !tnd_view_is_prepared(view) && !g_hash_table_contains(preparing->given_up, view))
            next = view;
    }
    return next;
}

void tnd_preparing_follow(TndPreparing *preparing, gboolean is_opened)
{
    gboolean is_shown;
    if (is_opened)
        g_hash_table_remove(preparing->given_up, tnd_session_view(preparing->session));
    TndView *next = next_view(preparing, &is_shown);
    if (preparing->job && !is_shown) {
        tnd_long_job_stop(preparing->job);
        preparing->job = NULL;
        show_job(preparing, "");
    }
    if (!preparing->job && next)
        start(preparing, next);
}

gboolean tnd_preparing_is_ready(const TndPreparing *preparing)
{
    TndView *view = tnd_session_view(preparing->session);
    return !view || tnd_view_is_prepared(view);
}

TndPreparing *tnd_preparing_new(TndSession *session, TndPreparingDone done, gpointer user_data)
{
    TndPreparing *preparing = g_new0(TndPreparing, 1);
    preparing->session = session;
    preparing->done = done;
    preparing->user_data = user_data;
    preparing->given_up = g_hash_table_new(NULL, NULL);
    preparing->page = tnd_waiting_new(TRUE, FALSE);
    preparing->line = tnd_waiting_new(TRUE, TRUE);
    gtk_widget_show_all(preparing->line);
    gtk_widget_set_no_show_all(preparing->line, TRUE);
    gtk_widget_hide(preparing->line);
    return preparing;
}

void tnd_preparing_free(TndPreparing *preparing)
{
    if (preparing->job)
        tnd_long_job_stop(preparing->job);
    g_hash_table_unref(preparing->given_up);
    g_free(preparing);
}

GtkWidget *tnd_preparing_line(TndPreparing *preparing)
{
    return preparing->line;
}

GtkWidget *tnd_preparing_page(TndPreparing *preparing)
{
    return preparing->page;
}
