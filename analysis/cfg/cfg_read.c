/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a .cfg: each line is a key and its value.  The keys are in tables (cfg_keys.h); unknown keys are kept by name.
 */
#include "analysis/cfg/cfg.h"

#include "analysis/cfg/cfg_keys.h"
#include "formats/plain_text.h"

#include <gio/gio.h>
#include <string.h>

void tnd_cfg_call_clear(TndCall *call)
{
    g_free(call->name);
    for (guint i = 0; i < TND_CALL_PARAMETERS; i++)
        g_free(call->parameters[i].values);
}

static void clear_window(gpointer data)
{
    TndCfgWindow *window = data;
    g_free(window->name);
    for (guint i = 0; i < TND_PLACE_N; i++)
        tnd_cfg_call_clear(&window->calls[i]);
    for (guint i = 0; i < TND_FILTER_N; i++) {
        g_free(window->filters[i].values.values);
        g_strfreev(window->filters[i].labels);
    }
    if (window->selections)
        g_array_unref(window->selections);
    if (window->extra_tops)
        g_array_unref(window->extra_tops);
}

static void clear_histogram(gpointer data)
{
    TndCfgHistogram *histogram = data;
    g_free(histogram->name);
    g_free(histogram->statistic);
    g_free(histogram->sort_criterion);
    if (histogram->rows)
        g_array_unref(histogram->rows);
}

TndCfg *tnd_cfg_share(TndCfg *cfg)
{
    g_atomic_int_inc(&cfg->n_owners);
    return cfg;
}

void tnd_cfg_free(TndCfg *cfg)
{
    if (!cfg || !g_atomic_int_dec_and_test(&cfg->n_owners))
        return;
    g_free(cfg->path);
    g_free(cfg->description);
    g_strfreev(cfg->unknown_keys);
    g_array_unref(cfg->windows);
    g_array_unref(cfg->histograms);
    g_free(cfg);
}

void tnd_cfg_set_statistic(TndCfgHistogram *histogram, const char *name)
{
    g_free(histogram->statistic);
    histogram->statistic = g_strdup(name);
}

gboolean tnd_cfg_filter_holds(const TndCfgFilter *filter, double value)
{
    const TndNumbers *numbers = &filter->values;
    if (filter->function == TND_FILTER_ALL || filter->function == TND_FILTER_NONE || numbers->n == 0)
        return filter->function == TND_FILTER_ALL;
    if (filter->function == TND_FILTER_BETWEEN)
        return value >= numbers->values[0] && (numbers->n < 2 || value <= numbers->values[1]);
    for (guint i = 0; i < numbers->n; i++) {
        double limit = numbers->values[i];
        if (filter->function == TND_FILTER_EQUAL && value == limit)
            return TRUE;
        if ((filter->function == TND_FILTER_DIFFERENT && value == limit) ||
            (filter->function == TND_FILTER_ABOVE && !(value > limit)) ||
            (filter->function == TND_FILTER_BELOW && !(value < limit)))
            return FALSE;
    }
    return filter->function != TND_FILTER_EQUAL;
}

static const TndCfgKey *find_key(const TndCfgKey *keys, const char *name)
{
    while (keys->key && strcmp(keys->key, name) != 0)
        keys++;
    return keys->key ? keys : NULL;
}

/* Splits a line into a key and a value, and sets it. */
static void read_line(TndCfgReading *reading, char *line, guint number, GPtrArray *unknown_keys)
{
    gboolean is_header = line[0] == '<';
    char *blank = is_header ? NULL : strpbrk(line, " \t");
    if (blank)
        *blank = '\0';
    const TndCfgKey *of_window = find_key(tnd_cfg_keys_window, line);
    const TndCfgKey *key = of_window ? of_window : find_key(tnd_cfg_keys_histogram, line);
    if (!key) {
        if (!is_header && line[0] && !g_str_has_prefix(line, "ConfigFile.") && strcmp(line, "CFG4D_ENABLED") != 0)
            g_ptr_array_add(unknown_keys, g_strdup_printf("%u: %s", number, line));
        return;
    }
    gboolean has_begun = key->begins || !key->set || strcmp(line, "window_name") == 0 ||
                         (of_window ? reading->window != NULL : reading->histogram != NULL);
    if (!has_begun)
        reading->wrong = "comes before the window or the histogram that it belongs to";
    else if (key->set)
        key->set(reading, blank ? g_strstrip(blank + 1) : "");
}

/* Reads the lines of the description, and returns the number of the line that ends it. */
static guint read_description(TndCfgReading *reading, char **lines, guint line)
{
    GString *text = g_string_new(NULL);
    for (line++; lines[line] && !g_str_has_prefix(lines[line], "ConfigFile.EndDescription"); line++)
        g_string_append_printf(text, "%s\n", lines[line]);
    g_free(reading->cfg->description);
    reading->cfg->description = g_strstrip(g_string_free(text, FALSE));
    return line;
}

static gboolean check_windows(TndCfgReading *reading)
{
    for (guint i = 0; i < reading->cfg->windows->len; i++) {
        const TndCfgWindow *window = tnd_cfg_window(reading->cfg, i);
        if (window->is_derived && (window->parents[0] == G_MAXUINT || window->parents[1] == G_MAXUINT))
            return FALSE;
    }
    return TRUE;
}

TndCfg *tnd_cfg_parse(const char *text, const char *path, GError **error)
{
    TndCfgReading reading = {.cfg = g_new0(TndCfg, 1)};
    reading.cfg->n_owners = 1;
    reading.cfg->path = g_strdup(path);
    reading.cfg->windows = g_array_new(FALSE, FALSE, sizeof(TndCfgWindow));
    g_array_set_clear_func(reading.cfg->windows, clear_window);
    reading.cfg->histograms = g_array_new(FALSE, FALSE, sizeof(TndCfgHistogram));
    g_array_set_clear_func(reading.cfg->histograms, clear_histogram);
    char **lines = g_strsplit(text, "\n", -1);
    GPtrArray *unknown_keys = g_ptr_array_new();
    guint line = 0;
    for (; lines[line] && !reading.wrong; line++) {
        g_strstrip(lines[line]);
        if (g_str_has_prefix(lines[line], "ConfigFile.BeginDescription")) {
            line = read_description(&reading, lines, line);
            if (!lines[line])
                break;
        } else if (lines[line][0] != '#')
            read_line(&reading, lines[line], line + 1, unknown_keys);
    }
    g_ptr_array_add(unknown_keys, NULL);
    reading.cfg->unknown_keys = (char **)g_ptr_array_free(unknown_keys, FALSE);
    gboolean is_right = FALSE, is_cfg = strstr(text, "#ParaverCFG") || strstr(text, "ConfigFile.NumWindows:");
    if (!is_cfg || reading.cfg->windows->len == 0)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                    "%s: is no configuration of Paraver's with a window; a .cfg that Paraver has saved is one", path);
    else if (reading.wrong)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%u: %s %s", path, line, lines[line - 1],
                    reading.wrong);
    else if (!check_windows(&reading))
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: a derived window has no window_identifiers", path);
    else
        is_right = TRUE;
    g_strfreev(lines);
    g_free(reading.next_name);
    if (is_right)
        return reading.cfg;
    tnd_cfg_free(reading.cfg);
    return NULL;
}

TndCfg *tnd_cfg_read(const char *path, GError **error)
{
    char *text;
    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;
    tnd_plain_text_make(text, "\n\r\t");
    TndCfg *cfg = tnd_cfg_parse(text, path, error);
    g_free(text);
    return cfg;
}
