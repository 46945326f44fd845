/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory by NUMA node, on machines that have several: what a process has on each (92020300 and following), and what
 * each gave to whom since the value before, in pages (92014000 to 92014399), as the kernel's numastat has it.
 *
 * Cost: of the node's a small file each, 8 us; of the process's the kernel looks at each of its pages and mappings: 15
 * ms a GiB of small pages, 1 us a mapping, as much again as memory in huge pages costs (measured).
 *
 * Context: our own thread.
 */
#ifndef TND_SENSORS_NUMA_H
#define TND_SENSORS_NUMA_H

#include "runtime/thread.h"

#define TND_SENSORS_NUMA_MAX 64

/* Bytes of this process on each node; present: which there are, as bits.  False: one node, or it is not known. */
bool tnd_sensors_numa_look(const char *root, uint64_t bytes[static TND_SENSORS_NUMA_MAX], uint64_t *present);

/* Tells them, with one time. */
void tnd_sensors_numa_tell(struct tnd_thread *self, const char *root, uint64_t time, const uint64_t *bytes,
                           uint64_t present);

/* Nothing was told yet: in the child of a fork. */
void tnd_sensors_numa_forget(void);

/* Tells what nodes gave.  The first time what later ones are compared with. */
void tnd_sensors_numa_read(struct tnd_thread *self, const char *root);

#endif
