/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A merge with progress, and its summary.
 */
#include "cli/merging.h"

#include "analysis/base/quantity.h"
#include "analysis/merge/base/run_files.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "formats/fact.h"
#include "formats/plain_text.h"
#include "run/attendance.h"
#include "run/rundir.h"

#include <stdio.h>
#include <string.h>

struct waiting {
    TndProgress progress;
    guint64 n_bytes; /* of the run's streams */
};

static gboolean on_progress(double fraction, gpointer user_data)
{
    struct waiting *waiting = user_data;
    waiting->progress.n_bytes = (guint64)(fraction * (double)waiting->n_bytes);
    return tnd_progress_show(fraction, &waiting->progress) && !tnd_interrupt_has_come();
}

static guint64 count_bytes(const char *run_directory)
{
    GPtrArray *images = tnd_run_files_list(run_directory, NULL);
    guint64 n_bytes = 0;
    for (guint i = 0; images && i < images->len; i++)
        n_bytes += tnd_run_files_bytes(images->pdata[i]);
    if (images)
        g_ptr_array_unref(images);
    return n_bytes;
}

gboolean tnd_merging_run(const TndMergeOptions *options, TndMergeTeam *team, TndMergeResult *result, GError **error)
{
    if (!team)
        tnd_interrupt_begin();
    struct waiting waiting = {.n_bytes = count_bytes(options->run_directory)};
    for (const char *const *other = options->others; other && *other; other++)
        waiting.n_bytes += count_bytes(*other);
    tnd_progress_begin(&waiting.progress, "making the trace");
    TndMergeOptions with_progress = *options;
    with_progress.progress = team && team->rank ? NULL : on_progress;
    with_progress.user_data = &waiting;
    gboolean merged = team ? tnd_merge_run_in_team(&with_progress, team, result, error)
                           : tnd_merge_run(&with_progress, result, error);
    tnd_progress_end(&waiting.progress);
    if (!team)
        tnd_interrupt_end();
    return merged;
}

static void append_count(GString *text, guint64 n, const char *one, const char *many)
{
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " %s", text->len ? ", " : "", n, n == 1 ? one : many);
}

/* A time that is known. */
static void append_quantity(GString *text, const char *what, guint64 ns)
{
    char *quantity = ns ? tnd_quantity_text((double)ns, "ns") : NULL;
    if (ns)
        g_string_append_printf(text, ", %s %s", what, quantity);
    g_free(quantity);
}

char *tnd_merging_text(const TndMergeResult *result)
{
    if (result->launcher)
        return g_strdup_printf("no trace: only %s was recorded, and no program that it started (does it start, and is "
                               "it dynamically linked?)",
                               result->launcher);
    const struct {
        guint64 n;
        gboolean always;
        const char *one, *many;
    } counts[] = {
        {result->n_processes, TRUE, "process", "processes"},
        {result->n_threads, TRUE, "thread", "threads"},
        {result->n_records, TRUE, "record", "records"},
        {result->n_samples, FALSE, "sample", "samples"},
        {result->n_lost, TRUE, "lost", "lost"},
        {result->n_unmatched_sends, FALSE, "send without a receive", "sends without a receive"},
        {result->n_unmatched_receives, FALSE, "receive without a send", "receives without a send"},
        {result->n_open, FALSE, "call left open", "calls left open"},
        {result->n_damaged_bytes, FALSE, "byte damaged", "bytes damaged"},
    };
    GString *text = g_string_new(NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++)
        if (counts[i].n || counts[i].always)
            append_count(text, counts[i].n, counts[i].one, counts[i].many);
    append_quantity(text, "sampling period", result->sampling_period_ns);
    append_quantity(text, "overhead", result->overhead_ns);
    char *name = g_path_get_basename(result->output);
    char *place = g_path_get_dirname(result->output), *here = g_get_current_dir();
    char *aside = result->aside ? g_path_get_basename(result->aside) : NULL;
    if (aside)
        g_string_append_printf(text, "; the trace before it is %s", aside);
    g_string_prepend(text, ": ");
    g_string_prepend(text, g_str_equal(place, here) ? name : result->output);
    g_free(aside);
    g_free(here);
    g_free(place);
    g_free(name);
    return g_string_free(text, FALSE);
}

/* The note about a sampling period that was not kept, of the first process that says so; NULL: none does. */
static const char *find_raise(const TndMergeResult *result)
{
    for (guint i = 0; i < result->notes->len; i++)
        if (strstr(result->notes->pdata[i], TND_FACT_NOTE_SAMPLE_EVERY))
            return result->notes->pdata[i];
    return NULL;
}

/* Names of programs and functions may be in it. */
static void tell(const char *text)
{
    char *plain = g_strdup(text);
    tnd_plain_text_make(plain, "\n");
    fprintf(stderr, "tandem: %s\n", plain);
    g_free(plain);
}

/* Tells the notes about what was not recorded. */
static void tell_missed(const TndMergeResult *result)
{
    for (guint i = 0; i < result->notes->len; i++)
        if (g_str_has_prefix(result->notes->pdata[i], TND_FACT_NOTE_MISSED))
            tell(result->notes->pdata[i]);
}

gboolean tnd_merging_finish(const TndMergeOptions *options)
{
    TndMergeResult result;
    GError *error = NULL;
    gboolean merged = tnd_merging_run(options, NULL, &result, &error);
    if (!merged) {
        tnd_cli_complain_error(&error);
        tnd_cli_complain(options->run_directory, "kept: `tandem merge` makes the trace of it");
        return FALSE;
    }
    char *text = tnd_merging_text(&result);
    tell_missed(&result);
    const char *const about[] = {result.about_python, result.about_library, find_raise(&result), text};
    for (gsize i = 0; i < G_N_ELEMENTS(about); i++)
        if (about[i])
            tell(about[i]);
    g_free(text);
    tnd_merge_result_clear(&result);
    return TRUE;
}

char *tnd_merging_stem(const char *output)
{
    static const char *const endings[] = {".gz", ".prv"};
    char *stem = g_strdup(output);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(stem, endings[i]) && strlen(stem) > strlen(endings[i]))
            stem[strlen(stem) - strlen(endings[i])] = 0;
    return stem;
}

void tnd_merging_remove(const char *run_directory)
{
    if (tnd_attendance_is_alive(run_directory)) {
        tnd_cli_complain(run_directory, "kept: processes of the run are still running");
        return;
    }
    tnd_rundir_remove(run_directory);
    if (g_file_test(run_directory, G_FILE_TEST_IS_DIR))
        tnd_cli_complain(run_directory, "kept: it cannot be removed");
}
