/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces are taken from the last of a list of areas.  An area of the file is allocated on the disk before it is used,
 * so that a full disk does not raise SIGBUS later.
 */
#include "analysis/base/large_memory.h"

#include "analysis/base/unnamed_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An area is as large as all before, within these limits: many a memory has a few bytes only. */
#define LEAST_AREA ((gsize)4 << 10)
#define MEMORY_AREA ((gsize)1 << 20) /* at most in memory, at least of the file */
#define FILE_AREA ((gsize)64 << 20)
#define ALIGNMENT 16

/* How many times the limit all memories of the process have together, before they use files. */
#define MOST_LIMITS 4

gsize tnd_large_memory_limit = (gsize)64 << 20;
static gsize n_in_memory; /* bytes of areas without a file, of all memories */

typedef struct {
    guint8 *bytes;
    gsize n_mapped; /* bytes of the mapping; 0: allocated with g_malloc */
} Area;

struct TndLargeMemory {
    GMutex lock;
    char *directory;
    GArray *areas;
    guint8 *next; /* the free part of the last area, of n_left bytes */
    gsize n_left, n_taken;
    gsize n_in_memory;    /* bytes of areas without a file */
    int fd;               /* -1: none yet */
    gboolean has_no_file; /* making or growing the file failed: it is not tried again */
    off_t n_file;
};

TndLargeMemory *tnd_large_memory_new(const char *path)
{
    TndLargeMemory *memory = g_new0(TndLargeMemory, 1);
    g_mutex_init(&memory->lock);
    memory->directory = g_path_get_dirname(path);
    memory->areas = g_array_new(FALSE, FALSE, sizeof(Area));
    memory->fd = -1;
    return memory;
}

void tnd_large_memory_free(TndLargeMemory *memory)
{
    if (!memory)
        return;
    for (guint i = 0; i < memory->areas->len; i++) {
        const Area *area = &g_array_index(memory->areas, Area, i);
        if (area->n_mapped)
            munmap(area->bytes, area->n_mapped);
        else
            g_free(area->bytes);
    }
    __atomic_sub_fetch(&n_in_memory, memory->n_in_memory, __ATOMIC_RELAXED);
    if (memory->fd >= 0)
        close(memory->fd);
    g_array_unref(memory->areas);
    g_free(memory->directory);
    g_mutex_clear(&memory->lock);
    g_free(memory);
}

/* Maps n more bytes of the file; NULL: that failed. */
static guint8 *map_area(TndLargeMemory *memory, gsize n)
{
    if (memory->fd < 0)
        memory->fd = tnd_unnamed_file_open(memory->directory);
    if (memory->fd < 0)
        memory->fd = tnd_unnamed_file_open(g_get_tmp_dir());
    if (memory->fd < 0 || posix_fallocate(memory->fd, memory->n_file, (off_t)n) != 0)
        return NULL;
    void *map = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, memory->n_file);
    if (map == MAP_FAILED)
        return NULL;
    memory->n_file += (off_t)n;
    return map;
}

/* Whether n more bytes are too many for ordinary memory. */
static gboolean is_large(const TndLargeMemory *memory, gsize n)
{
    gsize n_all = __atomic_load_n(&n_in_memory, __ATOMIC_RELAXED);
    return memory->n_taken + n > tnd_large_memory_limit ||
           n_all / MOST_LIMITS + n / MOST_LIMITS > tnd_large_memory_limit;
}

static void begin_area(TndLargeMemory *memory, gsize n)
{
    Area area = {NULL, 0};
    if (!memory->has_no_file && is_large(memory, n)) {
        gsize n_least = MAX(n, CLAMP(memory->n_taken, MEMORY_AREA, FILE_AREA));
        area.n_mapped = (n_least + MEMORY_AREA - 1) / MEMORY_AREA * MEMORY_AREA;
        area.bytes = map_area(memory, area.n_mapped);
        memory->has_no_file = !area.bytes;
    }
    memory->n_left = area.n_mapped;
    if (!area.bytes) {
        memory->n_left = MAX(n, CLAMP(memory->n_taken, LEAST_AREA, MEMORY_AREA));
        area = (Area){g_malloc(memory->n_left), 0};
        memory->n_in_memory += memory->n_left;
        __atomic_add_fetch(&n_in_memory, memory->n_left, __ATOMIC_RELAXED);
    }
    g_array_append_val(memory->areas, area);
    memory->next = area.bytes;
}

gpointer tnd_large_memory_take(TndLargeMemory *memory, gsize n)
{
    n = (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    g_mutex_lock(&memory->lock);
    if (n > memory->n_left)
        begin_area(memory, n);
    gpointer taken = memory->next;
    memory->next += n;
    memory->n_left -= n;
    memory->n_taken += n;
    g_mutex_unlock(&memory->lock);
    return taken;
}

gpointer tnd_large_memory_copy(TndLargeMemory *memory, gconstpointer bytes, gsize n)
{
    gpointer copy = tnd_large_memory_take(memory, n);
    if (n > 0)
        memcpy(copy, bytes, n);
    return copy;
}
