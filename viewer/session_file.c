/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times are in ns.  Keys that have their default value are not written.
 */
#include "viewer/session_file.h"

#include "viewer/session_parts.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define HEAD "tview session"
#define VERSION 1

static const char *const pages[] = {"timeline", "histogram", "profile"};
static const char *const messages[] = {"fitting", "all", "none"};
static const char *const cells[TND_CELLS_N] = {"numbers", "colours", "bars"};

/* Writing. */

static void write_absolute(GKeyFile *file, const char *group, const char *name, const char *view)
{
    char *path;
    gint64 number;
    if (!tnd_view_names_window(view, &path, &number)) {
        g_key_file_set_string(file, group, name, view);
        return;
    }
    char *absolute = g_canonicalize_filename(path, NULL);
    char *text =
        number == TND_VIEW_LAST_WINDOW ? g_strdup(absolute) : g_strdup_printf("%s:%" G_GINT64_FORMAT, absolute, number);
    g_key_file_set_string(file, group, name, text);
    g_free(text);
    g_free(absolute);
    g_free(path);
}

static char *key_of(const char *what, TndLevel level)
{
    char *key = g_strdup_printf("%s-%s", what, tnd_levels_word(level, FALSE));
    return g_strdelimit(key, " ", '-');
}

static void write_rows(GKeyFile *file, const char *group, const TndSession *session, const TndZooms *zooms,
                       TndLevel level)
{
    const TndRowOrder *order = zooms->orders[level];
    const TndZoom zoom = zooms->of_level[level];
    const guint n_all = tnd_levels_n_rows(session->trace, level);
    char *rows = key_of("rows", level), *pinned = key_of("pinned", level), *shown = key_of("shown", level);
    if (order) {
        char *text = tnd_row_order_text(order, n_all);
        g_key_file_set_string(file, group, rows, text);
        if (order->n_pinned)
            g_key_file_set_integer(file, group, pinned, (int)order->n_pinned);
        g_free(text);
    }
    if (zoom.first_row || zoom.last_row != tnd_row_order_last_place(order, n_all)) {
        char *text = g_strdup_printf("%u-%u", zoom.first_row + 1, zoom.last_row + 1);
        g_key_file_set_string(file, group, shown, text);
        g_free(text);
    }
    g_free(shown);
    g_free(pinned);
    g_free(rows);
}

static void write_zooms(GKeyFile *file, const char *group, const TndSession *session, const TndZooms *zooms)
{
    const TndZoom zoom = zooms->of_level[TND_LEVEL_THREAD];
    if (zoom.begin_ns)
        g_key_file_set_uint64(file, group, "begin", zoom.begin_ns);
    if (zoom.end_ns != tnd_trace_end_ns(session->trace))
        g_key_file_set_uint64(file, group, "end", zoom.end_ns);
    for (TndLevel level = 0; level < TND_LEVEL_N; level++)
        write_rows(file, group, session, zooms, level);
}

static void write_marks(GKeyFile *file, const TndMarks *marks)
{
    if (marks->begin_ns == marks->end_ns)
        return;
    g_key_file_set_uint64(file, HEAD, "mark-begin", marks->begin_ns);
    g_key_file_set_uint64(file, HEAD, "mark-end", marks->end_ns);
}

static void write_look(GKeyFile *file, TndLook look)
{
    g_key_file_set_string(file, HEAD, "draw-mode", tnd_draw_mode_rule(look.mode)->name);
    g_key_file_set_string(file, HEAD, "scale", tnd_look_scale_name(look.scale));
    g_key_file_set_string(file, HEAD, "palette", tnd_look_colours_name(look.colours));
    if (look.has_theme)
        g_key_file_set_string(file, HEAD, "theme", tnd_look_theme_name(look.theme));
    char *limits = tnd_look_limits_text(&look);
    if (limits)
        g_key_file_set_string(file, HEAD, "limits", limits);
    g_free(limits);
}

static void write_cells(GKeyFile *file, const TndHistogramPage *table)
{
    if (table->cells != TND_CELLS_COLOURS)
        g_key_file_set_string(file, HEAD, "cells", cells[table->cells]);
    if (table->order.column)
        g_key_file_set_string(file, HEAD, "sorted-by", table->order.column);
    if (table->order.is_rising)
        g_key_file_set_boolean(file, HEAD, "sorted-rising", TRUE);
    if (table->order.hides_empty)
        g_key_file_set_boolean(file, HEAD, "without-empty-rows", TRUE);
    if (table->is_vertical)
        g_key_file_set_boolean(file, HEAD, "transposed", TRUE);
}

