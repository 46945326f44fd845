/* SPDX-License-Identifier: Apache-2.0
 *
 * Listing a directory without allocating memory.
 *
 * Context: system calls only, no allocation: callable after fork(); not in a handler.
 */
#ifndef TND_DIRECTORY_H
#define TND_DIRECTORY_H

#include <stdbool.h>

/* Calls `each` with every name in the open directory, but "." and "..", until it returns false. */
void tnd_directory_list(int dir_fd, bool (*each)(void *self, int dir_fd, const char *name), void *self);

#endif
