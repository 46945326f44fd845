/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload after the recorder: the truth about the heap, by a counter of its own below every call.  It is
 * the simplest that can be: one sum, changed by atomic operations, of what malloc_usable_size says.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

static long live, n_allocations;

long truth_live(void);
long truth_allocations(void);
size_t malloc_usable_size(void *block);

long truth_live(void)
{
    return __atomic_load_n(&live, __ATOMIC_SEQ_CST);
}

long truth_allocations(void)
{
    return __atomic_load_n(&n_allocations, __ATOMIC_SEQ_CST);
}

/* free first: dlsym may free what it said before. */
#define TABLE(X)                                                                                                       \
    X(free) X(malloc) X(calloc) X(realloc) X(memalign) X(aligned_alloc) X(posix_memalign) X(malloc_usable_size)
#define POINTER(name) static __typeof__(&name) real_##name;
TABLE(POINTER)

static void find(void)
{
#define FIND(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
    TABLE(FIND)
}

#define NEXT(name) (real_##name ? real_##name : (find(), real_##name))

size_t malloc_usable_size(void *block)
{
    return NEXT(malloc_usable_size)(block);
}

static void *add(void *block)
{
    if (block) {
        __atomic_fetch_add(&live, (long)malloc_usable_size(block), __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&n_allocations, 1, __ATOMIC_SEQ_CST);
    }
    return block;
}

void *malloc(size_t size)
{
    return add(NEXT(malloc)(size));
}

void *calloc(size_t n, size_t size)
{
    return add(NEXT(calloc)(n, size));
}

void *memalign(size_t alignment, size_t size)
{
    return add(NEXT(memalign)(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return add(NEXT(aligned_alloc)(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = NEXT(posix_memalign)(block, alignment, size);
    if (!error)
        add(*block);
    return error;
}

void *realloc(void *old, size_t size)
{
    long before = old ? (long)malloc_usable_size(old) : 0;
    void *block = NEXT(realloc)(old, size);
    if (block || size == 0)
        __atomic_fetch_sub(&live, before, __ATOMIC_SEQ_CST);
    return add(block);
}

void free(void *block)
{
    if (block)
        __atomic_fetch_sub(&live, (long)malloc_usable_size(block), __ATOMIC_SEQ_CST);
    NEXT(free)(block);
}
