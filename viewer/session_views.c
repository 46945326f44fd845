/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The items that can be opened, and those that are open: views, windows and tables of configurations.
 */
#include "viewer/session_parts.h"

#include <gio/gio.h>
#include <string.h>

const GPtrArray *tnd_session_rules(const TndSession *session)
{
    return session->items->rules;
}

const TndItems *tnd_session_items(const TndSession *session)
{
    return session->items;
}

TndView *tnd_session_parts_find_open(const TndSession *session, const char *name)
{
    for (guint i = 0; i < session->open->len; i++)
        if (!strcmp(tnd_view_rule(session->open->pdata[i])->name, name))
            return session->open->pdata[i];
    return NULL;
}

/* Moves a spot from a row of the level before to the row of the current level above it; unset if there is none. */
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

/* Returns to the page that was shown before a table of a configuration was opened. */
static void leave_table(TndSession *session)
{
    if (session->table.file && session->page == TND_PAGE_HISTOGRAM)
        session->page = session->page_before;
}

/* Shows a configuration's table or, if file is NULL, the view's own histogram. */
static void show_table(TndSession *session, TndCfgFile *file, guint table)
{
    if (!file)
        leave_table(session);
    if (session->table.file != file || session->table.table != table)
        tnd_histogram_page_show(&session->table, file, table);
}

void tnd_session_parts_leave_table(TndSession *session)
{
    show_table(session, NULL, 0);
}

void tnd_session_parts_show_view(TndSession *session, TndView *view, TndLevel level, guint changes)
{
    const guint lane = tnd_session_lane(session);
    session->view = view;
    session->selection = lift(session, session->selection, level);
    session->selection.lane = lane;
    if (session->hover.lane == lane)
        session->hover = lift(session, session->hover, level);
    changes |= TND_CHANGED_VIEW | TND_CHANGED_HOVER | TND_CHANGED_SELECTION;
    tnd_session_notify(session, changes | (tnd_session_level(session) != level ? TND_CHANGED_ZOOM : 0));
}

/* Makes a view that of the selected lane, with its own histogram (file NULL) or a configuration's table.  level: of the
 * view before. */
static void show(TndSession *session, TndView *view, TndLevel level, TndCfgFile *file, guint table)
{
    TndLane lane = tnd_session_parts_scene(session)->lanes[tnd_session_lane(session)];
    lane.view = g_intern_string(tnd_view_rule(view)->name);
    tnd_history_amend_lane(session->history, &lane);
    tnd_session_parts_mend_lanes(session);
    show_table(session, file, table);
    tnd_session_parts_show_view(session, view, level, 0);
}

/* Zooms to the time and rows that a window or a table sets, unless they are the whole trace.  Rows that the user has
 * chosen stay. */
static void zoom_to(TndSession *session, TndZoom zoom)
{
    const TndZoom shown = tnd_session_zoom(session);
    if (tnd_zoom_equals(zoom, tnd_zoom_whole(session->trace, tnd_session_level(session))))
        return;
    if (tnd_session_rows(session)) {
        zoom.first_row = shown.first_row;
        zoom.last_row = shown.last_row;
    }
    tnd_session_set_zoom(session, zoom, FALSE);
}

/* Adds a view to the open ones.  FALSE: it was open already. */
static gboolean keep_open(TndSession *session, TndView *view)
{
    if (g_ptr_array_find(session->open, view, NULL))
        return FALSE;
    g_ptr_array_add(session->open, tnd_view_share(view));
    return TRUE;
}

static void forget_folds(TndSession *session, const TndView *view)
{
    for (guint i = session->folds->len; i-- > 0;)
        if (g_array_index(session->folds, TndSessionFold, i).view == view)
            g_array_remove_index_fast(session->folds, i);
}

static void close_file(TndSession *session, TndCfgFile *file)
{
    if (session->table.file == file) {
        leave_table(session);
        tnd_histogram_page_show(&session->table, NULL, 0);
    }
    for (guint i = 0; file->views[i]; i++) {
        if (session->view == file->views[i])
            session->view = NULL;
        g_hash_table_remove(session->scales, file->views[i]);
        forget_folds(session, file->views[i]);
        g_ptr_array_remove(session->open, file->views[i]);
    }
}

/* Reads a configuration in place of one read from this path before, which is kept on failure (NULL and error). */
static TndCfgFile *read_file(TndSession *session, const char *path, GError **error)
{
    TndCfgFile *file = tnd_cfg_file_new(session->trace, path, error), *old = tnd_items_find_file(session->items, path);
    if (!file)
        return NULL;
    if (old)
        close_file(session, old);
    tnd_items_add_file(session->items, file);
    session->unsaid |= TND_CHANGED_ITEMS;
    return file;
}

