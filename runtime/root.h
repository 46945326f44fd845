/* SPDX-License-Identifier: Apache-2.0
 *
 * The run that a process belongs to: finding it or making it, telling the children, and what the root does at the end.
 *
 * Context: as each function says.
 */
#ifndef TND_ROOT_H
#define TND_ROOT_H

#include <stdbool.h>
#include <stdint.h>

/* Joins the run that the environment names, or makes one.  0; an errno; or -1: the run that is named is over, nothing
 * is to be recorded and nothing said.  At start; allocates. */
int tnd_root_start(void);

/* There will be no run: tells children, so that they do not try. */
void tnd_root_refuse(void);

/* The run's directory; what it was to be, after tnd_root_start has failed.  Any context. */
const char *tnd_root_path(void);

/* Image id of the process that this one's environment comes from, 0 if there is none. */
uint64_t tnd_root_parent_image(void);

/* What TANDEM_RUN is for children.  Any context. */
const char *tnd_root_for_children(void);

/* Tells children which image they come from.  In the child of a fork too. */
void tnd_root_set_image(uint64_t image);

/* In the child of a fork: it is not the root.  System calls only. */
void tnd_root_fork_child(void);

/* Something went wrong: says so in one line on stderr, once a run: "tandem: <run>: <what>: <error>; ...".  Any
 * context. */
void tnd_root_trouble(const char *what, int error);

/* The process ends, recording is over: if it is its duty, has the trace made, and waits.  image_path: its directory;
 * will_flush: libc writes out what the program has printed when we are done (exit does, _exit does not). */
void tnd_root_end(const char *image_path, bool will_flush);

#endif
