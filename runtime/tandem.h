/* SPDX-License-Identifier: Apache-2.0
 *
 * tandem.h: what a program can tell tandem.  Everything here does nothing, at the cost of a call, when the program does
 * not run under tandem.  Build with `pkg-config --cflags --libs tandem`.
 *
 * Context: any thread; functions marked [h] also in a signal handler, the others may take a lock.
 * None of them changes errno, prints, or ends the program.
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TANDEM_VERSION_MAJOR 0
#define TANDEM_VERSION_MINOR 1

/* major * 1000 + minor of the library that records, 0 when nothing does. [h] */
unsigned tandem_version(void);

/* 1 while records are being written, else 0. [h] */
int tandem_recording(void);

/* From now on nothing / everything is recorded, in all threads, the sampler's included.  The trace shows the gap. [h]
 */
void tandem_off(void);
void tandem_on(void);

/* An event: any type (1 to 4294967295; Paraver shows labels of types up to 2147483647), any value; 0 ends. [h] */
void tandem_event(uint32_t type, int64_t value);

/* Labels for the types and values of tandem_event. */
void tandem_event_label(uint32_t type, const char *label);
void tandem_value_label(uint32_t type, int64_t value, const char *label);

/* A region: a stretch of a thread's time with a name; regions nest.  Registering a name again gives the same region. */
typedef uint32_t tandem_region;
tandem_region tandem_region_register(const char *name);
void tandem_region_begin(tandem_region region); /* [h] */
void tandem_region_end(tandem_region region);   /* [h] */

/* A value that changes over time, like a counter: it holds until this thread sets another one. */
typedef uint32_t tandem_counter;
tandem_counter tandem_counter_register(const char *name);
void tandem_counter_set(tandem_counter counter, int64_t value); /* [h] */

#ifdef __cplusplus
}
#endif

#endif
