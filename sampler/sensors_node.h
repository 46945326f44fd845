/* SPDX-License-Identifier: Apache-2.0
 *
 * The node's sensors: the values of those that system/sensor_files.h finds, as events of the blocks 92010000 to
 * 92013999, all with one time, by the process that holds the node's lock (sampler/sensors.c).
 *
 * Energy is recorded as the difference to the value before; the first one is 0.  Power that is computed from energy is
 * the mean since the value before (the first one is 0, too), other power the present value.  While a counter of energy
 * stands still no value is recorded; the next one is for all the time since the last.  The power and energy of the
 * whole node (92011000, 92012000) are computed by a model, if the user gave one, else from the best kind of sensor that
 * can be read.  A sensor that cannot be read, or has an impossible value, is reported in a note, once for all sensors
 * of one origin, and is tried again.
 *
 * Cost: reading a small file for each sensor (figures: sampler/sensors.c).
 *
 * Context: our own thread.
 */
#ifndef TND_SENSORS_NODE_H
#define TND_SENSORS_NODE_H

#include "runtime/thread.h"
#include "sampler/power_model.h"

/* What is to be read: bits. */
enum tnd_sensors_wanted {
    TND_SENSORS_TEMPERATURE = 1,
    TND_SENSORS_POWER = 2, /* and energy */
    TND_SENSORS_OTHER = 4,
    TND_SENSORS_PROCESS = 8,
    TND_SENSORS_NUMA = 16,
};

/* Finds the sensors below root and records their names.  model: computes the node's power; NULL: none. */
void tnd_sensors_node_begin(struct tnd_thread *self, const char *root, unsigned wanted,
                            const struct tnd_power_model *model);

/* Reads all sensors and records the values; the first call sets the values that later ones are compared with. */
void tnd_sensors_node_read(struct tnd_thread *self);

#endif