static void write_head(GKeyFile *file, const TndSession *session)
{
    const TndHistogramPage *table = &session->table;
    char *trace = g_canonicalize_filename(tnd_trace_path(session->trace), NULL);
    g_key_file_set_integer(file, HEAD, "version", VERSION);
    g_key_file_set_string(file, HEAD, "trace", trace);
    if (tnd_trace_beside(session->trace)) {
        char *beside = g_canonicalize_filename(tnd_trace_beside(session->trace), NULL);
        g_key_file_set_string(file, HEAD, "beside", beside);
        g_key_file_set_string(file, HEAD, "align", tnd_trace_alignment(session->trace));
        g_free(beside);
    }
    g_key_file_set_string(file, HEAD, "page", pages[session->page]);
    g_key_file_set_string(file, HEAD, "messages", messages[session->messages]);
    if (session->fits_scale)
        g_key_file_set_boolean(file, HEAD, "fit-scale", TRUE);
    if (table->limited) {
        g_key_file_set_string(file, HEAD, "columns-of", table->limited);
        g_key_file_set_double(file, HEAD, "columns-from", table->minimum);
        g_key_file_set_double(file, HEAD, "columns-to", table->maximum);
    }
    write_cells(file, table);
    g_key_file_set_string(file, HEAD, "statistic", tnd_histogram_statistic_name(table->statistic));
    if (table->file) {
        char *path = g_canonicalize_filename(table->file->cfg->path, NULL);
        g_key_file_set_string(file, HEAD, "configuration", path);
        g_key_file_set_integer(file, HEAD, "table", (int)table->table + 1);
        g_free(path);
    }
    write_look(file, session->look);
    write_marks(file, tnd_session_marks(session));
    g_free(trace);
}

static void write_lane(GKeyFile *file, const TndSession *session, guint number)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    const TndLane *lane = &scene->lanes[number];
    char *group = g_strdup_printf("timeline %u", number + 1);
    gpointer draw;
    write_absolute(file, group, "view", lane->view);
    if (lane->height != 1)
        g_key_file_set_double(file, group, "height", lane->height);
    if (g_hash_table_lookup_extended(session->draws, lane->view, NULL, &draw))
        g_key_file_set_string(file, group, "draw", tnd_draw_names[GPOINTER_TO_UINT(draw)]);
    if (number == scene->selected)
        g_key_file_set_boolean(file, group, "selected", TRUE);
    if (lane->is_apart) {
        g_key_file_set_boolean(file, group, "apart", TRUE);
        write_zooms(file, group, session, &lane->zooms);
    }
    g_free(group);
}

static void write_note(GKeyFile *file, guint number, const TndNote *note)
{
    char *group = g_strdup_printf("note %u", number);
    g_key_file_set_uint64(file, group, "time", note->time_ns);
    g_key_file_set_string(file, group, "level", tnd_levels_word(note->level, FALSE));
    g_key_file_set_uint64(file, group, "row", note->row + 1);
    g_key_file_set_string(file, group, "text", note->text);
    g_free(group);
}

gboolean tnd_session_file_write(const TndSession *session, const char *path, GError **error)
{
    GKeyFile *file = g_key_file_new();
    write_head(file, session);
    write_zooms(file, HEAD, session, &tnd_session_parts_scene(session)->zooms);
    for (guint lane = 0; lane < tnd_session_n_lanes(session); lane++)
        if (tnd_session_parts_scene(session)->lanes[lane].view)
            write_lane(file, session, lane);
    const GArray *notes = tnd_session_marks(session)->notes;
    for (guint i = 0; i < notes->len; i++)
        write_note(file, i + 1, &g_array_index(notes, TndNote, i));
    const gboolean is_good = g_key_file_save_to_file(file, path, error);
    g_key_file_unref(file);
    return is_good;
}

/* Reading. */

static GKeyFile *read_file(const char *path, GError **error)
{
    GKeyFile *file = g_key_file_new();
    GError *cause = NULL;
    const gboolean is_read = g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &cause);
    if (is_read && g_key_file_get_integer(file, HEAD, "version", NULL) == VERSION)
        return file;
    if (!is_read && cause->domain == G_FILE_ERROR)
        g_set_error(error, cause->domain, cause->code, "%s: %s", path, cause->message);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: this is no session of this version of tview: %s",
                    path, is_read ? "it does not begin with [" HEAD "] and version=1" : cause->message);
    g_clear_error(&cause);
    g_key_file_unref(file);
    return NULL;
}

/* A trace that is not where it was may be beside the session: both were moved. */
static char *find_trace(const char *path, char *trace)
{
    char *name = g_path_get_basename(trace), *folder = g_path_get_dirname(path);
    char *beside = g_build_filename(folder, name, NULL);
    if (!g_file_test(trace, G_FILE_TEST_EXISTS) && g_file_test(beside, G_FILE_TEST_EXISTS)) {
        char *other = trace;
        trace = beside;
        beside = other;
    }
    g_free(beside);
    g_free(folder);
    g_free(name);
    return trace;
}

