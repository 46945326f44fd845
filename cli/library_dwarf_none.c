/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In place of library_dwarf.c, where elfutils are not there.
 */
#include "cli/library_dwarf.h"

#include <gio/gio.h>

GPtrArray *tnd_library_dwarf_read(const char *path, TndLibraryWants wants, gpointer data, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                "%s: tandem was built without elfutils (libdw), which read debug information", path);
    return NULL;
}
