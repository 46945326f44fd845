/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file is written under a temporary name, locked by one writer at a time, and renamed when it is complete.  So a
 * file with the name of the index is complete, and the next writer overwrites what a killed one left.
 */
#include "analysis/trace/trace_store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

gsize tnd_trace_store_memory = (gsize)8 << 20;

struct TndTraceStore {
    char **paths;
    gsize n_before;
    guint8 *memory;
    gsize n, room;
    int fd; /* -1: bytes are in memory */
    gboolean is_memory_only;
    char *path, *new_path;
    guint8 *map; /* of the whole file; NULL: not mapped */
    gsize n_mapped;
};

TndTraceStore *tnd_trace_store_new(const char *const *paths, gsize n_before)
{
    TndTraceStore *store = g_new0(TndTraceStore, 1);
    store->paths = g_strdupv((char **)paths);
    store->n_before = n_before;
    store->fd = -1;
    return store;
}

static void unmap(TndTraceStore *store)
{
    if (store->map)
        munmap(store->map, store->n_mapped);
    store->map = NULL;
}

static void close_file(TndTraceStore *store)
{
    unmap(store);
    if (store->new_path)
        g_unlink(store->new_path);
    if (store->fd >= 0)
        close(store->fd);
    store->fd = -1;
    g_clear_pointer(&store->path, g_free);
    g_clear_pointer(&store->new_path, g_free);
}

void tnd_trace_store_free(TndTraceStore *store)
{
    if (!store)
        return;
    close_file(store);
    g_strfreev(store->paths);
    g_free(store->memory);
    g_free(store);
}

/* Whether the file that we have locked still has its temporary name; else another process has published it. */
static gboolean has_name(int fd, const char *path)
{
    struct stat ours, named;
    return fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_ino == named.st_ino &&
           ours.st_dev == named.st_dev;
}

static gboolean open_file(TndTraceStore *store, const char *path)
{
    char *new_path = g_strconcat(path, ".new", NULL), *directory = g_path_get_dirname(path);
    g_mkdir_with_parents(directory, 0700);
    g_free(directory);
    int fd = open(new_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && has_name(fd, new_path) && ftruncate(fd, 0) == 0) {
        store->fd = fd;
        store->path = g_strdup(path);
        store->new_path = new_path;
        return TRUE;
    }
    if (fd >= 0)
        close(fd);
    g_free(new_path);
    return FALSE;
}

static gboolean write_file(TndTraceStore *store, gconstpointer bytes, gsize n, gsize offset)
{
    const guint8 *from = bytes;
    while (n > 0) {
        gssize written = pwrite(store->fd, from, n, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FALSE;
        from += written;
        offset += (gsize)written;
        n -= (gsize)written;
    }
    return TRUE;
}

static void begin_file(TndTraceStore *store)
{
    for (char **path = store->paths; *path && store->fd < 0; path++)
        (void)open_file(store, *path);
    if (store->fd >= 0 && write_file(store, store->memory, store->n, store->n_before)) {
        g_clear_pointer(&store->memory, g_free);
        store->room = 0;
        return;
    }
    close_file(store);
    store->is_memory_only = TRUE;
}

static void make_room(TndTraceStore *store, gsize n)
{
    if (store->n + n <= store->room)
        return;
    store->room = MAX(2 * store->room, store->n + n + 4096);
    store->memory = g_realloc(store->memory, store->room);
}

void tnd_trace_store_read(const TndTraceStore *store, guint64 offset, gpointer to, gsize n)
{
    gsize n_there = offset < store->n ? MIN(n, store->n - offset) : 0, at = 0;
    if (store->fd < 0 && n_there > 0)
        memcpy(to, store->memory + offset, at = n_there);
    while (at < n_there) {
        gssize n_read = pread(store->fd, (guint8 *)to + at, n_there - at, (off_t)(store->n_before + offset + at));
        if (n_read <= 0 && !(n_read < 0 && errno == EINTR))
            break;
        at += n_read > 0 ? (gsize)n_read : 0;
    }
    memset((guint8 *)to + at, 0, n - at);
}

/* Moves the bytes back to memory, because the disk is full or the file cannot be mapped.  FALSE: there is not enough.
 */
static gboolean leave_file(TndTraceStore *store)
{
    guint8 *memory = g_try_malloc(store->n + 1);
    if (!memory)
        return FALSE;
    tnd_trace_store_read(store, 0, memory, store->n);
    close_file(store);
    store->memory = memory;
    store->room = store->n + 1;
    store->is_memory_only = TRUE;
    return TRUE;
}

guint64 tnd_trace_store_add(TndTraceStore *store, gconstpointer bytes, gsize n)
{
    guint64 offset = store->n;
    if (store->fd < 0 && !store->is_memory_only && store->n + n > tnd_trace_store_memory)
        begin_file(store);
    if (store->fd >= 0 && !write_file(store, bytes, n, store->n_before + store->n) && !leave_file(store))
        g_error("%s: neither the disk nor the memory has room for it", store->path);
    if (store->fd < 0) {
        make_room(store, n);
        if (n > 0)
            memcpy(store->memory + store->n, bytes, n);
    }
    store->n += n;
    unmap(store);
    return offset;
}

guint64 tnd_trace_store_size(const TndTraceStore *store)
{
    return store->n;
}

gboolean tnd_trace_store_has_file(const TndTraceStore *store)
{
    return store->fd >= 0;
}

const guint8 *tnd_trace_store_bytes(TndTraceStore *store)
{
    if (store->fd < 0)
        return store->memory;
    if (!store->map) {
        store->n_mapped = store->n_before + store->n;
        void *map = mmap(NULL, store->n_mapped, PROT_READ, MAP_SHARED, store->fd, 0);
        if (map == MAP_FAILED)
            return leave_file(store) ? store->memory : NULL;
        store->map = map;
    }
    return store->map + store->n_before;
}

gboolean tnd_trace_store_publish(TndTraceStore *store, gconstpointer before)
{
    if (store->fd < 0 || !write_file(store, before, store->n_before, 0) || g_rename(store->new_path, store->path) != 0)
        return FALSE;
    g_clear_pointer(&store->new_path, g_free);
    return TRUE;
}
