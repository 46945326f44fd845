/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens the trace, applies the arguments, writes the files; each failure is one line on standard error.
 */
#include "viewer/batch.h"

#include "analysis/views/view_absence.h"
#include "analysis/views/view_files.h"
#include "formats/plain_text.h"
#include "viewer/opening.h"
#include "viewer/session_file.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

enum { BAD_INPUT = 1, BAD_USE = 2 };
#define MOST_ROWS 500000

gboolean tnd_batch_is_wanted(const TndArguments *arguments)
{
    return arguments->lists_views || arguments->export_path || arguments->csv_path;
}

/* Whether the current view has something to show in the trace. */
static gboolean is_there(TndSession *session)
{
    double minimum, maximum;
    char *path;
    gint64 number;
    if (tnd_view_names_window(tnd_view_rule(tnd_session_view(session))->name, &path, &number)) {
        g_free(path);
        return TRUE; /* a window counts even if it is 0 everywhere */
    }
    if (strchr(tnd_view_rule(tnd_session_view(session))->name, ':')) /* the view names event types by number */
        return tnd_view_range(tnd_session_view(session), 0, G_MAXUINT64, &minimum, &maximum);
    const GPtrArray *rules = tnd_session_rules(session);
    for (guint i = 0; i < rules->len; i++)
        if (tnd_session_is_current(session, rules->pdata[i]))
            return TRUE;
    return FALSE;
}

/* Opens a view in place of the current one, or below it. */
static gboolean open_view(TndSession *session, const char *name, gboolean is_added, GError **error)
{
    const GPtrArray *rules = tnd_session_rules(session);
    if (!(is_added ? tnd_session_add_view : tnd_session_open_view)(session, name, error))
        return FALSE;
    if (is_there(session))
        return TRUE;
    char *absence = tnd_view_absence(tnd_session_trace(session), tnd_view_rule(tnd_session_view(session)));
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, absence ? "%s" : "%s: this view has nothing to show",
                absence ? absence : name);
    g_free(absence);
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

static gboolean lay_over(TndSession *session, const char *name, GError **error)
{
    const gboolean is_laid = tnd_session_lay_over(session, name, error);
    TndView *over = is_laid ? tnd_session_lane_over(session, tnd_session_lane(session)) : NULL;
    char *absence = over ? tnd_view_absence(tnd_session_trace(session), tnd_view_rule(over)) : NULL;
    if (absence)
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, absence);
    g_prefix_error(error, "--over: ");
    g_free(absence);
    return is_laid && !absence;
}

/* The first view is selected then. */
static gboolean open_views(TndSession *session, const TndArguments *arguments, GError **error)
{
    for (guint i = 0; arguments->views && arguments->views[i]; i++)
        if (!open_view(session, arguments->views[i], i > 0, error))
            return FALSE;
    tnd_session_select_lane(session, 0);
    return !arguments->over || lay_over(session, arguments->over, error);
}

/* Applies --draw to all timelines, so it is called after the views are opened.  At least one must be drawn so. */
static gboolean apply_draw(TndSession *session, TndDraw draw, GError **error)
{
    gboolean is_drawn = tnd_session_view(session) == NULL;
    for (guint lane = tnd_session_n_lanes(session); lane-- > 0;) {
        tnd_session_select_lane(session, lane);
        tnd_session_set_draw(session, draw);
        is_drawn |= tnd_session_draw(session) == draw;
    }
    if (is_drawn)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                draw == TND_DRAW_STACK ? "--draw: the values of %s are quantities, so rows cannot be stacked by them"
                                       : "--draw: the values of %s are no quantities, so they have no axis",
                tnd_view_rule(tnd_session_view(session))->name);
    return FALSE;
}

static gboolean check_average(const TndSession *session, GError **error)
{
    TndView *view = tnd_session_view(session);
    if (!view || tnd_view_rule(view)->palette != TND_PALETTE_CODE)
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                "--draw-mode: the values of %s are no quantities, so they have no average", tnd_view_rule(view)->name);
    return FALSE;
}

