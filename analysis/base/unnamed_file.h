/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file for what does not fit into memory, without a name: nothing to clean up, whatever happens.
 */
#ifndef TND_UNNAMED_FILE_H
#define TND_UNNAMED_FILE_H

/* To be read and written, in the file system of that directory; -1 and errno. */
int tnd_unnamed_file_open(const char *directory);

#endif
