/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem merge`: a run directory becomes a trace.  What it does is in analysis/merge.h; here are its options, the
 * progress on a terminal, and what is left behind when it is interrupted: nothing.
 */
#include "analysis/merge.h"
#include "cli/cli.h"
#include "formats/rundir.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QUIET_US (1 * G_USEC_PER_SEC)   /* a merge that is over by then shows no progress */
#define REDRAW_US (G_USEC_PER_SEC / 10) /* between two states of the bar */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

/* The bar on the terminal. */
struct bar {
    gboolean is_wanted, is_drawn;
    gint64 begin_us, next_us;
};

static gboolean on_progress(double fraction, gpointer data)
{
    struct bar *bar = data;
    gint64 now_us = bar->is_wanted ? g_get_monotonic_time() : 0;
    if (bar->is_wanted && now_us >= bar->next_us) {
        fprintf(stderr, "\rmerging: %3.0f %%", 100 * fraction);
        bar->is_drawn = TRUE;
        bar->next_us = now_us + REDRAW_US;
    }
    return !interrupted;
}

static void print_counts(const TndMergeResult *result)
{
    printf("%s: %" G_GUINT64_FORMAT " processes, %" G_GUINT64_FORMAT " threads, %" G_GUINT64_FORMAT " records",
           result->output, result->n_processes, result->n_threads, result->n_records);
    const struct {
        guint64 n;
        const char *what;
    } counts[] = {
        {result->n_samples, "samples"},
        {result->n_messages, "messages"},
        {result->n_lost, "records lost"},
        {result->n_unmatched_sends, "sends without a receive"},
        {result->n_unmatched_receives, "receives without a send"},
        {result->n_open, "calls left open"},
        {result->n_damaged_bytes, "bytes damaged"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++)
        if (counts[i].n)
            printf(", %" G_GUINT64_FORMAT " %s", counts[i].n, counts[i].what);
    putchar('\n');
}

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
    struct bar bar = {.is_wanted = !is_quiet && isatty(STDERR_FILENO)};
    bar.begin_us = g_get_monotonic_time();
    bar.next_us = bar.begin_us + QUIET_US;
    TndMergeOptions with_bar = *options;
    with_bar.progress = on_progress;
    with_bar.user_data = &bar;
    TndMergeResult result;
    GError *error = NULL;
    gboolean merged = tnd_merge_run(&with_bar, &result, &error);
    if (bar.is_drawn)
        fputs("\r\033[K", stderr);
    if (!merged) {
        tnd_cli_complain("merge", "%s", error->message);
        g_clear_error(&error);
        return FALSE;
    }
    print_notes(&result, is_quiet);
    if (!is_quiet)
        print_counts(&result);
    tnd_merge_result_clear(&result);
    char keep[8];
    if (is_removed && !(tnd_rundir_get(options->run_directory, "keep", keep, sizeof keep) && strcmp(keep, "1") == 0))
        tnd_rundir_remove(options->run_directory);
    return TRUE;
}

int tnd_cli_merge(int argc, char **argv)
{
    char *output = NULL;
    gboolean force = FALSE, all = FALSE, is_quiet = FALSE, is_kept = FALSE, is_removed = FALSE;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The trace to write, x.prv or x.prv.gz", "FILE"},
        {"force", 'f', 0, G_OPTION_ARG_NONE, &force, "Overwrite an existing trace", NULL},
        {"all-processes", 'a', 0, G_OPTION_ARG_NONE, &all, "Show launchers and helpers of an MPI run too", NULL},
        {"keep", 'k', 0, G_OPTION_ARG_NONE, &is_kept, "Keep the run directory (that is so already)", NULL},
        {"remove", 'r', 0, G_OPTION_ARG_NONE, &is_removed, "Delete the run directory once the trace is written", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet, "Print nothing but faults", NULL},
        {NULL},
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "RUN.tandem", "Makes the trace (.prv, .pcf, .row) of a run directory.",
                         &status)) {
        g_free(output);
        return status;
    }
    if (argc != 2) {
        tnd_cli_complain("merge", "one run directory is wanted (see `tandem merge --help`)");
        g_free(output);
        return TND_EXIT_USAGE;
    }
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    const TndMergeOptions options = {.run_directory = argv[1], .output = output, .force = force, .all_processes = all};
    gboolean merged = merge_run(&options, is_quiet, is_removed && !is_kept);
    g_free(output);
    if (interrupted)
        raise(interrupted); /* the shell is to know */
    return merged ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
