/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session that is read: what it has and the trace has not is left out, and told.
 */
#include "viewer/session_file_parts.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
    TndSession *session;
    GKeyFile *file;
    GPtrArray *left_out; /* NULL: nobody wants to know */
} Applying;

G_GNUC_PRINTF(2, 3) static void leave_out(const Applying *applying, const char *format, ...)
{
    va_list arguments;
    if (!applying->left_out)
        return;
    va_start(arguments, format);
    g_ptr_array_add(applying->left_out, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* The number of a name; n: it is none of them. */
static guint number_of(const Applying *applying, const char *group, const char *key, const char *const *names, guint n)
{
    char *name = g_key_file_get_string(applying->file, group, key, NULL);
    guint i = 0;
    while (i < n && g_strcmp0(name, names[i]))
        i++;
    if (name && i == n)
        leave_out(applying, "[%s] %s: got '%s'", group, key, name);
    g_free(name);
    return i;
}

static guint64 time_of(const Applying *applying, const char *group, const char *key, guint64 otherwise)
{
    return g_key_file_has_key(applying->file, group, key, NULL)
               ? g_key_file_get_uint64(applying->file, group, key, NULL)
               : otherwise;
}

static const TndRowOrder *read_order(const Applying *applying, const char *group, TndLevel level)
{
    TndSession *session = applying->session;
    char *rows = tnd_session_file_parts_key("rows", level), *pinned = tnd_session_file_parts_key("pinned", level);
    char *text = g_key_file_get_string(applying->file, group, rows, NULL);
    GError *error = NULL;
    TndRowOrder *order =
        text ? tnd_row_order_parse(text, tnd_levels_n_rows(session->trace, level), NULL, NULL, &error) : NULL;
    if (order) {
        const int n_pinned = g_key_file_get_integer(applying->file, group, pinned, NULL);
        order->n_pinned = (guint)CLAMP(n_pinned, 0, (int)order->n);
        g_ptr_array_add(session->orders, order);
    }
    if (error)
        leave_out(applying, "[%s] %s: %s", group, rows, error->message);
    g_clear_error(&error);
    g_free(text);
    g_free(pinned);
    g_free(rows);
    return order;
}

static void read_shown(const Applying *applying, const char *group, TndLevel level, TndZoom *zoom)
{
    char *key = tnd_session_file_parts_key("shown", level),
         *text = g_key_file_get_string(applying->file, group, key, NULL);
    char **parts = g_strsplit(text ? text : "", "-", 2);
    if (parts[0] && parts[1]) {
        const guint64 first = g_ascii_strtoull(parts[0], NULL, 10), last = g_ascii_strtoull(parts[1], NULL, 10);
        if (first >= 1 && last >= first && first <= (guint64)zoom->last_row + 1) {
            zoom->last_row = (guint)MIN(last - 1, zoom->last_row);
            zoom->first_row = (guint)first - 1;
        }
    }
    g_strfreev(parts);
    g_free(text);
    g_free(key);
}

static TndZooms read_zooms(const Applying *applying, const char *group)
{
    TndZooms zooms = {0};
    const TndTrace *trace = applying->session->trace;
    const guint64 end_ns = tnd_trace_end_ns(trace);
    for (TndLevel level = 0; level < TND_LEVEL_N; level++) {
        TndZoom whole = tnd_zoom_whole(trace, level), zoom;
        zooms.orders[level] = read_order(applying, group, level);
        whole.last_row = tnd_row_order_last_place(zooms.orders[level], whole.last_row + 1);
        zoom = whole;
        read_shown(applying, group, level, &zoom);
        zoom.begin_ns = time_of(applying, group, "begin", 0);
        zoom.end_ns = time_of(applying, group, "end", end_ns);
        if (zoom.begin_ns >= MIN(zoom.end_ns, end_ns)) { /* of a longer trace */
            zoom.begin_ns = 0;
            zoom.end_ns = end_ns;
        }
        zooms.of_level[level] = tnd_zoom_inside(zoom, whole);
    }
    return zooms;
}

static void apply_look(const Applying *applying)
{
    static const struct {
        const char *key;
        gboolean (*parse)(TndLook *look, const char *name);
    } keys[] = {{"scale", tnd_look_parse_scale},
                {"limits", tnd_look_parse_limits},
                {"palette", tnd_look_parse_colours},
                {"theme", tnd_look_parse_theme}};
    TndLook look = {.theme = tnd_session_look(applying->session).theme};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        char *text = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, keys[i].key, NULL);
        if (text && !keys[i].parse(&look, text))
            leave_out(applying, "[" TND_SESSION_FILE_HEAD "] %s: got '%s'", keys[i].key, text);
        g_free(text);
    }
    char *mode = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "draw-mode", NULL);
    if (mode && !tnd_draw_mode_parse(mode, &look.mode))
        leave_out(applying, "[" TND_SESSION_FILE_HEAD "] draw-mode: got '%s'", mode);
    g_free(mode);
    tnd_session_set_look(applying->session, look);
}

