/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms of the public API.
 */
#include "analysis/histogram/cfg_histogram.h"
#include "analysis/public.h"
#include "analysis/tables/table.h"
#include "analysis/trace/row_choice.h"

#include <math.h>

static const TndHistogram *own_histogram(const tandem_histogram *histogram)
{
    return (const TndHistogram *)histogram;
}

tandem_histogram *tandem_histogram_new(tandem_view *view, const struct tandem_histogram_options *options, char **error)
{
    static const struct tandem_histogram_options none;
    options = options ? options : &none;
    GError *reason = NULL;
    TndHistogramOptions own = {.begin_ns = options->begin_ns,
                               .end_ns = options->end_ns,
                               .data = tnd_public_view(options->data),
                               .within = tnd_public_view(options->within),
                               .within_value = options->within_value,
                               .minimum = options->minimum,
                               .maximum = options->maximum,
                               .delta = options->width,
                               .n_columns = (guint)MIN(options->n_columns, G_MAXUINT),
                               .progress = tnd_public_progress(),
                               .user_data = tnd_public_watch()};
    gboolean *rows = NULL;
    TndHistogram *histogram = NULL;
    if (options->statistic && !tnd_histogram_statistic_parse(options->statistic, &own.statistic) &&
        !tnd_histogram_statistic_parse_percentile(options->statistic, &own.statistic, &own.percentile))
        tnd_public_refuse(&reason, "no statistic is called \"%s\"", options->statistic);
    else if (options->n_columns > 1000000 || !(options->width >= 0) || options->minimum > options->maximum)
        tnd_public_refuse(&reason, "there are no such columns: from %g to %g, each %g wide, %zu of them",
                          options->minimum, options->maximum, options->width, options->n_columns);
    else if (options->rows)
        own.rows = rows = tnd_public_rows(tnd_public_view(view), options->rows, &reason);
    if (!reason)
        histogram = tnd_histogram_new_with(tnd_public_view(view), &own, &reason);
    if (!histogram)
        tnd_public_fail(reason, error);
    g_free(rows);
    return (tandem_histogram *)histogram;
}

void tandem_histogram_free(tandem_histogram *histogram)
{
    tnd_histogram_free((TndHistogram *)histogram);
}

size_t tandem_histogram_n_rows(const tandem_histogram *histogram)
{
    return own_histogram(histogram)->n_rows;
}

size_t tandem_histogram_n_columns(const tandem_histogram *histogram)
{
    return own_histogram(histogram)->n_columns;
}

const char *tandem_histogram_row_name(const tandem_histogram *histogram, size_t row)
{
    const TndHistogram *own = own_histogram(histogram);
    return row < own->n_rows ? own->row_names[row] : NULL;
}

const char *tandem_histogram_column_name(const tandem_histogram *histogram, size_t column)
{
    const TndHistogram *own = own_histogram(histogram);
    return column < own->n_columns ? own->column_names[column] : NULL;
}

const char *tandem_histogram_unit(const tandem_histogram *histogram)
{
    return own_histogram(histogram)->unit;
}

int tandem_histogram_cell(const tandem_histogram *histogram, size_t row, size_t column, double *value)
{
    const TndHistogram *own = own_histogram(histogram);
    const TndHistogramCell *cell =
        row < own->n_rows && column < own->n_columns ? tnd_histogram_cell(own, (guint)row, (guint)column) : NULL;
    if (cell)
        *value = cell->value;
    return cell != NULL;
}

void tandem_histogram_cells(const tandem_histogram *histogram, double *cells)
{
    const TndHistogram *own = own_histogram(histogram);
    for (gsize row = 0; row < own->n_rows; row++, cells += own->n_columns) {
        for (guint column = 0; column < own->n_columns; column++)
            cells[column] = NAN;
        for (gsize i = own->first[row]; i < own->first[row + 1]; i++)
            cells[own->cells[i].column] = own->cells[i].value;
    }
}

static char **copy_names(char *const *names, guint n)
{
    char **copies = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++)
        copies[i] = g_strdup(names[i]);
    return copies;
}

