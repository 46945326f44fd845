/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The windows of a configuration: their functions found, their levels, names of values.  What their rows come to is in
 * window_rows.c.
 */
#include "analysis/views/windows.h"

#include "analysis/base/quantity.h"
#include "analysis/views/window_limits.h"
#include "analysis/views/window_rows.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

const TndTrace *tnd_windows_trace(const TndWindows *windows)
{
    return windows->trace;
}

const TndCfg *tnd_windows_cfg(const TndWindows *windows)
{
    return windows->cfg;
}

/* Names. */

double tnd_windows_unit_ns(const TndWindows *windows, guint window)
{
    return windows->windows[window].unit_ns;
}

const char *tnd_windows_unit_name(guint unit)
{
    static const char *const names[] = {"ns", "us", "ms", "s", "min", "h", "d"};
    return names[unit];
}

const TndCfgWindow *tnd_windows_window(const TndWindows *windows, guint window)
{
    return windows->windows[window].cfg;
}

TndLevel tnd_windows_level(const TndWindows *windows, guint window)
{
    return windows->windows[window].cfg->level;
}

guint tnd_windows_n_rows(const TndWindows *windows, guint window)
{
    return tnd_levels_n_rows(windows->trace, windows->windows[window].cfg->level);
}

static gboolean is_named(const TndSemanticName *known, const TndCall *call, const char *fallback)
{
    return strcmp(known->name, call->name ? call->name : fallback) == 0;
}

/* Whether a window's values still are those of its threads, whose labels they have. */
static gboolean keeps_labels(const TndWindow *window)
{
    static const char *const keepers[] = {
        "As Is", "Select Range", "Select Range [)", "Is Equal",   "Floor",          "Ceil",    "Round",
        "Abs",   "Stacked Val",  "Join Bursts",     "Timer",      "Translate",      "Maximum", "Minimum",
        "Mode",  "Thread i",     "Changed value",   "Active Thd", "Active Thd Val", NULL};
    gboolean keeps = !window->cfg->extra_tops && g_strv_contains(keepers, window->tops[0]->name.name) &&
                     g_strv_contains(keepers, window->tops[1]->name.name) &&
                     g_strv_contains(keepers, window->composes[TND_LEVEL_THREAD]->name.name);
    for (TndLevel level = window->cfg->level; level != TND_LEVEL_THREAD && level < TND_LEVEL_N;
         level = tnd_window_rows_level_below(level))
        keeps = keeps && g_strv_contains(keepers, window->groups[level]->name.name) &&
                g_strv_contains(keepers, window->composes[level]->name.name);
    return keeps;
}

char *tnd_windows_value_text(const TndWindows *windows, guint index, double value)
{
    static const char *const of_states[] = {"State As Is", "Useful", "Given State", NULL};
    static const char *const of_values[] = {"Last Evt Val", "Last Evt Val w/o Bursts", "Next Evt Val", "Given Evt Val",
                                            NULL};
    const TndWindow *window = &windows->windows[index];
    const struct tnd_pcf *pcf = tnd_trace_pcf(windows->trace);
    const char *label = NULL, *name = window->thread ? window->thread->name.name : "";
    gboolean has_labels = window->thread && keeps_labels(window) && fabs(value) < 0x1p63;
    if (has_labels && g_strv_contains(of_states, name))
        label = tnd_pcf_state_label(pcf, (gint64)value);
    const TndNumbers *types = &window->cfg->filters[TND_FILTER_TYPE].values;
    gboolean is_value = has_labels && g_strv_contains(of_values, name);
    for (guint i = 0; i < types->n && is_value && !label; i++)
        if (types->values[i] >= 0 && types->values[i] <= G_MAXUINT32)
            label = tnd_pcf_value_label(pcf, (guint32)types->values[i], (gint64)value);
    if (!label && value == 0 && is_value)
        label = "End"; /* as Paraver has it */
    return label ? g_strdup(label) : tnd_quantity_text(value, "");
}

/* Functions by name. */

/* The function of a call in a table that ends with a NULL name. */
#define FIND(found, table, call, fallback)                                                                             \
    for (guint entry = 0; (table)[entry].name.name && !(found); entry++)                                               \
        if (is_named(&(table)[entry].name, (call), (fallback)))                                                        \
            (found) = &(table)[entry];

static gboolean complain(GError **error, const TndCfg *cfg, const TndCfgWindow *window, const char *what,
                         const TndCall *call)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: window \"%s\": %s \"%s\" is not supported", cfg->path,
                window->name, what, call->name ? call->name : "");
    return FALSE;
}

static gboolean find_composes(TndWindow *window, const TndCfg *cfg, GError **error)
{
    const TndCfgWindow *given = window->cfg;
    const TndSemanticCompose **places[] = {&window->tops[0], &window->tops[1]};
    for (guint i = 0; i < TND_LEVEL_N; i++) {
        const TndCall *call = &given->calls[TND_PLACE_COMPOSE + i];
        FIND(window->composes[i], tnd_semantic_composes, call, "As Is")
        if (!window->composes[i])
            return complain(error, cfg, given, "compose function", call);
    }
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        const TndCall *call = &given->calls[TND_PLACE_TOP_1 + i];
        FIND(*places[i], tnd_semantic_composes, call, "As Is")
        if (!*places[i])
            return complain(error, cfg, given, "compose function", call);
    }
    guint n_extra = given->extra_tops ? given->extra_tops->len : 0;
    window->extra_tops = g_new0(const TndSemanticCompose *, n_extra + 1);
    for (guint i = 0; i < n_extra; i++) {
        const TndCall *call = &g_array_index(given->extra_tops, TndCall, i);
        FIND(window->extra_tops[i], tnd_semantic_composes, call, "As Is")
        if (!window->extra_tops[i])
            return complain(error, cfg, given, "compose function", call);
    }
    return TRUE;
}

