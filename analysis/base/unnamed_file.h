/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A temporary file without a name: nothing has to be cleaned up, whatever happens.
 */
#ifndef TND_UNNAMED_FILE_H
#define TND_UNNAMED_FILE_H

/* Opens one for reading and writing in the file system of the directory.  -1 and errno: it failed. */
int tnd_unnamed_file_open(const char *directory);

#endif
