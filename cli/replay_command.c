/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `tandem replay`; analysis/causes/replay.h does the work.
 */
#include "analysis/base/quantity.h"
#include "analysis/rewrite/rewrite_replay.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/rewriting.h"
#include "formats/value.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Options as given on the command line. */
typedef struct {
    char *latency, *bandwidth, *local_latency, *local_bandwidth, *eager_limit, **faster;
    int n_buses, ranks_per_node;
    gboolean only_summary;
} Words;

static gboolean parse_latency(const char *option, const char *text, guint64 *ns)
{
    uint64_t read = 0;
    if (text && !tnd_value_duration(&read, text, "")) {
        tnd_cli_complain("replay", "%s: got \"%s\", takes a time, as 5us or 0", option, text);
        return FALSE;
    }
    *ns = read;
    return TRUE;
}

static gboolean parse_bandwidth(const char *option, const char *text, double *bytes_per_second)
{
    uint64_t read = 0;
    *bytes_per_second = INFINITY;
    if (!text || !strcmp(text, "inf"))
        return TRUE;
    if (!tnd_value_size(&read, text, "") || !read) {
        tnd_cli_complain("replay", "%s: got \"%s\", takes bytes a second, as 100M, or inf", option, text);
        return FALSE;
    }
    *bytes_per_second = (double)read;
    return TRUE;
}

/* Parses FUNCTION=FACTOR; the text is cut in two. */
static gboolean parse_speed(char *text, TndReplaySpeed *speed)
{
    char *equals = strrchr(text, '='), *end = NULL;
    speed->function = text;
    speed->factor = equals ? g_ascii_strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || end == equals + 1 || *end || !(speed->factor > 0) || isinf(speed->factor)) {
        tnd_cli_complain("replay", "--faster: got \"%s\", takes FUNCTION=FACTOR, as solve=2", text);
        return FALSE;
    }
    *equals = '\0';
    return TRUE;
}

/* FALSE: complained.  The caller frees options->speeds. */
static gboolean parse(const Words *words, TndReplayOptions *options)
{
    uint64_t eager = 0;
    guint n = words->faster ? g_strv_length(words->faster) : 0;
    TndReplaySpeed *speeds = g_new0(TndReplaySpeed, n + 1);
    options->speeds = speeds;
    options->n_speeds = n;
    options->has_network =
        words->latency || words->bandwidth || words->local_latency || words->local_bandwidth || words->n_buses;
    for (guint i = 0; i < n; i++)
        if (!parse_speed(words->faster[i], &speeds[i]))
            return FALSE;
    if (!parse_latency("--latency", words->latency, &options->network.latency_ns) ||
        !parse_latency("--local-latency", words->local_latency, &options->local.latency_ns) ||
        !parse_bandwidth("--bandwidth", words->bandwidth, &options->network.bytes_per_second) ||
        !parse_bandwidth("--local-bandwidth", words->local_bandwidth, &options->local.bytes_per_second))
        return FALSE;
    if (words->n_buses < 0 || words->ranks_per_node < 0) {
        tnd_cli_complain("replay", "%s: takes a number from 0 up", words->n_buses < 0 ? "--buses" : "--ranks-per-node");
        return FALSE;
    }
    if (words->eager_limit && !tnd_value_size(&eager, words->eager_limit, "")) {
        tnd_cli_complain("replay", "--eager-limit: got \"%s\", takes a size, as 32k", words->eager_limit);
        return FALSE;
    }
    options->n_buses = (guint)words->n_buses;
    options->ranks_per_node = (guint)words->ranks_per_node;
    options->eager_bytes = words->eager_limit ? (gint64)MIN(eager, (uint64_t)G_MAXINT64) : -1;
    return TRUE;
}

static gboolean write_trace(const TndRewriteOptions *options, gconstpointer replay, TndRewriteResult *result,
                            GError **error)
{
    return tnd_rewrite_replay_run(replay, options, result, error);
}

static void print_summary(const TndTrace *trace, const TndReplay *replay)
{
    guint64 run_ns = tnd_trace_end_ns(trace), replay_ns = tnd_replay_end_ns(replay);
    char *run = tnd_quantity_text((double)run_ns, "ns"), *replayed = tnd_quantity_text((double)replay_ns, "ns");
    printf("%s: would take %s instead of %s: %+.2f %%\n", tnd_trace_shown(trace), replayed, run,
           100 * ((double)replay_ns / (double)MAX(run_ns, 1) - 1));
    g_free(run);
    g_free(replayed);
}

