/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks of ranks.  Context: rank_marks.h.
 */
#include "run/rank_marks.h"

#include "formats/hash.h"
#include "run/rundir.h"
#include "system/directory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 96 };

uint64_t tnd_rank_marks_hash(uint64_t hash, const char *text)
{
    return tnd_hash_add(hash ? hash : TND_HASH_BEGIN, text, strlen(text) + 1);
}

/* What the names of the marks of one world begin with. */
static void name_world(char name[static NAME_BYTES], const struct tnd_rank_mark *mark)
{
    snprintf(name, NAME_BYTES, "rank.%016" PRIx64 ".%u.", mark->job, mark->size);
}

bool tnd_rank_marks_leave(const char *path, const struct tnd_rank_mark *mark)
{
    char name[NAME_BYTES];
    int fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (fd < 0)
        return false;
    name_world(name, mark);
    size_t n = strlen(name);
    snprintf(name + n, sizeof name - n, "%u.%016" PRIx64, mark->rank, mark->node);
    bool left = tnd_rundir_mark(fd, name, 0);
    close(fd);
    return left;
}

struct count {
    char world[NAME_BYTES], node[20];
    unsigned n, n_here;
};

static bool count_mark(void *self, int dir_fd, const char *name)
{
    struct count *count = self;
    size_t n = strlen(count->world);
    if (strncmp(name, count->world, n) == 0) {
        const char *node = strchr(name + n, '.');
        count->n++;
        count->n_here += node && strcmp(node, count->node) == 0;
    }
    return true;
}

unsigned tnd_rank_marks_count(const char *path, const struct tnd_rank_mark *mark, bool *one_node)
{
    struct count count = {.n = 0};
    int fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (fd >= 0) {
        name_world(count.world, mark);
        snprintf(count.node, sizeof count.node, ".%016" PRIx64, mark->node);
        tnd_directory_list(fd, count_mark, &count);
        close(fd);
    }
    *one_node = count.n == count.n_here;
    return count.n;
}

void tnd_rank_marks_set(const char *path, const char *name)
{
    int fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (fd < 0)
        return;
    tnd_rundir_mark(fd, name, 0);
    close(fd);
}

bool tnd_rank_marks_is(const char *path, const char *name)
{
    int fd = tnd_rundir_open_private(AT_FDCWD, path);
    if (fd < 0)
        return false;
    bool is = faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    close(fd);
    return is;
}

/* Looks for an image's directory that was not sent.  A run directory has no other directories. */
static bool look_for_unsent(void *self, int dir_fd, const char *name)
{
    bool *has_unsent = self;
    int fd = tnd_rundir_open_private(dir_fd, name);
    if (fd < 0)
        return true;
    *has_unsent |= faccessat(fd, TND_RANK_MARKS_SENT, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    close(fd);
    return !*has_unsent;
}

enum tnd_rank_marks_end tnd_rank_marks_end(const char *path)
{
    bool has_unsent = false;
    if (tnd_rank_marks_is(path, TND_RANK_MARKS_SENT)) {
        int fd = tnd_rundir_open_private(AT_FDCWD, path);
        if (fd >= 0) {
            tnd_directory_list(fd, look_for_unsent, &has_unsent);
            close(fd);
        }
        return has_unsent ? TND_RANK_MARKS_KEEP : TND_RANK_MARKS_REMOVE;
    }
    bool is_apart = tnd_rank_marks_is(path, TND_RANK_MARKS_APART);
    return is_apart && !tnd_rank_marks_is(path, TND_RANK_MARKS_GATHERED) ? TND_RANK_MARKS_KEEP : TND_RANK_MARKS_MERGE;
}
