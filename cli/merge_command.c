/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `tandem merge`, which makes a trace of a run directory, or of several of the nodes of one run;
 * analysis/merge/merge.h does the work.
 */
#include "cli/merge_command.h"

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/merging.h"
#include "cli/ranks.h"
#include "cli/unpacking.h"
#include "run/rundir.h"

#include <stdio.h>
#include <string.h>

/* Prints what went wrong in the run, even with --quiet. */
static void print_notes(const TndMergeResult *result, gboolean is_quiet)
{
    for (guint i = 0; i < result->notes->len && !is_quiet; i++)
        fprintf(stderr, "tandem: note: %s\n", (const char *)result->notes->pdata[i]);
    if (is_quiet && result->n_lost)
        fprintf(stderr, "tandem: %s: %" G_GUINT64_FORMAT " records were lost\n", result->output, result->n_lost);
}

static gboolean merge_run(const TndMergeOptions *options, TndMergeTeam *team, gboolean is_quiet, gboolean is_removed)
{
    TndMergeResult result;
    GError *error = NULL;
    gboolean merged = tnd_merging_run(options, team, &result, &error);
    if (team && team->rank > 0) { /* only rank 0 prints */
        g_clear_error(&error);
        tnd_merge_result_clear(&result);
        return merged;
    }
    if (!merged) {
        tnd_cli_complain_error(&error);
        return FALSE;
    }
    print_notes(&result, is_quiet);
    if (!is_quiet) {
        char *text = tnd_merging_text(&result);
        puts(text);
        g_free(text);
    }
    tnd_merge_result_clear(&result);
    char keep[8];
    if (is_removed && !(tnd_rundir_get(options->run_directory, "keep", keep, sizeof keep) && strcmp(keep, "1") == 0)) {
        tnd_merging_remove(options->run_directory);
        for (const char *const *other = options->others; *other; other++)
            tnd_merging_remove(*other);
    }
    return TRUE;
}

struct words {
    char *output, *binary;
    gint n_threads;
    gboolean force, all, has_task_creation, is_alone, is_quiet, is_removed;
};

/* Parses the command line.  FALSE: complained, or printed --help; return *status. */
static gboolean parse(int *argc, char ***argv, struct words *words, int *status)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words->output, "The trace to write, x.prv or x.prv.gz", "FILE"},
        {"binary", 'b', 0, G_OPTION_ARG_FILENAME, &words->binary,
         "The program that ran on a board, for names of functions", "FILE"},
        {"force", 'f', 0, G_OPTION_ARG_NONE, &words->force, "Overwrite an existing trace", NULL},
        {"all-processes", 'a', 0, G_OPTION_ARG_NONE, &words->all,
         "Also show launchers, and helper processes of MPI and Python", NULL},
        {"task-creation", 0, 0, G_OPTION_ARG_NONE, &words->has_task_creation,
         "Also draw lines from the creation of an OpenMP task to its begin", NULL},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &words->n_threads,
         "How many threads merge; 0: one for each core (default: 1)", "N"},
        {"alone", 0, 0, G_OPTION_ARG_NONE, &words->is_alone, "Merge without the other ranks of the MPI job", NULL},
        {"remove", 'r', 0, G_OPTION_ARG_NONE, &words->is_removed, "Delete the run directory after the trace is written",
         NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &words->is_quiet, "Print nothing but faults", NULL},
        G_OPTION_ENTRY_NULL,
    };
    if (!tnd_cli_options(argc, argv, entries, "RUN.tandem...|FILE",
                         "Makes the trace (.prv, .pcf, .row) of a run directory, of the run directories of a run's "
                         "nodes, or of the file "
                         "that a board wrote.",
                         status))
        return FALSE;
    if (*argc >= 2 && words->n_threads >= 0)
        return TRUE;
    tnd_cli_complain("merge", *argc < 2 ? "takes a run directory (see `tandem merge --help`)"
                                        : "--jobs takes a number of threads, or 0");
    *status = TND_EXIT_USAGE;
    return FALSE;
}

/* Rank 0 parses first, so that errors are printed once. */
static gboolean parse_in_team(int *argc, char ***argv, TndMergeTeam *team, struct words *words, int *status)
{
    gboolean parsed = team->rank > 0 || parse(argc, argv, words, status);
    tnd_merge_team_share(team, &parsed, sizeof parsed);
    tnd_merge_team_share(team, status, sizeof *status);
    return parsed && (team->rank == 0 || parse(argc, argv, words, status));
}

static gboolean may_write(const struct words *words, TndMergeTeam *team)
{
    gboolean may = team->rank > 0 || tnd_cli_may_write(words->output, words->force);
    tnd_merge_team_share(team, &may, sizeof may);
    return may;
}

static gboolean merge_words(const struct words *words, char **argv, TndMergeTeam *team)
{
    GError *error = NULL;
    char *unpacked = team ? NULL : tnd_unpacking_run(argv[1], words->force, &error);
    if (error) {
        tnd_cli_complain_error(&error);
        return FALSE;
    }
    const TndMergeOptions options = {.run_directory = unpacked ? unpacked : argv[1],
                                     .others = (const char *const *)argv + 2,
                                     .output = words->output,
                                     .binary = words->binary,
                                     .force = words->force,
                                     .all_processes = words->all,
                                     .n_threads = words->n_threads ? (guint)words->n_threads : g_get_num_processors(),
                                     .has_task_creation = words->has_task_creation};
    gboolean merged = merge_run(&options, team, words->is_quiet, words->is_removed || unpacked);
    if (unpacked && !merged)
        tnd_rundir_remove(unpacked);
    g_free(unpacked);
    return merged;
}

int tnd_merge_command_run(int argc, char **argv, TndMergeTeam *team)
{
    struct words words = {.n_threads = 1};
    int status = TND_EXIT_FINE;
    TndMergeTeam *whole = team ? team : tnd_merge_team_alone();
    if (parse_in_team(&argc, &argv, whole, &words, &status))
        status = may_write(&words, whole) && merge_words(&words, argv, team) ? TND_EXIT_FINE : TND_EXIT_INPUT;
    g_free(words.output);
    g_free(words.binary);
    return status;
}

/* Whether this process is to merge without the other ranks of its job. */
static gboolean is_alone(char **argv)
{
    gboolean alone = !tnd_ranks_are_several();
    for (char **word = argv; *word; word++)
        alone |= strcmp(*word, "--alone") == 0 || g_str_has_prefix(*word, "--jobs") || g_str_has_prefix(*word, "-j");
    return alone;
}

int tnd_cli_merge(int argc, char **argv)
{
    if (!is_alone(argv)) {
        tnd_ranks_become(argv);
        return TND_EXIT_INPUT;
    }
    int status = tnd_merge_command_run(argc, argv, NULL);
    tnd_interrupt_die();
    return status;
}
