/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far something has come, as one line on the terminal, with how fast that was and how long it may take yet: shown
 * only on a terminal, only once it has taken a second, and wiped at the end.
 */
#ifndef TND_PROGRESS_H
#define TND_PROGRESS_H

#include <glib.h>

typedef struct {
    const char *what; /* "merging" */
    guint64 n_bytes;  /* handled so far, if a rate is to be shown; 0: none is */
    gint64 begin_us;
    gint64 next_us; /* when to draw; G_MAXINT64: never */
    gboolean is_drawn;
} TndProgress;

void tnd_progress_begin(TndProgress *progress, const char *what);

/* "merging:  37 %, 152 MB/s, 12 s left", after so long.  Free with g_free. */
char *tnd_progress_text(const TndProgress *progress, double fraction, gint64 elapsed_us);

/* What openings and merges call: user_data is the TndProgress.  Always TRUE. */
gboolean tnd_progress_show(double fraction, gpointer user_data);

void tnd_progress_end(TndProgress *progress);

#endif
