/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a trace from another one, with progress and a summary.
 */
#include "cli/rewriting.h"

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/made_trace.h"
#include "cli/progress.h"
#include "formats/value.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

static gboolean on_progress(double fraction, guint64 n_bytes, gpointer user_data)
{
    TndProgress *progress = user_data;
    progress->n_bytes = n_bytes;
    return tnd_progress_show(fraction, progress) && !tnd_interrupt_has_come();
}

static int report(const TndRewritingWords *words, const char *path, const TndRewriteResult *result, GError *error)
{
    if (result->n_faults)
        tnd_cli_complain(path, "%" G_GUINT64_FORMAT " faulty line%s left out; the first is %s", result->n_faults,
                         result->n_faults == 1 ? "" : "s", result->fault);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT)) {
        tnd_cli_complain(words->command, "%s", error->message);
        return TND_EXIT_USAGE;
    }
    if (error) {
        fprintf(stderr, "tandem: %s\n", error->message);
        return TND_EXIT_INPUT;
    }
    if (!words->is_quiet)
        tnd_made_trace_print(&result->made);
    return TND_EXIT_FINE;
}

int tnd_rewriting_run(TndRewritingWords *words, const char *path, TndRewritingRun run, gconstpointer tool_options)
{
    if (!tnd_cli_may_write(words->output, words->force))
        return TND_EXIT_INPUT;
    TndProgress progress;
    TndRewriteResult result;
    GError *error = NULL;
    const TndRewriteOptions options = {.path = path,
                                       .output = words->output,
                                       .force = words->force,
                                       .rows = words->rows,
                                       .all_stay = words->all_stay,
                                       .progress = on_progress,
                                       .user_data = &progress};
    tnd_interrupt_begin();
    tnd_progress_begin(&progress, words->doing);
    run(&options, tool_options, &result, &error);
    tnd_progress_end(&progress);
    tnd_interrupt_end();
    int status = report(words, path, &result, error);
    tnd_rewrite_result_clear(&result);
    g_clear_error(&error);
    tnd_interrupt_die();
    return status;
}

gboolean tnd_rewriting_duration(const char *text, gint64 *ns)
{
    uint64_t read;
    if (!tnd_value_duration(&read, text, ""))
        return FALSE;
    *ns = (gint64)read;
    return TRUE;
}

gboolean tnd_rewriting_size(const char *text, gint64 *bytes)
{
    uint64_t read;
    if (!tnd_value_size(&read, text, ""))
        return FALSE;
    *bytes = (gint64)read;
    return TRUE;
}

gboolean tnd_rewriting_range(const char *command, const char *option, const char *text, const char *takes,
                             gboolean (*parse)(const char *text, gint64 *number), gint64 *low, gint64 *high)
{
    if (!text)
        return TRUE;
    char **sides = g_strsplit(text, ":", -1);
    gboolean good = g_strv_length(sides) == 2 && (*sides[0] || *sides[1]) && (!*sides[0] || parse(sides[0], low)) &&
                    (!*sides[1] || parse(sides[1], high));
    g_strfreev(sides);
    if (!good || *low > *high) {
        tnd_cli_complain(command, "%s: got \"%s\", takes %s", option, text, takes);
        return FALSE;
    }
    return TRUE;
}
