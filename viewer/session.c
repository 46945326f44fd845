/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * State, and the rules that keep it sensible: a zoom lies in the trace, watchers hear of it all.
 */
#include "viewer/session.h"

#include "viewer/histogram_page.h"
#include "viewer/paint/export.h"
#include "viewer/zoom_history.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
    TndSessionWatch watch;
    gpointer user_data;
} Watcher;

struct TndSession {
    TndTrace *trace;
    GPtrArray *rules;   /* const TndViewRule * */
    GPtrArray *open;    /* TndView * */
    GHashTable *scales; /* of open views: TndView to TndPaletteScale */
    TndView *view;
    TndPage page;
    TndHistogramPage table;
    TndMessagesShown messages;
    gboolean messages_fit, fits_scale;
    GHashTable *draws; /* of views that the user chose it for: name to TndDraw */
    TndZoomHistory *zooms;
    TndSpot hover, selection;
    GArray *watchers;
};

TndSession *tnd_session_new(void)
{
    TndSession *session = g_new0(TndSession, 1);
    session->rules = g_ptr_array_new();
    session->open = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_view_free);
    session->scales = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    session->draws = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    session->zooms = tnd_zoom_history_new();
    session->watchers = g_array_new(FALSE, FALSE, sizeof(Watcher));
    session->messages_fit = TRUE;
    session->table.is_coloured = TRUE;
    return session;
}

static void forget_trace(TndSession *session)
{
    tnd_histogram_page_drop(&session->table);
    session->view = NULL;
    g_hash_table_remove_all(session->scales);
    g_ptr_array_set_size(session->open, 0);
    g_ptr_array_set_size(session->rules, 0);
    tnd_zoom_history_forget(session->zooms);
    session->hover = session->selection = (TndSpot){0};
    if (session->trace)
        tnd_trace_free(session->trace);
    session->trace = NULL;
}

void tnd_session_free(TndSession *session)
{
    forget_trace(session);
    g_ptr_array_unref(session->rules);
    g_ptr_array_unref(session->open);
    g_hash_table_unref(session->scales);
    g_hash_table_unref(session->draws);
    tnd_zoom_history_free(session->zooms);
    g_array_unref(session->watchers);
    g_free(session);
}

void tnd_session_watch(TndSession *session, TndSessionWatch watch, gpointer user_data)
{
    Watcher watcher = {watch, user_data};
    g_array_append_val(session->watchers, watcher);
}

void tnd_session_unwatch(TndSession *session, gpointer user_data)
{
    for (guint i = session->watchers->len; i-- > 0;)
        if (g_array_index(session->watchers, Watcher, i).user_data == user_data)
            g_array_remove_index(session->watchers, i);
}

void tnd_session_notify(TndSession *session, guint changes)
{
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS))
        tnd_histogram_page_drop(&session->table);
    for (guint i = 0; i < session->watchers->len; i++) {
        Watcher watcher = g_array_index(session->watchers, Watcher, i);
        watcher.watch(session, changes, watcher.user_data);
    }
}

void tnd_session_set_trace(TndSession *session, TndTrace *trace)
{
    forget_trace(session);
    session->trace = trace;
    const TndViewRule *const *rules = tnd_view_rules();
    for (guint i = 0; rules[i]; i++)
        if (tnd_view_available(trace, rules[i]))
            g_ptr_array_add(session->rules, (gpointer)rules[i]);
    tnd_zoom_history_begin(session->zooms, trace);
    if (session->rules->len)
        tnd_session_open_view(session, ((const TndViewRule *)session->rules->pdata[0])->name, NULL);
    tnd_session_notify(session, TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_HOVER |
                                    TND_CHANGED_SELECTION);
}

const TndTrace *tnd_session_trace(const TndSession *session)
{
    return session->trace;
}

const GPtrArray *tnd_session_rules(const TndSession *session)
{
    return session->rules;
}

static TndView *find_open(const TndSession *session, const char *name)
{
    for (guint i = 0; i < session->open->len; i++)
        if (!strcmp(tnd_view_rule(session->open->pdata[i])->name, name))
            return session->open->pdata[i];
    return NULL;
}

