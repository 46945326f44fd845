/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sensors of nodes that are about some of the CPUs; comments of the trace say which (TND_FACT_SENSOR of fact.h).  Of
 * the sensors that are about a row's CPU, those about the fewest CPUs count (its core, else its package), and the row
 * has the value of the hottest of them.  If its CPU is not known or no sensor is about it, the row has the hottest of
 * the node.
 *
 * Cost: the readings of each node are collected once, 24 bytes each; a row is one pass over them and its own events.
 */
#ifndef TND_VIEW_SENSORS_H
#define TND_VIEW_SENSORS_H

#include "analysis/views/views.h"

typedef struct TndViewSensors TndViewSensors;

/* The sensors among the plan's event types; NULL: the trace does not say of any of them which CPUs it is about. */
TndViewSensors *tnd_view_sensors_new(const TndViewPlan *plan);
void tnd_view_sensors_free(TndViewSensors *sensors);

void tnd_view_sensors_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream);

#endif
