/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What histograms are made of, whether a command or a configuration of Paraver's asks for them: a control view says
 * which column, a data view which value, and a third one, if there is one, which plane; sums over the pieces of a cell,
 * or over its messages, are kept for all statistics, and the one that was asked for is computed from them at the end.
 *
 * A piece is a stretch of one row in which all views keep their value; a row of the table has the pieces of every row
 * that belongs to it of the view whose rows are the finest.
 *
 * Cost: one pass over the bursts of the views for all planes together, or over the messages.  Bursts are not kept where
 * the control view is its own data.
 */
#ifndef TND_HISTOGRAM_FILLING_H
#define TND_HISTOGRAM_FILLING_H

#include "analysis/histogram/histogram_cells.h"
#include "analysis/histogram/histogram_columns.h"

/* A moment, between two ns where Paraver has it so. */
typedef struct {
    guint64 ns;
    double part; /* less than 1 */
} TndHistogramMoment;

struct TndHistogramFilling {
    TndView *control, *data, *third; /* third NULL: there is one plane */
    TndStatistic kind;
    double percentile;
    TndHistogramMoment begin, end;
    const gboolean *rows;                        /* of the control's, those that the table has */
    gboolean is_automatic, are_planes_automatic; /* columns and planes come from values */
    const gboolean *sights;                      /* those that the columns are chosen by; NULL: all */
    /* Sets columns and planes; values: NULL, unless all of the control's are at hand.  FALSE: progress ended it. */
    gboolean (*choose)(TndHistogramFilling *filling, const TndHistogramValues *values);
    gconstpointer chooser; /* the choice's own */
    TndHistogramColumns columns, planes;
    TndCoresTeller *teller; /* NULL: nobody is told */
    TndHistogramRow *cells; /* [plane * rows of the control + row] */
};

/* The length of what of a stretch of time is in the histogram's; not above 0: nothing. */
static inline double tnd_histogram_filling_length(const TndHistogramFilling *filling, guint64 begin_ns, guint64 end_ns)
{
    const TndHistogramMoment *begin = &filling->begin, *end = &filling->end;
    if (begin_ns > begin->ns && end_ns <= end->ns) /* as nearly all are */
        return (double)(end_ns - begin_ns);
    begin_ns = MAX(begin_ns, begin->ns);
    end_ns = MIN(end_ns, end->ns + (end->part > 0));
    if (end_ns <= begin_ns)
        return 0;
    double length = (double)(end_ns - begin_ns);
    if (begin_ns == begin->ns)
        length -= begin->part;
    if (end_ns > end->ns)
        length -= 1 - end->part;
    return length;
}

/* Fills the cells.  FALSE: there would be too many rows and columns, or progress ended it. */
gboolean tnd_histogram_filling_run(TndHistogramFilling *filling);
gboolean tnd_histogram_filling_is_too_large(const TndHistogramFilling *filling);
void tnd_histogram_filling_clear(TndHistogramFilling *filling);

/* How many items progress is told of; of a table of more values than have a column each there are more. */
guint64 tnd_histogram_filling_n_items(const TndHistogramFilling *filling);

/* Whether rows of its views belong to each other. */
gboolean tnd_histogram_filling_has_levels(const TndHistogramFilling *filling);

/* A plane as a table: all columns, in their order. */
TndHistogram *tnd_histogram_filling_table(TndHistogramFilling *filling, guint plane);

#endif
