/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens, applies, writes; every failure is one line on standard error.
 */
#include "viewer/batch.h"

#include "analysis/views/view_files.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

enum { BAD_INPUT = 1, BAD_USE = 2 };

gboolean tnd_batch_is_wanted(const TndArguments *arguments)
{
    return arguments->lists_views || arguments->export_path || arguments->csv_path;
}

/* Whether the trace has anything for the current view. */
static gboolean is_there(TndSession *session)
{
    double minimum, maximum;
    if (strchr(tnd_view_rule(tnd_session_view(session))->name, ':')) /* of event types by number */
        return tnd_view_range(tnd_session_view(session), 0, G_MAXUINT64, &minimum, &maximum);
    const GPtrArray *rules = tnd_session_rules(session);
    for (guint i = 0; i < rules->len; i++)
        if (tnd_session_is_current(session, rules->pdata[i]))
            return TRUE;
    return FALSE;
}

static gboolean open_view(TndSession *session, const char *name, GError **error)
{
    const GPtrArray *rules = tnd_session_rules(session);
    if (!tnd_session_open_view(session, name, error))
        return FALSE;
    if (is_there(session))
        return TRUE;
    GString *names = g_string_new(rules->len ? "" : " none");
    for (guint i = 0; i < rules->len; i++)
        g_string_append_printf(names, "%s %s", i ? "," : "", ((const TndViewRule *)rules->pdata[i])->name);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: %s has nothing for this view; it has%s", name,
                tnd_trace_name(tnd_session_trace(session)), names->str);
    g_string_free(names, TRUE);
    if (rules->len)
        tnd_session_open_view(session, ((const TndViewRule *)rules->pdata[0])->name, NULL);
    return FALSE;
}

gboolean tnd_batch_add_view_files(const TndArguments *arguments, GError **error)
{
    for (const char *const *fault = tnd_view_files_faults(); *fault; fault++)
        fprintf(stderr, "tview: %s\n", *fault);
    for (guint i = 0; arguments->view_files && arguments->view_files[i]; i++)
        if (!tnd_view_files_add(arguments->view_files[i], error))
            return FALSE;
    return TRUE;
}

/* Of the view that is then current. */
static gboolean apply_draw(TndSession *session, TndDraw draw, GError **error)
{
    TndView *view = tnd_session_view(session);
    tnd_session_set_draw(session, draw);
    if (!view || tnd_session_draw(session) == draw)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--draw: the values of %s are no quantities: no line",
                tnd_view_rule(view)->name);
    return FALSE;
}

gboolean tnd_batch_apply(TndSession *session, const TndArguments *arguments, GError **error)
{
    if (arguments->view && !open_view(session, arguments->view, error))
        return FALSE;
    if (arguments->has_draw && !apply_draw(session, arguments->draw, error))
        return FALSE;
    TndZoom zoom = tnd_session_whole(session);
    if (arguments->has_begin && arguments->begin_ns >= zoom.end_ns) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "--begin: the trace ends at %" G_GUINT64_FORMAT " ns", zoom.end_ns);
        return FALSE;
    }
    if (arguments->first_row > zoom.last_row + 1) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--rows: the view has %u %s", zoom.last_row + 1,
                    tnd_levels_word(tnd_session_level(session), zoom.last_row > 0));
        return FALSE;
    }
    if (arguments->has_begin)
        zoom.begin_ns = arguments->begin_ns;
    if (arguments->has_end)
        zoom.end_ns = MIN(arguments->end_ns, zoom.end_ns);
    if (arguments->first_row) {
        zoom.first_row = arguments->first_row - 1;
        zoom.last_row = arguments->last_row - 1;
    }
    tnd_session_set_zoom(session, zoom, FALSE);
    tnd_session_set_messages(session, arguments->messages);
    tnd_session_set_fits_scale(session, arguments->fits_scale);
    tnd_session_set_statistic(session, arguments->statistic);
    tnd_session_set_page(session, arguments->is_histogram ? TND_PAGE_HISTOGRAM : TND_PAGE_TIMELINE);
    return TRUE;
}

static int fail(const char *where, GError *error, int status)
{
    if (where)
        fprintf(stderr, "tview: %s: %s\n", where, error->message);
    else
        fprintf(stderr, "tview: %s\n", error->message);
    g_error_free(error);
    return status;
}

static void list_views(const TndTrace *trace)
{
    const TndViewRule *const *rules = tnd_view_rules();
    for (guint i = 0; rules[i]; i++)
        if (!trace || tnd_view_available(trace, rules[i]))
            printf("%-26s %s\n", rules[i]->name, rules[i]->help);
}

static int write_files(TndSession *session, const TndArguments *arguments)
{
    GError *error = NULL;
    if (!tnd_session_view(session)) {
        fprintf(stderr, "tview: %s: no view has anything to show\n", arguments->trace);
        return BAD_INPUT;
    }
    if (arguments->export_path &&
        !tnd_session_export(session, arguments->export_path, arguments->width, arguments->height, &error)) {
        gboolean is_use = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
        return fail(NULL, error, is_use ? BAD_USE : BAD_INPUT);
    }
    if (arguments->csv_path && !tnd_session_write_csv(session, arguments->csv_path, &error))
        return fail(NULL, error, BAD_INPUT);
    return 0;
}

int tnd_batch_run(const TndArguments *arguments)
{
    GError *error = NULL;
    if (arguments->lists_views && !arguments->trace) {
        list_views(NULL);
        return 0;
    }
    TndTrace *trace = tnd_trace_open(arguments->trace, NULL, NULL, &error);
    if (!trace) {
        gboolean has_name = strstr(error->message, arguments->trace) != NULL;
        return fail(has_name ? NULL : arguments->trace, error, BAD_INPUT);
    }
    if (arguments->lists_views) {
        list_views(trace);
        tnd_trace_free(trace);
        return 0;
    }
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, trace);
    int status;
    if (tnd_batch_apply(session, arguments, &error))
        status = write_files(session, arguments);
    else
        status = fail(NULL, error, g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED) ? BAD_INPUT : BAD_USE);
    tnd_session_free(session);
    return status;
}
