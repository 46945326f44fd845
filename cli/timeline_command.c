/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem timeline`: writes the bursts of a view, or of a window of a configuration of Paraver's, as CSV.
 */
#include "cli/cfg_input.h"
#include "cli/cli.h"
#include "cli/row_option.h"

#include "analysis/views/view.h"
#include "formats/csv.h"
#include "formats/output_file.h"
#include "formats/value.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char *cfg, *view, *csv, *begin, *end, *rows;
    char **view_files;
    int window, decimals;
    guint64 begin_ns, end_ns; /* of --begin and --end */
} Words;

typedef struct {
    TndView *view;
    gboolean is_window;      /* a window of a configuration: rows are numbers, as in Paraver */
    double begin_ns, end_ns; /* only bursts that end after begin_ns (unless it is 0) and begin before end_ns */
    gboolean *rows;          /* only those that are TRUE; NULL: all */
} Source;

static char *row_name(const Source *source, guint row)
{
    if (source->is_window)
        return tnd_levels_row_number(tnd_view_trace(source->view), tnd_view_level(source->view), row);
    return g_strdup(tnd_view_row_name(source->view, row));
}

/* Writes a time, exactly even after 104 days, beyond which a double does not hold each ns. */
static void write_time(FILE *file, guint64 time_ns, double unit_ns, int decimals)
{
    if (unit_ns == 1)
        tnd_csv_whole(file, 0, time_ns, FALSE, decimals);
    else
        tnd_csv_number(file, 0, (double)time_ns / unit_ns, decimals);
}

/* A row whose lines are being written. */
typedef struct {
    const Source *source;
    FILE *file;
    char *name;
    double unit_ns;
    int decimals;
    gboolean has_labels;
    double labelled; /* the value that has the label */
    char *label;     /* NULL: there was none yet */
} Row;

/* What a code means, beside it. */
static void write_label(Row *row, double value)
{
    if (!row->has_labels)
        return;
    if (!row->label || row->labelled != value) {
        g_free(row->label);
        row->label = tnd_view_value_text(row->source->view, value);
        row->labelled = value;
    }
    tnd_csv_text(row->file, 0, row->label);
}

static void write_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    Row *row = data;
    for (gsize i = 0; i < n; i++) {
        if ((double)bursts[i].begin_ns >= row->source->end_ns ||
            ((double)bursts[i].end_ns <= row->source->begin_ns && row->source->begin_ns > 0))
            continue;
        tnd_csv_text(row->file, 1, row->name);
        write_time(row->file, bursts[i].begin_ns, row->unit_ns, row->decimals);
        write_time(row->file, bursts[i].end_ns - bursts[i].begin_ns, row->unit_ns, row->decimals);
        tnd_csv_number(row->file, 0, bursts[i].value, row->decimals);
        write_label(row, bursts[i].value);
        tnd_csv_end_line(row->file);
    }
}

static void write_rows(const Source *source, const Words *words, FILE *file)
{
    const char *unit = tnd_view_unit_name(source->view);
    gboolean has_labels = !tnd_view_cfg(source->view) && tnd_view_rule(source->view)->palette == TND_PALETTE_CODE;
    fprintf(file, "row,begin [%s],duration [%s],value%s\n", unit, unit, has_labels ? ",label" : "");
    for (guint row = 0; row < tnd_view_n_rows(source->view); row++) {
        if (source->rows && !source->rows[row])
            continue;
        Row lines = {source, file, row_name(source, row), tnd_view_unit_ns(source->view), words->decimals, has_labels,
                     0,      NULL};
        tnd_view_each_burst(source->view, row, write_bursts, &lines);
        g_free(lines.label);
        g_free(lines.name);
    }
}

static gboolean write_csv(const Source *source, const Words *words)
{
    gboolean is_output = !words->csv || strcmp(words->csv, "-") == 0;
    FILE *file = is_output ? stdout : tnd_output_file_open(words->csv);
    if (file)
        write_rows(source, words, file);
    gboolean good = file && (is_output || !ferror(file));
    int reason = errno;
    if (file && !is_output && fclose(file) != 0 && good) {
        reason = errno;
        good = FALSE;
    }
    if (!good)
        tnd_cli_complain(words->csv, "%s", tnd_output_file_reason(reason));
    return good;
}

/* Checks the number of the window.  FALSE: complained. */
static gboolean check_window(const TndCfg *cfg, const Words *words)
{
    if (words->window >= 0 && (guint)words->window <= cfg->windows->len)
        return TRUE;
    tnd_cli_complain("timeline", "--window: got \"%d\", takes 1 to %u, a window of %s", words->window,
                     cfg->windows->len, cfg->path);
    return FALSE;
}

static TndView *open_window(const TndTrace *trace, TndCfg *cfg, int window, GError **error)
{
    TndView **views = tnd_view_new_of_cfg(trace, cfg, error);
    TndView *view = views ? tnd_view_share(views[window ? window - 1 : (int)cfg->windows->len - 1]) : NULL;
    tnd_view_free_all(views);
    return view;
}

/* Sets the stretch of time: that of the options, else of the view. */
static void choose_time(Source *source, const Words *words)
{
    gboolean *rows;
    tnd_view_limits(source->view, &source->begin_ns, &source->end_ns, &rows);
    g_free(rows);
    if (words->begin)
        source->begin_ns = (double)words->begin_ns;
    if (words->end)
        source->end_ns = (double)words->end_ns;
}

/* Sets the rows: those of --rows, else of the view.  FALSE: complained. */
static gboolean choose_rows(Source *source, const Words *words)
{
    const TndTrace *trace = tnd_view_trace(source->view);
    source->rows = words->rows ? tnd_row_option_parse("timeline", trace, words->rows) : NULL;
    if (source->rows)
        source->rows = tnd_row_option_lift("timeline", trace, source->rows, tnd_view_level(source->view));
    return source->rows || !words->rows;
}

static int run(const char *path, const Words *words)
{
    GError *error = NULL;
    TndCfg *cfg = words->cfg ? tnd_cfg_input_read(words->cfg, &error) : NULL;
    Source source = {.is_window = cfg != NULL};
    int status = TND_EXIT_INPUT;
    TndTrace *trace = NULL;
    if (cfg && !check_window(cfg, words))
        status = TND_EXIT_USAGE;
    else if (!error && (trace = tnd_cli_open(path)))
        source.view = cfg ? open_window(trace, cfg, words->window, &error)
                          : tnd_cfg_input_view(trace, words->view ? words->view : "state", &error);
    if (source.view) {
        tnd_cli_complain_of_nothing(source.view); /* the lines say so as well */
        choose_time(&source, words);
        if (!choose_rows(&source, words))
            status = TND_EXIT_USAGE;
        else
            status = write_csv(&source, words) ? TND_EXIT_FINE : TND_EXIT_INPUT;
    }
    if (trace && !source.view && !g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED)) /* there is none such */
        status = TND_EXIT_USAGE;
    if (error)
        tnd_cli_complain_error(&error);
    g_free(source.rows);
    tnd_view_free(source.view);
    tnd_trace_free(trace);
    tnd_cfg_free(cfg);
    return status;
}

static gboolean parse_time(const char *option, const char *text, guint64 *ns)
{
    if (!text || tnd_value_duration(ns, text, ""))
        return TRUE;
    tnd_cli_complain("timeline", "%s: got \"%s\", takes a time, as 500us, 1.5ms or 2s", option, text);
    return FALSE;
}

int tnd_cli_timeline(int argc, char **argv)
{
    Words words = {.decimals = 2};
    const GOptionEntry entries[] = {
        {"cfg", 0, 0, G_OPTION_ARG_FILENAME, &words.cfg, "Print a window of a configuration of Paraver's", "FILE"},
        {"window", 0, 0, G_OPTION_ARG_INT, &words.window,
         "The number of the configuration's window, from 1 on (the last one)", "N"},
        {"view", 'v', 0, G_OPTION_ARG_STRING, &words.view,
         "The view (state; `tandem histogram --help` lists them), or FILE.cfg[:N]: a window of a configuration",
         "VIEW"},
        {"view-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words.view_files,
         "Add a view that a file defines by a formula", "NAME.view"},
        {"begin", 'b', 0, G_OPTION_ARG_STRING, &words.begin, "Only bursts that end after this time", "TIME"},
        {"end", 'e', 0, G_OPTION_ARG_STRING, &words.end, "Only bursts that begin before this time", "TIME"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &words.rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names",
         "ROWS"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &words.csv, "Write to this file (-: standard output, the default)",
         "FILE"},
        {"decimals", 0, 0, G_OPTION_ARG_INT, &words.decimals, "Decimal places (2)", "N"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                         "Prints the values of a view over time on every row, as CSV: row,begin,duration,value and, of "
                         "codes, label.",
                         &status))
        return status;
    gboolean good =
        parse_time("--begin", words.begin, &words.begin_ns) && parse_time("--end", words.end, &words.end_ns);
    status = TND_EXIT_USAGE;
    if (good && argc != 2)
        tnd_cli_complain("timeline", "takes one trace, got %d", argc - 1);
    else if (good && words.cfg && words.view)
        tnd_cli_complain("timeline", "--cfg and --view exclude each other");
    else if (good && (words.decimals < 0 || words.decimals > 30))
        tnd_cli_complain("timeline", "--decimals: got \"%d\", takes 0 to 30", words.decimals);
    else if (good && tnd_cli_add_views("timeline", words.view_files))
        status = run(argv[1], &words);
    g_strfreev(words.view_files);
    char *const all[] = {words.cfg, words.view, words.csv, words.begin, words.end, words.rows};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    return status;
}
