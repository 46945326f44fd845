/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GLib parses the options by a table; then their values are checked.
 */
#include "viewer/arguments.h"

#include "analysis/base/option_help.h"
#include "analysis/causes/alignment.h"
#include "formats/value.h"
#include "viewer/session_file.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char *size, *begin, *end, *rows, *histogram, *draw, *mode, *scale, *limits, *palette, *theme;
    int table;
    gboolean messages, no_messages;
    char **cfgs, **rest;
} Raw;

static gboolean complain(GError **error, const char *option, const char *got, const char *takes)
{
    g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: got '%s', takes %s", option, got, takes);
    return FALSE;
}

static gboolean parse_rows(const char *text, guint *first, guint *last)
{
    char extra;
    if (sscanf(text, "%u-%u%c", first, last, &extra) == 2)
        return *first >= 1 && *last >= *first;
    if (sscanf(text, "%u%c", first, &extra) != 1)
        return FALSE;
    *last = *first;
    return *first >= 1;
}

static gboolean parse_histogram(TndArguments *arguments, const char *name, GError **error)
{
    arguments->is_histogram = TRUE;
    if (tnd_histogram_statistic_parse(name, &arguments->statistic))
        return TRUE;
    GString *names = g_string_new("one of");
    for (TndStatistic s = 0; s < TND_STATISTIC_N; s++)
        g_string_append_printf(names, "%s %s", s ? "," : "", tnd_histogram_statistic_name(s));
    complain(error, "--histogram", name, names->str);
    g_string_free(names, TRUE);
    return FALSE;
}

/* Separates configurations, which are the files of --cfg and others whose names end in .cfg, from the trace. */
static gboolean sort_files(TndArguments *arguments, const Raw *raw, GError **error)
{
    GPtrArray *cfgs = g_ptr_array_new();
    const char *surplus = NULL;
    for (guint i = 0; raw->cfgs && raw->cfgs[i]; i++)
        g_ptr_array_add(cfgs, g_strdup(raw->cfgs[i]));
    for (guint i = 0; raw->rest && raw->rest[i]; i++)
        if (g_str_has_suffix(raw->rest[i], ".cfg"))
            g_ptr_array_add(cfgs, g_strdup(raw->rest[i]));
        else if (g_str_has_suffix(raw->rest[i], TND_SESSION_FILE_SUFFIX) && !arguments->session)
            arguments->session = g_strdup(raw->rest[i]);
        else if (!arguments->trace)
            arguments->trace = g_strdup(raw->rest[i]);
        else if (!arguments->beside)
            arguments->beside = g_strdup(raw->rest[i]);
        else
            surplus = raw->rest[i];
    g_ptr_array_add(cfgs, NULL);
    arguments->cfgs = (char **)g_ptr_array_free(cfgs, FALSE);
    if (surplus)
        return complain(error, "FILE", surplus, "two traces at most");
    if (arguments->alignment && !arguments->beside)
        return complain(error, "--align", arguments->alignment, "two traces: tview A.prv B.prv --align iteration");
    if ((arguments->export_path || arguments->csv_path) && !arguments->trace && !arguments->session)
        return complain(error, "FILE", "", "a trace to export from");
    if (arguments->cfgs[0] && !arguments->trace)
        return complain(error, "--cfg", arguments->cfgs[0], "a trace beside it: tview TRACE.prv --cfg FILE.cfg");
    if (raw->table < 0 || (raw->table > 0 && !arguments->cfgs[0]))
        return complain(error, "--table", raw->table < 0 ? "less than 1" : "no --cfg",
                        "a number from 1 on, of a histogram of --cfg FILE");
    arguments->table = (guint)raw->table;
    return TRUE;
}

static gboolean understand_look(TndArguments *arguments, const Raw *raw, GError **error)
{
    gboolean is_good = !raw->mode || tnd_draw_mode_parse(raw->mode, &arguments->look.mode);
    char *names = tnd_draw_mode_names();
    if (!is_good)
        complain(error, "--draw-mode", raw->mode, names);
    g_free(names);
    if (is_good && raw->scale && !tnd_look_parse_scale(&arguments->look, raw->scale))
        return complain(error, "--scale", raw->scale, "auto, linear or log");
    if (is_good && raw->limits && !tnd_look_parse_limits(&arguments->look, raw->limits))
        return complain(error, "--limits", raw->limits, "LEAST-MOST, for example 10us-5ms, 0-100 or 1%-99%");
    if (is_good && raw->palette && !tnd_look_parse_colours(&arguments->look, raw->palette))
        return complain(error, "--palette", raw->palette, "muted or paraver");
    if (is_good && raw->theme && !tnd_look_parse_theme(&arguments->look, raw->theme))
        return complain(error, "--theme", raw->theme, "light or dark");
    return is_good;
}

