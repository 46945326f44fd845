/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens files whose names come from data: a module of a trace, a file beside another one.  What is no regular file is
 * not opened, because a pipe would be waited for, and a device may do something when it is opened.
 *
 * Context: not for handlers.
 */
#ifndef TND_REGULAR_FILE_H
#define TND_REGULAR_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens it for reading; -1 and errno: it failed, EINVAL if it is something else. */
int tnd_regular_file_open(const char *path);
FILE *tnd_regular_file_stream(const char *path);

/* Whether there is something else than a regular file of that name. */
bool tnd_regular_file_is_other(const char *path);

#endif
