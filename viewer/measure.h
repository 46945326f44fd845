/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What some rows of a view are in a stretch of time: how long each value lasts or, if values are quantities, their
 * smallest, largest and average.
 *
 * Cost: 4 to 20 ns for each burst of these rows and this time, on all cores.
 */
#ifndef TND_MEASURE_H
#define TND_MEASURE_H

#include "viewer/paint/row_order.h"
#include "viewer/zoom.h"

typedef struct {
    double value; /* NaN: no value */
    guint64 time_ns, n_bursts;
} TndMeasureTotal;

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    guint n_rows;
    GArray *totals; /* of TndMeasureTotal: of codes, the longest first, that of no value last; of quantities, one total
                       of all values that are not 0, and that of no value */
    double least, most, average; /* of quantities that are not 0; the average is over their time */
} TndMeasure;

/* All that is needed to measure, also in another thread. */
typedef struct TndMeasureSource TndMeasureSource;

/* The rows are the places of the zoom in the order, which may be NULL; rows that have the same values count as one. */
TndMeasureSource *tnd_measure_source_new(TndView *view, const TndRowOrder *order, TndZoom zoom, guint64 begin_ns,
                                         guint64 end_ns);
void tnd_measure_source_free(TndMeasureSource *source);

/* NULL: it was cancelled by progress, which may be NULL. */
TndMeasure *tnd_measure_new(const TndMeasureSource *source, TndTraceProgress progress, gpointer data);
void tnd_measure_free(TndMeasure *measure); /* NULL is allowed */

double tnd_measure_share(const TndMeasure *measure, const TndMeasureTotal *total); /* of the time of all rows: 0 to 1 */

#endif
