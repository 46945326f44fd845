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

static TndView *find_open(const TndSession *session, const char *name)
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

/* Makes a view current, with its own histogram (file NULL) or a configuration's table.  level: of the view before. */
static void show(TndSession *session, TndView *view, TndLevel level, TndCfgFile *file, guint table)
{
    if (!file)
        leave_table(session);
    session->view = view;
    session->selection = lift(session, session->selection, level);
    session->hover = lift(session, session->hover, level);
    if (session->table.file != file || session->table.table != table)
        tnd_histogram_page_show(&session->table, file, table);
    guint changes = TND_CHANGED_VIEW | TND_CHANGED_HOVER | TND_CHANGED_SELECTION;
    tnd_session_notify(session, changes | (tnd_session_level(session) != level ? TND_CHANGED_ZOOM : 0));
}

/* Zooms to the time and rows that a window or a table sets, unless they are the whole trace. */
static void zoom_to(TndSession *session, TndZoom zoom)
{
    if (!tnd_zoom_equals(zoom, tnd_session_whole(session)))
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

static void open_window(TndSession *session, TndCfgFile *file, guint window, TndLevel level)
{
    TndView *view = file->views[window];
    gboolean is_first = keep_open(session, view);
    show(session, view, level, NULL, 0);
    if (is_first)
        zoom_to(session, tnd_zoom_of_view(view));
}

static gboolean open_numbered(TndSession *session, const char *path, gint64 number, GError **error)
{
    TndLevel level = tnd_session_level(session);
    TndCfgFile *file = tnd_items_find_file(session->items, path);
    file = file ? file : read_file(session, path, error);
    if (!file)
        return FALSE;
    guint n = file->cfg->windows->len;
    number = number == TND_VIEW_LAST_WINDOW ? n : number;
    if (number >= 1 && number <= n) {
        open_window(session, file, (guint)number - 1, level);
        return TRUE;
    }
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: there is no window %" G_GINT64_FORMAT "; it has 1 to %u",
                path, number, n);
    tnd_session_notify(session, 0);
    return FALSE;
}

gboolean tnd_session_open_view(TndSession *session, const char *name, GError **error)
{
    char *path;
    gint64 number;
    if (!has_trace(session, name, error))
        return FALSE;
    if (tnd_view_names_window(name, &path, &number)) {
        gboolean is_good = open_numbered(session, path, number, error);
        g_free(path);
        return is_good;
    }
    TndView *view = find_open(session, name);
    if (!view) {
        view = tnd_view_new(session->trace, name, error);
        if (!view)
            return FALSE;
        g_ptr_array_add(session->open, view);
    }
    show(session, view, tnd_session_level(session), NULL, 0);
    return TRUE;
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

gboolean tnd_session_open_cfg(TndSession *session, const char *path, GError **error)
{
    TndLevel level = tnd_session_level(session);
    TndCfgFile *file = has_trace(session, path, error) ? read_file(session, path, error) : NULL;
    if (file && file->cfg->histograms->len)
        open_table(session, file, 0, level);
    else if (file)
        open_window(session, file, file->cfg->windows->len - 1, level);
    return file != NULL;
}

gboolean tnd_session_open_item(TndSession *session, const TndItem *item, GError **error)
{
    if (item->kind == TND_ITEM_VIEW)
        return tnd_session_open_view(session, item->name, error);
    if (item->kind == TND_ITEM_WINDOW)
        open_window(session, item->file, item->number, tnd_session_level(session));
    if (item->kind == TND_ITEM_TABLE)
        tnd_session_open_table(session, item->file, item->number);
    return item->kind != TND_ITEM_HEADING;
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
