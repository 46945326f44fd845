/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public API of the analysis: types without GLib, errors as texts.
 */
#include "analysis/tandem_analysis.h"

#include "analysis/histogram/histogram.h"
#include "analysis/trace/row_choice.h"

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

static void give_error(GError *reason, char **error)
{
    if (error)
        *error = strdup(reason ? reason->message : "unknown");
    g_clear_error(&reason);
}

tandem_trace *tandem_trace_open(const char *path, char **error)
{
    GError *reason = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &reason);
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

/* The rows of a view with threads that a text names; NULL and error: a part of it names none, or the rows are CPUs. */
static gboolean *choose_rows(const TndView *view, const char *text, GError **error)
{
    const TndTrace *trace = tnd_view_trace(view);
    gboolean *threads = tnd_row_choice_of_trace(trace, text, error);
    gboolean *rows = threads ? tnd_levels_lift(trace, threads, tnd_view_level(view)) : NULL;
    if (threads && !rows)
        g_set_error(error, g_quark_from_static_string("tandem-analysis"), 0,
                    "\"%s\" names threads, and the rows of this view are CPUs", text);
    g_free(threads);
    return rows;
}

tandem_histogram *tandem_histogram_new(tandem_view *view, const struct tandem_histogram_options *options, char **error)
{
    static const struct tandem_histogram_options none;
    options = options ? options : &none;
    GError *reason = NULL;
    TndHistogramOptions own = {.begin_ns = options->begin_ns,
                               .end_ns = options->end_ns,
                               .data = own_view(options->data),
                               .within = own_view(options->within),
                               .within_value = options->within_value};
    gboolean *rows = NULL;
    TndHistogram *histogram = NULL;
    if (options->statistic && !tnd_histogram_statistic_parse(options->statistic, &own.statistic) &&
        !tnd_histogram_statistic_parse_percentile(options->statistic, &own.statistic, &own.percentile))
        g_set_error(&reason, g_quark_from_static_string("tandem-analysis"), 0, "no statistic is called \"%s\"",
                    options->statistic);
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
