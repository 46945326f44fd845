/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a directory with getdents64: opendir() of libc would allocate.
 *
 * Context: system calls only, no allocation.
 */
#include "system/directory.h"

#include <dirent.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void tnd_directory_list(int dir_fd, bool (*each)(void *self, int dir_fd, const char *name), void *self)
{
    union {
        char bytes[2048];
        struct dirent64 aligned;
    } buffer;
    ssize_t n;
    lseek(dir_fd, 0, SEEK_SET);
    while ((n = getdents64(dir_fd, buffer.bytes, sizeof buffer)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *)(buffer.bytes + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                !each(self, dir_fd, entry->d_name))
                return;
        }
}