static gboolean has_trace(const TndSession *session, const char *name, GError **error)
{
    if (!session->trace)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: no trace is open", name);
    return session->trace != NULL;
}

static void open_window(TndSession *session, TndView *view, TndLevel level)
{
    gboolean is_first = keep_open(session, view);
    show(session, view, level, NULL, 0);
    if (is_first)
        zoom_to(session, tnd_zoom_of_view(view));
}

/* A window of a configuration, which is read if it was not. */
static TndView *find_window(TndSession *session, const char *path, gint64 number, GError **error)
{
    TndCfgFile *file = tnd_items_find_file(session->items, path);
    file = file ? file : read_file(session, path, error);
    if (!file)
        return NULL;
    guint n = file->cfg->windows->len;
    number = number == TND_VIEW_LAST_WINDOW ? n : number;
    if (number >= 1 && number <= n)
        return file->views[number - 1];
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: there is no window %" G_GINT64_FORMAT "; it has 1 to %u",
                path, number, n);
    return NULL;
}

/* The view of this name, which may not be among the open ones if it is a window. */
static TndView *find_view(TndSession *session, const char *name, GError **error)
{
    char *path;
    gint64 number;
    if (!has_trace(session, name, error))
        return NULL;
    if (tnd_view_names_window(name, &path, &number)) {
        TndView *view = find_window(session, path, number, error);
        g_free(path);
        return view;
    }
    TndView *view = tnd_session_parts_find_open(session, name);
    if (!view && (view = tnd_view_new(session->trace, name, error)))
        g_ptr_array_add(session->open, view);
    return view;
}

TndView *tnd_session_parts_reopen(TndSession *session, const char *name)
{
    TndView *view = name ? tnd_session_parts_find_open(session, name) : NULL;
    if (!view && name && (view = find_view(session, name, NULL)))
        keep_open(session, view);
    return view;
}

/* Opens a view in the selected lane, or in a lane that is added. */
static gboolean open_named(TndSession *session, const char *name, gboolean is_added, GError **error)
{
    TndLevel level = tnd_session_level(session);
    TndView *view = find_view(session, name, error);
    gboolean is_good = view && (!is_added || tnd_session_parts_add_lane(session, error));
    if (is_good)
        open_window(session, view, level);
    else
        tnd_session_notify(session, 0); /* a configuration may have been read */
    return is_good;
}

gboolean tnd_session_open_view(TndSession *session, const char *name, GError **error)
{
    return open_named(session, name, FALSE, error);
}

gboolean tnd_session_add_view(TndSession *session, const char *name, GError **error)
{
    return open_named(session, name, TRUE, error);
}

gboolean tnd_session_lay_over(TndSession *session, const char *name, GError **error)
{
    if (!has_trace(session, name ? name : "", error))
        return FALSE;
    TndView *view = name ? find_view(session, name, error) : NULL;
    TndLane lane = tnd_session_parts_scene(session)->lanes[tnd_session_lane(session)];
    gboolean is_good = view || !name;
    if (view && tnd_view_rule(view)->palette == TND_PALETTE_CODE) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "the values of %s are no quantities, so they cannot be lines over a timeline", name);
        is_good = FALSE;
    } else if (view && tnd_view_level(view) != tnd_session_level(session)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the rows of %s are %s, those of the timeline %s",
                    name, tnd_levels_word(tnd_view_level(view), TRUE),
                    tnd_levels_word(tnd_session_level(session), TRUE));
        is_good = FALSE;
    }
    if (is_good) {
        const char *over = view ? g_intern_string(tnd_view_rule(view)->name) : NULL;
        lane.over = over == lane.over ? NULL : over;
        if (view)
            keep_open(session, view);
        tnd_history_amend_lane(session->history, &lane);
    }
    tnd_session_notify(session, is_good ? TND_CHANGED_LANES : 0);
    return is_good;
}

static void open_table(TndSession *session, TndCfgFile *file, guint table, TndLevel level)
{
    TndView *control = tnd_cfg_file_control(file, table);
    gboolean is_first = !file->tables[table].was_opened;
    file->tables[table].was_opened = TRUE;
    if (!session->table.file)
        session->page_before = session->page;
    session->page = TND_PAGE_HISTOGRAM;
    keep_open(session, control);
    show(session, control, level, file, table);
    if (is_first)
        zoom_to(session, tnd_cfg_file_table_zoom(file, table));
}

void tnd_session_open_table(TndSession *session, TndCfgFile *file, guint table)
{
    open_table(session, file, table, tnd_session_level(session));
}

