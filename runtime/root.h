/* SPDX-License-Identifier: Apache-2.0
 *
 * The run that a process belongs to: finding or making its directory, naming it to child processes, and what the root
 * of a run does at its end.
 *
 * Context: as each function says.
 */
#ifndef TND_ROOT_H
#define TND_ROOT_H

#include <stdbool.h>
#include <stdint.h>

/* Joins the run that the environment names, or makes one.  0; an errno; or -1: the run that is named is over, so this
 * process is not recorded, without a message.  At start; allocates. */
int tnd_root_start(void);

/* The run could not be made: tells child processes, so that they do not try to make one. */
void tnd_root_refuse(void);

/* Path of the run's directory; after tnd_root_start has failed, the path that was tried.  Any context. */
const char *tnd_root_path(void);

/* Image id of the process that this one's environment comes from, 0 if there is none. */
uint64_t tnd_root_parent_image(void);

/* The value of TANDEM_RUN for child processes.  Any context. */
const char *tnd_root_for_children(void);

/* Puts the image's id into TANDEM_RUN, so that child processes know their parent.  In the child of a fork too. */
void tnd_root_set_image(uint64_t image);

/* In the child of a fork, which is never a root.  System calls only. */
void tnd_root_fork_child(void);

/* Recording fails: says so in one line on stderr, once in a run: "tandem: <run>: <what>: <error>; ...".  Any
 * context. */
void tnd_root_trouble(const char *what, int error);

/* The process ends and recording is over.  If this process is to make the trace, runs `tandem merge` and waits for it.
 * image_path: the image's directory; will_flush: libc will write out its buffers after this (exit does, _exit does
 * not). */
void tnd_root_end(const char *image_path, bool will_flush);

#endif
