/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Limits of windows, by Paraver's rules.
 */
#include "analysis/views/window_limits.h"
#include "analysis/base/label_pattern.h"

#include <gio/gio.h>
#include <string.h>

/* What Paraver writes for a label that it does not know. */
#define UNKNOWN "Unknown"

void tnd_window_limits_time(const TndTrace *trace, const TndCfgWindow *window, double *begin_ns, double *end_ns)
{
    double trace_end_ns = (double)tnd_trace_end_ns(trace), unit_ns = MAX(tnd_trace_header(trace)->unit_ns, 1);
    const TndCfgLimit *begin = &window->begin, *end = &window->end;
    *begin_ns = begin->kind == TND_CFG_LIMIT_TIME ? begin->value * unit_ns : begin->value * trace_end_ns;
    if (begin->kind == TND_CFG_LIMIT_TIME && *begin_ns >= trace_end_ns)
        *begin_ns = 0;
    *end_ns = end->kind == TND_CFG_LIMIT_TIME ? end->value * unit_ns : end->value * trace_end_ns;
    if (end->kind == TND_CFG_LIMIT_NONE || *end_ns > trace_end_ns)
        *end_ns = trace_end_ns;
}

/* The row of the first object of a selection; G_MAXUINT: the trace has not that many objects. */
static guint first_row(const TndTrace *trace, const TndCfgSelection *selection)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    guint n = selection->are_selected->len, group = selection->parents[0], first = 0, n_there;
    if (selection->level == TND_LEVEL_APPLICATION || selection->level == TND_LEVEL_NODE)
        return n <= tnd_levels_n_rows(trace, selection->level) ? 0 : G_MAXUINT;
    if (selection->level == TND_LEVEL_CPU) {
        for (guint node = 0; node < MIN(group, header->n_nodes); node++)
            first += header->n_cpus[node];
        return group < header->n_nodes && n <= header->n_cpus[group] ? first : G_MAXUINT;
    }
    if (group >= header->n_applications)
        return G_MAXUINT;
    const struct tnd_prv_application *application = &header->applications[group];
    if (selection->level == TND_LEVEL_THREAD) {
        guint task = selection->parents[1];
        n_there = task < application->n_tasks ? application->tasks[task].n_threads : 0;
        return n <= n_there ? tnd_trace_row(trace, group + 1, task + 1, 1) : G_MAXUINT;
    }
    for (guint i = 0; i < group; i++)
        first += header->applications[i].n_tasks;
    return n <= application->n_tasks ? first : G_MAXUINT;
}

/* Which rows of a level are selected: all that no selection leaves out. */
static gboolean *selected_of(const TndTrace *trace, const TndCfgWindow *window, TndLevel level)
{
    guint n_rows = tnd_levels_n_rows(trace, level);
    gboolean *selected = g_new(gboolean, n_rows + 1);
    for (guint row = 0; row < n_rows; row++)
        selected[row] = TRUE;
    for (guint i = 0; window->selections && i < window->selections->len; i++) {
        const TndCfgSelection *selection = &g_array_index(window->selections, TndCfgSelection, i);
        guint first = selection->level == level ? first_row(trace, selection) : G_MAXUINT;
        for (guint k = 0; first != G_MAXUINT && k < selection->are_selected->len; k++)
            selected[first + k] = g_array_index(selection->are_selected, gboolean, k);
    }
    return selected;
}

/* Removes rows whose object of a level above is not selected, unless no row would be left. */
static void look_up(const TndTrace *trace, const TndCfgWindow *window, gboolean *selected)
{
    static const struct {
        TndLevel of, above;
    } lookups[] = {{TND_LEVEL_TASK, TND_LEVEL_APPLICATION},
                   {TND_LEVEL_THREAD, TND_LEVEL_APPLICATION},
                   {TND_LEVEL_THREAD, TND_LEVEL_TASK},
                   {TND_LEVEL_CPU, TND_LEVEL_NODE}};
    guint n_rows = tnd_levels_n_rows(trace, window->level), n_left = 0;
    gboolean *left = g_memdup2(selected, (n_rows + 1) * sizeof *selected);
    for (guint i = 0; i < G_N_ELEMENTS(lookups); i++) {
        if (lookups[i].of != window->level)
            continue;
        gboolean *above = selected_of(trace, window, lookups[i].above);
        for (guint row = 0; row < n_rows; row++)
            left[row] &= above[tnd_levels_row_above(trace, window->level, row, lookups[i].above)];
        g_free(above);
    }
    for (guint row = 0; row < n_rows; row++)
        n_left += left[row] != FALSE;
    if (n_left > 0)
        memcpy(selected, left, n_rows * sizeof *selected);
    g_free(left);
}

gboolean *tnd_window_limits_rows(const TndTrace *trace, const TndCfgWindow *window, gboolean looks_up)
{
    guint n_rows = tnd_levels_n_rows(trace, window->level);
    gboolean *selected = selected_of(trace, window, window->level);
    for (guint row = 0; window->is_zoomed && row < n_rows; row++)
        selected[row] &= row >= MIN(window->zoom[0], n_rows - 1) && row <= MIN(window->zoom[1], n_rows - 1);
    if (looks_up)
        look_up(trace, window, selected);
    return selected;
}

/* Adds the event type with this label (the last one, if there are several); with a *, all types that match. */
static void add_types(const struct tnd_pcf *pcf, const char *label, GArray *values)
{
    guint n_before = values->len;
    gboolean is_pattern = strchr(label, '*') != NULL;
    for (gsize i = 0; i < pcf->n_types; i++) {
        double type = pcf->types[i].type;
        gboolean matches = is_pattern ? tnd_label_pattern_matches(label, pcf->types[i].label)
                                      : strcmp(pcf->types[i].label, label) == 0;
        if (matches && !is_pattern)
            g_array_set_size(values, n_before);
        if (matches)
            g_array_append_val(values, type);
    }
}

/* Adds the values with this label, of any type, each once. */
static void add_values(const struct tnd_pcf *pcf, const char *label, GArray *values)
{
    guint n_before = values->len;
    for (gsize i = 0; i < pcf->n_types; i++)
        for (gsize k = 0; k < pcf->types[i].n_values; k++) {
            double value = (double)pcf->types[i].values[k].value;
            gboolean is_new = strcmp(pcf->types[i].values[k].label, label) == 0;
            for (guint j = n_before; is_new && j < values->len; j++)
                is_new = g_array_index(values, double, j) != value;
            if (is_new)
                g_array_append_val(values, value);
        }
}

gboolean tnd_window_limits_events(const TndTrace *trace, const TndCfgWindow *window, TndFilterKind kind,
                                  TndNumbers *numbers, GError **error)
{
    const TndNumbers *given = &window->filters[kind].values;
    char **labels = window->filters[kind].labels;
    if (labels && g_strv_length(labels) != given->n) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                    "window \"%s\": there are %u labels of events for %u numbers", window->name, g_strv_length(labels),
                    given->n);
        return FALSE;
    }
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < given->n; i++) {
        guint n_before = values->len;
        gboolean has_label = labels && labels[i][0] && strcmp(labels[i], UNKNOWN) != 0;
        if (has_label)
            (kind == TND_FILTER_TYPE ? add_types : add_values)(tnd_trace_pcf(trace), labels[i], values);
        if (values->len == n_before)
            g_array_append_val(values, given->values[i]);
    }
    guint n = values->len;
    *numbers = (TndNumbers){(double *)(void *)g_array_free(values, FALSE), n};
    return TRUE;
}
