/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem report`: prints where the CPU time of a run went, or where it waited, by function and by caller, and draws
 * it as a flame graph;
 * also against another run, or another part of the same one.
 */
#include "cli/causes_text.h"
#include "cli/cli.h"
#include "cli/page.h"
#include "cli/phases_text.h"
#include "cli/report_lines.h"
#include "cli/report_text.h"
#include "cli/row_option.h"
#include "cli/scaling_table.h"
#include "cli/time_option.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/flame_graph.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdio.h>

#define LEAST_PERCENT 1

typedef struct {
    char *rows, *flame, *time, *against, *against_time, *source, *source_folder, *output;
    gboolean lines, waits, causes, path, phases;
    TndReportTextOptions text;
} Words;

/* The samples of a trace in a stretch of its time. */
typedef struct {
    TndTrace *trace;
    gboolean *chosen;
    TndCallTreeOptions options;
    TndCallTree *tree;
    char *name; /* the trace, and the stretch of time if it is not all */
} Profile;

static void clear_profile(Profile *profile)
{
    tnd_call_tree_free(profile->tree);
    g_free(profile->chosen);
    g_free(profile->name);
    tnd_trace_free(profile->trace);
}

/* Reads the stretch of time; FALSE: complained. */
static gboolean choose_time(Profile *profile, const char *option, const char *text)
{
    TndRewriteTime begin = {0, -1}, end = TND_REWRITE_TIME_END;
    guint64 all_ns = tnd_trace_end_ns(profile->trace);
    if (!tnd_time_option_parse("report", option, text, &begin, &end))
        return FALSE;
    guint64 begin_ns = tnd_rewrite_cut_time(&begin, all_ns), end_ns = tnd_rewrite_cut_time(&end, all_ns);
    if (text && (begin_ns >= end_ns || begin_ns >= all_ns)) {
        char *duration = tnd_quantity_text((double)all_ns, "ns");
        tnd_cli_complain("report", "%s: got \"%s\", which is no part of the trace: it has %s", option, text, duration);
        g_free(duration);
        return FALSE;
    }
    profile->options.begin_ns = begin_ns;
    profile->options.until_ns = end_ns < all_ns ? end_ns : 0;
    profile->name = text ? g_strdup_printf("%s %s", tnd_trace_shown(profile->trace), text)
                         : g_strdup(tnd_trace_shown(profile->trace));
    return TRUE;
}

/* Returns the exit status; not fine: complained. */
static int open_profile(Profile *profile, const char *path, const Words *words, const char *option, const char *time)
{
    const char *rows = words->rows;
    if (!(profile->trace = tnd_cli_open(path)))
        return TND_EXIT_INPUT;
    profile->chosen = rows ? tnd_row_option_parse("report", profile->trace, rows) : NULL;
    if ((rows && !profile->chosen) || !choose_time(profile, option, time))
        return TND_EXIT_USAGE;
    profile->options.is_chosen = profile->chosen;
    profile->options.by_line = words->lines || words->source;
    profile->options.what = words->waits ? TND_SAMPLES_WAITS : TND_SAMPLES_CPU;
    profile->tree = tnd_call_tree_new(profile->trace, &profile->options);
    if (profile->tree->nodes->len > 1)
        return TND_EXIT_FINE;
    tnd_cli_complain(path, "no %s%s%s (tandem record --sampling-period)",
                     words->waits ? "waits in the C library" : "samples", rows ? " in these threads" : "",
                     time ? " in this time" : "");
    return TND_EXIT_INPUT;
}

/* FALSE: complained. */
static gboolean draw(const char *path, const TndCallTree *tree, const TndCallChange *change, const char *against)
{
    FILE *file = tnd_output_file_open(path);
    if (file) {
        if (change)
            tnd_flame_graph_write_change(file, change, against);
        else
            tnd_flame_graph_write(file, tree);
        gboolean is_written = fflush(file) == 0 && !ferror(file);
        if (fclose(file) == 0 && is_written)
            return TRUE;
    }
    tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    return FALSE;
}

/* FALSE: complained. */
static gboolean print(const Profile *now, const TndCallChange *change, const char *against, const Words *words)
{
    if (words->lines)
        return tnd_report_lines_print(now->tree, words->text.all);
    if (words->source)
        return tnd_report_lines_print_source(now->tree, words->source, words->source_folder);
    tnd_report_text_print(now->tree, change, against, &words->text);
    return TRUE;
}

static int report(const char *path, const Words *words)
{
    Profile now = {0}, before = {0};
    TndCallChange *change = NULL;
    int status = open_profile(&now, path, words, "--time", words->time);
    if (status == TND_EXIT_FINE && (words->against || words->against_time)) {
        status =
            open_profile(&before, words->against ? words->against : path, words, "--against-time", words->against_time);
        if (status == TND_EXIT_FINE)
            change = tnd_call_change_new(now.tree, before.tree);
    }
    if (status == TND_EXIT_FINE && words->flame && !draw(words->flame, now.tree, change, before.name))
        status = TND_EXIT_INPUT;
    if (status == TND_EXIT_FINE && !print(&now, change, before.name, words))
        status = TND_EXIT_INPUT;
    tnd_call_change_free(change);
    clear_profile(&now);
    clear_profile(&before);
    return status;
}

static int report_causes(const char *path, const Words *words)
{
    TndTrace *trace = tnd_cli_open(path);
    int status = !trace          ? TND_EXIT_INPUT
                 : words->phases ? tnd_phases_text_print(trace, words->text.all)
                 : words->causes ? tnd_causes_text_waits(trace, words->text.all)
                                 : tnd_causes_text_path(trace, words->text.all);
    tnd_trace_free(trace);
    return status;
}

static int report_page(const char *path, const Words *words)
{
    TndTrace *trace = tnd_cli_open(path);
    int status = trace ? tnd_page_write(trace, words->output) : TND_EXIT_INPUT;
    tnd_trace_free(trace);
    return status;
}

/* FALSE: complained of options that do not go together. */
static gboolean check_words(const Words *words, gboolean is_one)
{
    gboolean has_others = words->lines || words->source || words->against || words->against_time || words->flame ||
                          words->waits || words->rows || words->time;
    int n_tables = (words->causes != 0) + (words->path != 0) + (words->phases != 0);
    if (!is_one && (has_others || n_tables || words->text.all || words->text.least_percent != LEAST_PERCENT))
        tnd_cli_complain("report", "of several traces, takes no option but --output");
    else if (!(words->text.least_percent >= 0 && words->text.least_percent <= 100))
        tnd_cli_complain("report", "--least: takes 0 to 100");
    else if (words->lines && words->source)
        tnd_cli_complain("report", "--lines and --source do not go together");
    else if ((words->lines || words->source) && (words->against || words->against_time || words->flame))
        tnd_cli_complain("report", "--%s does not go with --against or --flame", words->lines ? "lines" : "source");
    else if (words->output && (has_others || n_tables || words->text.all))
        tnd_cli_complain("report", "--output goes with no other option");
    else if (n_tables && (n_tables > 1 || has_others))
        tnd_cli_complain("report", "--%s goes only with --all",
                         words->phases   ? "phases"
                         : words->causes ? "causes"
                                         : "critical-path");
    else if (words->source_folder && !words->source)
        tnd_cli_complain("report", "--source-folder needs --source");
    else
        return TRUE;
    return FALSE;
}

int tnd_cli_report(int argc, char **argv)
{
    Words words = {.text.least_percent = LEAST_PERCENT};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words.output,
         "Write all that there is to say of the run as a page, which needs no other file", "FILE.html"},
        {"flame", 'f', 0, G_OPTION_ARG_FILENAME, &words.flame, "Also draw a flame graph, as SVG", "FILE"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &words.rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names",
         "ROWS"},
        {"time", 't', 0, G_OPTION_ARG_STRING, &words.time,
         "Only this stretch of time: 1.5ms:2s, 10%:20%, 1s:", "BEGIN:END"},
        {"against", 0, 0, G_OPTION_ARG_FILENAME, &words.against, "Say what has changed against another trace",
         "TRACE.prv"},
        {"against-time", 0, 0, G_OPTION_ARG_STRING, &words.against_time,
         "Of the other trace, or of the same one, only this stretch of time", "BEGIN:END"},
        {"waits", 'w', 0, G_OPTION_ARG_NONE, &words.waits, "Print where threads waited, instead of where they ran",
         NULL},
        {"causes", 0, 0, G_OPTION_ARG_NONE, &words.causes,
         "Print who waits for whom, and why: time lost by whom, where, and who caused it", NULL},
        {"critical-path", 0, 0, G_OPTION_ARG_NONE, &words.path,
         "Print what makes the run as long as it is, and what would make it shorter", NULL},
        {"phases", 0, 0, G_OPTION_ARG_NONE, &words.phases,
         "Print where the run iterates, how long iterations take, and how efficient each phase is", NULL},
        {"least", 'l', 0, G_OPTION_ARG_DOUBLE, &words.text.least_percent,
         "The least share of a path that is printed, in percent (default: 1)", "PERCENT"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &words.text.all, "List all functions, or all lines", NULL},
        {"lines", 0, 0, G_OPTION_ARG_NONE, &words.lines, "Print the lines of the source instead of functions", NULL},
        {"source", 0, 0, G_OPTION_ARG_STRING, &words.source, "Print the source of a function with its shares",
         "FUNCTION"},
        {"source-folder", 0, 0, G_OPTION_ARG_FILENAME, &words.source_folder, "Where the source is", "FOLDER"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv [TRACE.prv...]",
                        "Prints where the CPU time went: functions, and who called them.\n"
                        "Of several traces, how their efficiencies compare with those of the first one.",
                        &status)) {
        status = TND_EXIT_USAGE;
        if (argc < 2)
            tnd_cli_complain("report", "takes a trace (see `tandem report --help`)");
        else if (check_words(&words, argc == 2))
            status = argc > 2       ? tnd_scaling_table_say(argv + 1, (guint)argc - 1, words.output)
                     : words.output ? report_page(argv[1], &words)
                     : words.causes || words.path || words.phases ? report_causes(argv[1], &words)
                                                                  : report(argv[1], &words);
    }
    char *texts[] = {words.rows,         words.flame,  words.time,          words.against,
                     words.against_time, words.source, words.source_folder, words.output};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    return status;
}
