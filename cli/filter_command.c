/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `tandem filter`; analysis/rewrite/rewrite_filter.h does the work.
 */
#include "analysis/rewrite/rewrite_filter.h"
#include "cli/cli.h"
#include "cli/rewriting.h"

/* Options as given on the command line. */
typedef struct {
    char **events, **drop_events, **states, **drop_states;
    char *tags, *state_duration, *message_size, *message_duration;
    TndRewriteFilterOptions filter;
} Words;

static gboolean run(const TndRewriteOptions *options, gconstpointer filter, TndRewriteResult *result, GError **error)
{
    return tnd_rewrite_filter_run(options, filter, result, error);
}

static gboolean parse_ranges(Words *words)
{
    static const char durations[] = "MIN:MAX, as 10us: or :2ms", sizes[] = "MIN:MAX, as 1k: or 8:64k";
    TndRewriteFilterOptions *filter = &words->filter;
    return tnd_rewriting_range("filter", "--state-duration", words->state_duration, durations, tnd_rewriting_duration,
                               &filter->state_ns.low, &filter->state_ns.high) &&
           tnd_rewriting_range("filter", "--message-duration", words->message_duration, durations,
                               tnd_rewriting_duration, &filter->message_ns.low, &filter->message_ns.high) &&
           tnd_rewriting_range("filter", "--message-size", words->message_size, sizes, tnd_rewriting_size,
                               &filter->message_bytes.low, &filter->message_bytes.high);
}

static gboolean parse(int *argc, char ***argv, Words *words, TndRewritingWords *common, int *status)
{
    TndRewriteFilterOptions *filter = &words->filter;
    const GOptionEntry entries[] = {
        {"events", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &words->events,
         "Keep only these event types: numbers, ranges, labels; or values of them: TYPE:VALUE|VALUE", "LIST"},
        {"drop-events", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->drop_events, "Drop these event types", "LIST"},
        {"no-events", 0, 0, G_OPTION_ARG_NONE, &filter->no_events, "Drop all events", NULL},
        {"states", 's', 0, G_OPTION_ARG_STRING_ARRAY, &words->states, "Keep only these states: numbers, names", "LIST"},
        {"drop-states", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->drop_states, "Drop these states", "LIST"},
        {"state-duration", 0, 0, G_OPTION_ARG_STRING, &words->state_duration, "Keep only states of such a duration",
         "MIN:MAX"},
        {"no-states", 0, 0, G_OPTION_ARG_NONE, &filter->no_states, "Drop all states", NULL},
        {"message-size", 0, 0, G_OPTION_ARG_STRING, &words->message_size, "Keep only messages of such a size in bytes",
         "MIN:MAX"},
        {"message-duration", 0, 0, G_OPTION_ARG_STRING, &words->message_duration,
         "Keep only messages that take such a time from send to receive", "MIN:MAX"},
        {"message-tags", 0, 0, G_OPTION_ARG_STRING, &words->tags, "Keep only messages with these tags", "LIST"},
        {"no-messages", 0, 0, G_OPTION_ARG_NONE, &filter->no_messages, "Drop all messages", NULL},
        TND_REWRITING_ROWS(common),
        TND_REWRITING_ENTRIES(common),
        G_OPTION_ENTRY_NULL,
    };
    gboolean parsed =
        tnd_cli_options(argc, argv, entries, "TRACE.prv",
                        "Writes a trace with only some of its events, states and messages: TRACE.filter.prv.", status);
    filter->events = (const char *const *)words->events;
    filter->drop_events = (const char *const *)words->drop_events;
    filter->states = (const char *const *)words->states;
    filter->drop_states = (const char *const *)words->drop_states;
    filter->tags = words->tags;
    return parsed;
}

int tnd_cli_filter(int argc, char **argv)
{
    TndRewritingWords common = {.command = "filter", .doing = "filtering"};
    Words words = {.filter = {.state_ns = TND_REWRITE_RANGE_ALL,
                              .message_bytes = TND_REWRITE_RANGE_ALL,
                              .message_ns = TND_REWRITE_RANGE_ALL}};
    int status;
    if (!parse(&argc, &argv, &words, &common, &status))
        return status;
    status = TND_EXIT_USAGE;
    if (argc != 2)
        tnd_cli_complain("filter", argc < 2 ? "takes a trace (see `tandem filter --help`)" : "takes one trace, got %d",
                         argc - 1);
    else if (parse_ranges(&words))
        status = tnd_rewriting_run(&common, argv[1], run, &words.filter);
    char **const lists[] = {words.events, words.drop_events, words.states, words.drop_states};
    char *const texts[] = {words.tags,    words.state_duration, words.message_size, words.message_duration,
                           common.output, common.rows};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_strfreev(lists[i]);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    return status;
}
