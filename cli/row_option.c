/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds rows by their names in a loaded trace.
 */
#include "cli/row_option.h"

#include "analysis/trace/row_choice.h"
#include "cli/cli.h"

gboolean *tnd_row_option_parse(const char *command, const TndTrace *trace, const char *text)
{
    GError *error = NULL;
    gboolean *chosen = tnd_row_choice_of_trace(trace, text, &error);
    if (!chosen)
        tnd_cli_complain(command, "--rows: %s", error->message);
    g_clear_error(&error);
    return chosen;
}

gboolean *tnd_row_option_lift(const char *command, const TndTrace *trace, gboolean *threads, TndLevel level)
{
    gboolean *rows = tnd_levels_lift(trace, threads, level);
    if (!rows)
        tnd_cli_complain(command, "--rows: cannot choose threads, because the rows of this window are CPUs");
    g_free(threads);
    return rows;
}
