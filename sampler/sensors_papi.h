/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of packages by PAPI's component "rapl", which reads the processor's registers: used only where powercap's
 * files of RAPL cannot be read, because the right to read the registers can be given to users other than root.  PAPI's
 * component "powercap" is not used: it reads those same files.
 *
 * PAPI runs in a helper process (runtime/target.h), because its component ends its process if a register cannot be
 * read, and because it needs memory, descriptors and locks, which the thread that reads sensors must not use.  The
 * helper is started before the program begins, if no other process reads the node's sensors yet.  A process that takes
 * over reading the sensors later, a forked child, and a process whose exec failed have no helper.
 *
 * Cost: where powercap works, finding that out (sensor_files.h); else, if the registers may be read, two forks, and,
 * while the program runs on, initializing PAPI (60 ms for 7.3).
 *
 * Context: as each function says.
 */
#ifndef TND_SENSORS_PAPI_H
#define TND_SENSORS_PAPI_H

#include "system/sensor_files.h"

#include <stdbool.h>

/* At start: starts the helper if it is needed. */
void tnd_sensors_papi_begin(const char *root);

/* In the child of a fork: there is no helper; and at the end, or before an exec: ends it. */
void tnd_sensors_papi_forget(void);
void tnd_sensors_papi_end(void);

/* The following functions are for our own thread.  Replaces powercap's sensors of RAPL by PAPI's if none of the former
 * can be read, or says in a note why PAPI has none.  The number of sensors then. */
unsigned tnd_sensors_papi_replace(const char *root, struct tnd_sensor *sensors, unsigned n, unsigned room);

/* Whether a sensor is PAPI's: its path is then the event's name. */
static inline bool tnd_sensors_papi_has(const struct tnd_sensor *sensor)
{
    return sensor->path[0] != '/';
}

/* Reads all of PAPI's sensors; and the value of one: 0 or an errno, EAGAIN if PAPI has not answered yet. */
void tnd_sensors_papi_read(void);
int tnd_sensors_papi_value(const struct tnd_sensor *sensor, int64_t *value);

#endif
