/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens files that a user names for an output.  A symbolic link is not followed, because somebody else may have made it
 * in a directory that both can write, but for the names of descriptors that are open: /dev/stdout, /dev/fd/3.  Pipes
 * and devices are written to.
 *
 * Context: not for handlers.
 */
#ifndef TND_OUTPUT_FILE_H
#define TND_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens it for writing, empty.  NULL and errno: it failed. */
FILE *tnd_output_file_open(const char *path);

/* What an errno of an output means, as a user is told. */
const char *tnd_output_file_reason(int number);

/* Writes a whole file.  false and errno: it failed. */
bool tnd_output_file_write(const char *path, const char *text, size_t size);

#endif