/* Opens all configurations; the last one stays current. */
static gboolean open_cfgs(TndSession *session, const TndArguments *arguments, GError **error)
{
    for (guint i = 0; arguments->cfgs && arguments->cfgs[i]; i++) {
        if (!tnd_session_open_cfg(session, arguments->cfgs[i], error))
            return FALSE;
        if (!arguments->table || arguments->cfgs[i + 1])
            continue;
        TndCfgFile *file = tnd_items_find_file(tnd_session_items(session), arguments->cfgs[i]);
        if (arguments->table > file->cfg->histograms->len) {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--table: %s has %u histogram%s",
                        arguments->cfgs[i], file->cfg->histograms->len, file->cfg->histograms->len == 1 ? "" : "s");
            return FALSE;
        }
        tnd_session_open_table(session, file, arguments->table - 1);
    }
    return TRUE;
}

static gboolean choose_plane(TndSession *session, const char *name, GError **error)
{
    guint shown;
    if (!tnd_session_histogram(session, error))
        return FALSE;
    if (tnd_session_set_plane(session, name))
        return TRUE;
    const TndCfgTables *tables = tnd_session_planes(session, &shown);
    GString *names = g_string_new(tables->plane_names[0] ? "" : " no planes");
    for (guint i = 0; tables->plane_names[0] && i < tables->n_planes; i++)
        g_string_append_printf(names, "%s %s", i ? "," : "", tables->plane_names[i]);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--plane: got '%s'; the histogram has%s", name,
                names->str);
    g_string_free(names, TRUE);
    return FALSE;
}

static gboolean choose_rows(TndSession *session, const char *rows, GError **error)
{
    gboolean is_good = tnd_session_choose_rows(session, rows, error);
    g_prefix_error(error, "--rows: ");
    return is_good;
}

static gboolean choose_messages(TndSession *session, const char *words, GError **error)
{
    gboolean is_good = tnd_session_choose_messages(session, words, error);
    g_prefix_error(error, "--only-messages: ");
    return is_good;
}

/* Begin, end and rows that the arguments do not have stay as the view sets them. */
static gboolean apply_zoom(TndSession *session, const TndArguments *arguments, GError **error)
{
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    if (arguments->has_begin && arguments->begin_ns >= whole.end_ns) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "--begin: the trace ends at %" G_GUINT64_FORMAT " ns", whole.end_ns);
        return FALSE;
    }
    if (arguments->first_row > whole.last_row + 1) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--rows: the view has %u %s", whole.last_row + 1,
                    tnd_levels_word(tnd_session_level(session), whole.last_row > 0));
        return FALSE;
    }
    if (arguments->has_begin)
        zoom.begin_ns = arguments->begin_ns;
    if (arguments->has_end)
        zoom.end_ns = MIN(arguments->end_ns, whole.end_ns);
    if (zoom.end_ns <= zoom.begin_ns) { /* only begin or end was given, and is outside of what the view sets */
        zoom.begin_ns = arguments->has_begin ? zoom.begin_ns : whole.begin_ns;
        zoom.end_ns = arguments->has_end ? zoom.end_ns : whole.end_ns;
    }
    if (arguments->first_row) {
        zoom.first_row = arguments->first_row - 1;
        zoom.last_row = arguments->last_row - 1;
    }
    tnd_session_set_zoom(session, zoom, FALSE);
    return !arguments->rows || choose_rows(session, arguments->rows, error);
}

gboolean tnd_batch_find_trace(TndArguments *arguments, GError **error)
{
    TndOpening *opening =
        !arguments->trace && arguments->session ? tnd_session_file_opening(arguments->session, error) : NULL;
    if (opening) {
        arguments->trace = g_steal_pointer(&opening->path);
        arguments->beside = g_steal_pointer(&opening->beside);
        arguments->alignment = g_steal_pointer(&opening->alignment);
        tnd_opening_free(opening);
    }
    return arguments->trace || !arguments->session;
}

