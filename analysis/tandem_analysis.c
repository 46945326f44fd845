/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public API of the analysis: types without GLib, errors as texts.
 */
#include "analysis/tandem_analysis.h"

#include "analysis/histogram/histogram.h"
#include "analysis/tables/burst_table.h"
#include "analysis/tables/record_tables.h"
#include "analysis/tables/sample_table.h"
#include "analysis/trace/row_choice.h"
#include "analysis/views/view_types.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const TndTrace *own_trace(const tandem_trace *trace)
{
    return (const TndTrace *)trace;
}

static TndView *own_view(tandem_view *view)
{
    return (TndView *)view;
}

static const TndHistogram *own_histogram(const tandem_histogram *histogram)
{
    return (const TndHistogram *)histogram;
}

/* Whom this thread's long work tells, at most every WATCH_US: work may have many thousand small items. */
#define WATCH_US 10000
static _Thread_local struct watch {
    tandem_progress progress; /* NULL: nobody */
    void *data;
    gint64 next_us;
    gboolean is_cancelled;
} watch;

void tandem_watch(tandem_progress progress, void *data)
{
    watch = (struct watch){.progress = progress, .data = data};
}

static gboolean tell(double fraction, gpointer data)
{
    struct watch *told = data;
    gint64 now_us = g_get_monotonic_time();
    if (now_us >= told->next_us) {
        told->is_cancelled |= !told->progress(fraction, told->data);
        told->next_us = now_us + WATCH_US;
    }
    return !told->is_cancelled;
}

/* What long work of this thread is given; NULL: nobody waits. */
static TndTraceProgress watcher(void)
{
    watch.is_cancelled = FALSE;
    return watch.progress ? tell : NULL;
}

static void give_error(GError *reason, char **error)
{
    if (error)
        *error = strdup(reason ? reason->message : "unknown");
    g_clear_error(&reason);
}

G_GNUC_PRINTF(2, 3)
static void refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, g_quark_from_static_string("tandem-analysis"), 0, what);
    g_free(what);
}

tandem_trace *tandem_trace_open(const char *path, char **error)
{
    GError *reason = NULL;
    TndTrace *trace = tnd_trace_open(path, watcher(), &watch, &reason);
    if (!trace)
        give_error(reason, error);
    return (tandem_trace *)trace;
}

void tandem_trace_close(tandem_trace *trace)
{
    tnd_trace_free((TndTrace *)trace);
}

uint64_t tandem_trace_duration_ns(const tandem_trace *trace)
{
    return tnd_trace_end_ns(own_trace(trace));
}

uint64_t tandem_trace_n_faults(const tandem_trace *trace)
{
    return tnd_trace_n_faults(own_trace(trace));
}

size_t tandem_trace_n_rows(const tandem_trace *trace)
{
    return tnd_trace_n_threads(own_trace(trace));
}

const char *tandem_trace_row_name(const tandem_trace *trace, size_t row)
{
    return row < tandem_trace_n_rows(trace) ? tnd_trace_thread(own_trace(trace), (guint)row)->name : NULL;
}

int tandem_trace_row_place(const tandem_trace *trace, size_t row, struct tandem_place *place)
{
    if (row >= tandem_trace_n_rows(trace))
        return 0;
    const TndThread *thread = tnd_trace_thread(own_trace(trace), (guint)row);
    *place = (struct tandem_place){thread->application, thread->task, thread->thread, thread->node};
    return 1;
}

int tandem_trace_type(const tandem_trace *trace, size_t number, uint32_t *type, uint64_t *n_events)
{
    guint n;
    const TndTraceType *types = tnd_trace_types(own_trace(trace), &n);
    if (number >= n)
        return 0;
    *type = types[number].type;
    if (n_events)
        *n_events = types[number].n_events;
    return 1;
}

const char *tandem_trace_type_label(const tandem_trace *trace, uint32_t type)
{
    return tnd_view_types_label(own_trace(trace), type);
}

const char *tandem_trace_value_label(const tandem_trace *trace, uint32_t type, int64_t value)
{
    return tnd_pcf_value_label(tnd_trace_pcf(own_trace(trace)), type, value);
}

