/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stretch of time of a trace, and its rows moved in time.
 *
 * What holds at the begin of the stretch is said again there, and what holds before a value that comes after its end
 * (counters) is said at its end, so that in between views have the values that they have in the whole trace.  Except:
 * how long something lasts that the edges cut, messages that are not all within, and what is nested around what holds.
 */
#ifndef TND_REWRITE_CUT_H
#define TND_REWRITE_CUT_H

#include "analysis/rewrite/rewrite.h"

/* A time, or a part of the trace's duration. */
typedef struct {
    guint64 ns;
    double percent; /* if it is not negative */
} TndRewriteTime;

#define TND_REWRITE_TIME_END ((TndRewriteTime){G_MAXUINT64, -1})

typedef struct {
    TndRewriteTime begin, end;
    gboolean keep_times; /* else it begins at 0 */
    /* Or: all of the trace, each row moved by so many ns; what comes before 0 is cut off.  NULL and error. */
    gint64 *(*offsets)(gpointer user_data, TndRewrite *rewrite, GError **error);
    gpointer user_data;
} TndRewriteCutOptions;

gboolean tnd_rewrite_cut_run(const TndRewriteOptions *options, const TndRewriteCutOptions *cut,
                             TndRewriteResult *result, GError **error);

#endif
