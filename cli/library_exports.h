/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that a shared library exports.
 */
#ifndef TND_LIBRARY_EXPORTS_H
#define TND_LIBRARY_EXPORTS_H

#include <glib.h>

/* A set of names, to be freed with g_hash_table_unref.  NULL: an error. */
GHashTable *tnd_library_exports_read(const char *path, GError **error);

#endif