static const TndViewRule *rule_of(size_t number)
{
    const TndViewRule *const *rules = tnd_view_rules();
    for (size_t i = 0; rules[i]; i++)
        if (i == number)
            return rules[i];
    return NULL;
}

const char *tandem_view_name(size_t number)
{
    const TndViewRule *rule = rule_of(number);
    return rule ? rule->name : NULL;
}

const char *tandem_view_help(size_t number)
{
    const TndViewRule *rule = rule_of(number);
    return rule ? rule->help : NULL;
}

int tandem_view_is_available(const tandem_trace *trace, const char *name)
{
    const TndViewRule rule = {.name = name};
    return tnd_view_available(own_trace(trace), &rule);
}

tandem_view *tandem_view_open(tandem_trace *trace, const char *name, char **error)
{
    GError *reason = NULL;
    TndView *view = tnd_view_new(own_trace(trace), name, &reason);
    if (!view)
        give_error(reason, error);
    return (tandem_view *)view;
}

void tandem_view_close(tandem_view *view)
{
    tnd_view_free(own_view(view));
}

const char *tandem_view_title(const tandem_view *view)
{
    return tnd_view_rule((const TndView *)view)->title;
}

const char *tandem_view_unit(const tandem_view *view)
{
    return tnd_view_rule((const TndView *)view)->unit;
}

size_t tandem_view_n_rows(const tandem_view *view)
{
    return tnd_view_n_rows((const TndView *)view);
}

const char *tandem_view_row_name(const tandem_view *view, size_t row)
{
    return row < tandem_view_n_rows(view) ? tnd_view_row_name((const TndView *)view, (guint)row) : NULL;
}

int tandem_view_burst(tandem_view *view, size_t row, uint64_t time_ns, struct tandem_burst *burst)
{
    if (row >= tandem_view_n_rows(view))
        return 0;
    TndBurst found;
    if (!tnd_view_burst_at(own_view(view), (guint)row, time_ns, &found))
        return 0;
    *burst = (struct tandem_burst){found.begin_ns, found.end_ns, found.value};
    return 1;
}

char *tandem_view_text(const tandem_view *view, double value)
{
    char *text = tnd_view_value_text((const TndView *)view, value), *copy = strdup(text);
    g_free(text);
    return copy;
}

int tandem_view_find(tandem_view *view, const char *text, double *value)
{
    return tnd_view_find_text(own_view(view), text, value);
}

int tandem_view_has_codes(const tandem_view *view)
{
    return tnd_view_rule((const TndView *)view)->palette == TND_PALETTE_CODE;
}

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    guint n_columns;
    TndDrawMode mode;
    double *values;
} Grid;

static void fill_grid_row(guint row, gpointer data)
{
    const Grid *grid = data;
    tnd_view_columns(grid->view, row, grid->begin_ns, grid->end_ns, grid->n_columns, grid->mode,
                     grid->values + (gsize)row * grid->n_columns);
}

/* Checks what a grid is asked for.  FALSE and error: it cannot be made. */
static gboolean check_grid(const Grid *grid, const char *mode, size_t n_columns, GError **error)
{
    gboolean has_codes = tnd_view_rule(grid->view)->palette == TND_PALETTE_CODE;
    if (n_columns < 1 || n_columns > 1 << 24)
        refuse(error, "a grid has 1 to %d columns", 1 << 24);
    else if (grid->begin_ns >= grid->end_ns)
        refuse(error, "the stretch of time is empty");
    else if (mode && !tnd_draw_mode_parse(mode, &(TndDrawMode){0})) {
        char *names = tnd_draw_mode_names();
        refuse(error, "no mode is called \"%s\", but %s", mode, names);
        g_free(names);
    } else if (has_codes && grid->mode == TND_MODE_AVERAGE)
        refuse(error, "codes have no average");
    else
        return TRUE;
    return FALSE;
}

