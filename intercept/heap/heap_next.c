/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the next allocator.  Until the first call the pointers lead to functions here.
 *
 * Context: heap_next.h.
 */
#include "intercept/heap/heap_next.h"

#include "intercept/base/callee.h"
#include "runtime/miss.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16

_Alignas(ALIGNMENT) char tnd_heap_next_early[TND_HEAP_NEXT_EARLY_BYTES];

static size_t n_early_bytes;
static bool is_foreign; /* malloc_usable_size is of another library than malloc */
static _Thread_local bool is_finding __attribute__((tls_model("initial-exec")));

/* Takes a block of the static memory; its size is stored in front of it. */
static void *take_early(size_t alignment, size_t size)
{
    if (alignment < ALIGNMENT)
        alignment = ALIGNMENT;
    if (size > sizeof tnd_heap_next_early || alignment > sizeof tnd_heap_next_early)
        return NULL;
    size_t want = alignment + size + ALIGNMENT;
    size_t at = __atomic_fetch_add(&n_early_bytes, want & ~(size_t)(ALIGNMENT - 1), __ATOMIC_RELAXED);
    if (at + want > sizeof tnd_heap_next_early) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t block = ((uintptr_t)tnd_heap_next_early + at + alignment) & ~(uintptr_t)(alignment - 1);
    ((size_t *)block)[-1] = size;
    return (void *)block;
}

static bool find(void);

/* The functions that the pointers lead to at first. */
static void *first_malloc(size_t size)
{
    return find() ? tnd_heap_next.malloc(size) : take_early(0, size);
}

static void *first_calloc(size_t n, size_t size)
{
    if (find())
        return tnd_heap_next.calloc(n, size);
    return size && n > SIZE_MAX / size ? NULL : take_early(0, n * size); /* static memory is zero */
}

static void *first_realloc(void *old, size_t size)
{
    return find() ? tnd_heap_next.realloc(old, size)
                  : take_early(0, size); /* old is NULL, because no block was given out yet */
}

static void *first_memalign(size_t alignment, size_t size)
{
    return find() ? tnd_heap_next.memalign(alignment, size) : take_early(alignment, size);
}

static void *first_aligned_alloc(size_t alignment, size_t size)
{
    return find() ? tnd_heap_next.aligned_alloc(alignment, size) : take_early(alignment, size);
}

static int first_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (find())
        return tnd_heap_next.posix_memalign(block, alignment, size);
    *block = take_early(alignment, size);
    return *block ? 0 : ENOMEM;
}

static size_t first_malloc_usable_size(void *block)
{
    return find() ? tnd_heap_next.malloc_usable_size(block) : 0;
}

static void first_free(void *block)
{
    if (find())
        tnd_heap_next.free(block);
}

struct tnd_heap_next tnd_heap_next = {
#define FIRST(result, name, parameters, arguments) .name = first_##name,
    TND_HEAP_NEXT_TABLE(FIRST).free = first_free,
};

/* Looks all functions up.  False: that is being done just now, and the loader needs memory for it. */
static bool find(void)
{
    struct tnd_heap_next found;
    if (is_finding)
        return false;
    is_finding = true;
#define FIND(result, name, parameters, arguments) found.name = (result(*) parameters)dlsym(RTLD_NEXT, #name);
    TND_HEAP_NEXT_TABLE(FIND)
    found.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    is_foreign = tnd_callee_file_of((void *)found.malloc) != tnd_callee_file_of((void *)found.malloc_usable_size);
    tnd_heap_next = found;
    is_finding = false;
    return true;
}

/* Whether another file has a malloc that calls reach before ours.  A program that is linked to one place may have the
 * address of a jump to ours as its own (of an undefined symbol). */
static bool is_behind(void)
{
    void *found = (void *)malloc; /* as the loader has it for all files; dlsym may allocate */
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;
    return dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol && symbol->st_shndx != SHN_UNDEF &&
           info.dli_fbase != tnd_callee_file_of((const void *)is_behind);
}

bool tnd_heap_next_check(void)
{
    if (is_behind()) {
        tnd_miss_tell(TND_MISSED_HEAP, NULL);
        return false;
    }
    if (is_foreign)
        tnd_run_note("heap: not recorded: the program's allocator does not say how large its blocks are");
    return !is_foreign;
}

void *tnd_heap_next_move_early(void *old, size_t size)
{
    size_t before = ((const size_t *)old)[-1];
    void *block = tnd_heap_next.malloc(size);
    if (block)
        memcpy(block, old, before < size ? before : size);
    return block;
}
