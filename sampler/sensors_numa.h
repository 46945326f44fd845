/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory by NUMA node, on machines that have several: how much memory the process has on each (92020300 and following),
 * and the kernel's numastat of each, pages since the value before (92014000 to 92014399).
 *
 * Cost: a small file for each NUMA node, 8 us; for the process the kernel looks at all its pages and mappings: 15 ms a
 * GiB of small pages, 1 us a mapping, as much again as finding memory in huge pages (measured).
 *
 * Context: our own thread.
 */
#ifndef TND_SENSORS_NUMA_H
#define TND_SENSORS_NUMA_H

#include "runtime/thread.h"

#define TND_SENSORS_NUMA_MAX 64

/* Bytes of this process on each node; present: which nodes there are, as bits.  False: there is one node only, or it is
 * unknown. */
bool tnd_sensors_numa_look(const char *root, uint64_t bytes[static TND_SENSORS_NUMA_MAX], uint64_t *present);

/* Records them, with one time. */
void tnd_sensors_numa_tell(struct tnd_thread *self, const char *root, uint64_t time, const uint64_t *bytes,
                           uint64_t present);

/* In the child of a fork, whose stream has no values yet. */
void tnd_sensors_numa_forget(void);

/* Records the numastat of the nodes; the first call sets the values that later ones are compared with. */
void tnd_sensors_numa_read(struct tnd_thread *self, const char *root);

#endif