/* On the row that a row of the level before belongs to; nowhere if there is none. */
static TndSpot lift(const TndSession *session, TndSpot spot, TndLevel from)
{
    TndLevel to = tnd_session_level(session);
    if (from == to || !spot.is_set)
        return spot;
    if (!tnd_levels_is_above(to, from))
        return (TndSpot){0};
    spot.row = tnd_levels_row_above(session->trace, from, spot.row, to);
    return spot;
}

static void show_view(TndSession *session, TndView *view)
{
    TndLevel before = tnd_session_level(session);
    session->view = view;
    session->selection = lift(session, session->selection, before);
    session->hover = lift(session, session->hover, before);
    guint changes = TND_CHANGED_VIEW | TND_CHANGED_HOVER | TND_CHANGED_SELECTION;
    tnd_session_notify(session, changes | (tnd_session_level(session) != before ? TND_CHANGED_ZOOM : 0));
}

gboolean tnd_session_open_view(TndSession *session, const char *name, GError **error)
{
    if (!session->trace) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: no trace is open", name);
        return FALSE;
    }
    TndView *view = find_open(session, name);
    if (!view) {
        view = tnd_view_new(session->trace, name, error);
        if (!view)
            return FALSE;
        g_ptr_array_add(session->open, view);
    }
    show_view(session, view);
    return TRUE;
}

TndView *tnd_session_view(const TndSession *session)
{
    return session->view;
}

TndLevel tnd_session_level(const TndSession *session)
{
    return session->view ? tnd_view_level(session->view) : TND_LEVEL_THREAD;
}

guint tnd_session_n_open(const TndSession *session)
{
    return session->open->len;
}

gboolean tnd_session_is_open(const TndSession *session, const char *name)
{
    return find_open(session, name) != NULL;
}

gboolean tnd_session_is_current(const TndSession *session, const TndViewRule *rule)
{
    if (!session->view)
        return FALSE;
    const char *name = tnd_view_rule(session->view)->name; /* "user-events:7" is of the rule "user-events" */
    gsize length = strlen(rule->name);
    return !strncmp(name, rule->name, length) && (name[length] == '\0' || name[length] == ':');
}

void tnd_session_step_view(TndSession *session, int step)
{
    for (gint64 i = 0; i < session->rules->len; i++) {
        if (!tnd_session_is_current(session, session->rules->pdata[i]))
            continue;
        gint64 next = i + step;
        if (next >= 0 && next < session->rules->len)
            tnd_session_open_view(session, ((const TndViewRule *)session->rules->pdata[next])->name, NULL);
        return;
    }
}

TndPage tnd_session_page(const TndSession *session)
{
    return session->page;
}

void tnd_session_set_page(TndSession *session, TndPage page)
{
    if (session->page == page)
        return;
    session->page = page;
    tnd_session_notify(session, TND_CHANGED_VIEW);
}

TndStatistic tnd_session_statistic(const TndSession *session)
{
    return session->table.statistic;
}

