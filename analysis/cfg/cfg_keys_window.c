/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of windows in a .cfg: functions, filters, rows, the stretch of time.
 */
#include "analysis/cfg/cfg_keys.h"

#include <math.h>
#include <string.h>

/* The index of a name in a list that ends with NULL; -1: it is not in it. */
static int find_name(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *const tnd_cfg_keys_levels[] = {"workload", "appl", "task", "thread", "system", "node", "cpu", NULL};
const char *const tnd_cfg_keys_units[] = {"Nanoseconds", "Microseconds", "Milliseconds", "Seconds",
                                          "Minutes",     "Hours",        "Days",         NULL};
const char *const tnd_cfg_keys_filters[] = {"from_obj", "to_obj",   "tag_msg",   "size_msg",
                                            "bw_msg",   "evt_type", "evt_value", NULL};
const char *const tnd_cfg_keys_filter_functions[] = {
    [TND_FILTER_ALL] = "All", [TND_FILTER_NONE] = "None", [TND_FILTER_EQUAL] = "=",       [TND_FILTER_DIFFERENT] = "!=",
    [TND_FILTER_ABOVE] = ">", [TND_FILTER_BELOW] = "<",   [TND_FILTER_BETWEEN] = "[x,y]", NULL};
static const char *const label_names[] = {"evt_type_label", "evt_value_label", NULL};
const char *const tnd_cfg_keys_composes[] = {
    "compose_workload", "compose_appl", "compose_task", "compose_thread", "compose_system",
    "compose_node",     "compose_cpu",  "topcompose1",  "topcompose2",    NULL};

static int find_level(const char *name)
{
    return find_name(tnd_cfg_keys_levels, strcmp(name, "ptask") == 0 ? "appl" : name);
}

/* The place of a function (TND_PLACE_...) by its name in a file; -1: unknown.  The composes are in the order of levels.
 */
static int find_place(const char *name)
{
    int place = find_level(name);
    if (place >= 0)
        return place;
    place = find_name(tnd_cfg_keys_composes, name);
    if (place >= 0)
        return TND_PLACE_COMPOSE + place;
    if (strcmp(name, "compose1") == 0) /* names in old files */
        return TND_PLACE_TOP_1;
    if (strcmp(name, "compose2") == 0 || strcmp(name, "topcompose") == 0)
        return TND_PLACE_TOP_2;
    return strcmp(name, "derived") == 0 ? TND_PLACE_DERIVED : -1;
}

/* Functions of keys. */

static void start_window(TndCfgReading *reading, const char *value)
{
    TndCfgWindow window = {.factors = {1, 1},
                           .level = TND_LEVEL_THREAD,
                           .unit = 1,
                           .is_code = TRUE,
                           .logical = TRUE,
                           .physical = TRUE,
                           .within_nodes = TRUE,
                           .between_nodes = TRUE};
    window.name = reading->next_name ? reading->next_name : g_strdup("");
    reading->next_name = NULL;
    window.is_derived = strcmp(value, "composed") == 0;
    window.parents[0] = window.parents[1] = G_MAXUINT;
    if (!window.is_derived && strcmp(value, "single") != 0)
        reading->wrong = "takes single or composed";
    g_array_append_val(reading->cfg->windows, window);
    reading->window = tnd_cfg_window(reading->cfg, reading->cfg->windows->len - 1);
    reading->n_extra_given = 0;
}

static void set_name(TndCfgReading *reading, const char *value)
{
    tnd_cfg_keys_text(&reading->next_name, value);
}

static void set_factors(TndCfgReading *reading, const char *value)
{
    tnd_cfg_keys_pair(reading, value, reading->window->factors);
}

static void set_shifts(TndCfgReading *reading, const char *value)
{
    double shifts[2];
    if (tnd_cfg_keys_pair(reading, value, shifts))
        for (guint i = 0; i < 2; i++)
            reading->window->shifts[i] = (int)CLAMP(shifts[i], -1e9, 1e9);
}

static void set_parents(TndCfgReading *reading, const char *value)
{
    double parents[2];
    if (!tnd_cfg_keys_pair(reading, value, parents))
        return;
    for (guint i = 0; i < 2; i++) {
        if (!(parents[i] >= 1 && parents[i] < reading->cfg->windows->len))
            reading->wrong = "takes the numbers of two windows before this one";
        else
            reading->window->parents[i] = (guint)parents[i] - 1;
    }
}

static void set_operation(TndCfgReading *reading, const char *value)
{
    tnd_cfg_keys_text(&reading->window->calls[TND_PLACE_DERIVED].name, value);
}

static void set_level(TndCfgReading *reading, const char *value)
{
    int level = find_level(value);
    if (level < 0)
        reading->wrong = "takes a level: workload, appl, task, thread, system, node, cpu";
    else
        reading->window->level = (TndLevel)level;
}

static void set_unit(TndCfgReading *reading, const char *value)
{
    int unit = find_name(tnd_cfg_keys_units, value);
    if (unit < 0)
        reading->wrong = "takes a unit of time: Nanoseconds to Days";
    else
        reading->window->unit = (guint)unit;
}

/* How values are drawn.  Histograms of a window with codes have a column for each code. */
static void set_colours(TndCfgReading *reading, const char *value)
{
    static const char *const others[] = {"window_in_gradient_mode",
                                         "window_in_null_gradient_mode",
                                         "window_in_alternative_gradient_mode",
                                         "window_in_fused_lines_mode",
                                         TND_CFG_KEYS_POINTS,
                                         NULL};
    reading->window->is_code &= find_name(others, value) < 0;
    reading->window->are_points = !strcmp(value, TND_CFG_KEYS_POINTS);
}

/* Calls take with each pair of "{ N, { {key, name}, {key, name} } }". */
static void take_pairs(TndCfgReading *reading, const char *value,
                       void (*take)(TndCfgReading *, const char *key, const char *name))
{
    const char *at = strchr(value, '{');
    at = at ? strchr(at + 1, '{') : NULL;
    while (at && !reading->wrong && (at = strchr(at + 1, '{'))) {
        const char *comma = strchr(at, ','), *end = comma ? strchr(comma, '}') : NULL;
        if (!end) {
            reading->wrong = "a brace or a comma is missing";
            return;
        }
        char *key = g_strstrip(g_strndup(at + 1, (gsize)(comma - at - 1)));
        char *name = g_strstrip(g_strndup(comma + 1, (gsize)(end - comma - 1)));
        take(reading, key, name);
        g_free(key);
        g_free(name);
        at = end;
    }
}

static void set_filter_function(TndCfgReading *reading, TndFilterKind kind, const char *name)
{
    int function = find_name(tnd_cfg_keys_filter_functions, name);
    if (function < 0)
        reading->wrong = "has a filter other than All, None, =, !=, >, <, [x,y]";
    else
        reading->window->filters[kind].function = (TndFilterFunction)function;
}

static void take_function(TndCfgReading *reading, const char *key, const char *name)
{
    int filter = find_name(tnd_cfg_keys_filters, key), place = find_place(key);
    if (filter >= 0)
        set_filter_function(reading, (TndFilterKind)filter, name);
    else if (place >= 0)
        tnd_cfg_keys_text(&reading->window->calls[place].name, name);
    else if (strcmp(key, "extratopcompose1") == 0) {
        TndCall call = {.name = g_strdup(name)};
        if (!reading->window->extra_tops) {
            reading->window->extra_tops = g_array_new(FALSE, TRUE, sizeof(TndCall));
            g_array_set_clear_func(reading->window->extra_tops, (GDestroyNotify)tnd_cfg_call_clear);
        }
        g_array_append_val(reading->window->extra_tops, call);
    } else
        reading->wrong = "has a function at an unknown place";
}

static void set_functions(TndCfgReading *reading, const char *value)
{
    take_pairs(reading, value, take_function);
}

/* "LEVEL FUNCTION { N, { n v v, n v } }": parameters of a function; ignored if that level has another function. */
static void set_parameters(TndCfgReading *reading, const char *value)
{
    const char *blank = strchr(value, ' '), *brace = strchr(value, '{');
    if (!blank || !brace || brace < blank) {
        reading->wrong = "takes a level, a function and its parameters in braces";
        return;
    }
    char *level = g_strndup(value, (gsize)(blank - value));
    char *name = g_strstrip(g_strndup(blank + 1, (gsize)(brace - blank - 1)));
    int place = find_place(level);
    GArray *extra = reading->window->extra_tops;
    TndCall *call = NULL;
    if (place >= 0)
        call = &reading->window->calls[place];
    else if (strcmp(level, "extratopcompose1") == 0 && extra && reading->n_extra_given < extra->len)
        call = &g_array_index(extra, TndCall, reading->n_extra_given++);
    if (call && call->name && strcmp(call->name, name) == 0) {
        const char *at = strchr(brace + 1, '{');
        guint n = 0;
        for (; at && n < TND_CALL_PARAMETERS && tnd_cfg_keys_numbers(at + 1, &call->parameters[n], &at); n++) {
            while (*at == ' ')
                at++;
            if (*at != ',') {
                n++;
                break;
            }
        }
        call->n_parameters = n;
        if (n == 0)
            reading->wrong = "takes a count, and as many numbers";
    }
    g_free(level);
    g_free(name);
}

/* "N "label" "label"": labels of the event types or values that are numbers in the line before this one. */
static void set_labels(TndCfgReading *reading, TndFilterKind kind, const char *text)
{
    char ***labels = &reading->window->filters[kind].labels;
    GPtrArray *found = g_ptr_array_new();
    for (const char *at = text, *end; (at = strchr(at, '"')) && (end = strchr(at + 1, '"')); at = end + 1)
        g_ptr_array_add(found, g_strndup(at + 1, (gsize)(end - at - 1)));
    if (found->len != g_ascii_strtoull(text, NULL, 10))
        reading->wrong = "takes a count, and as many labels in quotes";
    g_ptr_array_add(found, NULL);
    g_strfreev(*labels);
    *labels = (char **)g_ptr_array_free(found, FALSE);
}

static void set_filter(TndCfgReading *reading, const char *value)
{
    char **words = g_strsplit(value, " ", 2);
    int filter = words[0] ? find_name(tnd_cfg_keys_filters, words[0]) : -1;
    int labelled = words[0] ? find_name(label_names, words[0]) : -1;
    const char *rest;
    if (filter >= 0) {
        TndNumbers *numbers = &reading->window->filters[filter].values;
        if (!words[1] || !tnd_cfg_keys_numbers(words[1], numbers, &rest))
            reading->wrong = "takes a count, and as many numbers";
        else if (filter == TND_FILTER_FROM || filter == TND_FILTER_TO)
            for (guint i = 0; i < numbers->n; i++)
                numbers->values[i]--;
    } else if (labelled >= 0)
        set_labels(reading, labelled == 0 ? TND_FILTER_TYPE : TND_FILTER_VALUE, words[1] ? words[1] : "");
    else
        reading->wrong = "takes the name of a filter: evt_type, evt_value, from_obj, to_obj, tag_msg, size_msg, bw_msg";
    g_strfreev(words);
}

/* What a window shows: its time and its rows. */

static void clear_selection(TndCfgSelection *selection)
{
    g_array_unref(selection->are_selected);
}

static void set_limit(TndCfgReading *reading, TndCfgLimit *limit, TndCfgLimitKind kind, const char *value)
{
    *limit = (TndCfgLimit){kind, tnd_cfg_keys_number(reading, value)};
    if (!isfinite(limit->value) || limit->value < 0)
        reading->wrong = "takes a number from 0 on";
}

static void set_begin(TndCfgReading *reading, const char *value)
{
    set_limit(reading, &reading->window->begin, TND_CFG_LIMIT_TIME, value);
}

static void set_begin_share(TndCfgReading *reading, const char *value)
{
    set_limit(reading, &reading->window->begin, TND_CFG_LIMIT_SHARE, value);
}

static void set_end(TndCfgReading *reading, const char *value)
{
    set_limit(reading, &reading->window->end, TND_CFG_LIMIT_TIME, value);
}

static void set_end_share(TndCfgReading *reading, const char *value)
{
    set_limit(reading, &reading->window->end, TND_CFG_LIMIT_SHARE, value);
}

static void set_zoom(TndCfgReading *reading, const char *value)
{
    double rows[2];
    if (!tnd_cfg_keys_pair(reading, value, rows))
        return;
    if (!(rows[0] >= 0 && rows[0] <= rows[1]))
        reading->wrong = "takes the first row and the last one, from 0 on";
    else
        for (guint i = 0; i < 2; i++)
            reading->window->zoom[i] = (guint)MIN(rows[i], G_MAXUINT - 1);
    reading->window->is_zoomed = TRUE;
}

/* "LEVEL { [group, [task,]] n, { All, None, 1, 0, ... } }".  The level says how many numbers precede the list. */
static void set_selection(TndCfgReading *reading, const char *value)
{
    static const guint n_numbers[TND_LEVEL_N] = {[TND_LEVEL_APPLICATION] = 1,
                                                 [TND_LEVEL_TASK] = 2,
                                                 [TND_LEVEL_THREAD] = 3,
                                                 [TND_LEVEL_NODE] = 1,
                                                 [TND_LEVEL_CPU] = 2};
    char **words = g_strsplit_set(value, " \t,{}", -1);
    TndCfgSelection selection = {.are_selected = g_array_new(FALSE, FALSE, sizeof(gboolean))};
    int level = words[0] ? find_level(words[0]) : -1;
    double numbers[3];
    guint n = 0;
    if (level < 0 || n_numbers[level] == 0)
        reading->wrong = "takes appl, task, thread, node or cpu, and a list of those that are selected";
    for (guint i = 1; words[0] && words[i] && !reading->wrong; i++) {
        if (!words[i][0])
            continue;
        if (n < n_numbers[level]) {
            numbers[n++] = tnd_cfg_keys_number(reading, words[i]);
            continue;
        }
        gboolean is_selected = strcmp(words[i], "None") != 0 && strcmp(words[i], "0") != 0;
        g_array_append_val(selection.are_selected, is_selected);
    }
    g_strfreev(words);
    if (!reading->wrong && (n < n_numbers[level] || numbers[n - 1] != selection.are_selected->len))
        reading->wrong = "takes a count, and for each object All or None, 1 or 0";
    if (reading->wrong) {
        g_array_unref(selection.are_selected);
        return;
    }
    selection.level = (TndLevel)level;
    for (guint i = 0; i + 1 < n; i++)
        selection.parents[i] = numbers[i] >= 0 && numbers[i] < G_MAXUINT ? (guint)numbers[i] : G_MAXUINT;
    if (!reading->window->selections) {
        reading->window->selections = g_array_new(FALSE, FALSE, sizeof(TndCfgSelection));
        g_array_set_clear_func(reading->window->selections, (GDestroyNotify)clear_selection);
    }
    g_array_append_val(reading->window->selections, selection);
}

#define SETTER_OF_TRUTH(name, assignment)                                                                              \
    static void name(TndCfgReading *reading, const char *value)                                                        \
    {                                                                                                                  \
        gboolean is_true = tnd_cfg_keys_truth(reading, value);                                                         \
        assignment;                                                                                                    \
    }
SETTER_OF_TRUTH(set_lines, {
    reading->window->is_code &= is_true;
    reading->window->is_line = !is_true;
})
SETTER_OF_TRUTH(set_flags, reading->window->has_flags = is_true)
SETTER_OF_TRUTH(set_messages, reading->window->hides_messages = !is_true)
SETTER_OF_TRUTH(set_logical, reading->window->logical = is_true)
SETTER_OF_TRUTH(set_physical, reading->window->physical = is_true)
SETTER_OF_TRUTH(set_within_nodes, reading->window->within_nodes = is_true)
SETTER_OF_TRUTH(set_between_nodes, reading->window->between_nodes = is_true)
SETTER_OF_TRUTH(set_from_to, reading->window->from_or_to = !is_true)
SETTER_OF_TRUTH(set_tag_size, reading->window->tag_or_size = !is_true)
SETTER_OF_TRUTH(set_type_value, reading->window->type_or_value = !is_true)

const TndCfgKey tnd_cfg_keys_window[] = {
    {"window_name", set_name},
    {"window_type", start_window, TRUE},
    {"window_factors", set_factors},
    {"window_shifts", set_shifts},
    {"window_operation", set_operation},
    {"window_identifiers", set_parents},
    {"window_level", set_level},
    {"window_units", set_unit},
    {"window_noncolor_mode", set_lines},
    {"window_color_mode", set_colours},
    {"window_selected_functions", set_functions},
    {"window_compose_functions", set_functions},
    {"window_semantic_module", set_parameters},
    {"window_filter_module", set_filter},
    {"window_logical_filtered", set_logical},
    {"window_physical_filtered", set_physical},
    {"window_intracomms_enabled", set_within_nodes},
    {"window_intercomms_enabled", set_between_nodes},
    {"window_comm_fromto", set_from_to},
    {"window_comm_tagsize", set_tag_size},
    {"window_comm_typeval", set_type_value},
    {"window_begin_time", set_begin},
    {"window_begin_time_relative", set_begin_share},
    {"window_stop_time", set_end},
    {"window_end_time_relative", set_end_share},
    {"window_scale_relative", set_end_share},
    {"window_zoom_objects", set_zoom},
    {"window_object", set_selection},
    {"window_id"},
    {"window_position_x"},
    {"window_position_y"},
    {"window_width"},
    {"window_height"},
    {"window_comm_lines_enabled", set_messages},
    {"window_flags_enabled", set_flags},
    {"window_gradient_function"},
    {"window_custom_color_enabled"},
    {"window_custom_color_palette"},
    {"window_semantic_scale_min_at_zero"},
    {"window_punctual_color_window"},
    {"window_maximum_y"},
    {"window_minimum_y"},
    {"window_compute_y_max"},
    {"window_open"},
    {"window_drawmode"},
    {"window_drawmode_rows"},
    {"window_pixel_size"},
    {"window_labels_to_draw"},
    {"window_object_axis_position"},
    {"window_synchronize"},
    {"cfg4d"},
    {"cfg4dparam"},
    {"cfg4dstatistic"},
    {"cfg4dlink"},
    /* Paraver reads these and ignores them. */
    {"window_end_time"},
    {"window_number_of_row"},
    {NULL},
};
