/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view's own table is kept as one plane without a name.
 */
#include "viewer/histogram_page.h"

#include "formats/output_file.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

void tnd_histogram_page_drop(TndHistogramPage *page)
{
    tnd_cfg_histogram_free(page->made);
    page->made = NULL;
}

void tnd_histogram_page_clear(TndHistogramPage *page)
{
    tnd_histogram_page_drop(page);
    tnd_cfg_file_free(page->file);
    page->file = NULL;
    g_clear_pointer(&page->plane, g_free);
}

void tnd_histogram_page_show(TndHistogramPage *page, TndCfgFile *file, guint table)
{
    TndCfgFile *next = file ? tnd_cfg_file_share(file) : NULL;
    tnd_histogram_page_clear(page);
    page->file = next;
    page->table = table;
}

TndStatistic tnd_histogram_page_statistic(const TndHistogramPage *page)
{
    if (!page->file)
        return page->statistic;
    TndStatistic chosen = page->file->tables[page->table].statistic;
    return chosen == TND_CFG_FILE_OWN && page->made && page->made->n_planes ? page->made->planes[0]->statistic : chosen;
}

void tnd_histogram_page_set_statistic(TndHistogramPage *page, TndStatistic statistic)
{
    if (page->file)
        page->file->tables[page->table].statistic = statistic;
    else
        page->statistic = statistic;
}

/* Leaves time and rows to the file, unless the user has zoomed to others. */
static void leave_to_file(TndHistogramOptions *options, const TndHistogramPage *page, TndZoom zoom)
{
    const TndZoom own = tnd_cfg_file_table_zoom(page->file, page->table);
    const TndView *control = tnd_cfg_file_control(page->file, page->table);
    if (zoom.begin_ns == own.begin_ns && zoom.end_ns == own.end_ns)
        options->begin_ns = options->end_ns = 0;
    if ((zoom.first_row == own.first_row && zoom.last_row == own.last_row) ||
        options->n_rows == tnd_view_n_rows(control))
        options->first_row = options->n_rows = 0;
}

/* Names the rows that are shown one by one.  A configuration's table takes threads. */
static void name_rows(TndHistogramSource *source, TndZoom zoom, const TndRowOrder *order, gboolean are_threads)
{
    const TndTrace *trace = tnd_view_trace(source->view);
    const TndLevel level = tnd_view_level(source->view);
    gboolean *rows = g_new0(gboolean, order->n_all);
    for (guint line = 0; line < tnd_row_order_n_lines(order, zoom.first_row, zoom.last_row); line++)
        for (guint i = 0; i < tnd_row_order_n_rows(order, zoom.first_row, line); i++)
            rows[tnd_row_order_row_at(order, zoom.first_row, line, i)] = TRUE;
    if (are_threads && tnd_levels_is_above(level, TND_LEVEL_THREAD)) {
        gboolean *threads = g_new0(gboolean, tnd_trace_n_threads(trace));
        for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++)
            threads[thread] = rows[tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, level)];
        g_free(rows);
        rows = threads;
    } else if (are_threads) { /* CPUs and nodes have no one thread */
        g_clear_pointer(&rows, g_free);
    }
    source->options.first_row = source->options.n_rows = 0;
    source->options.rows = source->rows = rows;
}

TndHistogramSource *tnd_histogram_page_source(const TndHistogramPage *page, TndView *view, TndZoom zoom,
                                              const TndRowOrder *order)
{
    TndHistogramSource *source = g_new0(TndHistogramSource, 1);
    source->view = tnd_view_share(view);
    source->options = (TndHistogramOptions){.statistic = page->statistic,
                                            .begin_ns = zoom.begin_ns,
                                            .end_ns = zoom.end_ns,
                                            .first_row = zoom.first_row,
                                            .n_rows = zoom.last_row - zoom.first_row + 1};
    if (!page->file && page->limited && !strcmp(page->limited, tnd_view_rule(view)->name)) {
        source->options.minimum = page->minimum;
        source->options.maximum = page->maximum;
        source->options.delta = tnd_view_rule(view)->palette == TND_PALETTE_CODE ? 1 : 0;
    }
    source->data = page->data && !page->file ? tnd_view_new(tnd_view_trace(view), page->data, NULL) : NULL;
    source->third = page->third && !page->file ? tnd_view_new(tnd_view_trace(view), page->third, NULL) : NULL;
    source->options.data = source->data;
    source->options.layout.is_vertical = page->is_vertical;
    if (page->file) {
        leave_to_file(&source->options, page, zoom);
        source->file = tnd_cfg_file_share(page->file);
        source->table = page->table;
        source->statistic = page->file->tables[page->table].statistic;
    }
    if (order)
        name_rows(source, zoom, order, page->file != NULL);
    return source;
}

