/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows the progress of long work as a line on the terminal, with its rate and the time that is left.  It is shown only
 * on a terminal and after a second, and wiped at the end.
 */
#ifndef TND_PROGRESS_H
#define TND_PROGRESS_H

#include <glib.h>

typedef struct {
    const char *what; /* "merging" */
    guint64 n_bytes;  /* done so far, to show a rate; 0: no rate is shown */
    gint64 begin_us;
    gint64 next_us; /* when to draw next; G_MAXINT64: never */
    gboolean is_drawn;
} TndProgress;

void tnd_progress_begin(TndProgress *progress, const char *what);

/* "merging:  37 %, 152 MB/s, 12 s left", after elapsed_us.  Free with g_free. */
char *tnd_progress_text(const TndProgress *progress, double fraction, gint64 elapsed_us);

/* A callback for openings and merges, whose user_data is the TndProgress.  Always returns TRUE. */
gboolean tnd_progress_show(double fraction, gpointer user_data);

void tnd_progress_end(TndProgress *progress);

#endif
