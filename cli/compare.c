/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem compare`: what changed between two runs, or two sets of runs, beyond noise; and whether it changed too much.
 */
#include "cli/cli.h"
#include "cli/compare_output.h"
#include "cli/stat_time.h"

#include <string.h>

typedef struct {
    char **before, **after, **limits, *output, *csv;
    gboolean all;
    double threshold, least, confidence; /* in percent */
} Words;

/* The runs of a side. */
typedef struct {
    char **paths;
    GPtrArray *runs; /* TndRunFigures */
} Side;

static void free_run(gpointer run)
{
    tnd_run_figures_free(run);
}

/* Texts that name files, of which each may be several, separated by commas. */
static char **split(char **texts)
{
    GPtrArray *paths = g_ptr_array_new();
    for (guint i = 0; texts && texts[i]; i++) {
        char **words = g_file_test(texts[i], G_FILE_TEST_EXISTS) ? g_strdupv((char *[]){texts[i], NULL})
                                                                 : g_strsplit(texts[i], ",", -1);
        for (char **word = words; *word; word++)
            if (**word)
                g_ptr_array_add(paths, g_strdup(*word));
        g_strfreev(words);
    }
    g_ptr_array_add(paths, NULL);
    return (char **)g_ptr_array_free(paths, FALSE);
}

static TndRunFigures *read_run(const char *path)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return NULL;
    TndStatTime *time = tnd_stat_time_new(trace, FALSE);
    TndRunFigures *run = tnd_run_figures_new(trace, time->has_run ? &time->run : &time->whole);
    tnd_stat_time_free(time);
    tnd_trace_free(trace);
    return run;
}

/* FALSE: complained. */
static gboolean read_side(Side *side)
{
    for (char **path = side->paths; *path; path++) {
        TndRunFigures *run = read_run(*path);
        if (!run)
            return FALSE;
        g_ptr_array_add(side->runs, run);
    }
    return TRUE;
}

static gboolean any_holds(const GArray *verdicts)
{
    for (guint i = 0; i < verdicts->len; i++)
        if (g_array_index(verdicts, TndCompareVerdict, i).holds)
            return TRUE;
    return FALSE;
}

/* Returns the exit status. */
static int put(const TndCompareOutput *output, const Words *words)
{
    if (words->output && !tnd_compare_output_page(output, words->output))
        return TND_EXIT_INPUT;
    if (words->csv && !tnd_compare_output_csv(output, words->csv))
        return TND_EXIT_INPUT;
    if (!words->csv || strcmp(words->csv, "-") != 0)
        tnd_compare_output_text(output);
    return any_holds(output->verdicts) ? TND_EXIT_INPUT : TND_EXIT_FINE;
}

static int compare(const Words *words, char **before, char **after, const GPtrArray *limits)
{
    const TndComparisonOptions options = {1 - words->confidence / 100, words->threshold / 100, words->least / 100};
    Side sides[] = {{before, g_ptr_array_new_with_free_func(free_run)},
                    {after, g_ptr_array_new_with_free_func(free_run)}};
    int status = TND_EXIT_INPUT;
    if (read_side(&sides[0]) && read_side(&sides[1])) {
        TndRunComparison *comparison =
            tnd_run_comparison_new((TndRunFigures **)sides[0].runs->pdata, sides[0].runs->len,
                                   (TndRunFigures **)sides[1].runs->pdata, sides[1].runs->len, &options);
        GArray *verdicts = tnd_compare_limits_judge(limits, comparison);
        const TndCompareOutput output = {comparison, before, after, verdicts, words->all};
        status = verdicts ? put(&output, words) : TND_EXIT_USAGE;
        if (verdicts)
            g_array_unref(verdicts);
        tnd_run_comparison_free(comparison);
    }
    for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
        g_ptr_array_unref(sides[i].runs);
    return status;
}

/* FALSE: complained. */
static gboolean check_percent(const char *option, double value, double least, double most)
{
    if (value >= least && value <= most)
        return TRUE;
    tnd_cli_complain("compare", "%s: got %g, takes %g to %g percent", option, value, least, most);
    return FALSE;
}

/* Returns the exit status. */
static int run(int argc, char **argv, const Words *words)
{
    gboolean has_options = words->before || words->after;
    char **before = split(has_options ? words->before : (char *[]){argc > 1 ? argv[1] : NULL, NULL});
    char **after = split(has_options ? words->after : (char *[]){argc > 2 ? argv[2] : NULL, NULL});
    GPtrArray *limits = NULL;
    int status = TND_EXIT_USAGE;
    if (has_options && argc > 1)
        tnd_cli_complain("compare", "got \"%s\" beside --before and --after; commas join the traces of a side: %s,%s",
                         argv[1], *before ? *before : "a.prv", argv[1]);
    else if (!has_options && argc != 3)
        tnd_cli_complain("compare", "takes two traces, or --before and --after (see `tandem compare --help`)");
    else if (!*before || !*after)
        tnd_cli_complain("compare", "--%s: takes a trace, or several", *before ? "after" : "before");
    else if (check_percent("--confidence", words->confidence, 50, 99.9999) &&
             check_percent("--threshold", words->threshold, 0, 100) && check_percent("--least", words->least, 0, 100) &&
             (limits = tnd_compare_limits_parse(words->limits)))
        status = compare(words, before, after, limits);
    if (limits)
        g_ptr_array_unref(limits);
    g_strfreev(before);
    g_strfreev(after);
    return status;
}

int tnd_cli_compare(int argc, char **argv)
{
    Words words = {.threshold = 10, .least = 1, .confidence = 99};
    const GOptionEntry entries[] = {
        {"before", 'b', 0, G_OPTION_ARG_FILENAME_ARRAY, &words.before, "Traces of several runs before the change",
         "TRACE.prv,..."},
        {"after", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words.after, "Traces of several runs after it", "TRACE.prv,..."},
        {"fail-if", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &words.limits,
         "Exit with 1 if this is so beyond noise: 'useful > +5%', 'function:solve > +2ms'; can be given several times",
         "'NAME > LIMIT'"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &words.all, "Print all numbers, also those that have not changed", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words.output, "Also write it as a page, which needs no other file",
         "FILE.html"},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &words.csv, "Write all numbers as CSV; - is standard output", "FILE"},
        {"threshold", 0, 0, G_OPTION_ARG_DOUBLE, &words.threshold,
         "With one run of a side, the difference from which on a number has changed (default: 10)", "PERCENT"},
        {"least", 'l', 0, G_OPTION_ARG_DOUBLE, &words.least,
         "The least share of the threads' time that is worth a test (default: 1)", "PERCENT"},
        {"confidence", 0, 0, G_OPTION_ARG_DOUBLE, &words.confidence,
         "The probability that nothing is printed if nothing has changed (default: 99)", "PERCENT"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "[BEFORE.prv AFTER.prv]",
                        "Prints what changed between two runs, or between several runs before and after a change.",
                        &status))
        status = run(argc, argv, &words);
    g_strfreev(words.before);
    g_strfreev(words.after);
    g_strfreev(words.limits);
    g_free(words.output);
    g_free(words.csv);
    return status;
}
