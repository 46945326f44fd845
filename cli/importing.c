/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A signal cancels it, and no files are left.
 */
#include "cli/importing.h"

#include "analysis/import/import.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/made_trace.h"
#include "cli/progress.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

static gboolean on_progress(double fraction, gpointer progress)
{
    return tnd_progress_show(fraction, progress) && !tnd_interrupt_has_come();
}

static void print_result(const char *path, const TndImportResult *result)
{
    tnd_made_trace_print(&result->made);
    if (result->n_lost)
        tnd_cli_complain(path, "%" G_GUINT64_FORMAT " event%s left out; of the first one, %s", result->n_lost,
                         result->n_lost == 1 ? "" : "s", result->lost);
}

/* "dir/app.json.gz" and "dir/app.otf2/" become "dir/app.prv".  Free with g_free. */
static char *default_output(const char *path)
{
    static const char *const endings[] = {".gz", ".json", ".otf2", ".txt", ".perf", ".script"};
    char *stem = g_strdup(path);
    while (strlen(stem) > 1 && stem[strlen(stem) - 1] == '/')
        stem[strlen(stem) - 1] = '\0';
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(stem, endings[i]))
            stem[strlen(stem) - strlen(endings[i])] = '\0';
    char *output = g_strconcat(stem, ".prv", NULL);
    g_free(stem);
    return output;
}

int tnd_importing_run(const char *path, const char *output, gboolean force)
{
    char *made = output ? NULL : default_output(path);
    TndProgress progress;
    TndImportResult result = {0};
    GError *error = NULL;
    const TndImportOptions options = {path, output ? output : made, force, on_progress, &progress};
    int status = TND_EXIT_INPUT;
    if (tnd_cli_may_write(output, force)) {
        tnd_interrupt_begin();
        tnd_progress_begin(&progress, "converting");
        gboolean good = tnd_import_run(&options, &result, &error);
        tnd_progress_end(&progress);
        tnd_interrupt_end();
        if (good) {
            print_result(path, &result);
            status = TND_EXIT_FINE;
        } else
            tnd_cli_complain_error(&error);
        tnd_trace_output_made_clear(&result.made);
        tnd_interrupt_die();
    }
    g_free(made);
    return status;
}
