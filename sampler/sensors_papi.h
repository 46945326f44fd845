/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of packages by PAPI's component "rapl", which reads the processor's registers, where nothing of RAPL can be
 * read by powercap: whoever may read those registers need not be root.  Never both.  PAPI's component "powercap" reads
 * the files that are read here anyway.
 *
 * PAPI is in a process of its own (runtime/target.h: beside), since its component ends the process that it is in if a
 * register cannot be read, and needs memory, descriptors and locks, which the thread that reads sensors must not use.
 * That process begins before the program does, if nobody reads the node's sensors yet.  Others that come to read them
 * later, forked children, and who goes on after an exec that failed, have none.
 *
 * Cost: where powercap serves, finding that out (sensor_files.h); else, if there are registers that may be read, two
 * forks, and while the program goes on PAPI's begin (60 ms, of 7.3 in a traced process).
 *
 * Context: as each function says.
 */
#ifndef TND_SENSORS_PAPI_H
#define TND_SENSORS_PAPI_H

#include "system/sensor_files.h"

#include <stdbool.h>

/* At start: begins if that is needed. */
void tnd_sensors_papi_begin(const char *root);

/* In the child of a fork; and at the end, or before an exec. */
void tnd_sensors_papi_forget(void);
void tnd_sensors_papi_end(void);

/* The rest in our own thread.  Puts PAPI's sensors in the place of RAPL's if none of these can be read, or tells in a
 * note why there are none; how many there are then. */
unsigned tnd_sensors_papi_replace(const char *root, struct tnd_sensor *sensors, unsigned n, unsigned room);

/* Whether it is one of them: its path is the event's name. */
static inline bool tnd_sensors_papi_has(const struct tnd_sensor *sensor)
{
    return sensor->path[0] != '/';
}

/* Reads all of them; then the value of each: 0 or an errno, EAGAIN if PAPI has not answered yet. */
void tnd_sensors_papi_read(void);
int tnd_sensors_papi_value(const struct tnd_sensor *sensor, int64_t *value);

#endif
