/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library reports errors to a callback.
 */
#include "analysis/base/otf2_errors.h"

#include <errno.h>
#include <gio/gio.h>
#include <otf2/otf2.h>

static GError *first;

static OTF2_ErrorCode keep(void *self, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                           const char *format, va_list arguments)
{
    char *what = g_strdup_vprintf(format, arguments);
    (void)self, (void)file, (void)line, (void)function;
    if (!first)
        g_set_error(&first, G_IO_ERROR, G_IO_ERROR_FAILED, "%s%s%s",
                    errno == ENOSPC ? g_strerror(errno) : OTF2_Error_GetDescription(code), *what ? ": " : "", what);
    g_free(what);
    return code;
}

void tnd_otf2_errors_begin(void)
{
    g_clear_error(&first);
    errno = 0;
    OTF2_Error_RegisterCallback(keep, NULL);
}

gboolean tnd_otf2_errors_any(void)
{
    return first != NULL;
}

gboolean tnd_otf2_errors_take(GError **error)
{
    if (!first)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&first));
    return FALSE;
}
