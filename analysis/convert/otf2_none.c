/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In place of otf2_write.c, where the library is not there.
 */
#include "analysis/convert/otf2_write.h"

#include <gio/gio.h>

gboolean tnd_otf2_write(const TndConversion *conversion, const char *directory, GError **error)
{
    (void)conversion, (void)directory;
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                        "this tandem was built without OTF2 (libotf2-trace-dev on Debian, then build it again)");
    return FALSE;
}
