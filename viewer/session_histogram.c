/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's histogram, and writing files.
 */
#include "viewer/session_parts.h"

#include "viewer/paint/export.h"

#include <gio/gio.h>
#include <string.h>

TndStatistic tnd_session_statistic(const TndSession *session)
{
    return tnd_histogram_page_statistic(&session->table);
}

void tnd_session_set_statistic(TndSession *session, TndStatistic statistic)
{
    if (tnd_session_statistic(session) == statistic)
        return;
    tnd_histogram_page_set_statistic(&session->table, statistic);
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

TndTableCells tnd_session_cells(const TndSession *session)
{
    return session->table.cells;
}

void tnd_session_set_cells(TndSession *session, TndTableCells cells)
{
    if (session->table.cells == cells)
        return;
    session->table.cells = cells;
    tnd_session_notify(session, TND_CHANGED_PLANE);
}

TndTableOrder tnd_session_table_order(const TndSession *session)
{
    return session->table.order;
}

void tnd_session_set_table_order(TndSession *session, TndTableOrder order)
{
    session->table.order = order;
    tnd_session_notify(session, TND_CHANGED_PLANE);
}

void tnd_session_sort_table(TndSession *session, guint column)
{
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    TndTableOrder order = session->table.order;
    guint sorted;
    if (!histogram || column >= histogram->n_columns)
        return;
    if (!tnd_table_order_column(&order, histogram, &sorted) || sorted != column) {
        order.column = g_intern_string(histogram->column_names[column]);
        order.is_rising = FALSE;
    } else if (!order.is_rising) {
        order.is_rising = TRUE;
    } else {
        order.column = NULL;
    }
    tnd_session_set_table_order(session, order);
}

gboolean tnd_session_has_own_table(const TndSession *session)
{
    return !session->table.file;
}

const char *tnd_session_table_view(const TndSession *session, TndTableView which)
{
    return which == TND_TABLE_DATA ? session->table.data : session->table.third;
}

void tnd_session_set_table_view(TndSession *session, TndTableView which, const char *name)
{
    const char **place = which == TND_TABLE_DATA ? &session->table.data : &session->table.third;
    if (*place == g_intern_string(name))
        return;
    *place = g_intern_string(name);
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_is_transposed(const TndSession *session)
{
    return session->table.is_vertical;
}

void tnd_session_set_transposed(TndSession *session, gboolean is_transposed)
{
    if (session->table.is_vertical == is_transposed)
        return;
    session->table.is_vertical = is_transposed;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_has_histogram(const TndSession *session)
{
    return session->table.made != NULL;
}

TndHistogramSource *tnd_session_histogram_source(const TndSession *session)
{
    return tnd_histogram_page_source(&session->table, session->view, tnd_session_zoom(session),
                                     tnd_session_rows(session));
}

void tnd_session_set_histogram(TndSession *session, TndCfgTables *tables)
{
    tnd_histogram_page_take(&session->table, tables);
}

/* Makes the histogram unless it is kept.  FALSE and error: there is none. */
static gboolean make_tables(TndSession *session, GError **error)
{
    if (!session->view) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no view is open");
        return FALSE;
    }
    if (session->table.made)
        return TRUE;
    TndHistogramSource *source = tnd_session_histogram_source(session);
    tnd_histogram_page_take(&session->table, tnd_histogram_page_make(source, NULL, NULL, error));
    tnd_histogram_page_free_source(source);
    return session->table.made != NULL;
}

const TndHistogram *tnd_session_histogram(TndSession *session, GError **error)
{
    guint plane;
    if (!make_tables(session, error))
        return NULL;
    if (tnd_histogram_page_plane(&session->table, &plane))
        return session->table.made->planes[plane];
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: there are no values in this stretch of time and these rows",
                session->table.file ? session->table.file->tables[session->table.table].title
                                    : tnd_view_rule(session->view)->title);
    return NULL;
}

const TndCfgTables *tnd_session_planes(const TndSession *session, guint *shown)
{
    tnd_histogram_page_plane(&session->table, shown);
    return session->table.made;
}

gboolean tnd_session_set_plane(TndSession *session, const char *name)
{
    const TndCfgTables *tables = make_tables(session, NULL) ? session->table.made : NULL;
    guint i = 0;
    while (tables && i < tables->n_planes && g_strcmp0(tables->plane_names[i], name) != 0)
        i++;
    if (!tables || i == tables->n_planes)
        return FALSE;
    g_free(session->table.plane);
    session->table.plane = g_strdup(name);
    tnd_session_notify(session, TND_CHANGED_PLANE);
    return TRUE;
}

void tnd_session_step_plane(TndSession *session, int step)
{
    guint plane;
    if (!tnd_histogram_page_plane(&session->table, &plane))
        return;
    gint64 next = (gint64)plane + step;
    if (next >= 0 && next < session->table.made->n_planes)
        tnd_session_set_plane(session, session->table.made->plane_names[next]);
}

gboolean tnd_session_light_cell(TndSession *session, guint row, guint column)
{
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    if (!histogram || histogram->are_partners || row >= histogram->n_rows || column >= histogram->n_columns)
        return FALSE;
    const guint line = histogram->is_vertical ? column : row, range = histogram->is_vertical ? row : column;
    const TndLitBursts lit = {histogram->row_numbers[line], histogram->column_ends[2 * range],
                              histogram->column_ends[2 * range + 1]};
    const char *name = g_intern_string(tnd_view_rule(session->view)->name);
    const gboolean is_lit = session->lit_view == name && session->lit.row == lit.row &&
                            session->lit.least == lit.least && session->lit.largest == lit.largest;
    session->lit_view = is_lit ? NULL : name;
    session->lit = lit;
    tnd_session_notify(session, TND_CHANGED_LIGHT);
    return TRUE;
}

void tnd_session_light_value(TndSession *session, double value, gboolean are_others)
{
    const TndLitBursts lit = {G_MAXUINT, value, value, are_others};
    const char *name = session->view ? g_intern_string(tnd_view_rule(session->view)->name) : NULL;
    const gboolean is_lit = session->lit_view == name && session->lit.row == G_MAXUINT && session->lit.least == value &&
                            session->lit.largest == value && session->lit.are_others == are_others;
    session->lit_view = is_lit ? NULL : name;
    session->lit = lit;
    tnd_session_notify(session, TND_CHANGED_LIGHT);
}

gboolean tnd_session_choose_columns(TndSession *session, guint from, guint to)
{
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    const guint first = MIN(from, to), last = MAX(from, to);
    if (!histogram || histogram->are_partners || histogram->is_vertical || last >= histogram->n_columns)
        return FALSE;
    const double least = histogram->column_ends[2 * first], largest = histogram->column_ends[2 * last + 1];
    session->lit_view = g_intern_string(tnd_view_rule(session->view)->name);
    session->lit = (TndLitBursts){G_MAXUINT, least, largest};
    if (!session->table.file && least < largest) {
        session->table.limited = session->lit_view;
        session->table.minimum = least;
        session->table.maximum = largest;
        session->unsaid |= TND_CHANGED_OPTIONS;
    }
    tnd_session_notify(session, TND_CHANGED_LIGHT);
    return TRUE;
}

void tnd_session_all_columns(TndSession *session)
{
    session->unsaid |= session->table.limited ? TND_CHANGED_OPTIONS : 0;
    session->table.limited = NULL;
    session->lit_view = NULL;
    tnd_session_notify(session, TND_CHANGED_LIGHT);
}

/* The cell of a row of the view and a value.  FALSE: the table has none. */
static gboolean find_cell(const TndHistogram *histogram, guint number, double value, guint *row, guint *column)
{
    const guint n_lines = histogram->is_vertical ? histogram->n_columns : histogram->n_rows;
    const guint n_ranges = histogram->is_vertical ? histogram->n_rows : histogram->n_columns;
    guint line = 0, range = 0;
    while (line < n_lines && histogram->row_numbers[line] != number)
        line++;
    while (!histogram->are_partners && range < n_ranges &&
           (value < histogram->column_ends[2 * range] || value > histogram->column_ends[2 * range + 1]))
        range++;
    *row = histogram->is_vertical ? range : line;
    *column = histogram->is_vertical ? line : range;
    return !histogram->are_partners && line < n_lines && range < n_ranges;
}

/* Marks the cell that is lit or, if none is, that of the selected burst. */
static void mark_cell(const TndSession *session, TndHistogramTableSubject *subject)
{
    const TndSpot spot = session->selection;
    const char *name = g_intern_string(tnd_view_rule(session->view)->name);
    TndBurst burst;
    if (session->lit_view == name && session->lit.row != G_MAXUINT)
        subject->is_marked = find_cell(subject->histogram, session->lit.row, session->lit.least, &subject->marked_row,
                                       &subject->marked_column);
    else if (spot.is_set && tnd_view_burst_at(session->view, spot.row, spot.time_ns, &burst))
        subject->is_marked =
            find_cell(subject->histogram, spot.row, burst.value, &subject->marked_row, &subject->marked_column);
}

/* NULL: it is the table's own view, or one of a configuration. */
static const char *title_of_data(const TndSession *session)
{
    const GPtrArray *rules = tnd_session_rules(session);
    for (guint i = 0; session->table.data && !session->table.file && i < rules->len; i++)
        if (!strcmp(((const TndViewRule *)rules->pdata[i])->name, session->table.data))
            return ((const TndViewRule *)rules->pdata[i])->title;
    return NULL;
}

gboolean tnd_session_table(TndSession *session, TndHistogramTableSubject *subject, GError **error)
{
    guint plane;
    const TndHistogram *histogram = tnd_session_histogram(session, error);
    if (!histogram)
        return FALSE;
    tnd_histogram_page_plane(&session->table, &plane);
    *subject = (TndHistogramTableSubject){
        .histogram = histogram,
        .trace_name = tnd_trace_name(session->trace),
        .trace = session->trace,
        .title = session->table.file ? session->table.file->tables[session->table.table].title : NULL,
        .plane = session->table.made->plane_names[plane],
        .data = title_of_data(session),
        .level = tnd_session_level(session),
        .cells = session->table.cells,
        .order = session->table.order,
        .look = session->look};
    mark_cell(session, subject);
    return TRUE;
}

char *tnd_session_table_text(TndSession *session)
{
    TndHistogramTableSubject subject;
    if (!tnd_session_table(session, &subject, NULL))
        return NULL;
    TndHistogramTable *table = tnd_histogram_table_new(&subject, 1, 1);
    char *words = tnd_histogram_table_words(table);
    tnd_histogram_table_free(table);
    return words;
}

char *tnd_session_file_name(const TndSession *session)
{
    const char *own = session->view ? tnd_view_rule(session->view)->name : "";
    gboolean is_table = session->page == TND_PAGE_HISTOGRAM && session->table.file;
    if (session->page == TND_PAGE_PROFILE)
        return g_strdup("profile");
    char *base = is_table ? g_strdup(session->table.file->title) : g_path_get_basename(own);
    char **parts = g_strsplit(base, ".cfg", 2);
    char *name = g_strjoinv("", parts);
    g_strfreev(parts);
    g_free(base);
    return g_strdelimit(name, ":", '-');
}

gboolean tnd_session_export(TndSession *session, const char *path, int width, int height, GError **error)
{
    if (g_str_has_suffix(path, ".cfg"))
        return tnd_session_parts_write_cfg(session, path, error);
    if (session->page == TND_PAGE_PROFILE)
        return tnd_session_export_profile(session, path, width, error);
    if (session->page == TND_PAGE_HISTOGRAM) {
        TndHistogramTableSubject table;
        if (!tnd_session_table(session, &table, error))
            return FALSE;
        table.is_marked = FALSE;
        return tnd_export_histogram(&table, path, width, height, error);
    }
    TndLaneStackSubject stack;
    if (!tnd_session_stack(session, TRUE, &stack)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: no view has anything to show in the trace", path);
        return FALSE;
    }
    const int usual_height = stack.n_parts == 1 ? 600 : 220 * (int)stack.n_parts + 40;
    stack.selected = stack.n_parts; /* a file marks none */
    return tnd_export_stack(&stack, &session->marks, path, width ? width : 1200, height ? height : usual_height, error);
}

gboolean tnd_session_write_csv(TndSession *session, const char *path, GError **error)
{
    return make_tables(session, error) && tnd_histogram_page_write_csv(&session->table, path, error);
}
