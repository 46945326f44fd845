/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the file system does not support O_TMPFILE, a named file is made and unlinked at once.
 */
#include "analysis/base/unnamed_file.h"

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

int tnd_unnamed_file_open(const char *directory)
{
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    char *path = g_build_filename(directory, ".tandem-XXXXXX", NULL);
    fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        unlink(path);
    g_free(path);
    return fd;
}
