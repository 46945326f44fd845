/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram while it is made, whether a command or a configuration of Paraver's asks for it.  The control view
 * chooses the column, the data view gives the value, and a third view, if there is one, chooses the plane.
 */
#ifndef TND_HISTOGRAM_PLAN_H
#define TND_HISTOGRAM_PLAN_H

#include "analysis/histogram/histogram_cells.h"
#include "analysis/histogram/histogram_columns.h"

/* A time, which may be between two ns, as Paraver's are. */
typedef struct {
    guint64 ns;
    double part; /* of a ns, from 0 to less than 1 */
} TndHistogramMoment;

typedef struct TndHistogramPlan TndHistogramPlan;

struct TndHistogramPlan {
    TndView *control, *data, *third; /* third may be NULL: there is one plane */
    TndStatistic kind;
    double percentile;
    TndHistogramMoment begin, end;
    const gboolean *rows;                        /* of the control view: whether each is in the table */
    gboolean is_automatic, are_planes_automatic; /* columns and planes depend on values */
    const gboolean *column_rows;                 /* rows whose values choose the columns; NULL: all */
    /* Sets columns and planes.  values: all values of the control view, or NULL if they were not collected.  FALSE: the
     * work was cancelled. */
    gboolean (*choose)(TndHistogramPlan *plan, const TndHistogramValues *values);
    gconstpointer chooser; /* data of choose */
    TndHistogramColumns columns, planes;
    TndCoresProgress *progress; /* NULL: not reported */
    TndHistogramRow *cells;     /* [plane * rows of the control view + row] */
};

/* How many ns of a stretch are in the histogram's time; 0 or less: none. */
static inline double tnd_histogram_plan_length(const TndHistogramPlan *plan, guint64 begin_ns, guint64 end_ns)
{
    const TndHistogramMoment *begin = &plan->begin, *end = &plan->end;
    if (begin_ns > begin->ns && end_ns <= end->ns) /* nearly always */
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