/* A session says what is shown; options can only change time, rows and theme. */
static gboolean check_session(TndArguments *arguments, const Raw *raw, GError **error)
{
    const char *const others[] = {raw->histogram,
                                  raw->draw,
                                  raw->mode,
                                  raw->scale,
                                  raw->limits,
                                  raw->palette,
                                  arguments->plane,
                                  arguments->data,
                                  arguments->planes,
                                  raw->messages || raw->no_messages ? "--messages" : NULL,
                                  arguments->only_messages,
                                  arguments->shows_flags ? "--flags" : NULL,
                                  arguments->fits_scale ? "--fit-scale" : NULL,
                                  arguments->is_profile ? "--profile" : NULL,
                                  arguments->over,
                                  arguments->views ? "--view" : NULL,
                                  arguments->cfgs[0]};
    gboolean has_others = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        has_others |= others[i] != NULL;
    arguments->is_plain = !has_others && !arguments->session && !raw->begin && !raw->end && !raw->rows;
    if (!arguments->session || !has_others)
        return TRUE;
    return complain(error, "--session", arguments->session,
                    "no other option of what is shown than --begin, --end, --rows and --theme");
}

static gboolean understand(TndArguments *arguments, const Raw *raw, GError **error)
{
    char extra;
    arguments->has_begin = raw->begin != NULL;
    arguments->has_end = raw->end != NULL;
    if (raw->begin && !tnd_value_duration(&arguments->begin_ns, raw->begin, ""))
        return complain(error, "--begin", raw->begin, "a time like 20us, 1.5ms, 2s");
    if (raw->end && !tnd_value_duration(&arguments->end_ns, raw->end, ""))
        return complain(error, "--end", raw->end, "a time like 20us, 1.5ms, 2s");
    if (raw->begin && raw->end && arguments->end_ns <= arguments->begin_ns)
        return complain(error, "--end", raw->end, "a time after --begin");
    if (raw->size && (sscanf(raw->size, "%dx%d%c", &arguments->width, &arguments->height, &extra) != 2 ||
                      arguments->width < 1 || arguments->height < 1))
        return complain(error, "--size", raw->size, "WIDTHxHEIGHT, for example 1200x600");
    if (raw->rows && !parse_rows(raw->rows, &arguments->first_row, &arguments->last_row)) {
        arguments->first_row = arguments->last_row = 0;
        arguments->rows = g_strdup(raw->rows); /* whether it is a list depends on the trace */
    }
    if (raw->histogram && !parse_histogram(arguments, raw->histogram, error))
        return FALSE;
    guint draw = 0;
    while (raw->draw && draw < TND_DRAW_N && strcmp(raw->draw, tnd_draw_names[draw]) != 0)
        draw++;
    if (draw == TND_DRAW_N)
        return complain(error, "--draw", raw->draw, "line, points, stack or colour");
    if (arguments->views && g_strv_length(arguments->views) > TND_LANE_STACK_MOST)
        return complain(error, "--view", arguments->views[TND_LANE_STACK_MOST], "at most 12 of them");
    arguments->has_draw = raw->draw != NULL;
    arguments->draw = (TndDraw)draw;
    if (!understand_look(arguments, raw, error))
        return FALSE;
    if (!arguments->is_histogram && (arguments->data || arguments->planes))
        return complain(error, arguments->data ? "--data" : "--planes",
                        arguments->data ? arguments->data : arguments->planes, "--histogram as well");
    if (arguments->is_profile && arguments->is_histogram)
        return complain(error, "--profile", "--histogram as well", "one of the two");
    if (raw->messages && raw->no_messages)
        return complain(error, "--no-messages", "--messages as well", "one of the two");
    if (raw->no_messages && arguments->only_messages)
        return complain(error, "--no-messages", "--only-messages as well", "one of the two");
    arguments->messages = raw->messages      ? TND_MESSAGES_ALL
                          : raw->no_messages ? TND_MESSAGES_NONE
                                             : TND_MESSAGES_FITTING;
    return sort_files(arguments, raw, error) && check_session(arguments, raw, error);
}