/* Whether a view has something to show in the trace; of windows that is not known before they are opened. */
static gboolean has_view(const TndSession *session, const char *name)
{
    char *path;
    gint64 number;
    gboolean has = FALSE;
    if (tnd_view_names_window(name, &path, &number)) {
        g_free(path);
        return TRUE;
    }
    const gsize length = strcspn(name, ":"); /* "user-events:7" is a view of the rule "user-events" */
    for (guint i = 0; i < session->items->rules->len && !has; i++) {
        const char *rule = ((const TndViewRule *)session->items->rules->pdata[i])->name;
        has = strlen(rule) == length && !strncmp(rule, name, length);
    }
    return has;
}

/* Lays a view over the selected lane. */
static void apply_over(const Applying *applying, const char *group)
{
    GError *error = NULL;
    char *over = g_key_file_get_string(applying->file, group, "over", NULL);
    if (over && !has_view(applying->session, over))
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s has nothing to show in this trace", over);
    if (over && (error || !tnd_session_lay_over(applying->session, over, &error)))
        leave_out(applying, "[%s] over: %s", group, error->message);
    g_clear_error(&error);
    g_free(over);
}

/* Opens the view of a timeline in the first lane (which is there already), or in one that is added. */
static gboolean apply_lane(const Applying *applying, const char *group, gboolean is_first)
{
    TndSession *session = applying->session;
    GError *error = NULL;
    char *view = g_key_file_get_string(applying->file, group, "view", NULL);
    if (view && !has_view(session, view))
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s has nothing to show in this trace", view);
    const gboolean is_open =
        view && !error && (is_first ? tnd_session_open_view : tnd_session_add_view)(session, view, &error);
    if (is_open) {
        const guint draw = number_of(applying, group, "draw", tnd_draw_names, TND_DRAW_N);
        const double height = g_key_file_get_double(applying->file, group, "height", NULL);
        tnd_session_set_lane_height(session, tnd_session_lane(session), height > 0 ? height : 1);
        if (draw < TND_DRAW_N)
            tnd_session_set_draw(session, (TndDraw)draw);
        apply_over(applying, group);
    } else {
        leave_out(applying, "[%s] %s", group, error ? error->message : "it has no view");
    }
    g_clear_error(&error);
    g_free(view);
    return is_open;
}

static char *group_of(const char *what, guint number)
{
    return g_strdup_printf("%s %u", what, number);
}