/* What a window says of events and messages holds for all timelines. */
static void take_marks(TndSession *session, const TndCfgWindow *window)
{
    if (window->has_flags)
        tnd_session_set_shows_flags(session, TRUE);
    if (window->hides_messages)
        tnd_session_set_messages(session, TND_MESSAGES_NONE);
}

gboolean tnd_session_open_cfg(TndSession *session, const char *path, GError **error)
{
    TndLevel level = tnd_session_level(session);
    TndCfgFile *file = has_trace(session, path, error) ? read_file(session, path, error) : NULL;
    if (file && file->cfg->histograms->len) {
        open_table(session, file, 0, level);
    } else if (file) {
        const guint last = file->cfg->windows->len - 1;
        open_window(session, file->views[last], level);
        take_marks(session, tnd_cfg_window(file->cfg, last));
    }
    return file != NULL;
}

gboolean tnd_session_open_item(TndSession *session, const TndItem *item, GError **error)
{
    if (item->kind == TND_ITEM_VIEW)
        return tnd_session_open_view(session, item->name, error);
    if (item->kind == TND_ITEM_WINDOW)
        open_window(session, item->file->views[item->number], tnd_session_level(session));
    if (item->kind == TND_ITEM_TABLE)
        tnd_session_open_table(session, item->file, item->number);
    return item->kind != TND_ITEM_HEADING;
}

gboolean tnd_session_add_item(TndSession *session, const TndItem *item, GError **error)
{
    if (item->kind == TND_ITEM_VIEW || item->kind == TND_ITEM_WINDOW)
        return tnd_session_add_view(session, item->name, error);
    return tnd_session_open_item(session, item, error);
}

/* Whether a timeline shows the item. */
static gboolean is_shown(const TndSession *session, const TndItem *item)
{
    gboolean is = FALSE;
    for (guint lane = 0; lane < tnd_session_n_lanes(session) && !is; lane++) {
        TndView *view = tnd_session_lane_view(session, lane);
        is = view && item->name && !strcmp(tnd_view_rule(view)->name, item->name);
    }
    return is;
}

gboolean tnd_session_add_next(TndSession *session, GError **error)
{
    const GArray *list = session->items->list;
    guint at = 0;
    while (at < list->len && !tnd_session_is_item_current(session, &g_array_index(list, TndItem, at)))
        at++;
    for (guint i = 1; i < list->len; i++) {
        const TndItem *item = &g_array_index(list, TndItem, (at + i) % list->len);
        if (item->name && !is_shown(session, item))
            return tnd_session_add_view(session, item->name, error);
    }
    return session->view && tnd_session_add_view(session, tnd_view_rule(session->view)->name, error);
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
    return tnd_session_parts_find_open(session, name) != NULL;
}

gboolean tnd_session_is_item_open(const TndSession *session, const TndItem *item)
{
    if (item->kind == TND_ITEM_TABLE)
        return item->file->tables[item->number].was_opened;
    return item->kind == TND_ITEM_HEADING || tnd_session_is_open(session, item->name);
}

static gboolean is_called(const TndSession *session, const char *rule)
{
    if (!session->view)
        return FALSE;
    const char *name = tnd_view_rule(session->view)->name; /* "user-events:7" is a view of the rule "user-events" */
    gsize length = strlen(rule);
    return !strncmp(name, rule, length) && (name[length] == '\0' || name[length] == ':');
}

gboolean tnd_session_is_current(const TndSession *session, const TndViewRule *rule)
{
    return is_called(session, rule->name);
}

gboolean tnd_session_is_item_current(const TndSession *session, const TndItem *item)
{
    gboolean is_table = session->page == TND_PAGE_HISTOGRAM && session->table.file;
    switch (item->kind) {
    case TND_ITEM_HEADING:
        return FALSE;
    case TND_ITEM_TABLE:
        return is_table && session->table.file == item->file && session->table.table == item->number;
    case TND_ITEM_WINDOW:
        return !is_table && session->view == item->file->views[item->number];
    default:
        return !is_table && is_called(session, item->name);
    }
}

void tnd_session_step_view(TndSession *session, int step)
{
    const GArray *list = session->items->list;
    gint64 at = 0;
    while (at < list->len && !tnd_session_is_item_current(session, &g_array_index(list, TndItem, at)))
        at++;
    if (at == list->len)
        return;
    for (at += step; at >= 0 && at < list->len; at += step) {
        TndItem item = g_array_index(list, TndItem, at);
        if (item.kind != TND_ITEM_HEADING) {
            tnd_session_open_item(session, &item, NULL);
            return;
        }
    }
}
