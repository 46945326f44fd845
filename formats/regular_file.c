/* SPDX-License-Identifier: Apache-2.0
 *
 * What is looked at by its name is looked at again once it is open.
 */
#include "formats/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool tnd_regular_file_is_other(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

int tnd_regular_file_open(const char *path)
{
    struct stat about;
    int fd = tnd_regular_file_is_other(path) ? -2 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd == -1 || (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode)))
        return fd;
    if (fd >= 0)
        close(fd);
    errno = EINVAL;
    return -1;
}

FILE *tnd_regular_file_stream(const char *path)
{
    int fd = tnd_regular_file_open(path);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}