void tnd_session_set_statistic(TndSession *session, TndStatistic statistic)
{
    if (session->table.statistic == statistic)
        return;
    session->table.statistic = statistic;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndMessagesShown tnd_session_messages(const TndSession *session)
{
    return session->messages;
}

void tnd_session_set_messages(TndSession *session, TndMessagesShown messages)
{
    if (session->messages == messages)
        return;
    session->messages = messages;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_sees_messages(const TndSession *session)
{
    return session->messages == TND_MESSAGES_ALL ||
           (session->messages == TND_MESSAGES_FITTING && session->messages_fit);
}

void tnd_session_note_messages_fit(TndSession *session, gboolean fit)
{
    if (session->messages_fit == fit)
        return;
    session->messages_fit = fit;
    tnd_session_notify(session, TND_CHANGED_MESSAGES_FIT);
}

void tnd_session_toggle_messages(TndSession *session)
{
    TndMessagesShown seen = session->messages_fit ? TND_MESSAGES_FITTING : TND_MESSAGES_ALL;
    tnd_session_set_messages(session, tnd_session_sees_messages(session) ? TND_MESSAGES_NONE : seen);
}

gboolean tnd_session_fits_scale(const TndSession *session)
{
    return session->fits_scale;
}

void tnd_session_set_fits_scale(TndSession *session, gboolean fits)
{
    if (session->fits_scale == fits)
        return;
    session->fits_scale = fits;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndDraw tnd_session_draw(const TndSession *session)
{
    const TndViewRule *rule = session->view ? tnd_view_rule(session->view) : NULL;
    gpointer chosen;
    if (!rule || rule->palette == TND_PALETTE_CODE)
        return TND_DRAW_COLOUR;
    return g_hash_table_lookup_extended(session->draws, rule->name, NULL, &chosen) ? GPOINTER_TO_UINT(chosen)
                                                                                   : rule->draw;
}

void tnd_session_set_draw(TndSession *session, TndDraw draw)
{
    TndDraw before = tnd_session_draw(session);
    if (!session->view)
        return;
    g_hash_table_insert(session->draws, g_strdup(tnd_view_rule(session->view)->name), GUINT_TO_POINTER(draw));
    if (tnd_session_draw(session) != before)
        tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_is_coloured(const TndSession *session)
{
    return session->table.is_coloured;
}

void tnd_session_set_coloured(TndSession *session, gboolean coloured)
{
    if (session->table.is_coloured == coloured)
        return;
    session->table.is_coloured = coloured;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndZoom tnd_session_whole(const TndSession *session)
{
    return session->trace ? tnd_zoom_whole(session->trace, tnd_session_level(session)) : (TndZoom){0, 1, 0, 0};
}

TndZoom tnd_session_zoom(const TndSession *session)
{
    return tnd_zoom_history_is_empty(session->zooms)
               ? tnd_session_whole(session)
               : tnd_zoom_history_shown(session->zooms, tnd_session_level(session));
}

char *tnd_session_stretch_text(const TndSession *session)
{
    TndZoom zoom = tnd_session_zoom(session);
    return g_strdup_printf("--begin %" G_GUINT64_FORMAT "ns --end %" G_GUINT64_FORMAT "ns", zoom.begin_ns, zoom.end_ns);
}

void tnd_session_set_zoom(TndSession *session, TndZoom zoom, gboolean glides)
{
    if (!session->trace)
        return;
    zoom = tnd_zoom_inside(zoom, tnd_session_whole(session));
    if (tnd_zoom_equals(zoom, tnd_session_zoom(session)))
        return;
    tnd_zoom_history_add(session->zooms, tnd_session_level(session), zoom, glides);
    tnd_session_notify(session, TND_CHANGED_ZOOM);
}

static gboolean step_history(TndSession *session, int step)
{
    if (!tnd_zoom_history_step(session->zooms, tnd_session_level(session), step))
        return FALSE;
    tnd_session_notify(session, TND_CHANGED_ZOOM);
    return TRUE;
}

gboolean tnd_session_undo(TndSession *session)
{
    return step_history(session, -1);
}

gboolean tnd_session_redo(TndSession *session)
{
    return step_history(session, 1);
}

void tnd_session_scale_time(TndSession *session, double factor, guint64 at_ns)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_scale_time(zoom, whole, factor, at_ns), TRUE);
}

void tnd_session_scale_rows(TndSession *session, double factor, guint at_row)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_scale_rows(zoom, whole, factor, at_row), TRUE);
}

void tnd_session_pan(TndSession *session, double time_part, double row_part)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    tnd_session_set_zoom(session, tnd_zoom_pan(zoom, whole, time_part, row_part), TRUE);
}

static gboolean equal_spots(TndSpot a, TndSpot b)
{
    return a.is_set == b.is_set && (!a.is_set || (a.row == b.row && a.time_ns == b.time_ns));
}

TndSpot tnd_session_hover(const TndSession *session)
{
    return session->hover;
}

void tnd_session_set_hover(TndSession *session, TndSpot spot)
{
    if (equal_spots(session->hover, spot))
        return;
    session->hover = spot;
    tnd_session_notify(session, TND_CHANGED_HOVER);
}

TndSpot tnd_session_selection(const TndSession *session)
{
    return session->selection;
}

void tnd_session_set_selection(TndSession *session, TndSpot spot)
{
    if (equal_spots(session->selection, spot))
        return;
    session->selection = spot;
    tnd_session_notify(session, TND_CHANGED_SELECTION);
}

