/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times are in ns.  Keys that have their default value are not written.
 */
#include "viewer/session_file.h"

#include "viewer/session_file_parts.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

const char *const tnd_session_file_pages[TND_SESSION_FILE_PAGES] = {"timeline", "histogram", "profile"};
const char *const tnd_session_file_messages[TND_SESSION_FILE_MESSAGES] = {"fitting", "all", "none"};
const char *const tnd_session_file_cells[TND_CELLS_N] = {"numbers", "colours", "bars"};

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

char *tnd_session_file_parts_key(const char *what, TndLevel level)
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
    char *rows = tnd_session_file_parts_key("rows", level), *pinned = tnd_session_file_parts_key("pinned", level),
         *shown = tnd_session_file_parts_key("shown", level);
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
    g_key_file_set_uint64(file, TND_SESSION_FILE_HEAD, "mark-begin", marks->begin_ns);
    g_key_file_set_uint64(file, TND_SESSION_FILE_HEAD, "mark-end", marks->end_ns);
}

static void write_look(GKeyFile *file, TndLook look)
{
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "draw-mode", tnd_draw_mode_rule(look.mode)->name);
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "scale", tnd_look_scale_name(look.scale));
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "palette", tnd_look_colours_name(look.colours));
    if (look.has_theme)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "theme", tnd_look_theme_name(look.theme));
    char *limits = tnd_look_limits_text(&look);
    if (limits)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "limits", limits);
    g_free(limits);
}

static void write_cells(GKeyFile *file, const TndHistogramPage *table)
{
    if (table->cells != TND_CELLS_COLOURS)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "cells", tnd_session_file_cells[table->cells]);
    if (table->order.column)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "sorted-by", table->order.column);
    if (table->order.is_rising)
        g_key_file_set_boolean(file, TND_SESSION_FILE_HEAD, "sorted-rising", TRUE);
    if (table->order.hides_empty)
        g_key_file_set_boolean(file, TND_SESSION_FILE_HEAD, "without-empty-rows", TRUE);
    if (table->is_vertical)
        g_key_file_set_boolean(file, TND_SESSION_FILE_HEAD, "transposed", TRUE);
    if (table->data)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "values-of", table->data);
    if (table->third)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "planes-of", table->third);
    if (table->plane)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "plane", table->plane);
}

static void write_head(GKeyFile *file, const TndSession *session)
{
    const TndHistogramPage *table = &session->table;
    char *trace = g_canonicalize_filename(tnd_trace_path(session->trace), NULL);
    g_key_file_set_integer(file, TND_SESSION_FILE_HEAD, "version", TND_SESSION_FILE_VERSION);
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "trace", trace);
    if (tnd_trace_beside(session->trace)) {
        char *beside = g_canonicalize_filename(tnd_trace_beside(session->trace), NULL);
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "beside", beside);
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "align", tnd_trace_alignment(session->trace));
        g_free(beside);
    }
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "page", tnd_session_file_pages[session->page]);
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "messages", tnd_session_file_messages[session->messages]);
    if (session->message_choice)
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "only-messages",
                              tnd_message_choice_text(session->message_choice));
    if (session->shows_flags)
        g_key_file_set_boolean(file, TND_SESSION_FILE_HEAD, "flags", TRUE);
    if (session->fits_scale)
        g_key_file_set_boolean(file, TND_SESSION_FILE_HEAD, "fit-scale", TRUE);
    if (table->limited) {
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "columns-of", table->limited);
        g_key_file_set_double(file, TND_SESSION_FILE_HEAD, "columns-from", table->minimum);
        g_key_file_set_double(file, TND_SESSION_FILE_HEAD, "columns-to", table->maximum);
    }
    write_cells(file, table);
    g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "statistic", tnd_histogram_statistic_name(table->statistic));
    if (table->file) {
        char *path = g_canonicalize_filename(table->file->cfg->path, NULL);
        g_key_file_set_string(file, TND_SESSION_FILE_HEAD, "configuration", path);
        g_key_file_set_integer(file, TND_SESSION_FILE_HEAD, "table", (int)table->table + 1);
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
    if (lane->over)
        write_absolute(file, group, "over", lane->over);
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
    write_zooms(file, TND_SESSION_FILE_HEAD, session, &tnd_session_parts_scene(session)->zooms);
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

GKeyFile *tnd_session_file_parts_read(const char *path, GError **error)
{
    GKeyFile *file = g_key_file_new();
    GError *cause = NULL;
    const gboolean is_read = g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &cause);
    if (is_read && g_key_file_get_integer(file, TND_SESSION_FILE_HEAD, "version", NULL) == TND_SESSION_FILE_VERSION)
        return file;
    if (!is_read && cause->domain == G_FILE_ERROR)
        g_set_error(error, cause->domain, cause->code, "%s: %s", path, cause->message);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: this is no session of this version of tview: %s",
                    path,
                    is_read ? "it does not begin with [" TND_SESSION_FILE_HEAD "] and version=1" : cause->message);
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
    GKeyFile *file = tnd_session_file_parts_read(path, error);
    char *trace = file ? g_key_file_get_string(file, TND_SESSION_FILE_HEAD, "trace", NULL) : NULL;
    char *beside = file ? g_key_file_get_string(file, TND_SESSION_FILE_HEAD, "beside", NULL) : NULL;
    if (file && !trace)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: it names no trace: give one beside it", path);
    TndOpening *opening = trace ? g_new0(TndOpening, 1) : NULL;
    if (trace)
        *opening = (TndOpening){find_trace(path, trace), beside ? find_trace(path, beside) : NULL,
                                g_key_file_get_string(file, TND_SESSION_FILE_HEAD, "align", NULL)};
    else
        g_free(beside);
    if (file)
        g_key_file_unref(file);
    return opening;
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
