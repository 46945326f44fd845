/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the keys that Paraver writes, in its order.  Functions that a window does not name have Paraver's defaults.
 */
#include "analysis/cfg/cfg_keys.h"

static const char *truth(gboolean is_true)
{
    return is_true ? "true" : "false";
}

static const char *name_of(const TndCall *call, const char *otherwise)
{
    return call->name ? call->name : otherwise;
}

static void put_numbers(GString *text, const TndNumbers *numbers, int shift)
{
    g_string_append_printf(text, "%u", numbers->n);
    for (guint i = 0; i < numbers->n; i++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(text, " %s", g_ascii_dtostr(number, sizeof number, numbers->values[i] + shift));
    }
}

static void put_functions(GString *text, const TndCfgWindow *window)
{
    static const TndLevel levels[] = {TND_LEVEL_CPU,  TND_LEVEL_APPLICATION, TND_LEVEL_TASK,    TND_LEVEL_THREAD,
                                      TND_LEVEL_NODE, TND_LEVEL_SYSTEM,      TND_LEVEL_WORKLOAD};
    const gboolean is_single = !window->is_derived;
    g_string_append_printf(text, "window_selected_functions { %u, { ", is_single ? 14 : 6);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        const TndLevel level = levels[i];
        if (level == TND_LEVEL_THREAD && !is_single)
            continue;
        const char *usual = level == TND_LEVEL_CPU      ? "Active Thd"
                            : level == TND_LEVEL_THREAD ? "State As Is"
                                                        : "Adding";
        g_string_append_printf(text, "%s{%s, %s}", i ? ", " : "", tnd_cfg_keys_levels[level],
                               name_of(&window->calls[level], usual));
    }
    for (guint kind = 0; kind < TND_FILTER_N && is_single; kind++)
        g_string_append_printf(text, ", {%s, %s}", tnd_cfg_keys_filters[kind],
                               tnd_cfg_keys_filter_functions[window->filters[kind].function]);
    g_string_append_printf(text, " } }\nwindow_compose_functions { %u, { ", is_single ? 9 : 8);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        if (levels[i] != TND_LEVEL_THREAD || is_single)
            g_string_append_printf(text, "{%s, %s}, ", tnd_cfg_keys_composes[levels[i]],
                                   name_of(&window->calls[TND_PLACE_COMPOSE + levels[i]], "As Is"));
    g_string_append_printf(text, "{topcompose1, %s}, {topcompose2, %s} } }\n",
                           name_of(&window->calls[TND_PLACE_TOP_1], "As Is"),
                           name_of(&window->calls[TND_PLACE_TOP_2], "As Is"));
    for (guint i = 0; window->extra_tops && i < window->extra_tops->len; i++)
        g_string_append_printf(text, "window_compose_functions { 1, { {extratopcompose1, %s} } }\n",
                               name_of(&g_array_index(window->extra_tops, TndCall, i), "As Is"));
}

static void put_parameters(GString *text, const char *place, const TndCall *call)
{
    if (!call->name || !call->n_parameters)
        return;
    g_string_append_printf(text, "window_semantic_module %s %s { %u, { ", place, call->name, call->n_parameters);
    for (guint i = 0; i < call->n_parameters; i++) {
        g_string_append(text, i ? ", " : "");
        put_numbers(text, &call->parameters[i], 0);
    }
    g_string_append(text, " } }\n");
}

static void put_all_parameters(GString *text, const TndCfgWindow *window)
{
    for (guint place = 0; place < TND_PLACE_DERIVED; place++)
        put_parameters(text,
                       place < TND_PLACE_COMPOSE ? tnd_cfg_keys_levels[place]
                                                 : tnd_cfg_keys_composes[place - TND_PLACE_COMPOSE],
                       &window->calls[place]);
    for (guint i = 0; window->extra_tops && i < window->extra_tops->len; i++)
        put_parameters(text, "extratopcompose1", &g_array_index(window->extra_tops, TndCall, i));
    for (guint kind = 0; kind < TND_FILTER_N; kind++) {
        const TndNumbers *numbers = &window->filters[kind].values;
        if (!numbers->n)
            continue;
        g_string_append_printf(text, "window_filter_module %s ", tnd_cfg_keys_filters[kind]);
        put_numbers(text, numbers, kind == TND_FILTER_FROM || kind == TND_FILTER_TO);
        g_string_append_c(text, '\n');
    }
}