int tandem_view_grid(tandem_view *view, uint64_t begin_ns, uint64_t end_ns, size_t n_columns, const char *mode,
                     double *values, char **error)
{
    GError *reason = NULL;
    Grid grid = {own_view(view),
                 begin_ns,
                 end_ns ? end_ns : tnd_trace_end_ns(tnd_view_trace(own_view(view))),
                 (guint)n_columns,
                 tandem_view_has_codes(view) ? TND_MODE_MAJORITY : TND_MODE_AVERAGE,
                 values};
    if (mode)
        tnd_draw_mode_parse(mode, &grid.mode);
    if (check_grid(&grid, mode, n_columns, &reason)) {
        const guint n_rows = tnd_view_n_rows(grid.view);
        const TndTableSelection watched = {.progress = watcher(), .user_data = &watch};
        TndCoresProgress *progress = tnd_table_progress_new(&watched, n_rows);
        if (!tnd_cores_run_with_progress(progress, n_rows, fill_grid_row, &grid))
            refuse(&reason, "cancelled");
        tnd_cores_progress_free(progress);
    }
    if (reason)
        give_error(reason, error);
    return !reason;
}

/* The rows of a view with threads that a text names; NULL and error: a part of it names none, or the rows are CPUs. */
static gboolean *choose_rows(const TndView *view, const char *text, GError **error)
{
    const TndTrace *trace = tnd_view_trace(view);
    gboolean *threads = tnd_row_choice_of_trace(trace, text, error);
    gboolean *rows = threads ? tnd_levels_lift(trace, threads, tnd_view_level(view)) : NULL;
    if (threads && !rows)
        refuse(error, "\"%s\" names threads, and the rows of this view are CPUs", text);
    g_free(threads);
    return rows;
}

/* Tables. */

static const struct tandem_selection everything;

static TndTableSelection own_selection(const struct tandem_selection *selection, const gboolean *rows)
{
    return (TndTableSelection){selection->begin_ns, selection->end_ns, rows, watcher(), &watch};
}

/* Checks a selection.  FALSE and error: its time is empty. */
static gboolean check_selection(const struct tandem_selection *selection, GError **error)
{
    if (!selection->end_ns || selection->begin_ns < selection->end_ns)
        return TRUE;
    refuse(error, "the stretch of time is empty: it ends at %" PRIu64 " ns and begins at %" PRIu64 " ns",
           selection->end_ns, selection->begin_ns);
    return FALSE;
}

tandem_table *tandem_view_bursts(tandem_view *view, const struct tandem_selection *selection, char **error)
{
    selection = selection ? selection : &everything;
    GError *reason = NULL;
    TndTable *table = NULL;
    gboolean *rows = NULL;
    if (check_selection(selection, &reason) && selection->rows)
        rows = choose_rows(own_view(view), selection->rows, &reason);
    if (!reason) {
        const TndTableSelection own = own_selection(selection, rows);
        table = tnd_burst_table_new(own_view(view), &own, &reason);
    }
    if (!table)
        give_error(reason, error);
    g_free(rows);
    return (tandem_table *)table;
}

typedef enum { EVENTS, MESSAGES, SAMPLES } Records;

static tandem_table *records_of(const tandem_trace *trace, Records what, const struct tandem_selection *selection,
                                char **error)
{
    const TndTrace *own = own_trace(trace);
    selection = selection ? selection : &everything;
    GError *reason = NULL;
    TndTable *table = NULL;
    gboolean *rows = NULL;
    if (check_selection(selection, &reason) && selection->rows)
        rows = tnd_row_choice_of_trace(own, selection->rows, &reason);
    const TndTableSelection wanted = own_selection(selection, rows);
    if (!reason && what == EVENTS)
        table = tnd_record_tables_events(own, selection->types, selection->n_types, &wanted, &reason);
    else if (!reason && what == MESSAGES)
        table = tnd_record_tables_messages(own, &wanted, &reason);
    else if (!reason)
        table = tnd_sample_table_new(own, &wanted, &reason);
    if (!table)
        give_error(reason, error);
    g_free(rows);
    return (tandem_table *)table;
}

