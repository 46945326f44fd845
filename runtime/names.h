/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that records refer to by number: regions, counters, labels of the program's event types.  A definition is
 * written once an image, to the stream of the thread that made it.
 *
 * Context: any thread, not in a handler: takes a lock.
 */
#ifndef TND_NAMES_H
#define TND_NAMES_H

#include "runtime/thread.h"

/* The number of a name in its role, from 1, writing its DEFINE if it is new; 0 when nothing is recorded or the table is
 * full (65,535 in a role, 16 MiB of text). */
uint32_t tnd_names_number(enum tnd_define_role role, const char *name);

/* Writes a DEFINE whose number is given. */
void tnd_names_define(enum tnd_define_role role, uint32_t id, uint64_t word, const char *text);

/* Writes all definitions again, for a new image.  System calls only. */
void tnd_names_tell(struct tnd_writer *writer);

/* In the child of a fork.  System calls only. */
void tnd_names_fork_child(void);

#endif
