/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A board's file of pieces (formats/piece.h), made into a run directory that can be merged.
 */
#ifndef TND_UNPACKING_H
#define TND_UNPACKING_H

#include <glib.h>

/* The path of the run directory that was made of the file, beside it; free with g_free.  NULL with *error: it cannot be
 * made.  NULL without: the path is not such a file. */
char *tnd_unpacking_run(const char *path, gboolean force, GError **error);

#endif