tandem_table *tandem_trace_events(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, EVENTS, selection, error);
}

tandem_table *tandem_trace_messages(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, MESSAGES, selection, error);
}

tandem_table *tandem_trace_samples(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, SAMPLES, selection, error);
}

void tandem_table_free(tandem_table *table)
{
    tnd_table_free((TndTable *)table);
}

size_t tandem_table_n_lines(const tandem_table *table)
{
    return ((const TndTable *)table)->n_lines;
}

size_t tandem_table_n_columns(const tandem_table *table)
{
    return ((const TndTable *)table)->n_columns;
}

/* NULL: there is no such column. */
static const TndColumn *own_column(const tandem_table *table, size_t column)
{
    return column < tandem_table_n_columns(table) ? &((const TndTable *)table)->columns[column] : NULL;
}

const char *tandem_table_name(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->name : NULL;
}

enum tandem_column_type tandem_table_type(const tandem_table *table, size_t column)
{
    G_STATIC_ASSERT((int)TANDEM_COLUMN_DOUBLE == (int)TND_COLUMN_DOUBLE);
    const TndColumn *own = own_column(table, column);
    return own ? (enum tandem_column_type)own->type : TANDEM_COLUMN_INT8;
}

const void *tandem_table_values(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->values : NULL;
}

int tandem_table_has_codes(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own && own->texts;
}

size_t tandem_table_n_texts(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->n_texts : 0;
}

const char *tandem_table_text(const tandem_table *table, size_t column, size_t code)
{
    return code < tandem_table_n_texts(table, column) ? own_column(table, column)->texts[code] : NULL;
}

/* Histograms. */

tandem_histogram *tandem_histogram_new(tandem_view *view, const struct tandem_histogram_options *options, char **error)
{
    static const struct tandem_histogram_options none;
    options = options ? options : &none;
    GError *reason = NULL;
    TndHistogramOptions own = {.begin_ns = options->begin_ns,
                               .end_ns = options->end_ns,
                               .data = own_view(options->data),
                               .within = own_view(options->within),
                               .within_value = options->within_value,
                               .minimum = options->minimum,
                               .maximum = options->maximum,
                               .delta = options->width,
                               .n_columns = (guint)MIN(options->n_columns, G_MAXUINT),
                               .progress = watcher(),
                               .user_data = &watch};
    gboolean *rows = NULL;
    TndHistogram *histogram = NULL;
    if (options->statistic && !tnd_histogram_statistic_parse(options->statistic, &own.statistic) &&
        !tnd_histogram_statistic_parse_percentile(options->statistic, &own.statistic, &own.percentile))
        refuse(&reason, "no statistic is called \"%s\"", options->statistic);
    else if (options->n_columns > 1000000 || !(options->width >= 0) || options->minimum > options->maximum)
        refuse(&reason, "there are no such columns: from %g to %g, each %g wide, %zu of them", options->minimum,
               options->maximum, options->width, options->n_columns);
    else if (options->rows)
        own.rows = rows = choose_rows(own_view(view), options->rows, &reason);
    if (!reason)
        histogram = tnd_histogram_new_with(own_view(view), &own, &reason);
    if (!histogram)
        give_error(reason, error);
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

double tandem_histogram_total(const tandem_histogram *histogram, enum tandem_total total, size_t column)
{
    G_STATIC_ASSERT((int)TANDEM_TOTAL_AVERAGE_BY_MAXIMUM == (int)TND_TOTAL_AVG_MAX);
    const TndHistogram *own = own_histogram(histogram);
    if ((guint)total >= TND_TOTAL_N || column >= own->n_columns)
        return 0;
    return own->totals[(gsize)total * own->n_columns + column];
}

int tandem_histogram_write_csv(const tandem_histogram *histogram, FILE *file)
{
    return tnd_histogram_write_csv(own_histogram(histogram), file, FALSE, NULL);
}

const char *tandem_histogram_statistic_name(size_t number)
{
    return number < TND_STATISTIC_N ? tnd_histogram_statistic_name((TndStatistic)number) : NULL;
}
