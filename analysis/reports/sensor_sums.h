/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summaries of sensors over a whole trace, and the energy of each row.  At each moment the power of a node is shared
 * equally by those of its rows that compute; while none computes, by all its rows (as in the view power-share).
 *
 * Cost: one pass over events; if there is power, for each row a pass over the changes of its node.
 */
#ifndef TND_SENSOR_SUMS_H
#define TND_SENSOR_SUMS_H

#include "analysis/trace/trace.h"

typedef struct {
    guint32 type;
    guint node;       /* 1-based; 0: without a resource model */
    char *name;       /* "Package 0 (coretemp)" */
    const char *unit; /* of minimum, mean and maximum, for tnd_quantity_text */
    double minimum, mean, maximum;
    double joules; /* energy of a sensor of power; NaN: it is none */
} TndSensorSum;

typedef struct {
    GArray *sensors;   /* TndSensorSum, by node and type */
    double *joules;    /* of each row; NULL: no power was recorded */
    double all_joules; /* of all rows */
} TndSensorSums;

TndSensorSums *tnd_sensor_sums_new(const TndTrace *trace);
void tnd_sensor_sums_free(TndSensorSums *sums);

#endif