static void clear(Raw *raw)
{
    char *const texts[] = {raw->size, raw->begin, raw->end,    raw->rows,    raw->histogram, raw->draw,
                           raw->mode, raw->scale, raw->limits, raw->palette, raw->theme};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(raw->cfgs);
    g_strfreev(raw->rest);
}

static gboolean parse(const GOptionEntry *entries, int argc, char **argv, GError **error)
{
    GOptionContext *context = g_option_context_new(NULL);
    const TndOptionHelp help = {"tview [OPTION…] [FILE.prv] [OTHER.prv] [FILE.cfg...] [FILE.tview]",
                                "Shows a trace (.prv, .prv.gz): timelines, histograms, profiles, messages.",
                                "  tview app.prv\n  tview app.prv --view mpi-calls --export calls.png\n"
                                "  tview before.prv after.prv --align iteration",
                                entries};
    tnd_option_help_add(context, &help);
    gboolean is_good = g_option_context_parse(context, &argc, &argv, error);
    g_option_context_free(context);
    return is_good;
}

/* What is shown. */
static void add_views(GArray *entries, TndArguments *arguments, Raw *raw)
{
    const GOptionEntry views[] = {
        {"view", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments->views,
         "Show this view (see --list-views), or a window FILE.cfg[:N]; several: one below the other", "NAME"},
        {"over", 0, 0, G_OPTION_ARG_STRING, &arguments->over,
         "Draw the values of this view as lines over the first one", "NAME"},
        {"view-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->view_files,
         "Read a view, which is a formula, from a file", "NAME.view"},
        {"cfg", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->cfgs,
         "Show a configuration of Paraver's: its first histogram or, if it has none, its last window", "FILE"},
        {"table", 0, 0, G_OPTION_ARG_INT, &raw->table, "Show this histogram of the --cfg, counted from 1 (1)", "N"},
        {"plane", 0, 0, G_OPTION_ARG_STRING, &arguments->plane, "Show this plane of the histogram", "NAME"},
        {"begin", 0, 0, G_OPTION_ARG_STRING, &raw->begin, "Show from this time on: 20us, 1.5ms, 2s", "TIME"},
        {"end", 0, 0, G_OPTION_ARG_STRING, &raw->end, "Show up to this time", "TIME"},
        {"rows", 0, 0, G_OPTION_ARG_STRING, &raw->rows,
         "Show only these rows, counted from 1; a list like 3,8-5,rank:0 also chooses their order", "FIRST-LAST"},
        {"messages", 0, 0, G_OPTION_ARG_NONE, &raw->messages,
         "Draw messages as lines, however many there are (default: only if they are few)", NULL},
        {"no-messages", 0, 0, G_OPTION_ARG_NONE, &raw->no_messages, "Draw no messages", NULL},
        {"only-messages", 0, 0, G_OPTION_ARG_STRING, &arguments->only_messages,
         "Draw only messages with all these words: size>64k, tag=3, >1ms, from:rank:0, to:rank:3, with:rank:0-3",
         "WORDS"},
        {"flags", 0, 0, G_OPTION_ARG_NONE, &arguments->shows_flags, "Draw a flag where events are", NULL},
        {"fit-scale", 0, 0, G_OPTION_ARG_NONE, &arguments->fits_scale,
         "Scale colours and axes to the values that are shown (default: to those of the whole trace)", NULL},
        {"histogram", 0, 0, G_OPTION_ARG_STRING, &raw->histogram, "Show the view's histogram of it", "STATISTIC"},
        {"data", 0, 0, G_OPTION_ARG_STRING, &arguments->data, "Of --histogram: the view with the values", "VIEW"},
        {"planes", 0, 0, G_OPTION_ARG_STRING, &arguments->planes, "Of --histogram: a plane for each value", "VIEW"},
        {"profile", 0, 0, G_OPTION_ARG_NONE, &arguments->is_profile, "Show the flame graph of the samples", NULL}};
    g_array_append_vals(entries, views, G_N_ELEMENTS(views));
}