/* All that is in the scene is set at once, when its lanes are there. */
static void apply_lanes(const Applying *applying)
{
    TndSession *session = applying->session;
    guint numbers[TND_LANE_STACK_MOST], n = 0; /* of the groups, by lane */
    while (tnd_session_close_lane(session, 0))
        ;
    for (guint number = 1; number <= TND_LANE_STACK_MOST; number++) {
        char *group = group_of("timeline", number);
        if (g_key_file_has_group(applying->file, group) && apply_lane(applying, group, n == 0))
            numbers[n++] = number;
        g_free(group);
    }
    TndScene scene = *tnd_session_parts_scene(session);
    scene.zooms = read_zooms(applying, TND_SESSION_FILE_HEAD);
    guint selected = 0;
    for (guint lane = 0; lane < n; lane++) {
        char *group = group_of("timeline", numbers[lane]);
        scene.lanes[lane].is_apart = g_key_file_get_boolean(applying->file, group, "apart", NULL);
        if (scene.lanes[lane].is_apart)
            scene.lanes[lane].zooms = read_zooms(applying, group);
        if (g_key_file_get_boolean(applying->file, group, "selected", NULL))
            selected = lane;
        g_free(group);
    }
    tnd_history_begin(session->history, &scene);
    tnd_session_notify(session, TND_CHANGED_LANES | TND_CHANGED_ZOOM);
    tnd_session_select_lane(session, selected);
}

static void apply_note(const Applying *applying, const char *group)
{
    const TndTrace *trace = applying->session->trace;
    char *text = g_key_file_get_string(applying->file, group, "text", NULL);
    const char *levels[TND_LEVEL_N];
    for (TndLevel level = 0; level < TND_LEVEL_N; level++)
        levels[level] = tnd_levels_word(level, FALSE);
    const guint level = number_of(applying, group, "level", levels, TND_LEVEL_N);
    const guint64 row = g_key_file_get_uint64(applying->file, group, "row", NULL);
    TndNote note = {.time_ns = time_of(applying, group, "time", 0), .level = level, .text = text ? text : ""};
    if (level < TND_LEVEL_N && row >= 1 && row <= tnd_levels_n_rows(trace, level) &&
        note.time_ns <= tnd_trace_end_ns(trace)) {
        note.row = (guint)row - 1;
        tnd_session_set_note(applying->session, &note);
    } else {
        leave_out(applying, "[%s] %s: the trace has no such row or time", group, note.text);
    }
    g_free(text);
}

static void apply_marks(const Applying *applying)
{
    char **groups = g_key_file_get_groups(applying->file, NULL);
    g_array_set_size(applying->session->marks.notes, 0);
    for (guint i = 0; groups[i]; i++)
        if (g_str_has_prefix(groups[i], "note "))
            apply_note(applying, groups[i]);
    g_strfreev(groups);
    tnd_session_notify(applying->session, TND_CHANGED_NOTES);
    tnd_session_mark(applying->session, time_of(applying, TND_SESSION_FILE_HEAD, "mark-begin", 0),
                     time_of(applying, TND_SESSION_FILE_HEAD, "mark-end", 0));
}

static void apply_table(const Applying *applying)
{
    TndSession *session = applying->session;
    char *cfg = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "configuration", NULL);
    const int number = g_key_file_get_integer(applying->file, TND_SESSION_FILE_HEAD, "table", NULL);
    char *window = cfg ? g_strconcat(cfg, ":1", NULL) : NULL;
    TndCfgFile *file = tnd_items_find_file(session->items, cfg ? cfg : "");
    if (cfg && !file && tnd_session_parts_reopen(session, window))
        file = tnd_items_find_file(session->items, cfg);
    if (file && number >= 1 && number <= (int)file->cfg->histograms->len) {
        file->tables[number - 1].was_opened = TRUE; /* so that it keeps the zoom */
        tnd_session_open_table(session, file, (guint)number - 1);
    } else if (cfg) {
        leave_out(applying, "configuration: %s has no such histogram", cfg);
    }
    g_free(window);
    g_free(cfg);
}

static void apply_columns(const Applying *applying)
{
    TndHistogramPage *table = &applying->session->table;
    char *view = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "columns-of", NULL);
    table->minimum = g_key_file_get_double(applying->file, TND_SESSION_FILE_HEAD, "columns-from", NULL);
    table->maximum = g_key_file_get_double(applying->file, TND_SESSION_FILE_HEAD, "columns-to", NULL);
    table->limited = view && table->minimum < table->maximum ? g_intern_string(view) : NULL;
    g_free(view);
}