static void put_selection(GString *text, const TndCfgSelection *selection)
{
    const guint n_parents = selection->level == TND_LEVEL_THREAD                                      ? 2
                            : selection->level == TND_LEVEL_TASK || selection->level == TND_LEVEL_CPU ? 1
                                                                                                      : 0;
    g_string_append_printf(text, "window_object %s { ", tnd_cfg_keys_levels[selection->level]);
    for (guint i = 0; i < n_parents; i++)
        g_string_append_printf(text, "%u, ", selection->parents[i]);
    g_string_append_printf(text, "%u, { ", selection->are_selected->len);
    for (guint i = 0; i < selection->are_selected->len; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "",
                               g_array_index(selection->are_selected, gboolean, i) ? "All" : "None");
    g_string_append(text, " } }\n");
}

static void put_share(GString *text, const char *key, const TndCfgLimit *limit, double otherwise)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.15f", limit->kind == TND_CFG_LIMIT_SHARE ? limit->value : otherwise);
    g_string_append_printf(text, "%s %s\n", key, number);
}

static void put_scale(GString *text, const TndCfgScale *scale)
{
    char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(least, sizeof least, "%.6f", scale->has_limits ? scale->least : 0);
    g_ascii_formatd(most, sizeof most, "%.6f", scale->has_limits ? scale->most : 1);
    g_string_append_printf(text, "window_maximum_y %s\nwindow_minimum_y %s\nwindow_compute_y_max %s\n", most, least,
                           truth(!scale->has_limits));
}

static void put_window(GString *text, const TndCfgWindow *window, const TndCfgScale *scale, guint number)
{
    static const char line[] = "################################################################################\n";
    g_string_append_printf(text, "\n%s< NEW DISPLAYING WINDOW %s >\n%s", line, window->name, line);
    g_string_append_printf(text, "window_name %s\nwindow_type %s\nwindow_id %u\n", window->name,
                           window->is_derived ? "composed" : "single", number);
    if (window->is_derived)
        g_string_append_printf(text,
                               "window_factors %f %f\nwindow_shifts %d %d\nwindow_operation %s\n"
                               "window_identifiers %u %u\n",
                               window->factors[0], window->factors[1], window->shifts[0], window->shifts[1],
                               name_of(&window->calls[TND_PLACE_DERIVED], "add"), window->parents[0] + 1,
                               window->parents[1] + 1);
    g_string_append_printf(text,
                           "window_position_x 100\nwindow_position_y 100\nwindow_width 800\nwindow_height 300\n"
                           "window_comm_lines_enabled %s\nwindow_flags_enabled %s\nwindow_noncolor_mode %s\n"
                           "window_color_mode %s\nwindow_logical_filtered %s\nwindow_physical_filtered %s\n"
                           "window_intracomms_enabled %s\nwindow_intercomms_enabled %s\nwindow_comm_fromto %s\n"
                           "window_comm_tagsize %s\nwindow_comm_typeval %s\nwindow_units %s\n",
                           truth(!window->hides_messages), truth(window->has_flags), truth(!window->is_line),
                           window->are_points ? TND_CFG_KEYS_POINTS
                           : window->is_code  ? "window_in_code_mode"
                                              : "window_in_gradient_mode",
                           truth(window->logical), truth(window->physical), truth(window->within_nodes),
                           truth(window->between_nodes), truth(!window->from_or_to), truth(!window->tag_or_size),
                           truth(!window->type_or_value), tnd_cfg_keys_units[window->unit]);
    put_scale(text, scale);
    g_string_append_printf(text, "window_level %s\n", tnd_cfg_keys_levels[window->level]);
    put_share(text, "window_scale_relative", &window->end, 1);
    put_share(text, "window_end_time_relative", &window->end, 1);
    for (guint i = 0; window->selections && i < window->selections->len; i++)
        put_selection(text, &g_array_index(window->selections, TndCfgSelection, i));
    put_share(text, "window_begin_time_relative", &window->begin, 0);
    if (window->is_zoomed)
        g_string_append_printf(text, "window_zoom_objects %u %u\n", window->zoom[0], window->zoom[1]);
    g_string_append(text, "window_open true\nwindow_drawmode draw_maximum\nwindow_drawmode_rows draw_maximum\n"
                          "window_pixel_size 1\nwindow_labels_to_draw 1\n");
    put_functions(text, window);
    put_all_parameters(text, window);
}

char *tnd_cfg_text(const TndCfgWindow *windows, const TndCfgScale *scales, guint n)
{
    GString *text = g_string_new("#ParaverCFG\nConfigFile.Version: 3.4\n");
    g_string_append_printf(text,
                           "ConfigFile.NumWindows: %u\nConfigFile.BeginDescription\n\n"
                           "ConfigFile.EndDescription\n",
                           n);
    for (guint i = 0; i < n; i++)
        put_window(text, &windows[i], &scales[i], i + 1);
    return g_string_free(text, FALSE);
}
