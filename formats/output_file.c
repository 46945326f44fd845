/* SPDX-License-Identifier: Apache-2.0
 *
 * A descriptor that is open is written to through a copy of it, as the shell does, so that what others wrote stays.
 */
#include "formats/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of the open descriptor that a path names; -1: it names none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t n = strlen(folders[i]),
               n_digits = strspn(path + (strncmp(path, folders[i], n) == 0 ? n : 0), "0123456789");
        if (strncmp(path, folders[i], n) == 0 && n_digits > 0 && n_digits < 8 && path[n + n_digits] == '\0')
            return atoi(path + n);
    }
    return -1;
}

FILE *tnd_output_file_open(const char *path)
{
    int open_fd = descriptor_of(path);
    int fd = open_fd >= 0 ? fcntl(open_fd, F_DUPFD_CLOEXEC, 0)
                          : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

const char *tnd_output_file_reason(int number)
{
    return number == ELOOP ? "a symbolic link, which is not followed" : strerror(number);
}

bool tnd_output_file_write(const char *path, const char *text, size_t size)
{
    FILE *file = tnd_output_file_open(path);
    bool is_written = file && fwrite(text, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}
