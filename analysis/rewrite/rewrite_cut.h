/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cuts a stretch of time out of a trace, and moves rows in time.
 *
 * Values that hold at the begin of the stretch are repeated there.  Values that hold for the time before them
 * (counters) and come after the end are written at the end.  So views have the same values within the stretch as in the
 * whole trace.  Exceptions: the lengths of what an edge cuts, messages that are only partly within, and what is nested
 * around values that hold at the begin.
 */
#ifndef TND_REWRITE_CUT_H
#define TND_REWRITE_CUT_H

#include "analysis/rewrite/rewrite.h"

/* A time, or a part of the trace's duration. */
typedef struct {
    guint64 ns;
    double percent; /* of the duration, used instead of ns if it is not negative */
} TndRewriteTime;

/* In ns, of a trace of this duration. */
guint64 tnd_rewrite_cut_time(const TndRewriteTime *time, guint64 end_ns);

#define TND_REWRITE_TIME_END ((TndRewriteTime){G_MAXUINT64, -1})

typedef struct {
    TndRewriteTime begin, end;
    gboolean keep_times; /* else times in the new trace begin at 0 */
    /* If not NULL, the whole trace is taken instead, each row moved by its offset in ns, and what comes before 0 is cut
     * off.  Returns an array to be freed with g_free; NULL and error: it failed. */
    gint64 *(*offsets)(gpointer user_data, TndRewrite *rewrite, GError **error);
    gpointer user_data;
} TndRewriteCutOptions;

gboolean tnd_rewrite_cut_run(const TndRewriteOptions *options, const TndRewriteCutOptions *cut,
                             TndRewriteResult *result, GError **error);

#endif