static gboolean apply_session(TndSession *session, const TndArguments *arguments, GPtrArray *left_out, GError **error)
{
    if (!tnd_session_file_apply(session, arguments->session, left_out, error) || !apply_zoom(session, arguments, error))
        return FALSE;
    TndLook look = tnd_session_look(session);
    if (arguments->look.has_theme) {
        look.theme = arguments->look.theme;
        look.has_theme = TRUE;
    }
    tnd_session_set_look(session, look);
    return TRUE;
}

/* FALSE and error: the trace has no such view.  name: NULL: none was given. */
static gboolean set_table_view(TndSession *session, TndTableView which, const char *option, const char *name,
                               GError **error)
{
    TndView *view = name ? tnd_view_new((TndTrace *)tnd_session_trace(session), name, error) : NULL;
    if (name && !view)
        g_prefix_error(error, "%s: ", option);
    else if (view && which == TND_TABLE_PLANES && tnd_view_rule(view)->palette != TND_PALETTE_CODE)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: got '%s', takes a view of calls, states or other "
                    "codes",
                    option, name);
    else
        tnd_session_set_table_view(session, which, name);
    tnd_view_free(view);
    return !name || tnd_session_table_view(session, which);
}

gboolean tnd_batch_apply(TndSession *session, const TndArguments *arguments, GPtrArray *left_out, GError **error)
{
    if (arguments->session)
        return apply_session(session, arguments, left_out, error);
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    if (!open_cfgs(session, arguments, error) || !open_views(session, arguments, error) ||
        (arguments->look.mode == TND_MODE_AVERAGE && !check_average(session, error)) ||
        (arguments->has_draw && !apply_draw(session, arguments->draw, error)) || !apply_zoom(session, arguments, error))
        return FALSE;
    if (arguments->messages != TND_MESSAGES_FITTING)
        tnd_session_set_messages(session, arguments->messages);
    if (arguments->only_messages && !choose_messages(session, arguments->only_messages, error))
        return FALSE;
    TndLook look = arguments->look;
    look.theme = look.has_theme ? look.theme : tnd_session_look(session).theme;
    tnd_session_set_look(session, look);
    tnd_session_set_fits_scale(session, arguments->fits_scale);
    if (arguments->shows_flags)
        tnd_session_set_shows_flags(session, TRUE);
    if (arguments->is_profile)
        tnd_session_set_page(session, TND_PAGE_PROFILE);
    if (arguments->is_histogram) {
        tnd_session_set_statistic(session, arguments->statistic);
        if (!set_table_view(session, TND_TABLE_DATA, "--data", arguments->data, error) ||
            !set_table_view(session, TND_TABLE_PLANES, "--planes", arguments->planes, error))
            return FALSE;
        tnd_session_set_page(session, TND_PAGE_HISTOGRAM);
    }
    return !arguments->plane || choose_plane(session, arguments->plane, error);
}

static int fail(const char *where, GError *error, int status)
{
    char *plain_where = g_strdup(where ? where : "");
    tnd_plain_text_make(error->message, "\n\t");
    tnd_plain_text_make(plain_where, "");
    if (where)
        fprintf(stderr, "tview: %s: %s\n", plain_where, error->message);
    else
        fprintf(stderr, "tview: %s\n", error->message);
    g_error_free(error);
    g_free(plain_where);
    return status;
}

static void list_all_views(void)
{
    for (const TndViewRule *const *rule = tnd_view_rules(); *rule; rule++)
        printf("%-26s %s\n", (*rule)->name, (*rule)->help);
}

