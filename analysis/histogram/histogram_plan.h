/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a histogram is made of, whether a command or a configuration of Paraver's asks for it: a control view says which
 * column, a data view which value, and a third one, if there is one, which plane; who chooses the columns; and the
 * cells, while they are filled.
 */
#ifndef TND_HISTOGRAM_PLAN_H
#define TND_HISTOGRAM_PLAN_H

#include "analysis/histogram/histogram_cells.h"
#include "analysis/histogram/histogram_columns.h"

/* A moment, between two ns where Paraver has it so. */
typedef struct {
    guint64 ns;
    double part; /* less than 1 */
} TndHistogramMoment;

typedef struct TndHistogramPlan TndHistogramPlan;

struct TndHistogramPlan {
    TndView *control, *data, *third; /* third NULL: there is one plane */
    TndStatistic kind;
    double percentile;
    TndHistogramMoment begin, end;
    const gboolean *rows;                        /* of the control's, those that the table has */
    gboolean is_automatic, are_planes_automatic; /* columns and planes come from values */
    const gboolean *sights;                      /* those that the columns are chosen by; NULL: all */
    /* Sets columns and planes; values: NULL, unless all of the control's are at hand.  FALSE: progress ended it. */
    gboolean (*choose)(TndHistogramPlan *plan, const TndHistogramValues *values);
    gconstpointer chooser; /* the choice's own */
    TndHistogramColumns columns, planes;
    TndCoresTeller *teller; /* NULL: nobody is told */
    TndHistogramRow *cells; /* [plane * rows of the control + row] */
};

/* The length of what of a stretch of time is in the histogram's; not above 0: nothing. */
static inline double tnd_histogram_plan_length(const TndHistogramPlan *plan, guint64 begin_ns, guint64 end_ns)
{
    const TndHistogramMoment *begin = &plan->begin, *end = &plan->end;
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

#endif
