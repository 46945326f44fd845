/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem merge`: a run directory (or several, of the nodes of one run) becomes a trace.  What it does is in
 * analysis/merge.h; here are its options.
 */
#include "cli/cli.h"
#include "cli/merging.h"
#include "formats/rundir.h"

#include <stdio.h>
#include <string.h>

/* What went wrong in the run is said even to those who want quiet. */
static void print_notes(const TndMergeResult *result, gboolean is_quiet)
{
    for (guint i = 0; i < result->notes->len && !is_quiet; i++)
        fprintf(stderr, "tandem: note: %s\n", (const char *)result->notes->pdata[i]);
    if (is_quiet && result->n_lost)
        fprintf(stderr, "tandem: %s: %" G_GUINT64_FORMAT " records were lost\n", result->output, result->n_lost);
}

static gboolean merge_run(const TndMergeOptions *options, gboolean is_quiet, gboolean is_removed)
{
    TndMergeResult result;
    GError *error = NULL;
    if (!tnd_merging_run(options, &result, &error)) {
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

int tnd_cli_merge(int argc, char **argv)
{
    char *output = NULL;
    gint n_threads = 0;
    gboolean force = FALSE, all = FALSE, is_quiet = FALSE, is_removed = FALSE;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The trace to write, x.prv or x.prv.gz", "FILE"},
        {"force", 'f', 0, G_OPTION_ARG_NONE, &force, "Overwrite an existing trace", NULL},
        {"all-processes", 'a', 0, G_OPTION_ARG_NONE, &all, "Show launchers and helpers of an MPI run too", NULL},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &n_threads, "Threads that merge together (default: what the run is worth)",
         "N"},
        {"remove", 'r', 0, G_OPTION_ARG_NONE, &is_removed, "Delete the run directory once the trace is written", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet, "Print nothing but faults", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(
            &argc, &argv, entries, "RUN.tandem...",
            "Makes the trace (.prv, .pcf, .row) of a run directory, or of those that the nodes of one run have each.",
            &status)) {
        g_free(output);
        return status;
    }
    if (argc < 2 || n_threads < 0) {
        tnd_cli_complain("merge", argc < 2 ? "takes a run directory (see `tandem merge --help`)"
                                           : "--jobs takes a number of threads, from 1");
        g_free(output);
        return TND_EXIT_USAGE;
    }
    const TndMergeOptions options = {.run_directory = argv[1],
                                     .others = (const char *const *)argv + 2,
                                     .output = output,
                                     .force = force,
                                     .all_processes = all,
                                     .n_threads = (guint)n_threads};
    gboolean merged = merge_run(&options, is_quiet, is_removed);
    g_free(output);
    tnd_merging_die_if_interrupted();
    return merged ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
