/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the process itself, as events 92020200 and following: its resident memory and how much of that is in huge
 * pages; and page faults, context switches, bytes read and written by calls, and migrations of threads to other CPUs,
 * each as the difference to the value before (the first one: since the process began).  Our own thread is not counted
 * in the bytes and the migrations.  The files are always the machine's own, except for NUMA nodes (sensors_numa.h),
 * whose files are below `root`.
 *
 * Context: our own thread.
 */
#ifndef TND_SENSORS_PROCESS_H
#define TND_SENSORS_PROCESS_H

#include "runtime/thread.h"

void tnd_sensors_process_read(struct tnd_thread *self, const char *root);

/* In the child of a fork, whose stream has no values yet. */
void tnd_sensors_process_forget(void);

/* Whether our thread may go on: false once the program's last thread has ended without ending the process, and once the
 * process has changed its user, because then our thread would still have the rights of the old one. */
bool tnd_sensors_process_is_ours(void);

#endif
