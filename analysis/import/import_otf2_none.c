/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In place of import_otf2.c, where the library is not there.
 */
#include "analysis/import/import.h"

#include <gio/gio.h>

gboolean tnd_import_otf2(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                         GError **error)
{
    (void)options, (void)import, (void)begin_ns, (void)end_ns;
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                        "this tandem was built without OTF2 (libotf2-trace-dev on Debian, then build it again)");
    return FALSE;
}
