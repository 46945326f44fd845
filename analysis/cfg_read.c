/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a .cfg: a line is a key and what it is set to.  The keys stand in a table; those that it does not have are of
 * looks, and passed over.
 */
#include "analysis/cfg.h"

#include <gio/gio.h>
#include <string.h>

/* While a file is read. */
typedef struct {
    TndCfg *cfg;
    TndCfgWindow *window;       /* the last, NULL: none yet */
    TndCfgHistogram *histogram; /* likewise */
    char *next_name;            /* of the window that begins with its type */
    guint n_extra_given;        /* extra tops whose numbers were read */
    const char *wrong;          /* with the present line */
} Reading;

static void clear_call(TndCall *call)
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
        clear_call(&window->calls[i]);
    for (guint i = 0; i < TND_FILTER_N; i++) {
        g_free(window->filters[i].function);
        g_free(window->filters[i].values.values);
    }
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

void tnd_cfg_free(TndCfg *cfg)
{
    if (!cfg)
        return;
    g_free(cfg->path);
    g_free(cfg->description);
    g_array_unref(cfg->windows);
    g_array_unref(cfg->histograms);
    g_free(cfg);
}

static void set_text(char **text, const char *value)
{
    g_free(*text);
    *text = g_strdup(value);
}

static double number(Reading *reading, const char *text)
{
    char *end;
    double value = g_ascii_strtod(text, &end);
    if (end == text)
        reading->wrong = "takes a number";
    return value;
}

static gboolean truth(Reading *reading, const char *text)
{
    gboolean is_true = g_ascii_strcasecmp(text, "true") == 0;
    if (!is_true && g_ascii_strcasecmp(text, "false") != 0)
        reading->wrong = "takes true or false";
    return is_true;
}

