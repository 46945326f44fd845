/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directory of an archive that is being made: it has a hidden name beside its place until it is complete.
 */
#ifndef TND_ARCHIVE_DIRECTORY_H
#define TND_ARCHIVE_DIRECTORY_H

#include <glib.h>

/* A new, empty directory beside `path`; free with g_free.  An existing archive there will be replaced, which has the
 * file `anchor`.  NULL and error: there is something else, or none can be made. */
char *tnd_archive_directory_begin(const char *path, const char *anchor, GError **error);

/* Gives it its name.  FALSE and error: it failed, and is deleted. */
gboolean tnd_archive_directory_finish(const char *made, const char *path, GError **error);

/* Deletes a directory with all that is in it. */
void tnd_archive_directory_delete(const char *made);

#endif