/* Prints views, windows and tables as they are written on the command line. */
static void list_views(const TndSession *session)
{
    const GPtrArray *rules = tnd_session_rules(session);
    const GArray *list = tnd_session_items(session)->list;
    for (guint i = 0; i < rules->len; i++)
        printf("%-26s %s\n", ((const TndViewRule *)rules->pdata[i])->name,
               ((const TndViewRule *)rules->pdata[i])->help);
    for (guint i = 0; i < list->len; i++) {
        const TndItem *item = &g_array_index(list, TndItem, i);
        if (item->kind == TND_ITEM_WINDOW)
            printf("%-26s %s\n", item->name, item->title);
        if (item->kind != TND_ITEM_TABLE)
            continue;
        char *words = g_strdup_printf("--cfg %s --table %u", item->file->cfg->path, item->number + 1);
        printf("%-26s %s\n", words, item->title);
        g_free(words);
    }
}

static void report_unknown_keys(const TndSession *session)
{
    const GPtrArray *files = tnd_session_items(session)->files;
    for (guint i = 0; i < files->len; i++) {
        const TndCfg *cfg = ((const TndCfgFile *)files->pdata[i])->cfg;
        for (guint j = 0; cfg->unknown_keys[j]; j++)
            fprintf(stderr, "tview: %s:%s: %s\n", cfg->path, cfg->unknown_keys[j], TND_CFG_UNKNOWN_KEY);
    }
}

/* A row that is drawn takes more than 1 KB, whether its thread has records or not. */
static gboolean has_too_many_rows(const TndSession *session)
{
    const TndZoom zoom = tnd_session_zoom(session);
    return zoom.last_row - zoom.first_row >= MOST_ROWS;
}

static int write_files(TndSession *session, const TndArguments *arguments)
{
    GError *error = NULL;
    if (!tnd_session_view(session)) {
        fprintf(stderr, "tview: %s: no view has anything to show\n", arguments->trace);
        return BAD_INPUT;
    }
    if (arguments->export_path && !arguments->is_histogram && !g_str_has_suffix(arguments->export_path, ".cfg") &&
        has_too_many_rows(session)) {
        fprintf(stderr, "tview: %s: a picture of more than %u rows: choose some of them (--rows)\n", arguments->trace,
                MOST_ROWS);
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

/* FALSE: the error is a bad file, or one that lacks what was asked for. */
static gboolean is_bad_use(const GError *error)
{
    static const int bad_input[] = {G_IO_ERROR_NOT_SUPPORTED, G_IO_ERROR_INVALID_DATA, G_IO_ERROR_FAILED};
    gboolean is_use = error->domain != G_FILE_ERROR;
    for (guint i = 0; i < G_N_ELEMENTS(bad_input); i++)
        is_use &= !g_error_matches(error, G_IO_ERROR, bad_input[i]);
    return is_use;
}

int tnd_batch_run(const TndArguments *arguments)
{
    GError *error = NULL;
    if (arguments->lists_views && !arguments->trace) {
        list_all_views();
        return 0;
    }
    const TndOpening opening = {arguments->trace, arguments->beside, arguments->alignment};
    TndTrace *trace = tnd_opening_run(&opening, NULL, NULL, &error);
    if (!trace) {
        gboolean has_name = strstr(error->message, arguments->trace) != NULL;
        const gboolean is_use = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
        return fail(has_name || is_use || arguments->beside ? NULL : arguments->trace, error,
                    is_use ? BAD_USE : BAD_INPUT);
    }
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, trace);
    int status = 0;
    GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
    const gboolean is_good = arguments->lists_views ? open_cfgs(session, arguments, &error)
                                                    : tnd_batch_apply(session, arguments, left_out, &error);
    for (guint i = 0; i < left_out->len; i++)
        fprintf(stderr, "tview: %s: left out: %s\n", arguments->session, (const char *)left_out->pdata[i]);
    g_ptr_array_unref(left_out);
    if (!is_good)
        status = fail(NULL, error, is_bad_use(error) ? BAD_USE : BAD_INPUT);
    else if (arguments->lists_views)
        list_views(session);
    else
        status = write_files(session, arguments);
    report_unknown_keys(session);
    tnd_session_free(session);
    return status;
}