/* The index of a name in a list that ends with NULL; -1: it is not there. */
static int find_name(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static const char *const level_names[] = {"workload", "appl", "task", "thread", "system", "node", "cpu", NULL};
static const char *const unit_names[] = {"Nanoseconds", "Microseconds", "Milliseconds", "Seconds",
                                         "Minutes",     "Hours",        "Days",         NULL};
static const char *const filter_names[] = {"from_obj", "to_obj",   "tag_msg",   "size_msg",
                                           "bw_msg",   "evt_type", "evt_value", NULL};
static const char *const compose_names[] = {
    "compose_workload", "compose_appl", "compose_task", "compose_thread", "compose_system",
    "compose_node",     "compose_cpu",  "topcompose1",  "topcompose2",    NULL};

/* Where a function stands, by the key of it; -1: not known.  The composes follow the levels, in their order. */
static int find_place(const char *name)
{
    int place = find_name(level_names, name);
    if (place >= 0)
        return place;
    place = find_name(compose_names, name);
    if (place >= 0)
        return TND_PLACE_COMPOSE + place;
    if (strcmp(name, "ptask") == 0)
        return TND_LEVEL_APPLICATION;
    return strcmp(name, "derived") == 0 ? TND_PLACE_DERIVED : -1;
}

/* The windows' keys. */

static void start_window(Reading *reading, const char *value)
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

static void set_name(Reading *reading, const char *value)
{
    set_text(&reading->next_name, value);
}

/* Two numbers. */
static gboolean pair(Reading *reading, const char *value, double numbers[2])
{
    char **words = g_strsplit_set(value, " \t", -1);
    guint n = 0;
    for (guint i = 0; words[i] && n < 2; i++)
        if (words[i][0])
            numbers[n++] = number(reading, words[i]);
    g_strfreev(words);
    if (n < 2)
        reading->wrong = "takes two numbers";
    return n == 2;
}

static void set_factors(Reading *reading, const char *value)
{
    pair(reading, value, reading->window->factors);
}

static void set_shifts(Reading *reading, const char *value)
{
    double shifts[2];
    if (pair(reading, value, shifts))
        for (guint i = 0; i < 2; i++)
            reading->window->shifts[i] = (int)shifts[i];
}

static void set_parents(Reading *reading, const char *value)
{
    double parents[2];
    if (!pair(reading, value, parents))
        return;
    for (guint i = 0; i < 2; i++) {
        if (!(parents[i] >= 1 && parents[i] < reading->cfg->windows->len))
            reading->wrong = "takes the numbers of two windows before this one";
        else
            reading->window->parents[i] = (guint)parents[i] - 1;
    }
}

static void set_operation(Reading *reading, const char *value)
{
    set_text(&reading->window->calls[TND_PLACE_DERIVED].name, value);
}

static void set_level(Reading *reading, const char *value)
{
    int level = find_name(level_names, strcmp(value, "ptask") == 0 ? "appl" : value);
    if (level < 0)
        reading->wrong = "takes a level: workload, appl, task, thread, system, node, cpu";
    else
        reading->window->level = (TndLevel)level;
}

static void set_unit(Reading *reading, const char *value)
{
    int unit = find_name(unit_names, value);
    if (unit < 0)
        reading->wrong = "takes a unit of time: Nanoseconds to Days";
    else
        reading->window->unit = (guint)unit;
}

static void set_colours(Reading *reading, const char *value)
{
    reading->window->is_code = strstr(value, "gradient") == NULL;
}

/* "{ N, { {key, name}, {key, name} } }": each pair is taken. */
static void take_pairs(Reading *reading, const char *value, void (*take)(Reading *, const char *key, const char *name))
{
    const char *at = strchr(value, '{');
    for (at = at ? strchr(at + 1, '{') : NULL; at && (at = strchr(at + 1, '{')) && !reading->wrong; at++) {
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

static void take_function(Reading *reading, const char *key, const char *name)
{
    int filter = find_name(filter_names, key), place = find_place(key);
    if (filter >= 0)
        set_text(&reading->window->filters[filter].function, name);
    else if (place >= 0)
        set_text(&reading->window->calls[place].name, name);
    else if (strcmp(key, "extratopcompose1") == 0) {
        TndCall call = {.name = g_strdup(name)};
        if (!reading->window->extra_tops) {
            reading->window->extra_tops = g_array_new(FALSE, TRUE, sizeof(TndCall));
            g_array_set_clear_func(reading->window->extra_tops, (GDestroyNotify)clear_call);
        }
        g_array_append_val(reading->window->extra_tops, call);
    } else
        reading->wrong = "has a function at a place that is not known";
}

static void set_functions(Reading *reading, const char *value)
{
    take_pairs(reading, value, take_function);
}

/* "N v v v": N numbers, what follows them in *rest. */
static gboolean take_numbers(const char *text, TndNumbers *numbers, const char **rest)
{
    char *end;
    guint64 n = g_ascii_strtoull(text, &end, 10);
    if (end == text || n > strlen(text))
        return FALSE;
    double *values = g_new(double, n + 1);
    for (guint i = 0; i < n; i++) {
        text = end;
        values[i] = g_ascii_strtod(text, &end);
        if (end == text) {
            g_free(values);
            return FALSE;
        }
    }
    g_free(numbers->values);
    *numbers = (TndNumbers){values, (guint)n};
    *rest = end;
    return TRUE;
}

/* "LEVEL FUNCTION { N, { n v v, n v } }": numbers for a function, if it stands there. */
static void set_parameters(Reading *reading, const char *value)
{
    const char *blank = strchr(value, ' '), *brace = strchr(value, '{');
    if (!blank || !brace || brace < blank) {
        reading->wrong = "takes a level, a function and its numbers in braces";
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
        for (; at && n < TND_CALL_PARAMETERS && take_numbers(at + 1, &call->parameters[n], &at); n++) {
            while (*at == ' ')
                at++;
            if (*at != ',') {
                n++;
                break;
            }
        }
        call->n_parameters = n;
        if (n == 0)
            reading->wrong = "takes how many numbers, and these";
    }
    g_free(level);
    g_free(name);
}

static void set_filter(Reading *reading, const char *value)
{
    char **words = g_strsplit(value, " ", 2);
    int filter = words[0] ? find_name(filter_names, words[0]) : -1;
    const char *rest;
    if (filter >= 0) {
        TndNumbers *numbers = &reading->window->filters[filter].values;
        if (!words[1] || !take_numbers(words[1], numbers, &rest))
            reading->wrong = "takes how many numbers, and these";
        else if (filter == TND_FILTER_FROM || filter == TND_FILTER_TO)
            for (guint i = 0; i < numbers->n; i++)
                numbers->values[i]--;
    } else if (!words[0] || !g_str_has_suffix(words[0], "_label"))
        reading->wrong = "takes what is filtered by: evt_type, evt_value, from_obj, to_obj, tag_msg, size_msg, bw_msg";
    g_strfreev(words);
}

#define SETTER_OF_TRUTH(name, assignment)                                                                              \
    static void name(Reading *reading, const char *value)                                                              \
    {                                                                                                                  \
        gboolean is_true = truth(reading, value);                                                                      \
        assignment;                                                                                                    \
    }
SETTER_OF_TRUTH(set_logical, reading->window->logical = is_true)
SETTER_OF_TRUTH(set_physical, reading->window->physical = is_true)
SETTER_OF_TRUTH(set_within_nodes, reading->window->within_nodes = is_true)
SETTER_OF_TRUTH(set_between_nodes, reading->window->between_nodes = is_true)
SETTER_OF_TRUTH(set_from_to, reading->window->from_or_to = !is_true)
SETTER_OF_TRUTH(set_tag_size, reading->window->tag_or_size = !is_true)
SETTER_OF_TRUTH(set_type_value, reading->window->type_or_value = !is_true)
SETTER_OF_TRUTH(set_hides_empty, reading->histogram->hides_empty = is_true)
SETTER_OF_TRUTH(set_automatic, reading->histogram->is_automatic = is_true)
SETTER_OF_TRUTH(set_fits_zero, reading->histogram->fits_zero = is_true)
SETTER_OF_TRUTH(set_fixed_delta, reading->histogram->has_fixed_delta = is_true)
SETTER_OF_TRUTH(set_third_automatic, reading->histogram->third_is_automatic = is_true)
SETTER_OF_TRUTH(set_sorted, reading->histogram->is_sorted = is_true)
SETTER_OF_TRUTH(set_reversed, reading->histogram->is_reversed = is_true)

/* The histograms' keys. */

static void start_histogram(Reading *reading, const char *value)
{
    TndCfgHistogram histogram = {.third = G_MAXUINT, .third_is_automatic = TRUE, .delta = 1, .third_delta = 1};
    (void)value;
    g_array_append_val(reading->cfg->histograms, histogram);
    reading->histogram = tnd_cfg_histogram(reading->cfg, reading->cfg->histograms->len - 1);
}

static guint window_number(Reading *reading, const char *value)
{
    double window = number(reading, value);
    if (!(window >= 1 && window <= reading->cfg->windows->len)) {
        reading->wrong = "takes the number of a window of this file";
        return 0;
    }
    return (guint)window - 1;
}

static void set_control(Reading *reading, const char *value)
{
    reading->histogram->control = reading->histogram->data = window_number(reading, value);
}

static void set_data(Reading *reading, const char *value)
{
    reading->histogram->data = window_number(reading, value);
}

static void set_third(Reading *reading, const char *value)
{
    reading->histogram->third = window_number(reading, value);
}

static void set_title(Reading *reading, const char *value)
{
    set_text(&reading->histogram->name, value);
}

static void set_statistic(Reading *reading, const char *value)
{
    set_text(&reading->histogram->statistic, value);
}

static void set_criterion(Reading *reading, const char *value)
{
    set_text(&reading->histogram->sort_criterion, value);
}

static void set_direction(Reading *reading, const char *value)
{
    reading->histogram->is_vertical = strcmp(value, "Vertical") == 0;
}

#define SETTER_OF_NUMBER(name, field)                                                                                  \
    static void name(Reading *reading, const char *value)                                                              \
    {                                                                                                                  \
        reading->histogram->field = number(reading, value);                                                            \
    }
SETTER_OF_NUMBER(set_minimum, minimum)
SETTER_OF_NUMBER(set_maximum, maximum)
SETTER_OF_NUMBER(set_delta, delta)
SETTER_OF_NUMBER(set_third_minimum, third_minimum)
SETTER_OF_NUMBER(set_third_maximum, third_maximum)
SETTER_OF_NUMBER(set_third_delta, third_delta)

static void set_n_columns(Reading *reading, const char *value)
{
    double n = number(reading, value);
    reading->histogram->n_columns = n >= 1 && n <= 1e6 ? (guint)n : 0;
}

static void set_rows(Reading *reading, const char *value)
{
    if (strcmp(value, "All") == 0)
        return;
    char **words = g_strsplit(value, ",", -1);
    reading->histogram->rows = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; words[i] && words[i][0]; i++) {
        guint row = (guint)number(reading, words[i]);
        g_array_append_val(reading->histogram->rows, row);
    }
    g_strfreev(words);
}

enum { OF_FILE, OF_WINDOW, OF_HISTOGRAM };

static const struct {
    const char *key;
    int scope; /* what must have begun */
    void (*set)(Reading *reading, const char *value);
} keys[] = {
    {"window_name", OF_FILE, set_name},
    {"window_type", OF_FILE, start_window},
    {"window_factors", OF_WINDOW, set_factors},
    {"window_shifts", OF_WINDOW, set_shifts},
    {"window_operation", OF_WINDOW, set_operation},
    {"window_identifiers", OF_WINDOW, set_parents},
    {"window_level", OF_WINDOW, set_level},
    {"window_units", OF_WINDOW, set_unit},
    {"window_color_mode", OF_WINDOW, set_colours},
    {"window_selected_functions", OF_WINDOW, set_functions},
    {"window_compose_functions", OF_WINDOW, set_functions},
    {"window_semantic_module", OF_WINDOW, set_parameters},
    {"window_filter_module", OF_WINDOW, set_filter},
    {"window_logical_filtered", OF_WINDOW, set_logical},
    {"window_physical_filtered", OF_WINDOW, set_physical},
    {"window_intracomms_enabled", OF_WINDOW, set_within_nodes},
    {"window_intercomms_enabled", OF_WINDOW, set_between_nodes},
    {"window_comm_fromto", OF_WINDOW, set_from_to},
    {"window_comm_tagsize", OF_WINDOW, set_tag_size},
    {"window_comm_typeval", OF_WINDOW, set_type_value},
    {"Analyzer2D.Name:", OF_HISTOGRAM, set_title},
    {"Analyzer2D.ControlWindow:", OF_HISTOGRAM, set_control},
    {"Analyzer2D.DataWindow:", OF_HISTOGRAM, set_data},
    {"Analyzer2D.Statistic:", OF_HISTOGRAM, set_statistic},
    {"Analyzer2D.HideCols:", OF_HISTOGRAM, set_hides_empty},
    {"Analyzer2D.HorizVert:", OF_HISTOGRAM, set_direction},
    {"Analyzer2D.SortCols:", OF_HISTOGRAM, set_sorted},
    {"Analyzer2D.SortCriteria:", OF_HISTOGRAM, set_criterion},
    {"Analyzer2D.SortReverse:", OF_HISTOGRAM, set_reversed},
    {"Analyzer2D.ComputeYScale:", OF_HISTOGRAM, set_automatic},
    {"Analyzer2D.ComputeYScaleZero:", OF_HISTOGRAM, set_fits_zero},
    {"Analyzer2D.Minimum:", OF_HISTOGRAM, set_minimum},
    {"Analyzer2D.Maximum:", OF_HISTOGRAM, set_maximum},
    {"Analyzer2D.Delta:", OF_HISTOGRAM, set_delta},
    {"Analyzer2D.UseFixedDelta:", OF_HISTOGRAM, set_fixed_delta},
    {"Analyzer2D.NumColumns:", OF_HISTOGRAM, set_n_columns},
    {"Analyzer2D.Objects:", OF_HISTOGRAM, set_rows},
    {"Analyzer2D.3D_ControlWindow:", OF_HISTOGRAM, set_third},
    {"Analyzer3D.ComputeYScale:", OF_HISTOGRAM, set_third_automatic},
    {"Analyzer2D.3D_Minimum:", OF_HISTOGRAM, set_third_minimum},
    {"Analyzer2D.3D_Maximum:", OF_HISTOGRAM, set_third_maximum},
    {"Analyzer2D.3D_Delta:", OF_HISTOGRAM, set_third_delta},
};

static void read_line(Reading *reading, char *line)
{
    if (strcmp(line, "< NEW ANALYZER2D >") == 0)
        start_histogram(reading, line);
    char *blank = strpbrk(line, " \t");
    if (!blank)
        return;
    *blank = '\0';
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (strcmp(keys[i].key, line) != 0)
            continue;
        if ((keys[i].scope == OF_WINDOW && !reading->window) || (keys[i].scope == OF_HISTOGRAM && !reading->histogram))
            reading->wrong = "stands before what it belongs to";
        else
            keys[i].set(reading, g_strstrip(blank + 1));
        return;
    }
}

/* Its lines up to that which ends it. */
static guint read_description(Reading *reading, char **lines, guint line)
{
    GString *text = g_string_new(NULL);
    for (line++; lines[line] && !g_str_has_prefix(lines[line], "ConfigFile.EndDescription"); line++)
        g_string_append_printf(text, "%s\n", lines[line]);
    g_free(reading->cfg->description);
    reading->cfg->description = g_strstrip(g_string_free(text, FALSE));
    return line;
}

static gboolean check_windows(Reading *reading)
{
    for (guint i = 0; i < reading->cfg->windows->len; i++) {
        const TndCfgWindow *window = tnd_cfg_window(reading->cfg, i);
        if (window->is_derived && (window->parents[0] == G_MAXUINT || window->parents[1] == G_MAXUINT))
            return FALSE;
    }
    return TRUE;
}

TndCfg *tnd_cfg_read(const char *path, GError **error)
{
    char *text;
    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;
    Reading reading = {.cfg = g_new0(TndCfg, 1)};
    reading.cfg->path = g_strdup(path);
    reading.cfg->windows = g_array_new(FALSE, FALSE, sizeof(TndCfgWindow));
    g_array_set_clear_func(reading.cfg->windows, clear_window);
    reading.cfg->histograms = g_array_new(FALSE, FALSE, sizeof(TndCfgHistogram));
    g_array_set_clear_func(reading.cfg->histograms, clear_histogram);
    char **lines = g_strsplit(text, "\n", -1);
    guint line = 0;
    for (; lines[line] && !reading.wrong; line++) {
        g_strstrip(lines[line]);
        if (g_str_has_prefix(lines[line], "ConfigFile.BeginDescription")) {
            line = read_description(&reading, lines, line);
            if (!lines[line])
                break;
        } else if (lines[line][0] != '#')
            read_line(&reading, lines[line]);
    }
    gboolean is_right = FALSE, is_cfg = strstr(text, "#ParaverCFG") || strstr(text, "ConfigFile.NumWindows:");
    if (!is_cfg || reading.cfg->windows->len == 0)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: is no configuration of Paraver's with a window",
                    path);
    else if (reading.wrong)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%u: %s %s", path, line, lines[line - 1],
                    reading.wrong);
    else if (!check_windows(&reading))
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: a derived window has no window_identifiers", path);
    else
        is_right = TRUE;
    g_strfreev(lines);
    g_free(text);
    g_free(reading.next_name);
    if (is_right)
        return reading.cfg;
    tnd_cfg_free(reading.cfg);
    return NULL;
}