TndOpening *tnd_session_file_opening(const char *path, GError **error)
{
    GKeyFile *file = read_file(path, error);
    char *trace = file ? g_key_file_get_string(file, HEAD, "trace", NULL) : NULL;
    char *beside = file ? g_key_file_get_string(file, HEAD, "beside", NULL) : NULL;
    if (file && !trace)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: it names no trace: give one beside it", path);
    TndOpening *opening = trace ? g_new0(TndOpening, 1) : NULL;
    if (trace)
        *opening = (TndOpening){find_trace(path, trace), beside ? find_trace(path, beside) : NULL,
                                g_key_file_get_string(file, HEAD, "align", NULL)};
    else
        g_free(beside);
    if (file)
        g_key_file_unref(file);
    return opening;
}

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
    char *rows = key_of("rows", level), *pinned = key_of("pinned", level);
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
    char *key = key_of("shown", level), *text = g_key_file_get_string(applying->file, group, key, NULL);
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
        char *text = g_key_file_get_string(applying->file, HEAD, keys[i].key, NULL);
        if (text && !keys[i].parse(&look, text))
            leave_out(applying, "[" HEAD "] %s: got '%s'", keys[i].key, text);
        g_free(text);
    }
    char *mode = g_key_file_get_string(applying->file, HEAD, "draw-mode", NULL);
    if (mode && !tnd_draw_mode_parse(mode, &look.mode))
        leave_out(applying, "[" HEAD "] draw-mode: got '%s'", mode);
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
    scene.zooms = read_zooms(applying, HEAD);
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
    tnd_session_mark(applying->session, time_of(applying, HEAD, "mark-begin", 0),
                     time_of(applying, HEAD, "mark-end", 0));
}

static void apply_table(const Applying *applying)
{
    TndSession *session = applying->session;
    char *cfg = g_key_file_get_string(applying->file, HEAD, "configuration", NULL);
    const int number = g_key_file_get_integer(applying->file, HEAD, "table", NULL);
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
    char *view = g_key_file_get_string(applying->file, HEAD, "columns-of", NULL);
    table->minimum = g_key_file_get_double(applying->file, HEAD, "columns-from", NULL);
    table->maximum = g_key_file_get_double(applying->file, HEAD, "columns-to", NULL);
    table->limited = view && table->minimum < table->maximum ? g_intern_string(view) : NULL;
    g_free(view);
}

static void apply_cells(const Applying *applying)
{
    const guint shown = number_of(applying, HEAD, "cells", cells, TND_CELLS_N);
    char *column = g_key_file_get_string(applying->file, HEAD, "sorted-by", NULL);
    const TndTableOrder order = {g_intern_string(column),
                                 g_key_file_get_boolean(applying->file, HEAD, "sorted-rising", NULL),
                                 g_key_file_get_boolean(applying->file, HEAD, "without-empty-rows", NULL)};
    tnd_session_set_cells(applying->session, shown < TND_CELLS_N ? shown : TND_CELLS_COLOURS);
    tnd_session_set_table_order(applying->session, order);
    tnd_session_set_transposed(applying->session, g_key_file_get_boolean(applying->file, HEAD, "transposed", NULL));
    g_free(column);
}

static void apply_pages(const Applying *applying)
{
    TndSession *session = applying->session;
    TndStatistic statistic;
    char *name = g_key_file_get_string(applying->file, HEAD, "statistic", NULL);
    const guint page = number_of(applying, HEAD, "page", pages, G_N_ELEMENTS(pages));
    const guint shown = number_of(applying, HEAD, "messages", messages, G_N_ELEMENTS(messages));
    if (name && tnd_histogram_statistic_parse(name, &statistic))
        tnd_session_set_statistic(session, statistic);
    tnd_session_set_messages(session, shown < G_N_ELEMENTS(messages) ? (TndMessagesShown)shown : TND_MESSAGES_FITTING);
    tnd_session_set_fits_scale(session, g_key_file_get_boolean(applying->file, HEAD, "fit-scale", NULL));
    apply_cells(applying);
    apply_columns(applying);
    apply_table(applying);
    tnd_session_set_page(session, page < G_N_ELEMENTS(pages) ? (TndPage)page : TND_PAGE_TIMELINE);
    g_free(name);
}

gboolean tnd_session_file_apply(TndSession *session, const char *path, GPtrArray *left_out, GError **error)
{
    GKeyFile *file = read_file(path, error);
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

char *tnd_session_file_last(const TndTrace *trace)
{
    char *key = tnd_opening_key(trace), *name = g_path_get_basename(tnd_trace_path(trace));
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA1, key, -1);
    char *file = g_strdup_printf("%s-%.12s" TND_SESSION_FILE_SUFFIX, name, sum);
    char *path = g_build_filename(g_get_user_state_dir(), "tview", file, NULL);
    g_free(file);
    g_free(sum);
    g_free(name);
    g_free(key);
    return path;
}
