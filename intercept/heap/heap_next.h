/* SPDX-License-Identifier: Apache-2.0
 *
 * The next allocator: the one that calls would reach without our wrappers, libc's or one that was linked or preloaded.
 * Until it is found, which may itself allocate, blocks come from some static memory of ours.
 *
 * Context: any in which the program may allocate, before the start and while the loader runs.
 */
#ifndef TND_HEAP_NEXT_H
#define TND_HEAP_NEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TND_HEAP_NEXT_TABLE(X)                                                                                         \
    X(void *, malloc, (size_t size), (size))                                                                           \
    X(void *, calloc, (size_t n, size_t size), (n, size))                                                              \
    X(void *, realloc, (void *old, size_t size), (old, size))                                                          \
    X(void *, memalign, (size_t alignment, size_t size), (alignment, size))                                            \
    X(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))                                       \
    X(int, posix_memalign, (void **block, size_t alignment, size_t size), (block, alignment, size))                    \
    X(size_t, malloc_usable_size, (void *block), (block))

/* Each function may be called at any time: the first call looks all of them up. */
struct tnd_heap_next {
#define TND_HEAP_NEXT_FIELD(result, name, parameters, arguments) result(*name) parameters;
    TND_HEAP_NEXT_TABLE(TND_HEAP_NEXT_FIELD)
    void (*free)(void *block);
};
extern struct tnd_heap_next tnd_heap_next __attribute__((visibility("hidden")));

/* Whether blocks can be counted: the program's calls of malloc reach our wrapper, and no other one before; and
 * malloc_usable_size is of the same library as the next malloc, else it must not be called.  If not, notes it.  At
 * start. */
bool tnd_heap_next_check(void);

/* Static memory for blocks that were allocated before the next allocator was found; they are never freed. */
#ifdef TND_BOARD /* there it is always found */
#define TND_HEAP_NEXT_EARLY_BYTES 16
#else
#define TND_HEAP_NEXT_EARLY_BYTES 65536
#endif
extern char tnd_heap_next_early[TND_HEAP_NEXT_EARLY_BYTES] __attribute__((visibility("hidden")));

static inline bool tnd_heap_next_is_early(const void *block)
{
    return (uintptr_t)block - (uintptr_t)tnd_heap_next_early < TND_HEAP_NEXT_EARLY_BYTES;
}

/* What realloc does for such a block. */
void *tnd_heap_next_move_early(void *old, size_t size);

#endif
