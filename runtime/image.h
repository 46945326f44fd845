/* SPDX-License-Identifier: Apache-2.0
 *
 * The image of a process: its life between one exec or fork and the next.  Each image that records has an id and a
 * directory in the run's directory, in which its streams lie.
 *
 * Context: any, but for tnd_image_begin.
 */
#ifndef TND_IMAGE_H
#define TND_IMAGE_H

#include "formats/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

extern struct tnd_image {
    pid_t pid;              /* of the process; 0: nothing is recorded in it */
    uint64_t id, parent_id; /* as its PROCESS record has them; parent_id 0: unknown */
    enum tnd_process_birth birth;
} tnd_image __attribute__((visibility("hidden")));

/* Begins a new image: gives it an id and makes its directory.  False: the directory cannot be made, which is told.  At
 * start, and in the child of a fork: system calls only. */
bool tnd_image_begin(enum tnd_process_birth birth);

/* Path of the image's directory; "" while there is none. */
const char *tnd_image_directory(void);

/* False in a child that has not been through our fork handler (vfork, clone): it must not touch anything of ours. */
bool tnd_image_is_here(void);

#endif