static void apply_table_view(const Applying *applying, TndTableView which, const char *key)
{
    char *name = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, key, NULL);
    TndView *view = name ? tnd_view_new(applying->session->trace, name, NULL) : NULL;
    if (name && !view)
        leave_out(applying, "%s: the trace has nothing for the view %s", key, name);
    tnd_session_set_table_view(applying->session, which, view ? name : NULL);
    tnd_view_free(view);
    g_free(name);
}

static void apply_cells(const Applying *applying)
{
    const guint shown = number_of(applying, TND_SESSION_FILE_HEAD, "cells", tnd_session_file_cells, TND_CELLS_N);
    char *column = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "sorted-by", NULL);
    const TndTableOrder order = {
        g_intern_string(column), g_key_file_get_boolean(applying->file, TND_SESSION_FILE_HEAD, "sorted-rising", NULL),
        g_key_file_get_boolean(applying->file, TND_SESSION_FILE_HEAD, "without-empty-rows", NULL)};
    tnd_session_set_cells(applying->session, shown < TND_CELLS_N ? shown : TND_CELLS_COLOURS);
    tnd_session_set_table_order(applying->session, order);
    apply_table_view(applying, TND_TABLE_DATA, "values-of");
    apply_table_view(applying, TND_TABLE_PLANES, "planes-of");
    g_free(applying->session->table.plane);
    applying->session->table.plane = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "plane", NULL);
    tnd_session_set_transposed(applying->session,
                               g_key_file_get_boolean(applying->file, TND_SESSION_FILE_HEAD, "transposed", NULL));
    g_free(column);
}

static void apply_messages(const Applying *applying)
{
    const guint shown =
        number_of(applying, TND_SESSION_FILE_HEAD, "messages", tnd_session_file_messages, TND_SESSION_FILE_MESSAGES);
    char *only = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "only-messages", NULL);
    GError *error = NULL;
    if (!tnd_session_choose_messages(applying->session, only ? only : "", &error))
        leave_out(applying, "[" TND_SESSION_FILE_HEAD "] only-messages: %s", error->message);
    tnd_session_set_messages(applying->session,
                             shown < TND_SESSION_FILE_MESSAGES ? (TndMessagesShown)shown : TND_MESSAGES_FITTING);
    g_clear_error(&error);
    g_free(only);
}

static void apply_pages(const Applying *applying)
{
    TndSession *session = applying->session;
    TndStatistic statistic;
    char *name = g_key_file_get_string(applying->file, TND_SESSION_FILE_HEAD, "statistic", NULL);
    const guint page =
        number_of(applying, TND_SESSION_FILE_HEAD, "page", tnd_session_file_pages, TND_SESSION_FILE_PAGES);
    if (name && tnd_histogram_statistic_parse(name, &statistic))
        tnd_session_set_statistic(session, statistic);
    apply_messages(applying);
    tnd_session_set_shows_flags(session, g_key_file_get_boolean(applying->file, TND_SESSION_FILE_HEAD, "flags", NULL));
    tnd_session_set_fits_scale(session,
                               g_key_file_get_boolean(applying->file, TND_SESSION_FILE_HEAD, "fit-scale", NULL));
    apply_cells(applying);
    apply_columns(applying);
    apply_table(applying);
    tnd_session_set_page(session, page < TND_SESSION_FILE_PAGES ? (TndPage)page : TND_PAGE_TIMELINE);
    g_free(name);
}

gboolean tnd_session_file_apply(TndSession *session, const char *path, GPtrArray *left_out, GError **error)
{
    GKeyFile *file = tnd_session_file_parts_read(path, error);
    if (!file)
        return FALSE;
    const Applying applying = {session, file, left_out};
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    apply_look(&applying);
    apply_lanes(&applying);
    apply_pages(&applying);
    apply_marks(&applying);
    g_key_file_unref(file);
    return TRUE;
}