/* How it is shown. */
static void add_look(GArray *entries, TndArguments *arguments, Raw *raw)
{
    const GOptionEntry look[] = {
        {"draw", 0, 0, G_OPTION_ARG_STRING, &raw->draw,
         "Draw values as lines, points, colours, or stacked: how many rows have each", "line|points|colour|stack"},
        {"draw-mode", 0, 0, G_OPTION_ARG_STRING, &raw->mode,
         "Which value of several a pixel shows: time (each by its share; default), maximum, minimum, first, last, "
         "random, average, majority",
         "MODE"},
        {"scale", 0, 0, G_OPTION_ARG_STRING, &raw->scale,
         "Scale of the colours of quantities (default auto: log if they differ by a factor of more than 100)",
         "auto|linear|log"},
        {"limits", 0, 0, G_OPTION_ARG_STRING, &raw->limits,
         "Limits of the colours of quantities: 10us-5ms, or percentiles: 1%-99%", "LEAST-MOST"},
        {"palette", 0, 0, G_OPTION_ARG_STRING, &raw->palette,
         "Colours: muted ones that the colour-blind tell apart (default), or those of the .pcf and Paraver's gradient",
         "muted|paraver"},
        {"theme", 0, 0, G_OPTION_ARG_STRING, &raw->theme,
         "Paper and ink (default: the desktop's in a window, light in files)", "light|dark"}};
    g_array_append_vals(entries, look, G_N_ELEMENTS(look));
}

static void add_files(GArray *entries, TndArguments *arguments, Raw *raw)
{
    const GOptionEntry files[] = {
        {"session", 0, 0, G_OPTION_ARG_FILENAME, &arguments->session,
         "Show what a saved session has: of the trace that it names, or of FILE.prv", "FILE.tview"},
        {"align", 0, 0, G_OPTION_ARG_STRING, &arguments->alignment,
         "Lay two traces beside each other by " TND_ALIGNMENT_TAKES " (default: start)", "WHAT"},
        {"fresh", 0, 0, G_OPTION_ARG_NONE, &arguments->is_fresh, "Do not begin with what was shown last", NULL},
        {"export", 0, 0, G_OPTION_ARG_FILENAME, &arguments->export_path,
         "Write the picture to FILE (.png, .svg, .pdf), or the timelines as a .cfg, and open no window", "FILE"},
        {"size", 0, 0, G_OPTION_ARG_STRING, &raw->size, "Size of the picture in pixels (1200x600)", "WxH"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &arguments->csv_path,
         "Write the histogram as CSV to FILE (-: standard output) and open no window", "FILE"},
        {"list-views", 0, 0, G_OPTION_ARG_NONE, &arguments->lists_views,
         "List the views that have something to show in FILE.prv, or without a trace all views", NULL},
        {"version", 'V', 0, G_OPTION_ARG_NONE, &arguments->shows_version, "Print the version", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->rest, NULL,
         "[FILE.prv] [OTHER.prv] [FILE.cfg...] [FILE.tview]"}};
    g_array_append_vals(entries, files, G_N_ELEMENTS(files));
}

static gboolean parse_raw(TndArguments *arguments, Raw *raw, int argc, char **argv, GError **error)
{
    GArray *entries = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
    add_views(entries, arguments, raw);
    add_look(entries, arguments, raw);
    add_files(entries, arguments, raw);
    const gboolean is_good = parse((const GOptionEntry *)entries->data, argc, argv, error);
    g_array_unref(entries);
    return is_good;
}

gboolean tnd_arguments_parse(TndArguments *arguments, int argc, char **argv, GError **error)
{
    *arguments = (TndArguments){0};
    Raw raw = {0};
    gboolean is_good = parse_raw(arguments, &raw, argc, argv, error) && understand(arguments, &raw, error);
    clear(&raw);
    return is_good;
}

void tnd_arguments_clear(TndArguments *arguments)
{
    g_free(arguments->trace);
    g_free(arguments->beside);
    g_free(arguments->alignment);
    g_free(arguments->session);
    g_free(arguments->export_path);
    g_free(arguments->csv_path);
    g_free(arguments->over);
    g_free(arguments->plane);
    g_free(arguments->data);
    g_free(arguments->planes);
    g_free(arguments->only_messages);
    g_free(arguments->rows);
    g_strfreev(arguments->views);
    g_strfreev(arguments->view_files);
    g_strfreev(arguments->cfgs);
}
