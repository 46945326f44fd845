/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocators for CPython's domains (PyMem_SetAllocator, which may be called before the interpreter is initialized).  If
 * the program sets others afterwards (PYTHONMALLOC, -X dev), those are used, and these count nothing.
 *
 * Context: heap_python.h; the allocators run where CPython calls them, those of the raw domain without the
 * interpreter's lock.
 */
#include "intercept/heap/heap_python.h"

#include "intercept/heap/heap_next.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* As CPython's headers have it since 3.5. */
struct allocator {
    void *domain;
    void *(*malloc)(void *domain, size_t size);
    void *(*calloc)(void *domain, size_t n, size_t size);
    void *(*realloc)(void *domain, void *old, size_t size);
    void (*free)(void *domain, void *block);
};

int64_t tnd_heap_python_live[TND_HEAP_PYTHON_DOMAINS];

static void count(int64_t *live, int64_t n_bytes)
{
    __atomic_fetch_add(live, n_bytes, __ATOMIC_RELAXED);
}

static int64_t size_of(void *block)
{
    return block ? (int64_t)tnd_heap_next.malloc_usable_size(block) : 0;
}

/* CPython wants a block for a size of 0, too. */
static void *take(void *domain, size_t size)
{
    void *block = malloc(size ? size : 1);
    count(domain, size_of(block));
    return block;
}

static void *take_zeroed(void *domain, size_t n, size_t size)
{
    void *block = n && size ? calloc(n, size) : calloc(1, 1);
    count(domain, size_of(block));
    return block;
}

static void *change(void *domain, void *old, size_t size)
{
    int64_t before = size_of(old);
    void *block = realloc(old, size ? size : 1);
    if (block)
        count(domain, size_of(block) - before);
    return block;
}

static void give(void *domain, void *block)
{
    count(domain, -size_of(block));
    free(block);
}

void tnd_heap_python_start(void)
{
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    void (*set)(int domain, struct allocator *allocator) =
        (void (*)(int, struct allocator *))dlsym(RTLD_DEFAULT, "PyMem_SetAllocator");
    if (!version || !set)
        return;
    if (strstr(version(), "free-threading")) {
        tnd_run_note("heap: objects of Python without an interpreter lock are not counted");
        return;
    }
    for (int i = 0; i < TND_HEAP_PYTHON_DOMAINS; i++)
        set(i, &(struct allocator){&tnd_heap_python_live[i], take, take_zeroed, change, give});
}
