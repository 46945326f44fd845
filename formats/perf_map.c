/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a file that stands at a known place in /tmp is that of the process.  Context: perf_map.h.
 */
#include "formats/perf_map.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LATE_NS 20000000u /* files get the time of the kernel's last tick, which may be 1/100 s ago */

static bool is_trusted(const struct stat *about, uint64_t since_ns, uint64_t until_ns)
{
    uint64_t changed_ns = (uint64_t)about->st_mtim.tv_sec * 1000000000u + (uint64_t)about->st_mtim.tv_nsec;
    return S_ISREG(about->st_mode) && about->st_uid == geteuid() && !(about->st_mode & S_IWOTH) &&
           changed_ns + LATE_NS >= since_ns && changed_ns <= until_ns;
}

int tnd_perf_map_open(pid_t pid, uint64_t since_ns, uint64_t until_ns)
{
    char path[64];
    struct stat about;
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* without waiting if it is a pipe */
    if (fd < 0 || (fstat(fd, &about) == 0 && is_trusted(&about, since_ns, until_ns)))
        return fd;
    close(fd);
    return -1;
}
