/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of the allocator's functions.  C++'s operators and libc's own allocations call these; what the loader
 * allocates before it has found them is not counted, nor freed through them.
 *
 * Compiled with -fno-builtin, so that the compiler does not replace calls of one of these functions by another.
 *
 * Context: any in which the program may allocate.
 */
#include "formats/event_types.h"
#include "intercept/heap/heap_next.h"
#include "intercept/heap/heap_self.h"
#include "intercept/heap/heap_sites.h"
#include "runtime/config.h"
#include "runtime/emit.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* Functions of C23, which headers do not have yet, and of libc before 2.26, which they no longer have. */
PUBLIC void free_sized(void *block, size_t size);
PUBLIC void free_aligned_sized(void *block, size_t alignment, size_t size);
PUBLIC void cfree(void *block);

/* Values of event type HEAP_CALL, as event_types.tsv has them. */
enum call { MALLOC = 1, FREE = 2, REALLOC = 3, CALLOC = 4, POSIX_MEMALIGN = 5 };

static inline bool is_off(void)
{
    return __builtin_expect(tnd_heap_flags & TND_HEAP_OFF, 0);
}

/* A call begins that is itself recorded; NULL: it is not.  size: bytes asked for, or freed. */
static inline struct tnd_thread *enter(enum call call, size_t size, uint32_t type, uint64_t value)
{
    struct tnd_thread *thread = tnd_thread_self;
    if (__builtin_expect(!(tnd_heap_flags & TND_HEAP_CALLS), 1) || size < tnd_config.heap_threshold_bytes || !thread ||
        !tnd_thread_recording)
        return NULL;
    uint64_t now = tnd_clock_ticks();
    tnd_emit_head(&thread->main, now, TND_RECORD_ENTER, TND_TYPE_HEAP_CALL, call);
    tnd_emit_word(&thread->main, now, TND_RECORD_EVENT, type, 0, value);
    if (call == FREE)
        tnd_emit_word(&thread->main, now, TND_RECORD_EVENT, TND_TYPE_HEAP_FREED, 0, size);
    return thread;
}

static void leave(struct tnd_thread *thread, const void *block)
{
    if (__builtin_expect(!thread, 1) || thread != tnd_thread_self || !tnd_thread_recording)
        return;
    uint64_t now = tnd_clock_ticks();
    if (block) {
        tnd_emit_word(&thread->main, now, TND_RECORD_EVENT, TND_TYPE_HEAP_POINTER_OUT, 0, (uint64_t)(uintptr_t)block);
        tnd_emit_word(&thread->main, now, TND_RECORD_EVENT, TND_TYPE_HEAP_USABLE, 0,
                      tnd_heap_next.malloc_usable_size((void *)block));
    }
    tnd_emit_head(&thread->main, now, TND_RECORD_LEAVE, TND_TYPE_HEAP_CALL, 0);
}

/* Counts a new block, unless it is NULL. */
static inline void *took(void *block)
{
    if (__builtin_expect(block != NULL, 1))
        tnd_heap_self_took(block, tnd_heap_next.malloc_usable_size(block));
    return block;
}

#define ALLOCATE(call, size, ...)                                                                                      \
    if (is_off())                                                                                                      \
        return __VA_ARGS__;                                                                                            \
    struct tnd_thread *thread = enter(call, size, TND_TYPE_HEAP_REQUESTED, size);                                      \
    void *block = took(__VA_ARGS__);                                                                                   \
    leave(thread, block);                                                                                              \
    return block

PUBLIC void *malloc(size_t size)
{
    ALLOCATE(MALLOC, size, tnd_heap_next.malloc(size));
}

PUBLIC void *calloc(size_t n, size_t size)
{
    ALLOCATE(CALLOC, n * size, tnd_heap_next.calloc(n, size));
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
    ALLOCATE(POSIX_MEMALIGN, size, tnd_heap_next.memalign(alignment, size));
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    ALLOCATE(POSIX_MEMALIGN, size, tnd_heap_next.aligned_alloc(alignment, size));
}

static void *take_pages(size_t size)
{
    ALLOCATE(POSIX_MEMALIGN, size, tnd_heap_next.memalign((size_t)sysconf(_SC_PAGESIZE), size));
}

PUBLIC void *valloc(size_t size)
{
    return take_pages(size);
}

PUBLIC void *pvalloc(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    return take_pages((size + page - 1) & ~(page - 1));
}

PUBLIC int posix_memalign(void **place, size_t alignment, size_t size)
{
    if (is_off())
        return tnd_heap_next.posix_memalign(place, alignment, size);
    struct tnd_thread *thread = enter(POSIX_MEMALIGN, size, TND_TYPE_HEAP_REQUESTED, size);
    int error = tnd_heap_next.posix_memalign(place, alignment, size);
    if (error == 0)
        took(*place);
    leave(thread, error == 0 ? *place : NULL);
    return error;
}

/* Forgets the site of a block that may be freed, and returns it; 0: it has none. */
static inline uint32_t clear(const void *block)
{
    bool has_site = tnd_heap_flags & TND_HEAP_SITES && tnd_heap_sites_may_have(block);
    return __builtin_expect(has_site, 0) ? tnd_heap_sites_clear(block) : 0;
}

static inline void gave(uint32_t site, size_t size)
{
    tnd_heap_self_gave(size);
    if (__builtin_expect(site != 0, 0))
        tnd_heap_sites_gave(site, size);
}

static inline void release(void *block)
{
    if (!block || __builtin_expect(tnd_heap_next_is_early(block), 0))
        return;
    if (!is_off()) {
        size_t size = tnd_heap_next.malloc_usable_size(block);
        struct tnd_thread *thread = enter(FREE, size, TND_TYPE_HEAP_POINTER_IN, (uint64_t)(uintptr_t)block);
        gave(clear(block), size);
        if (__builtin_expect(thread != NULL, 0)) {
            tnd_heap_next.free(block);
            leave(thread, NULL);
            return;
        }
    }
    tnd_heap_next.free(block);
}

PUBLIC void free(void *block)
{
    release(block);
}

PUBLIC void cfree(void *block)
{
    release(block);
}

PUBLIC void free_sized(void *block, size_t size)
{
    release(block);
}

PUBLIC void free_aligned_sized(void *block, size_t alignment, size_t size)
{
    release(block);
}

/* The old block is counted by what it was before: as soon as realloc is called, another thread may get it. */
static void *resize(void *old, size_t size)
{
    size_t before = old ? tnd_heap_next.malloc_usable_size(old) : 0;
    uint32_t site = old ? clear(old) : 0;
    void *block = tnd_heap_next.realloc(old, size);
    if (old && (block || size == 0))
        gave(site, before);
    else if (site)
        tnd_heap_sites_stays(old, site);
    return took(block);
}

static inline void *change(void *old, size_t size)
{
    if (__builtin_expect(old && tnd_heap_next_is_early(old), 0))
        return took(tnd_heap_next_move_early(old, size));
    if (is_off())
        return tnd_heap_next.realloc(old, size);
    struct tnd_thread *thread = enter(REALLOC, size, TND_TYPE_HEAP_REQUESTED, size);
    if (thread)
        tnd_emit_word(&thread->main, tnd_clock_ticks(), TND_RECORD_EVENT, TND_TYPE_HEAP_POINTER_IN, 0,
                      (uint64_t)(uintptr_t)old);
    void *block = resize(old, size);
    leave(thread, block);
    return block;
}

PUBLIC void *realloc(void *old, size_t size)
{
    return change(old, size);
}

PUBLIC void *reallocarray(void *old, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return change(old, bytes);
}
