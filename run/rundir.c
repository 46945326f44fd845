/* SPDX-License-Identifier: Apache-2.0
 *
 * The run directory.  A directory is prepared under a temporary name and then renamed, so that no process ever sees it
 * incomplete.  What another user may have put there (a link, a directory of theirs, one that others may enter) is never
 * used: its name counts as taken.  Cost: some ten system calls a function.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#include "run/rundir.h"

#include "system/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_CANDIDATES 100000
#define MAX_GAP 8 /* the search for a job's directory ends after so many free names */
#define LOCK_PATIENCE_MS 2000

int tnd_rundir_open_private(int dir_fd, const char *path)
{
    struct stat status;
    int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &status) != 0 || status.st_uid != geteuid() || (status.st_mode & 077)) {
        close(fd);
        return -EPERM;
    }
    return fd;
}

bool tnd_rundir_has(int dir_fd, const char *name)
{
    struct stat status;
    return fstatat(dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

/* One pass over a file of `key=value` lines: the value of the last line of the key. */
struct scan {
    const char *key;
    char *value;
    size_t size, length,
        at; /* at: how many characters of the key have matched in this line; SIZE_MAX: it has another key */
    bool in_value, found;
};

static void scan_character(struct scan *scan, char c)
{
    if (c == '\n') {
        scan->at = 0;
        scan->in_value = false;
    } else if (scan->in_value) {
        if (scan->length + 1 < scan->size)
            scan->value[scan->length++] = c;
    } else if (scan->at == SIZE_MAX) {
        return;
    } else if (scan->key[scan->at] != '\0') {
        scan->at = scan->key[scan->at] == c ? scan->at + 1 : SIZE_MAX;
    } else if (c == '=') {
        scan->found = scan->in_value = true;
        scan->length = 0;
    } else {
        scan->at = SIZE_MAX;
    }
}

static bool get(int dir_fd, const char *key, char *value, size_t size)
{
    char buffer[1024];
    struct scan scan = {.key = key, .value = value, .size = size};
    ssize_t n;
    int fd = openat(dir_fd, TND_RUNDIR_RUN_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || !size)
        return false;
    while ((n = read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        for (ssize_t i = 0; i < n; i++)
            scan_character(&scan, buffer[i]);
    close(fd);
    if (scan.found)
        value[scan.length] = '\0';
    return scan.found;
}

bool tnd_rundir_get(const char *path, const char *key, char *value, size_t size)
{
    int fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (fd < 0)
        return false;
    bool found = get(fd, key, value, size);
    close(fd);
    return found;
}

/* Removes a file, or a directory with the files in it: a run directory is no deeper than that. */
static bool remove_entry(void *self, int dir_fd, const char *name)
{
    const int *depth = self;
    if (unlinkat(dir_fd, name, 0) == 0 || *depth == 0)
        return true;
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return true;
    tnd_directory_list(fd, remove_entry, &(int){*depth - 1});
    close(fd);
    unlinkat(dir_fd, name, AT_REMOVEDIR);
    return true;
}

/* Where the run directory is made: the directory around it, and its name up to the number. */
struct place {
    int fd;
    const char *name;
    const char *run_text, *job;
};

static void name_candidate(char *name, size_t size, const struct place *place, unsigned n, const char *ending)
{
    if (n == 1)
        snprintf(name, size, "%s%s", place->name, ending);
    else
        snprintf(name, size, "%s.%u%s", place->name, n, ending);
}

/* Whether the directory of that name belongs to our job. */
static bool is_of_job(const struct place *place, const char *name)
{
    char job[1024];
    if (!place->job[0])
        return false;
    int fd = tnd_rundir_open_private(place->fd, name);
    if (fd < 0)
        return false;
    bool same = get(fd, "job", job, sizeof job) && strcmp(job, place->job) == 0;
    close(fd);
    return same;
}

/* Gives the prepared directory its name, unless the name is taken. */
static int rename_new(int dir_fd, const char *from, const char *to)
{
    if (renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    if (tnd_rundir_has(dir_fd, to)) /* a file system that does not know the flag */
        return EEXIST;
    return renameat(dir_fd, from, dir_fd, to) == 0 ? 0 : errno;
}

static int write_run_file(int dir_fd, const struct place *place)
{
    int fd = openat(dir_fd, TND_RUNDIR_RUN_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    size_t length = strlen(place->run_text);
    bool ok = write_all(fd, place->run_text, length) &&
              (!length || place->run_text[length - 1] == '\n' || write_all(fd, "\n", 1)) && write_all(fd, "job=", 4) &&
              write_all(fd, place->job, strlen(place->job)) && write_all(fd, "\n", 1);
    int error = ok ? 0 : errno ? errno : EIO;
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

/* Makes a run directory under a name that is still free.  0, EEXIST or another errno. */
static int create(const struct place *place, const char *name)
{
    char new_name[NAME_MAX + 1];
    struct timespec now;
    int error = EEXIST;
    for (int attempt = 0; attempt < 100 && error == EEXIST; attempt++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(new_name, sizeof new_name, ".tandem-%d-%ld.new", (int)getpid(), now.tv_nsec);
        error = mkdirat(place->fd, new_name, 0700) == 0 ? 0 : errno;
    }
    if (error)
        return error;
    int fd = tnd_rundir_open_private(place->fd, new_name);
    error = fd < 0 ? -fd : write_run_file(fd, place);
    if (!error)
        error = rename_new(place->fd, new_name, name);
    if (error) {
        if (fd >= 0)
            unlinkat(fd, TND_RUNDIR_RUN_FILE, 0);
        unlinkat(place->fd, new_name, AT_REMOVEDIR);
    }
    if (fd >= 0)
        close(fd);
    return error == ENOTEMPTY ? EEXIST : error;
}

/* The number of the candidate that belongs to our job; 0 if there is none. */
static unsigned find_job(const struct place *place)
{
    char name[NAME_MAX + 1];
    if (!place->job[0])
        return 0;
    for (unsigned n = 1, gap = 0; n < MAX_CANDIDATES && gap <= MAX_GAP; n++) {
        name_candidate(name, sizeof name, place, n, TND_RUNDIR_ENDING);
        bool there = tnd_rundir_has(place->fd, name);
        if (there && is_of_job(place, name))
            return n;
        gap = there ? 0 : gap + 1;
    }
    return 0;
}

/* Makes a directory under the first free name, or joins that of our job, which another member may make just now. */
static int make_free(const struct place *place, unsigned *n, bool *created)
{
    char name[NAME_MAX + 1];
    *created = false;
    if ((*n = find_job(place)))
        return 0;
    for (*n = 1; *n < MAX_CANDIDATES; ++*n) {
        name_candidate(name, sizeof name, place, *n, TND_RUNDIR_ENDING);
        int error = tnd_rundir_has(place->fd, name) ? EEXIST : create(place, name);
        *created = !error;
        if (error != EEXIST)
            return error;
        if (is_of_job(place, name))
            return 0;
    }
    return EEXIST;
}

/* Waits for a lock for a limited time: in a directory that all may read another user could hold it. */
static void lock_patiently(int fd)
{
    for (int waited_ms = 0; waited_ms < LOCK_PATIENCE_MS; waited_ms += 5) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
            return;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

/* Takes the first name.  A run directory of this user's that has it, and is not our job's, is removed.  A lock on the
 * surrounding directory keeps one member from removing what another has just made. */
static int make_forced(const struct place *place, bool *created)
{
    char name[NAME_MAX + 1];
    name_candidate(name, sizeof name, place, 1, TND_RUNDIR_ENDING);
    *created = false;
    int lock_fd = openat(place->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_fd >= 0)
        lock_patiently(lock_fd);
    int error = 0;
    if (!is_of_job(place, name)) {
        int old = tnd_rundir_open_private(place->fd, name);
        if (old >= 0) {
            if (tnd_rundir_has(old, TND_RUNDIR_RUN_FILE))
                tnd_directory_list(old, remove_entry, &(int){1});
            close(old);
            unlinkat(place->fd, name, AT_REMOVEDIR);
        }
        error = create(place, name);
        *created = !error;
    }
    if (lock_fd >= 0)
        close(lock_fd);
    return error;
}

/* The absolute form of a path, without resolving anything.  0 or an errno. */
static int make_absolute(const char *path, char absolute[static TND_RUNDIR_PATH_MAX])
{
    size_t length = 0;
    if (path[0] != '/') {
        if (!getcwd(absolute, TND_RUNDIR_PATH_MAX))
            return errno;
        length = strlen(absolute);
        if (length > 1)
            absolute[length++] = '/';
    }
    if (length + strlen(path) + 32 > TND_RUNDIR_PATH_MAX)
        return ENAMETOOLONG;
    strcpy(absolute + length, path);
    return 0;
}

int tnd_rundir_make(const char *stem, const char *run_text, const char *job, bool force, struct tnd_rundir *rundir)
{
    char path[TND_RUNDIR_PATH_MAX], stem_name[NAME_MAX + 1];
    int error = make_absolute(stem, path);
    if (error)
        return error;
    char *last = strrchr(path, '/') + 1;
    size_t length = strlen(last);
    if (!length || strchr(job, '\n'))
        return EINVAL;
    if (length > TND_RUNDIR_STEM_MAX)
        return ENAMETOOLONG;
    memcpy(stem_name, last, length + 1);
    *last = '\0';
    struct place place = {open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), stem_name, run_text, job};
    if (place.fd < 0)
        return errno;
    unsigned n = 1;
    bool created;
    error = force ? make_forced(&place, &created) : make_free(&place, &n, &created);
    close(place.fd);
    if (error)
        return error;
    name_candidate(last, sizeof path - (size_t)(last - path), &place, n, TND_RUNDIR_ENDING);
    memcpy(rundir->path, path, sizeof path);
    rundir->created = created;
    return 0;
}

bool tnd_rundir_mark(int dir_fd, const char *name, int exclusive)
{
    int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | exclusive, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

void tnd_rundir_remove(const char *path)
{
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (dir_fd < 0)
        return;
    /* While a directory changes, a listing of it may miss entries. */
    if (tnd_rundir_has(dir_fd, TND_RUNDIR_RUN_FILE))
        for (int tries = 0; tries < 8 && rmdir(path) != 0; tries++)
            tnd_directory_list(dir_fd, remove_entry, &(int){1});
    close(dir_fd);
}
