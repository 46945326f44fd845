/* SPDX-License-Identifier: Apache-2.0
 *
 * The node's sensors: what system/sensor_files.h finds becomes events of blocks 92010000 to 92013999, one line of them
 * a reading, by who holds the node's lock (sampler/sensors.c).
 *
 * Energy is told as the difference since the value before, of which the first is 0; a value of power is the mean since
 * the one before, where it comes of energy (the first is 0, too), else that of the moment.  A counter of energy that
 * stands still is not told: what it says next is for all the time since.  The node's own power and energy (92011000,
 * 92012000) are a model's if one was asked for, else those of the best kind of sensor that can be read.
 * What cannot be read, or says what cannot be, is told in a note, once for all sensors of one origin; it is tried
 * again.
 *
 * Cost: a small file a sensor and reading (sampler/sensors.c says what that comes to).
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

/* Finds them below root and tells what they are called.  model: NULL, or what the node's power is computed with. */
void tnd_sensors_node_begin(struct tnd_thread *self, const char *root, unsigned wanted,
                            const struct tnd_power_model *model);

/* Reads all of them, and tells.  The first time what later ones are compared with. */
void tnd_sensors_node_read(struct tnd_thread *self);

#endif
