/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What sensors said over a whole trace, and whose the energy of a node is: that of its rows that compute, at each
 * moment in equal parts; while none computes, all of its rows have equal parts (the view power-share says the same).
 *
 * Cost: one pass over events; then, where there is power, one over the node's changes for each of its rows.
 */
#ifndef TND_SENSOR_SUMS_H
#define TND_SENSOR_SUMS_H

#include "analysis/trace/trace.h"

typedef struct {
    guint32 type;
    guint node;       /* 1-based; 0: without a resource model */
    char *name;       /* "Package 0 (coretemp)" */
    const char *unit; /* of the first three, as tnd_quantity_text takes it */
    double minimum, mean, maximum;
    double joules; /* of power; NaN: it has none */
} TndSensorSum;

typedef struct {
    GArray *sensors;   /* of TndSensorSum, by node and type */
    double *joules;    /* of each row; NULL: no power was told */
    double all_joules; /* of all rows */
} TndSensorSums;

TndSensorSums *tnd_sensor_sums_new(const TndTrace *trace);
void tnd_sensor_sums_free(TndSensorSums *sums);

#endif
