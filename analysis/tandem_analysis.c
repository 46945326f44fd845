/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The public API of the analysis: types without GLib, errors as texts.  Here are traces and views.
 */
#include "analysis/public.h"

#include "analysis/base/cores.h"
#include "analysis/tables/table.h"
#include "analysis/trace/row_choice.h"
#include "analysis/views/view_files.h"
#include "analysis/views/view_types.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

TndTraceProgress tnd_public_progress(void)
{
    watch.is_cancelled = FALSE;
    return watch.progress ? tell : NULL;
}

gpointer tnd_public_watch(void)
{
    return &watch;
}

void tnd_public_fail(GError *reason, char **error)
{
    if (error)
        *error = strdup(reason ? reason->message : "unknown");
    g_clear_error(&reason);
}

void tnd_public_refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, g_quark_from_static_string("tandem-analysis"), 0, what);
    g_free(what);
}

gboolean *tnd_public_rows(const TndView *view, const char *text, GError **error)
{
    const TndTrace *trace = tnd_view_trace(view);
    gboolean *threads = tnd_row_choice_of_trace(trace, text, error);
    gboolean *rows = threads ? tnd_levels_lift(trace, threads, tnd_view_level(view)) : NULL;
    if (threads && !rows)
        tnd_public_refuse(error, "\"%s\" names threads, and the rows of this view are CPUs", text);
    g_free(threads);
    return rows;
}

tandem_trace *tandem_trace_open(const char *path, char **error)
{
    GError *reason = NULL;
    TndTrace *trace = tnd_trace_open(path, tnd_public_progress(), tnd_public_watch(), &reason);
    if (!trace)
        tnd_public_fail(reason, error);
    return (tandem_trace *)trace;
}

void tandem_trace_close(tandem_trace *trace)
{
    tnd_trace_free((TndTrace *)trace);
}

uint64_t tandem_trace_duration_ns(const tandem_trace *trace)
{
    return tnd_trace_end_ns(tnd_public_trace(trace));
}

uint64_t tandem_trace_n_faults(const tandem_trace *trace)
{
    return tnd_trace_n_faults(tnd_public_trace(trace));
}

size_t tandem_trace_n_rows(const tandem_trace *trace)
{
    return tnd_trace_n_threads(tnd_public_trace(trace));
}

const char *tandem_trace_row_name(const tandem_trace *trace, size_t row)
{
    return row < tandem_trace_n_rows(trace) ? tnd_trace_thread(tnd_public_trace(trace), (guint)row)->name : NULL;
}

int tandem_trace_row_place(const tandem_trace *trace, size_t row, struct tandem_place *place)
{
    if (row >= tandem_trace_n_rows(trace))
        return 0;
    const TndThread *thread = tnd_trace_thread(tnd_public_trace(trace), (guint)row);
    *place = (struct tandem_place){thread->application, thread->task, thread->thread, thread->node};
    return 1;
}

int tandem_trace_type(const tandem_trace *trace, size_t number, uint32_t *type, uint64_t *n_events)
{
    guint n;
    const TndTraceType *types = tnd_trace_types(tnd_public_trace(trace), &n);
    if (number >= n)
        return 0;
    *type = types[number].type;
    if (n_events)
        *n_events = types[number].n_events;
    return 1;
}

const char *tandem_trace_type_label(const tandem_trace *trace, uint32_t type)
{
    return tnd_view_types_label(tnd_public_trace(trace), type);
}

const char *tandem_trace_value_label(const tandem_trace *trace, uint32_t type, int64_t value)
{
    return tnd_pcf_value_label(tnd_trace_pcf(tnd_public_trace(trace)), type, value);
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
    return tnd_view_available(tnd_public_trace(trace), &rule);
}

int tandem_view_add_file(const char *path, char **error)
{
    GError *reason = NULL;
    if (tnd_view_files_add(path, &reason))
        return 1;
    tnd_public_fail(reason, error);
    return 0;
}

tandem_view *tandem_view_open(tandem_trace *trace, const char *name, char **error)
{
    GError *reason = NULL;
    TndView *view = tnd_view_new(tnd_public_trace(trace), name, &reason);
    if (!view)
        tnd_public_fail(reason, error);
    return (tandem_view *)view;
}

void tandem_view_close(tandem_view *view)
{
    tnd_view_free(tnd_public_view(view));
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
    if (!tnd_view_burst_at(tnd_public_view(view), (guint)row, time_ns, &found))
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
    return tnd_view_find_text(tnd_public_view(view), text, value);
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
        tnd_public_refuse(error, "a grid has 1 to %d columns", 1 << 24);
    else if (grid->begin_ns >= grid->end_ns)
        tnd_public_refuse(error, "the stretch of time is empty");
    else if (mode && !tnd_draw_mode_parse(mode, &(TndDrawMode){0})) {
        char *names = tnd_draw_mode_names();
        tnd_public_refuse(error, "no mode is called \"%s\", but %s", mode, names);
        g_free(names);
    } else if (has_codes && grid->mode == TND_MODE_AVERAGE)
        tnd_public_refuse(error, "codes have no average");
    else
        return TRUE;
    return FALSE;
}

int tandem_view_grid(tandem_view *view, uint64_t begin_ns, uint64_t end_ns, size_t n_columns, const char *mode,
                     double *values, char **error)
{
    GError *reason = NULL;
    Grid grid = {tnd_public_view(view),
                 begin_ns,
                 end_ns ? end_ns : tnd_trace_end_ns(tnd_view_trace(tnd_public_view(view))),
                 (guint)n_columns,
                 tandem_view_has_codes(view) ? TND_MODE_MAJORITY : TND_MODE_AVERAGE,
                 values};
    if (mode)
        tnd_draw_mode_parse(mode, &grid.mode);
    if (check_grid(&grid, mode, n_columns, &reason)) {
        const guint n_rows = tnd_view_n_rows(grid.view);
        const TndTableSelection watched = {.progress = tnd_public_progress(), .user_data = tnd_public_watch()};
        TndCoresProgress *progress = tnd_table_progress_new(&watched, n_rows);
        if (!tnd_cores_run_with_progress(progress, n_rows, fill_grid_row, &grid))
            tnd_public_refuse(&reason, "cancelled");
        tnd_cores_progress_free(progress);
    }
    if (reason)
        tnd_public_fail(reason, error);
    return !reason;
}