static void bring_into_sight(TndSession *session, TndSpot spot)
{
    TndZoom zoom = tnd_session_zoom(session);
    guint64 span = zoom.end_ns - zoom.begin_ns;
    if (spot.time_ns < zoom.begin_ns || spot.time_ns >= zoom.end_ns) {
        zoom.begin_ns = spot.time_ns > span / 2 ? spot.time_ns - span / 2 : 0;
        zoom.end_ns = zoom.begin_ns + span;
        tnd_session_set_zoom(session, zoom, TRUE);
    }
}

void tnd_session_step_burst(TndSession *session, int step)
{
    if (!session->view)
        return;
    TndZoom zoom = tnd_session_zoom(session);
    TndSpot spot = session->selection;
    if (!spot.is_set)
        spot = (TndSpot){TRUE, zoom.first_row, zoom.begin_ns};
    TndBurst burst;
    gboolean is_there = tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst);
    for (; is_there && step > 0; step--)
        is_there = tnd_view_burst_at(session->view, spot.row, burst.end_ns, &burst);
    for (; is_there && step < 0; step++)
        is_there = burst.begin_ns > 0 && tnd_view_burst_at(session->view, spot.row, burst.begin_ns - 1, &burst);
    if (!is_there)
        return;
    spot.time_ns = burst.begin_ns;
    bring_into_sight(session, spot);
    tnd_session_set_selection(session, spot);
}

static const TndPaletteScale *get_scale(const TndSession *session)
{
    TndPaletteScale *scale = g_hash_table_lookup(session->scales, session->view);
    if (!scale) {
        scale = g_new(TndPaletteScale, 1);
        *scale = tnd_palette_scale(session->view);
        g_hash_table_insert(session->scales, session->view, scale);
    }
    return scale;
}

gboolean tnd_session_timeline(const TndSession *session, TndTimelineSubject *subject)
{
    if (!session->view || !tnd_view_n_rows(session->view))
        return FALSE;
    TndZoom zoom = tnd_session_zoom(session);
    *subject = (TndTimelineSubject){.view = session->view,
                                    .begin_ns = zoom.begin_ns,
                                    .end_ns = zoom.end_ns,
                                    .first_row = zoom.first_row,
                                    .last_row = zoom.last_row,
                                    .messages = session->messages,
                                    .fits_scale = session->fits_scale,
                                    .draw = tnd_session_draw(session),
                                    .scale = get_scale(session)};
    return TRUE;
}

gboolean tnd_session_has_histogram(const TndSession *session)
{
    return session->table.made != NULL;
}

TndHistogramOptions tnd_session_histogram_options(const TndSession *session)
{
    return tnd_histogram_page_options(&session->table, tnd_session_zoom(session));
}

void tnd_session_set_histogram(TndSession *session, TndHistogram *histogram)
{
    tnd_histogram_page_take(&session->table, histogram);
}

const TndHistogram *tnd_session_histogram(TndSession *session, GError **error)
{
    if (session->view)
        return tnd_histogram_page_make(&session->table, session->view, tnd_session_zoom(session), error);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no view is open");
    return NULL;
}

gboolean tnd_session_table(TndSession *session, TndHistogramTableSubject *subject, GError **error)
{
    const TndHistogram *histogram = tnd_session_histogram(session, error);
    if (!histogram)
        return FALSE;
    *subject = (TndHistogramTableSubject){.histogram = histogram,
                                          .trace_name = tnd_trace_name(session->trace),
                                          .level = tnd_session_level(session),
                                          .is_coloured = session->table.is_coloured};
    return TRUE;
}

gboolean tnd_session_export(TndSession *session, const char *path, int width, int height, GError **error)
{
    if (session->page == TND_PAGE_HISTOGRAM) {
        TndHistogramTableSubject table;
        return tnd_session_table(session, &table, error) && tnd_export_histogram(&table, path, width, height, error);
    }
    TndTimelineSubject timeline;
    if (!tnd_session_timeline(session, &timeline)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: the trace has nothing to show", path);
        return FALSE;
    }
    return tnd_export_timeline(&timeline, path, width ? width : 1200, height ? height : 600, error);
}

gboolean tnd_session_write_csv(TndSession *session, const char *path, GError **error)
{
    const TndHistogram *histogram = tnd_session_histogram(session, error);
    return histogram && tnd_histogram_page_write_csv(histogram, path, error);
}
