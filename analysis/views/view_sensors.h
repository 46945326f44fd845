/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sensors of nodes that are about some CPUs: a trace says which in comments ("tandem:sensor=TYPE NODE CPUS").  A row
 * has the hottest of those that are about the fewest CPUs, among which is its own: its core, else its package.  Where
 * its CPU is not known, or no sensor is about it, it has the hottest of the node.
 *
 * Cost: the readings of each node are collected once, 24 bytes each; a row is one pass over them and its own events.
 */
#ifndef TND_VIEW_SENSORS_H
#define TND_VIEW_SENSORS_H

#include "analysis/views/views.h"

typedef struct TndViewSensors TndViewSensors;

/* Of the subject's types; NULL: the trace does not say of any which CPUs it is about. */
TndViewSensors *tnd_view_sensors_new(const TndViewPlan *plan);
void tnd_view_sensors_free(TndViewSensors *sensors);

void tnd_view_sensors_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream);

#endif
