/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far something has come, on the terminal.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_US G_USEC_PER_SEC         /* what is over by then shows nothing */
#define REDRAW_US (G_USEC_PER_SEC / 10) /* between two states of the line */

void tnd_progress_begin(TndProgress *progress, const char *what)
{
    gint64 next_us = isatty(STDERR_FILENO) ? g_get_monotonic_time() + QUIET_US : G_MAXINT64;
    *progress = (TndProgress){.what = what, .begin_us = g_get_monotonic_time(), .next_us = next_us};
}

gboolean tnd_progress_show(double fraction, gpointer user_data)
{
    TndProgress *progress = user_data;
    if (progress->next_us == G_MAXINT64)
        return TRUE;
    gint64 now_us = g_get_monotonic_time();
    if (now_us >= progress->next_us) {
        fprintf(stderr, "\rtandem: %s: %3.0f %%", progress->what, 100 * fraction);
        if (progress->n_bytes) /* bytes a microsecond are MB/s */
            fprintf(stderr, ", %.0f MB/s ", (double)progress->n_bytes / (double)(now_us - progress->begin_us));
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
