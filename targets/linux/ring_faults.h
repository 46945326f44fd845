/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings that can no longer be written: somebody made their file shorter while the program ran, or its file system
 * failed.  The kernel answers the next write with SIGBUS.  Our handler puts empty memory in the rings' place and ends
 * recording; any other SIGBUS does what it would do without us (tnd_target_fault_action).
 *
 * Context: any.
 */
#ifndef TND_RING_FAULTS_H
#define TND_RING_FAULTS_H

#include <stdbool.h>

/* Installs the handler, unless the program ignores SIGBUS.  Does nothing if that was done. */
void tnd_ring_faults_start(void);

/* Whether the address is in a ring: then all rings are empty memory now (targets/linux/files.c). */
bool tnd_ring_faults_replace(const void *address);

/* In the child of a fork(). */
void tnd_ring_faults_fork_child(void);

#endif
