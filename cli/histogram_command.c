/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem histogram`: a table of a trace, as CSV or as text.
 */
#include "cli/cfg_input.h"
#include "cli/cli.h"
#include "cli/histogram_output.h"
#include "cli/progress.h"
#include "cli/row_option.h"
#include "cli/view_option.h"

#include "analysis/base/quantity.h"
#include "analysis/histogram/cfg_histogram.h"
#include "formats/value.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

/* Options as given on the command line. */
typedef struct {
    char *view, *statistic, *data, *within, *csv, *begin, *end, *columns, *cfg, *sort, *rows;
    char **view_files;
    gboolean is_long, is_vertical, shows_empty;
    int table, decimals;
} Words;

static const char *summary(void)
{
    static char *text;
    if (text)
        return text;
    GString *made =
        g_string_new("Prints a table of a statistic: rows are threads, columns are values of a view.\n\nViews:\n");
    for (const TndViewRule *const *rule = tnd_view_rules(); *rule; rule++)
        g_string_append_printf(made, "  %-26s %s\n", (*rule)->name, (*rule)->help);
    g_string_append_printf(made, "  %-26s %s\n", "FILE.cfg[:N]", "A window of a configuration of Paraver's");
    g_string_append(made, "\nStatistics:\n");
    for (guint i = 0; i < TND_STATISTIC_N; i++)
        g_string_append_printf(made, "%s%s", i ? ", " : "  ", tnd_histogram_statistic_name((TndStatistic)i));
    g_string_append(made,
                    "; percentile-90-duration and the like: the value that this percentage of them do not exceed.");
    text = g_string_free(made, FALSE);
    return text;
}

/* Complains of a value of an option. */
static gboolean refuse(const char *option, const char *value, const char *takes)
{
    tnd_cli_complain("histogram", "%s: got \"%s\", takes %s", option, value, takes);
    return FALSE;
}

static gboolean refuse_statistic(const char *name)
{
    const char *names[TND_STATISTIC_N + 1] = {NULL};
    for (guint i = 0; i < TND_STATISTIC_N; i++)
        names[i] = tnd_histogram_statistic_name((TndStatistic)i);
    char *what = g_strdup_printf("statistic as \"%s\"", name);
    tnd_cli_complain_name("histogram", what, name, names, "tandem histogram --help");
    g_free(what);
    return FALSE;
}

/* Parses "MIN:MAX", "MIN:MAX:STEP", "MIN:MAX/N" or "/N". */
static gboolean parse_columns(const char *text, TndHistogramOptions *options)
{
    if (!*text)
        return FALSE;
    char **parts = g_strsplit(text, "/", 2);
    char **limits = g_strsplit(parts[0], ":", 4);
    guint n = g_strv_length(limits);
    double number = 0;
    gboolean good = (n == 0 && parts[1]) || n == 2 || (n == 3 && !parts[1]);
    if (good && n > 0)
        good = tnd_view_option_number(limits[0], &options->minimum) &&
               tnd_view_option_number(limits[1], &options->maximum) && options->minimum < options->maximum;
    if (good && n == 3)
        good = tnd_view_option_number(limits[2], &options->delta) && options->delta > 0;
    if (good && parts[1])
        good = tnd_view_option_number(parts[1], &number) && number >= 1 && number <= 1e6;
    options->n_columns = good ? (guint)number : 0;
    g_strfreev(limits);
    g_strfreev(parts);
    return good;
}

/* Parses "total" or "-avg/max", the name of a total. */
static gboolean parse_sort(const char *text, TndHistogramLayout *layout)
{
    layout->is_sorted = TRUE;
    layout->is_reversed = text[0] == '-';
    for (layout->by = 0; layout->by < TND_TOTAL_N; layout->by++)
        if (g_ascii_strcasecmp(tnd_histogram_total_name(layout->by), text + layout->is_reversed) == 0)
            return TRUE;
    return FALSE;
}

static gboolean parse_words(const Words *words, TndHistogramOptions *options)
{
    if (words->statistic &&
        !tnd_histogram_statistic_parse_percentile(words->statistic, &options->statistic, &options->percentile))
        return refuse_statistic(words->statistic);
    if (words->begin && !tnd_value_duration(&options->begin_ns, words->begin, ""))
        return refuse("--begin", words->begin, "a time, as 500us, 1.5ms or 2s");
    if (words->end && (!tnd_value_duration(&options->end_ns, words->end, "") || options->end_ns == 0))
        return refuse("--end", words->end, "a time, as 500us, 1.5ms or 2s");
    if (words->end && options->begin_ns >= options->end_ns)
        return refuse("--end", words->end, "a time after --begin");
    if (words->columns && !parse_columns(words->columns, options))
        return refuse("--columns", words->columns, "MIN:MAX, MIN:MAX:STEP, MIN:MAX/N or /N");
    if (words->sort && !parse_sort(words->sort, &options->layout))
        return refuse("--sort", words->sort,
                      "total, average, maximum, minimum, stdev or avg/max, or - and one of them for the reverse order");
    if (words->table < 1) {
        tnd_cli_complain("histogram", "--table: got \"%d\", takes a number from 1 on", words->table);
        return FALSE;
    }
    options->layout.keeps_empty = words->shows_empty;
    options->layout.is_vertical = words->is_vertical;
    if (words->decimals < 0 || words->decimals > 30) {
        tnd_cli_complain("histogram", "--decimals: got \"%d\", takes 0 to 30", words->decimals);
        return FALSE;
    }
    return TRUE;
}

static void tell_progress(TndHistogramOptions *options, TndProgress *progress)
{
    tnd_progress_begin(progress, "summing up");
    options->progress = tnd_progress_show;
    options->user_data = progress;
}

/* Computes the histogram with progress; NULL: complained. */
static TndHistogram *compute(TndView *view, TndHistogramOptions *options)
{
    GError *error = NULL;
    TndProgress progress;
    tell_progress(options, &progress);
    TndHistogram *histogram = tnd_histogram_new_with(view, options, &error);
    tnd_progress_end(&progress);
    if (!histogram) {
        tnd_cli_complain(tnd_trace_path(tnd_view_trace(view)), "%s", error->message);
        g_clear_error(&error);
    }
    return histogram;
}

/* People get a sentence instead of a table of nothing.  TRUE: they did. */
static gboolean complain_of_nothing(const char *path, TndView *view, const TndHistogram *histogram)
{
    if (!histogram->are_partners || histogram->is_vertical)
        return tnd_cli_complain_of_nothing(view);
    if (histogram->n_columns)
        return FALSE;
    tnd_cli_complain(path, "the trace has no messages in this stretch of time");
    return TRUE;
}

static int run(const char *path, const Words *words, TndHistogramOptions *options)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    GError *error = NULL;
    if (tnd_trace_n_faults(trace))
        tnd_cli_complain(path, "%" G_GUINT64_FORMAT " faulty line%s left out; the first is %s",
                         tnd_trace_n_faults(trace), tnd_trace_n_faults(trace) == 1 ? "" : "s", tnd_trace_fault(trace));
    int status = TND_EXIT_USAGE;
    TndView *view = tnd_cfg_input_view(trace, words->view ? words->view : "state", &error);
    options->data = view && words->data ? tnd_cfg_input_view(trace, words->data, &error) : NULL;
    gboolean *rows = error || !words->rows ? NULL : tnd_row_option_parse("histogram", trace, words->rows);
    if (rows)
        rows = tnd_row_option_lift("histogram", trace, rows, tnd_view_level(view));
    options->rows = rows;
    if (error)
        tnd_cli_complain("histogram", "%s", error->message);
    else if (words->within)
        options->within =
            tnd_view_option_open("histogram", "--within", trace, words->within, ':', &options->within_value);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED)) /* the trace has no records for the view */
        status = TND_EXIT_INPUT;
    if (!error && (options->within || !words->within) && (rows || !words->rows)) {
        TndHistogram *histogram = compute(view, options);
        status = TND_EXIT_INPUT;
        if (histogram && (words->csv || !complain_of_nothing(path, view, histogram))) {
            const TndHistogramOutput output = {words->csv, words->is_long, words->decimals};
            char *no_name = NULL;
            const TndCfgTables tables = {.n_planes = 1, .plane_names = &no_name, .planes = &histogram};
            status = tnd_histogram_output_write(&output, &tables) ? TND_EXIT_FINE : TND_EXIT_INPUT;
        }
        tnd_histogram_free(histogram);
    }
    g_clear_error(&error);
    g_free(rows);
    tnd_view_free(options->data);
    tnd_view_free(options->within);
    tnd_view_free(view);
    tnd_trace_free(trace);
    return status;
}

/* Makes a histogram of a configuration of Paraver's. */
static int run_cfg(const char *path, const Words *words, TndHistogramOptions *options)
{
    GError *error = NULL;
    TndView **views = NULL;
    TndCfgTables *tables = NULL;
    TndCfg *cfg = tnd_cfg_input_read(words->cfg, &error);
    TndTrace *trace = cfg ? tnd_cli_open(path) : NULL;
    int status = TND_EXIT_INPUT;
    gboolean *rows = trace && words->rows ? tnd_row_option_parse("histogram", trace, words->rows) : NULL;
    options->rows = rows;
    if (trace && words->rows && !rows)
        status = TND_EXIT_USAGE;
    else if (trace)
        views = tnd_view_new_of_cfg(trace, cfg, &error);
    if (views && words->statistic && (guint)words->table <= cfg->histograms->len)
        tnd_cfg_set_statistic(tnd_cfg_histogram(cfg, (guint)words->table - 1), words->statistic);
    if (views) {
        TndProgress progress;
        tell_progress(options, &progress);
        tables = tnd_cfg_histogram_new(views, cfg, (guint)words->table - 1, options, &error);
        tnd_progress_end(&progress);
    }
    if (tables) {
        const TndHistogramOutput output = {words->csv, words->is_long, words->decimals};
        if (tnd_histogram_output_write(&output, tables))
            status = TND_EXIT_FINE;
    }
    if (error)
        tnd_cli_complain_error(&error);
    g_free(rows);
    tnd_cfg_histogram_free(tables);
    tnd_view_free_all(views);
    tnd_trace_free(trace);
    tnd_cfg_free(cfg);
    return status;
}

static void free_words(Words *words)
{
    char *const all[] = {words->view, words->statistic, words->data, words->within, words->csv, words->begin,
                         words->end,  words->columns,   words->cfg,  words->sort,   words->rows};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    g_strfreev(words->view_files);
}

int tnd_cli_histogram(int argc, char **argv)
{
    Words words = {.decimals = 10, .table = 1};
    const GOptionEntry entries[] = {
        {"view", 'v', 0, G_OPTION_ARG_STRING, &words.view, "The view whose values are the columns (state)", "VIEW"},
        {"statistic", 's', 0, G_OPTION_ARG_STRING, &words.statistic, "The statistic in the cells (time)", "NAME"},
        {"data", 'd', 0, G_OPTION_ARG_STRING, &words.data, "The view that gives the values, for statistics of values",
         "VIEW"},
        {"within", 'w', 0, G_OPTION_ARG_STRING, &words.within, "Count only where another view has this value",
         "VIEW:VALUE"},
        {"view-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words.view_files,
         "Add a view that a file defines by a formula", "NAME.view"},
        {"columns", 'c', 0, G_OPTION_ARG_STRING, &words.columns, "Limits, width or number of the columns",
         "[MIN:MAX[:STEP]][/N]"},
        {"begin", 'b', 0, G_OPTION_ARG_STRING, &words.begin, "Only from this time on", "TIME"},
        {"end", 'e', 0, G_OPTION_ARG_STRING, &words.end, "Only until this time", "TIME"},
        {"cfg", 0, 0, G_OPTION_ARG_FILENAME, &words.cfg, "Make a histogram of a configuration of Paraver's", "FILE"},
        {"table", 0, 0, G_OPTION_ARG_INT, &words.table, "The number of the configuration's histogram, from 1 on (1)",
         "N"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &words.rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names",
         "ROWS"},
        {"sort", 0, 0, G_OPTION_ARG_STRING, &words.sort, "Sort columns by a total, the largest first (-TOTAL: last)",
         "[-]TOTAL"},
        {"show-empty", 0, 0, G_OPTION_ARG_NONE, &words.shows_empty, "Also show columns that are empty", NULL},
        {"vertical", 0, 0, G_OPTION_ARG_NONE, &words.is_vertical, "Exchange rows and columns", NULL},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &words.csv, "Write the whole table as CSV; - is standard output", "FILE"},
        {"long", 0, 0, G_OPTION_ARG_NONE, &words.is_long, "Write CSV with a line for every cell: row,column,value",
         NULL},
        {"decimals", 0, 0, G_OPTION_ARG_INT, &words.decimals, "Decimal places in CSV (10)", "N"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    TndHistogramOptions options = {0};
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv", summary(), &status)) {
        free_words(&words);
        return status;
    }
    status = TND_EXIT_USAGE;
    if (argc != 2)
        tnd_cli_complain("histogram", "takes one trace (see `tandem histogram --help`)");
    else if (words.is_long && !words.csv)
        tnd_cli_complain("histogram", "--long is a kind of CSV: add --csv FILE or --csv -");
    else if (words.cfg &&
             (words.view || words.data || words.within || words.columns || words.shows_empty || words.is_vertical))
        tnd_cli_complain("histogram", "--cfg says itself what the table is of: besides it only --table, --statistic, "
                                      "--begin, --end, --rows, --sort, --csv, --long, --decimals");
    else if (parse_words(&words, &options) && (words.cfg || tnd_cli_add_views("histogram", words.view_files)))
        status = (words.cfg ? run_cfg : run)(argv[1], &words, &options);
    free_words(&words);
    return status;
}
