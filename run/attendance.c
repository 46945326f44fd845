/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a member is alive is found out by trying its lock, by one leaving member at a time; whether an image is, by
 * its process.  Cost: some ten system calls a function, and a few for each member or image.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#include "run/attendance.h"

#include "run/rundir.h"
#include "system/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MAX_IMAGES 100000  /* of one pid */
#define MAX_MEMBER_FD 4096 /* the kernel's table of descriptors is as large as the highest number */
#define LEAVING_FILE "leaving"
#define LEFT_FILE "left"
#define ORPHANED_FILE "orphaned" /* the maker of the run has ended */
#define MERGING_FILE "merging"   /* a process makes the trace */

/* Moves a descriptor to a high number, which the program is unlikely to use. */
static int move_high(int fd)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fd;
    rlim_t top = limit.rlim_cur < MAX_MEMBER_FD ? limit.rlim_cur : MAX_MEMBER_FD;
    for (rlim_t down = 1; down <= 64 && down < top; down *= 2) {
        int high = fcntl(fd, F_DUPFD_CLOEXEC, (int)(top - down));
        if (high >= 0) {
            close(fd);
            return high;
        }
    }
    return fd;
}

/* Makes the member's file and takes its lock before the file has the name by which a leaving member finds it: a file
 * without a lock is that of a member which has ended. */
static int lock_member(int dir_fd, const char *key)
{
    char name[NAME_MAX + 1], prepared[NAME_MAX + 1];
    if (strchr(key, '/') || (size_t)snprintf(name, sizeof name, "member.%s", key) >= sizeof name ||
        (size_t)snprintf(prepared, sizeof prepared, "new.%s", key) >= sizeof prepared)
        return -EINVAL;
    int fd = openat(dir_fd, prepared, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    fd = move_high(fd);
    int error;
    do
        error = flock(fd, LOCK_EX) == 0 ? 0 : errno;
    while (error == EINTR);
    if (!error && renameat(dir_fd, prepared, dir_fd, name) != 0)
        error = errno;
    if (error)
        close(fd);
    return error ? -error : fd;
}

int tnd_attendance_enter(const char *path, const char *key)
{
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd < 0)
        return dir_fd;
    int fd = lock_member(dir_fd, key);
    close(dir_fd);
    return fd;
}

struct members {
    struct stat own;
    bool has_own, alive;
    unsigned n_seen;
};

static bool count_member(void *self, int dir_fd, const char *name)
{
    struct members *members = self;
    struct stat status;
    if (strncmp(name, "member.", 7) != 0)
        return true;
    int fd = openat(dir_fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return true;
    members->n_seen++;
    bool own = members->has_own && fstat(fd, &status) == 0 && status.st_dev == members->own.st_dev &&
               status.st_ino == members->own.st_ino;
    if (!own && flock(fd, LOCK_EX | LOCK_NB) != 0)
        members->alive = true;
    close(fd);
    return true;
}

/* What tnd_attendance_leave returns.  One member at a time asks. */
static bool is_last(int dir_fd, int member_fd, unsigned n_expected)
{
    struct members members = {0};
    members.has_own = member_fd >= 0 && fstat(member_fd, &members.own) == 0;
    tnd_directory_list(dir_fd, count_member, &members);
    if (members.alive || members.n_seen < n_expected)
        return false;
    int fd = openat(dir_fd, LEFT_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false; /* another member was the last before */
    close(fd);
    return true;
}

bool tnd_attendance_leave(const char *path, int member_fd, unsigned n_expected)
{
    bool last = false;
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd >= 0) {
        int lock_fd = openat(dir_fd, LEAVING_FILE, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (lock_fd >= 0) {
            while (flock(lock_fd, LOCK_EX) != 0 && errno == EINTR)
                ;
            last = is_last(dir_fd, member_fd, n_expected);
            if (member_fd >= 0)
                flock(member_fd, LOCK_UN); /* even if a child has inherited the descriptor */
            close(lock_fd);
        }
        close(dir_fd);
    }
    if (member_fd >= 0)
        close(member_fd);
    return last;
}

/* A process that is neither gone nor a zombie. */
static bool is_running(long pid)
{
    char path[64], text[512];
    if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
        return false;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *state = strrchr(text, ')'); /* pid (name) state */
    return !state || strlen(state) < 3 || (state[2] != 'Z' && state[2] != 'X');
}

struct images {
    char host[200]; /* what the host's images' names begin with, up to the point */
    bool alive;
};

/* The host's name, made fit for a file's name. */
static void plain_host(const char *host, char plain[static 200])
{
    size_t length = 0;
    for (; host[length] && length + 2 < 200; length++) {
        char c = host[length];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                    c == '_' || (c == '.' && length);
        plain[length] = fine ? c : '_';
    }
    plain[length] = '\0';
}

static bool look_at_image(void *self, int dir_fd, const char *name)
{
    struct images *images = self;
    size_t n = strlen(images->host);
    char *end, path[NAME_MAX + 16];
    if (strncmp(name, images->host, n) != 0)
        return true;
    long pid = strtol(name + n, &end, 10);
    if (*end != '.' || strchr(end + 1, '.'))
        return true;
    snprintf(path, sizeof path, "%s%ld.%ld", images->host, pid, strtol(end + 1, NULL, 10) + 1);
    if (tnd_rundir_has(dir_fd, path))
        return true; /* the process has begun another image since */
    snprintf(path, sizeof path, "%s/" TND_RUNDIR_ENDED_FILE, name);
    images->alive = !tnd_rundir_has(dir_fd, path) && is_running(pid);
    return !images->alive;
}

static bool is_alive(int dir_fd)
{
    struct images images = {.alive = false};
    struct utsname about;
    if (uname(&about) != 0)
        return false;
    plain_host(about.nodename, images.host);
    strcat(images.host, ".");
    tnd_directory_list(dir_fd, look_at_image, &images);
    return images.alive;
}

bool tnd_attendance_is_alive(const char *path)
{
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd < 0)
        return false;
    bool alive = is_alive(dir_fd);
    close(dir_fd);
    return alive;
}

bool tnd_attendance_end(const char *path, const char *image_path, bool is_maker)
{
    int image_fd = tnd_rundir_open_private(AT_FDCWD, image_path);
    if (image_fd >= 0) {
        tnd_rundir_mark(image_fd, TND_RUNDIR_ENDED_FILE, 0);
        close(image_fd);
    }
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd < 0)
        return false;
    /* Each process makes its mark before it looks: of two that end at once, at least one sees the other's mark. */
    if (is_maker)
        tnd_rundir_mark(dir_fd, ORPHANED_FILE, 0);
    bool mine = (is_maker || tnd_rundir_has(dir_fd, ORPHANED_FILE)) && !is_alive(dir_fd) &&
                tnd_rundir_mark(dir_fd, MERGING_FILE, O_EXCL);
    close(dir_fd);
    return mine;
}

int tnd_attendance_make_image(const char *path, const char *host, int pid, char name[static 300])
{
    char plain[200];
    plain_host(host, plain);
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd < 0)
        return -dir_fd;
    int error = EEXIST;
    for (unsigned n = 0; n < MAX_IMAGES && error == EEXIST; n++) {
        char candidate[300];
        snprintf(candidate, sizeof candidate, "%s.%d.%u", plain, pid, n);
        error = mkdirat(dir_fd, candidate, 0700) == 0 ? 0 : errno;
        if (!error)
            strcpy(name, candidate);
    }
    close(dir_fd);
    return error;
}
