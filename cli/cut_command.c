/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `tandem cut`; analysis/rewrite/rewrite_cut.h does the work.
 */
#include "analysis/rewrite/rewrite_cut.h"
#include "cli/cli.h"
#include "cli/rewriting.h"
#include "cli/time_option.h"

static gboolean run(const TndRewriteOptions *options, gconstpointer cut, TndRewriteResult *result, GError **error)
{
    return tnd_rewrite_cut_run(options, cut, result, error);
}

int tnd_cli_cut_trace(int argc, char **argv)
{
    TndRewritingWords words = {.command = "cut", .doing = "cutting"};
    TndRewriteCutOptions cut = {.begin = {0, -1}, .end = TND_REWRITE_TIME_END};
    char *times = NULL;
    const GOptionEntry entries[] = {
        {"time", 't', 0, G_OPTION_ARG_STRING, &times, "The stretch of time: 1.5ms:2s, 10%:20%, 1s:", "BEGIN:END"},
        TND_REWRITING_ROWS(&words),
        {"keep-times", 0, 0, G_OPTION_ARG_NONE, &cut.keep_times,
         "Keep the times of the trace, instead of beginning at 0", NULL},
        TND_REWRITING_ENTRIES(&words),
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                         "Writes a stretch of time of a trace, some of its rows, or both: TRACE.cut.prv.", &status))
        return status;
    status = TND_EXIT_USAGE;
    if (argc != 2)
        tnd_cli_complain("cut", argc < 2 ? "takes a trace (see `tandem cut --help`)" : "takes one trace, got %d",
                         argc - 1);
    else if (!times && !words.rows)
        tnd_cli_complain("cut", "takes --time or --rows (see `tandem cut --help`)");
    else if (tnd_time_option_parse("cut", "--time", times, &cut.begin, &cut.end))
        status = tnd_rewriting_run(&words, argv[1], run, &cut);
    g_free(times);
    g_free(words.output);
    g_free(words.rows);
    return status;
}
