/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of long work on the terminal.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_US G_USEC_PER_SEC         /* nothing is shown before */
#define REDRAW_US (G_USEC_PER_SEC / 10) /* between two drawings of the line */

void tnd_progress_begin(TndProgress *progress, const char *what)
{
    gint64 next_us = isatty(STDERR_FILENO) ? g_get_monotonic_time() + QUIET_US : G_MAXINT64;
    *progress = (TndProgress){.what = what, .begin_us = g_get_monotonic_time(), .next_us = next_us};
}

static void append_time_left(GString *text, double seconds)
{
    if (seconds < 120)
        g_string_append_printf(text, ", %.0f s left", seconds);
    else if (seconds < 7200)
        g_string_append_printf(text, ", %.0f min left", seconds / 60);
    else
        g_string_append_printf(text, ", %.0f h left", seconds / 3600);
}

char *tnd_progress_text(const TndProgress *progress, double fraction, gint64 elapsed_us)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s: %3.0f %%", progress->what, 100 * fraction);
    if (progress->n_bytes) /* bytes per microsecond are MB/s */
        g_string_append_printf(text, ", %.0f MB/s", (double)progress->n_bytes / (double)elapsed_us);
    if (fraction > 0)
        append_time_left(text, (double)elapsed_us / G_USEC_PER_SEC * (1 - fraction) / fraction);
    return g_string_free(text, FALSE);
}

gboolean tnd_progress_show(double fraction, gpointer user_data)
{
    TndProgress *progress = user_data;
    if (progress->next_us == G_MAXINT64)
        return TRUE;
    gint64 now_us = g_get_monotonic_time();
    if (now_us >= progress->next_us) {
        char *text = tnd_progress_text(progress, fraction, now_us - progress->begin_us);
        fprintf(stderr, "\rtandem: %s\033[K", text);
        g_free(text);
        progress->is_drawn = TRUE;
        progress->next_us = now_us + REDRAW_US;
    }
    return TRUE;
}

void tnd_progress_end(TndProgress *progress)
{
    if (progress->is_drawn)
        fputs("\r\033[K", stderr);
    progress->is_drawn = FALSE;
}