void tnd_histogram_page_free_source(TndHistogramSource *source)
{
    tnd_view_free(source->view);
    tnd_view_free(source->data);
    tnd_view_free(source->third);
    tnd_cfg_file_free(source->file);
    g_free(source->rows);
    g_free(source);
}

static void add_plane(TndCfgTables *tables, char *name, TndHistogram *plane)
{
    tables->plane_names[tables->n_planes] = name;
    tables->planes[tables->n_planes++] = plane;
}

static TndCfgTables *room_for_planes(guint n)
{
    TndCfgTables *tables = g_new0(TndCfgTables, 1);
    tables->plane_names = g_new0(char *, n);
    tables->planes = g_new0(TndHistogram *, n);
    return tables;
}

/* A table for each value that the third view has; those without values are left out. */
static TndCfgTables *make_planes(const TndHistogramSource *source, TndHistogramOptions options, GError **error)
{
    TndHistogramOptions of_third = {.begin_ns = options.begin_ns,
                                    .end_ns = options.end_ns,
                                    .progress = options.progress,
                                    .user_data = options.user_data};
    TndHistogram *values = tnd_histogram_new_with(source->third, &of_third, error);
    TndCfgTables *tables = values ? room_for_planes(values->n_columns + 1) : NULL;
    options.within = source->third;
    for (guint i = 0; tables && i < values->n_columns; i++) {
        options.within_value = values->column_ends[2 * i];
        TndHistogram *plane = tnd_histogram_new_with(source->view, &options, error);
        if (!plane)
            g_clear_pointer(&tables, tnd_cfg_histogram_free);
        else if (plane->first[plane->n_rows])
            add_plane(tables, g_strdup(values->column_names[i]), plane);
        else
            tnd_histogram_free(plane);
    }
    tnd_histogram_free(values);
    return tables;
}

TndCfgTables *tnd_histogram_page_make(const TndHistogramSource *source, TndTraceProgress progress, gpointer user_data,
                                      GError **error)
{
    TndHistogramOptions options = source->options;
    options.progress = progress;
    options.user_data = user_data;
    if (source->file)
        return tnd_cfg_file_make(source->file, source->table, source->statistic, &options, error);
    if (source->third)
        return make_planes(source, options, error);
    TndHistogram *histogram = tnd_histogram_new_with(source->view, &options, error);
    TndCfgTables *tables = histogram ? room_for_planes(1) : NULL;
    if (tables)
        add_plane(tables, NULL, histogram);
    return tables;
}

void tnd_histogram_page_take(TndHistogramPage *page, TndCfgTables *tables)
{
    tnd_histogram_page_drop(page);
    page->made = tables;
}

gboolean tnd_histogram_page_plane(const TndHistogramPage *page, guint *plane)
{
    const TndCfgTables *tables = page->made;
    *plane = tables ? tables->shown : 0;
    for (guint i = 0; tables && page->plane && i < tables->n_planes; i++)
        if (g_strcmp0(tables->plane_names[i], page->plane) == 0)
            *plane = i;
    return tables && *plane < tables->n_planes;
}

gboolean tnd_histogram_page_write_csv(const TndHistogramPage *page, const char *path, GError **error)
{
    FILE *file = strcmp(path, "-") ? tnd_output_file_open(path) : stdout;
    if (!file) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", path, tnd_output_file_reason(errno));
        return FALSE;
    }
    gboolean is_good = tnd_cfg_histogram_write_csv(page->made, file, FALSE, error);
    int failed = fflush(file), cause = errno;
    if (file != stdout && fclose(file) && !failed) {
        failed = -1;
        cause = errno;
    }
    if (is_good && failed)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(cause), "%s: %s", path, g_strerror(cause));
    return is_good && !failed;
}