/* NULL: complained. */
static TndReplay *simulate(const TndTrace *trace, const TndReplayOptions *options, TndSyncOps **ops)
{
    TndProgress progress;
    TndReplay *replay = NULL;
    GError *error = NULL;
    tnd_progress_begin(&progress, "replaying");
    *ops = tnd_sync_ops_new(trace, tnd_progress_show, &progress, &error);
    if (*ops)
        replay = tnd_replay_new(*ops, options, tnd_progress_show, &progress, &error);
    tnd_progress_end(&progress);
    if (error)
        tnd_cli_complain_error(&error);
    if (replay && tnd_sync_ops_messages(*ops)->n_backward)
        tnd_cli_complain(tnd_trace_path(trace),
                         "%" G_GUINT64_FORMAT " messages were received before they were sent, and are not waited for",
                         tnd_sync_ops_messages(*ops)->n_backward);
    return replay;
}

static int replay_trace(const char *path, const Words *words, const TndReplayOptions *options,
                        TndRewritingWords *rewriting)
{
    TndTrace *trace = tnd_cli_open(path);
    TndSyncOps *ops = NULL;
    TndReplay *replay = trace ? simulate(trace, options, &ops) : NULL;
    int status = replay ? TND_EXIT_FINE : TND_EXIT_INPUT;
    if (replay && !rewriting->is_quiet)
        print_summary(trace, replay);
    if (replay && !words->only_summary)
        status = tnd_rewriting_run(rewriting, path, write_trace, replay);
    tnd_replay_free(replay);
    tnd_sync_ops_free(ops);
    tnd_trace_free(trace);
    return status;
}

int tnd_cli_replay(int argc, char **argv)
{
    TndRewritingWords rewriting = {.command = "replay", .doing = "writing"};
    Words words = {0};
    TndReplayOptions options = {0};
    const GOptionEntry entries[] = {
        {"latency", 'l', 0, G_OPTION_ARG_STRING, &words.latency, "How long a message takes at least (5us)", "TIME"},
        {"bandwidth", 'b', 0, G_OPTION_ARG_STRING, &words.bandwidth, "Of the network, in bytes a second (100M, inf)",
         "SIZE"},
        {"buses", 0, 0, G_OPTION_ARG_INT, &words.n_buses, "How many messages are on the network at once (default: any)",
         "N"},
        {"ranks-per-node", 0, 0, G_OPTION_ARG_INT, &words.ranks_per_node,
         "How many processes share a node (default: each has its own)", "N"},
        {"local-latency", 0, 0, G_OPTION_ARG_STRING, &words.local_latency, "Within a node (default: 0)", "TIME"},
        {"local-bandwidth", 0, 0, G_OPTION_ARG_STRING, &words.local_bandwidth, "Within a node (default: inf)", "SIZE"},
        {"eager-limit", 0, 0, G_OPTION_ARG_STRING, &words.eager_limit,
         "Messages longer than this wait for their receiver (default: those that did)", "SIZE"},
        {"faster", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words.faster,
         "Make a function faster, or slower (0.5); may be given several times", "FUNCTION=FACTOR"},
        {"summary", 's', 0, G_OPTION_ARG_NONE, &words.only_summary, "Only say how long the run would take", NULL},
        TND_REWRITING_ENTRIES(&rewriting),
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                        "Makes the trace of a run as it would have been on another network, or with faster functions:\n"
                        "TRACE.replay.prv.  Without options of the network it is that of the run.",
                        &status)) {
        status = TND_EXIT_USAGE;
        if (argc != 2)
            tnd_cli_complain("replay", "takes one trace (see `tandem replay --help`)");
        else if (parse(&words, &options))
            status = replay_trace(argv[1], &words, &options, &rewriting);
    }
    char *texts[] = {words.latency,         words.bandwidth,   words.local_latency,
                     words.local_bandwidth, words.eager_limit, rewriting.output};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(words.faster);
    g_free((gpointer)options.speeds);
    return status;
}