tandem_table *tandem_histogram_table(const tandem_histogram *histogram, char **error)
{
    const TndHistogram *own = own_histogram(histogram);
    GError *reason = NULL;
    TndTable *table = tnd_table_new();
    guint row = tnd_table_add_codes(table, "row", copy_names(own->row_names, own->n_rows), own->n_rows);
    guint column = tnd_table_add_codes(table, "column", copy_names(own->column_names, own->n_columns), own->n_columns);
    guint value = tnd_table_add(table, "value", TND_COLUMN_DOUBLE);
    if (!tnd_table_allocate(table, own->first[own->n_rows], &reason)) {
        tnd_public_fail(reason, error);
        g_clear_pointer(&table, tnd_table_free);
    }
    for (guint at = 0; table && at < own->n_rows; at++)
        for (gsize i = own->first[at]; i < own->first[at + 1]; i++) {
            tnd_table_write_codes(table, row, i, 1, &at);
            tnd_table_write_codes(table, column, i, 1, &own->cells[i].column);
            *tnd_table_doubles(table, value, i) = own->cells[i].value;
        }
    return (tandem_table *)table;
}

double tandem_histogram_total(const tandem_histogram *histogram, enum tandem_total total, size_t column)
{
    G_STATIC_ASSERT((int)TANDEM_TOTAL_AVERAGE_BY_MAXIMUM == (int)TND_TOTAL_AVG_MAX);
    const TndHistogram *own = own_histogram(histogram);
    if ((guint)total >= TND_TOTAL_N || column >= own->n_columns)
        return 0;
    return own->totals[(gsize)total * own->n_columns + column];
}

/* Planes. */

static gboolean check_overrides(const struct tandem_histogram_options *options, GError **error)
{
    if (!options->data && !options->within && !options->minimum && !options->maximum && !options->width &&
        !options->n_columns)
        return TRUE;
    tnd_public_refuse(error, "a configuration says itself what its histogram is of: besides it only the statistic, the "
                             "time and the rows can be chosen");
    return FALSE;
}

/* Makes the planes from the windows of a configuration. */
static TndCfgTables *make_planes(TndView *const *views, TndCfg *cfg, size_t number,
                                 const struct tandem_histogram_options *options, GError **error)
{
    TndHistogramOptions own = {.begin_ns = options->begin_ns,
                               .end_ns = options->end_ns,
                               .progress = tnd_public_progress(),
                               .user_data = tnd_public_watch()};
    if (number < 1 || number > cfg->histograms->len) {
        tnd_public_refuse(error, "%s: there is no histogram %zu; it has %u", cfg->path, number, cfg->histograms->len);
        return NULL;
    }
    if (options->statistic)
        tnd_cfg_set_statistic(tnd_cfg_histogram(cfg, (guint)number - 1), options->statistic);
    gboolean *rows = options->rows ? tnd_row_choice_of_trace(tnd_view_trace(views[0]), options->rows, error) : NULL;
    own.rows = rows;
    TndCfgTables *tables =
        rows || !options->rows ? tnd_cfg_histogram_new(views, cfg, (guint)number - 1, &own, error) : NULL;
    g_free(rows);
    return tables;
}

tandem_planes *tandem_planes_new(tandem_trace *trace, const char *path, size_t number,
                                 const struct tandem_histogram_options *options, char **error)
{
    static const struct tandem_histogram_options none;
    options = options ? options : &none;
    GError *reason = NULL;
    TndCfgTables *tables = NULL;
    TndCfg *cfg = check_overrides(options, &reason) ? tnd_cfg_read(path, &reason) : NULL;
    TndView **views = cfg ? tnd_view_new_of_cfg(tnd_public_trace(trace), cfg, &reason) : NULL;
    if (views)
        tables = make_planes(views, cfg, number, options, &reason);
    if (!tables)
        tnd_public_fail(reason, error);
    tnd_view_free_all(views);
    tnd_cfg_free(cfg);
    return (tandem_planes *)tables;
}

static const TndCfgTables *own_planes(const tandem_planes *planes)
{
    return (const TndCfgTables *)planes;
}

size_t tandem_planes_n(const tandem_planes *planes)
{
    return own_planes(planes)->n_planes;
}

const char *tandem_planes_name(const tandem_planes *planes, size_t plane)
{
    return plane < tandem_planes_n(planes) ? own_planes(planes)->plane_names[plane] : NULL;
}

const tandem_histogram *tandem_planes_histogram(const tandem_planes *planes, size_t plane)
{
    return plane < tandem_planes_n(planes) ? (const tandem_histogram *)own_planes(planes)->planes[plane] : NULL;
}

void tandem_planes_free(tandem_planes *planes)
{
    tnd_cfg_histogram_free((TndCfgTables *)planes);
}

int tandem_histogram_write_csv(const tandem_histogram *histogram, FILE *file)
{
    return tnd_histogram_write_csv(own_histogram(histogram), file, FALSE, NULL);
}

const char *tandem_histogram_statistic_name(size_t number)
{
    return number < TND_STATISTIC_N ? tnd_histogram_statistic_name((TndStatistic)number) : NULL;
}
