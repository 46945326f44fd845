/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem fold`: lays the instances of a repeated region over one another, so that samples that are far apart in time
 * show what happens inside one of them.
 */
#include "cli/cfg_input.h"
#include "cli/cli.h"
#include "cli/fold_output.h"
#include "cli/row_option.h"
#include "cli/view_option.h"

#include "analysis/reports/samples.h"
#include "formats/event_types.h"
#include "formats/value.h"

#include <gio/gio.h>
#include <string.h>

#define ANY_VALUE "=*"

typedef struct {
    char *by, *between, *below, *duration, *begin, *end, *rows, *csv, *picture;
    char **view_files;
    int n_bins;
    gboolean all;
} Words;

static gboolean refuse(const char *option, const char *value, const char *takes)
{
    tnd_cli_complain("fold", "%s: got \"%s\", takes %s", option, value, takes);
    return FALSE;
}

/* Parses "MIN:MAX", "MIN:" or ":MAX". */
static gboolean parse_limits(const char *text, TndFoldChoice *choice)
{
    char **sides = g_strsplit(text, ":", -1);
    choice->most_ns = G_MAXUINT64;
    gboolean good = g_strv_length(sides) == 2 && (*sides[0] || *sides[1]);
    good = good && (!*sides[0] || tnd_value_duration(&choice->least_ns, sides[0], ""));
    good = good && (!*sides[1] || tnd_value_duration(&choice->most_ns, sides[1], ""));
    g_strfreev(sides);
    return good && choice->least_ns <= choice->most_ns && choice->most_ns > 0;
}

static gboolean parse_words(const Words *words, TndFoldChoice *choice)
{
    choice->end_ns = G_MAXUINT64;
    if (words->by && words->between)
        tnd_cli_complain("fold", "--by and --between exclude each other");
    else if (words->n_bins < 0 || words->n_bins > TND_FOLDING_MOST_BINS)
        tnd_cli_complain("fold", "--bins: got \"%d\", takes 1 to %d", words->n_bins, TND_FOLDING_MOST_BINS);
    else if (words->begin && !tnd_value_duration(&choice->begin_ns, words->begin, ""))
        refuse("--begin", words->begin, "a time, as 500us, 1.5ms or 2s");
    else if (words->end && !tnd_value_duration(&choice->end_ns, words->end, ""))
        refuse("--end", words->end, "a time, as 500us, 1.5ms or 2s");
    else if (words->end && choice->begin_ns >= choice->end_ns)
        refuse("--end", words->end, "a time after --begin");
    else if (words->duration && !parse_limits(words->duration, choice))
        refuse("--duration", words->duration, "MIN:MAX, two times, as 1ms:3ms, 1ms: or :3ms");
    else if (words->picture && strcmp(words->picture, "-") != 0 && !g_str_has_suffix(words->picture, ".svg"))
        refuse("--output", words->picture, "a name that ends in .svg");
    else
        return TRUE;
    return FALSE;
}

/* Opens the view of --by or --between, and sets the value.  FALSE: complained. */
static gboolean open_region(const TndTrace *trace, const Words *words, TndFoldChoice *choice, int *status)
{
    const char *option = words->by ? "--by" : "--between", *text = words->by ? words->by : words->between;
    GError *error = NULL;
    choice->is_between = words->between != NULL;
    choice->any_value = g_str_has_suffix(text, ANY_VALUE);
    *status = TND_EXIT_USAGE;
    char *name = g_strndup(text, strlen(text) - (choice->any_value ? strlen(ANY_VALUE) : 0));
    gboolean is_name = choice->any_value || !strchr(text, '=');
    if (is_name)
        choice->view = tnd_cfg_input_view(trace, name, &error);
    else
        choice->view = tnd_view_option_open("fold", option, trace, text, '=', &choice->value);
    g_free(name);
    if (error)
        tnd_cli_complain("fold", "%s", error->message);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED)) /* the trace has no records for the view */
        *status = TND_EXIT_INPUT;
    g_clear_error(&error);
    if (!choice->view)
        return FALSE;
    if (tnd_view_level(choice->view) != TND_LEVEL_THREAD) {
        refuse(option, text, "a view whose rows are threads");
        return FALSE;
    }
    if (is_name && !choice->any_value)
        tnd_fold_instances_choose_value(choice);
    return TRUE;
}

/* The region as it is written after --by or --between. */
static char *text_of(const TndFoldChoice *choice)
{
    char *value = choice->any_value ? g_strdup("*") : tnd_view_value_text(choice->view, choice->value);
    char *text = g_strdup_printf("%s=%s", tnd_view_rule(choice->view)->name, value);
    g_free(value);
    return text;
}

static gboolean has_function(const TndTrace *trace, const char *name)
{
    const struct tnd_pcf_type *type = tnd_pcf_type(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_FUNCTION);
    for (gsize i = 0; type && i < type->n_values; i++)
        if (strcmp(type->values[i].label, name) == 0)
            return TRUE;
    return FALSE;
}

static int write_all(const TndFoldPicture *what, const Words *words, gboolean is_chosen)
{
    const TndFoldOutputOptions options = {.all = words->all, .is_chosen = is_chosen};
    gboolean is_output = g_strcmp0(words->csv, "-") == 0 || g_strcmp0(words->picture, "-") == 0;
    tnd_fold_output_warn(what);
    if ((words->csv && !tnd_fold_output_csv(what, words->csv)) ||
        (words->picture && !tnd_fold_output_draw(what, words->picture)))
        return TND_EXIT_INPUT;
    if (!is_output)
        tnd_fold_output_print(what, &options);
    return TND_EXIT_FINE;
}

static int fold(const TndTrace *trace, const Words *words, const TndFoldChoice *choice, gboolean is_chosen)
{
    const TndFoldingOptions options = {.n_bins = (guint)words->n_bins, .below = words->below};
    char *region = text_of(choice);
    char *title = choice->is_between ? g_strconcat(region, " to the next", NULL) : g_strdup(region);
    TndFoldInstances *instances = tnd_fold_instances_new(choice);
    int status = TND_EXIT_INPUT;
    if (!instances->all->len) {
        tnd_cli_complain(
            tnd_trace_path(trace), "no instances of %s%s", region,
            choice->rows || choice->begin_ns || choice->end_ns != G_MAXUINT64 ? " in these threads and this time" : "");
    } else if (!instances->n_kept) {
        tnd_cli_complain(tnd_trace_path(trace), "none of the %u instances of %s lasts as long as --duration says",
                         instances->all->len, region);
    } else {
        TndFolding *folding = tnd_folding_new(trace, instances, choice->rows, &options);
        GArray *phases = tnd_fold_phases_new(folding);
        const TndFoldPicture what = {trace, title, instances, &options, folding, phases};
        if (folding->n_samples || folding->curves->len)
            status = write_all(&what, words, is_chosen);
        else
            tnd_cli_complain(tnd_trace_path(trace), "no samples in %u instances of %s%s", instances->n_kept, region,
                             tnd_samples_exist(trace) ? "" : " (tandem record --sampling-period)");
        g_array_unref(phases);
        tnd_folding_free(folding);
    }
    tnd_fold_instances_free(instances);
    g_free(title);
    g_free(region);
    return status;
}

static int run(const char *path, const Words *words, TndFoldChoice *choice)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    int status = TND_EXIT_USAGE;
    gboolean *rows = words->rows ? tnd_row_option_parse("fold", trace, words->rows) : NULL;
    gboolean is_given = words->by || words->between;
    choice->rows = rows;
    if (words->rows && !rows) {
        status = TND_EXIT_USAGE;
    } else if (words->below && !has_function(trace, words->below)) {
        refuse("--below", words->below, "a function that samples found (`tandem report --all` lists them)");
    } else if (is_given) {
        if (open_region(trace, words, choice, &status))
            status = fold(trace, words, choice, FALSE);
    } else if (tnd_fold_instances_choose(trace, choice)) {
        status = fold(trace, words, choice, TRUE);
    } else {
        tnd_cli_complain(path, "nothing is repeated: no region, function or MPI call, ten times in a thread (--by VIEW "
                               "chooses a view)");
        status = TND_EXIT_INPUT;
    }
    tnd_view_free(choice->view);
    g_free(rows);
    tnd_trace_free(trace);
    return status;
}

int tnd_cli_fold(int argc, char **argv)
{
    Words words = {0};
    const GOptionEntry entries[] = {
        {"by", 0, 0, G_OPTION_ARG_STRING, &words.by,
         "An instance is where a view has a value (default: what is repeated and takes the most time)", "VIEW[=VALUE]"},
        {"between", 0, 0, G_OPTION_ARG_STRING, &words.between,
         "An instance is from one begin of the value to the next one", "VIEW[=VALUE]"},
        {"view-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words.view_files,
         "Add a view that a file defines by a formula", "NAME.view"},
        {"duration", 'd', 0, G_OPTION_ARG_STRING, &words.duration,
         "Only instances that last so long (default: about as long as most)", "MIN:MAX"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &words.rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names",
         "ROWS"},
        {"begin", 'b', 0, G_OPTION_ARG_STRING, &words.begin, "Only instances from this time on", "TIME"},
        {"end", 'e', 0, G_OPTION_ARG_STRING, &words.end, "Only instances until this time", "TIME"},
        {"below", 0, 0, G_OPTION_ARG_STRING, &words.below,
         "Tell functions apart that this one calls (default: the innermost ones)", "FUNCTION"},
        {"bins", 'n', 0, G_OPTION_ARG_INT, &words.n_bins, "Bins of time (default: 5 to 50, for 25 samples in each)",
         "N"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &words.all, "List all functions", NULL},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &words.csv, "Write all numbers as CSV; - is standard output", "FILE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words.picture, "Draw a picture, as SVG", "FILE.svg"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    TndFoldChoice choice = {0};
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                        "Lays the instances of a repeated region over one another, so that samples that are far apart\n"
                        "in time show what happens inside one of them: functions, and rates of counters.",
                        &status)) {
        status = TND_EXIT_USAGE;
        if (argc != 2)
            tnd_cli_complain("fold", "takes one trace (see `tandem fold --help`)");
        else if (parse_words(&words, &choice) && tnd_cli_add_views("fold", words.view_files))
            status = run(argv[1], &words, &choice);
    }
    char *const all[] = {words.by,  words.between, words.below, words.duration, words.begin,
                         words.end, words.rows,    words.csv,   words.picture};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    g_strfreev(words.view_files);
    return status;
}