static gboolean find_functions(TndWindow *window, const TndCfg *cfg, GError **error)
{
    const TndSemanticThread *const tables[] = {tnd_semantic_states, tnd_semantic_events, tnd_semantic_messages,
                                               tnd_semantic_objects};
    const TndCfgWindow *given = window->cfg;
    if (given->is_derived) {
        FIND(window->derived, tnd_semantic_deriveds, &given->calls[TND_PLACE_DERIVED], "add")
        if (!window->derived)
            return complain(error, cfg, given, "function", &given->calls[TND_PLACE_DERIVED]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(tables) && !given->is_derived; i++)
        FIND(window->thread, tables[i], &given->calls[TND_LEVEL_THREAD], "State As Is")
    if (!window->thread && !given->is_derived)
        return complain(error, cfg, given, "thread function", &given->calls[TND_LEVEL_THREAD]);
    for (guint level = 0; level < TND_LEVEL_N; level++) {
        const TndCall *call = &given->calls[level];
        if (level == TND_LEVEL_THREAD)
            continue;
        if (level == TND_LEVEL_CPU) {
            FIND(window->groups[level], tnd_semantic_cpus, call, "Active Thd")
        } else {
            FIND(window->groups[level], tnd_semantic_groups, call, "Adding")
        }
        if (!window->groups[level])
            return complain(error, cfg, given, "function", call);
    }
    return TRUE;
}

static gboolean refuse(GError **error, const TndCfg *cfg, const TndCfgWindow *window, const char *why)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: window \"%s\" %s", cfg->path, window->name, why);
    return FALSE;
}

/* A window of two others has the rows of the finer one, or such as are made up of them. */
static gboolean find_level(const TndWindows *windows, TndWindow *window, GError **error)
{
    TndCfgWindow *own = &window->own;
    window->base = own->level > TND_LEVEL_THREAD ? TND_LEVEL_CPU : TND_LEVEL_THREAD;
    if (own->is_derived) {
        TndLevel levels[2] = {windows->windows[own->parents[0]].cfg->level,
                              windows->windows[own->parents[1]].cfg->level};
        window->base = MAX(levels[0], levels[1]);
        if (!tnd_levels_is_above(MIN(levels[0], levels[1]), window->base))
            return refuse(error, windows->cfg, own, "is of two windows, one of CPUs or nodes, one of threads or tasks");
        own->level = MIN(own->level, window->base);
        if (!tnd_levels_is_above(own->level, window->base))
            return refuse(error, windows->cfg, own, "is of a level that its two windows are not part of");
    }
    if (own->level >= TND_LEVEL_SYSTEM && tnd_levels_n_rows(windows->trace, TND_LEVEL_CPU) == 0)
        return refuse(error, windows->cfg, own, "is of CPUs, of which this trace tells nothing");
    return TRUE;
}

static gboolean find_events(const TndWindows *windows, TndCfgWindow *own, GError **error)
{
    TndNumbers found[] = {{0}, {0}};
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        if (!tnd_window_limits_events(windows->trace, own, TND_FILTER_TYPE + i, &found[i], error)) {
            g_free(found[0].values);
            own->filters[TND_FILTER_TYPE].values.values = own->filters[TND_FILTER_VALUE].values.values = NULL;
            g_prefix_error(error, "%s: ", windows->cfg->path);
            return FALSE;
        }
    own->filters[TND_FILTER_TYPE].values = found[0];
    own->filters[TND_FILTER_VALUE].values = found[1];
    return TRUE;
}

static gboolean find_window(TndWindows *windows, guint index, GError **error)
{
    static const double units_ns[] = {1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9};
    TndWindow *window = &windows->windows[index];
    window->own = *tnd_cfg_window(windows->cfg, index);
    window->cfg = &window->own;
    window->unit_ns = units_ns[window->own.unit];
    if (!find_events(windows, &window->own, error) || !find_level(windows, window, error))
        return FALSE;
    window->rows = g_new0(TndRowBursts *, tnd_levels_n_rows(windows->trace, window->own.level) + 1);
    return find_functions(window, windows->cfg, error) && find_composes(window, windows->cfg, error);
}

TndWindows *tnd_windows_new(const TndTrace *trace, const TndCfg *cfg, GError **error)
{
    TndWindows *windows = g_new0(TndWindows, 1);
    windows->trace = trace;
    windows->cfg = cfg;
    windows->memory = tnd_large_memory_new(tnd_trace_path(trace));
    g_mutex_init(&windows->lock);
    windows->windows = g_new0(TndWindow, cfg->windows->len);
    for (guint i = 0; i < cfg->windows->len; i++)
        if (!find_window(windows, i, error)) {
            tnd_windows_free(windows);
            return NULL;
        }
    return windows;
}

void tnd_windows_free(TndWindows *windows)
{
    if (!windows)
        return;
    for (guint i = 0; i < windows->cfg->windows->len; i++) {
        TndWindow *window = &windows->windows[i];
        if (!window->cfg) /* it was not come to */
            break;
        g_free(window->rows);
        g_free(window->own.filters[TND_FILTER_TYPE].values.values);
        g_free(window->own.filters[TND_FILTER_VALUE].values.values);
        g_free(window->extra_tops);
    }
    tnd_semantic_records_index_free(windows->index);
    tnd_window_cpus_free(windows->cpus);
    tnd_large_memory_free(windows->memory);
    g_mutex_clear(&windows->lock);
    g_free(windows->windows);
    g_free(windows);
}
