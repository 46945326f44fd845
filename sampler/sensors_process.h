/* SPDX-License-Identifier: Apache-2.0
 *
 * What the process itself has, as events 92020200 and following: its resident memory and how much of it is in huge
 * pages, and differences since the value before (the first: since the process began) of page faults, context switches,
 * bytes read and written by calls, and threads that changed their CPU.  The thread that reads is not counted among the
 * bytes and the changes.  Always the machine's own files, but for what it has on NUMA nodes (sensors_numa.h): they are
 * those of the root.
 *
 * Context: our own thread.
 */
#ifndef TND_SENSORS_PROCESS_H
#define TND_SENSORS_PROCESS_H

#include "runtime/thread.h"

void tnd_sensors_process_read(struct tnd_thread *self, const char *root);

/* Nothing was told yet: in the child of a fork. */
void tnd_sensors_process_forget(void);

/* Whether we are still wanted: false once the program's last thread has ended without ending the process, or it has
 * changed its user, which must not leave a thread behind that has the rights of the one before.  */
bool tnd_sensors_process_is_ours(void);

#endif
