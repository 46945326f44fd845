/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program maps by itself: the calls that map memory, in front of libc's.  Counted are the addresses that the
 * program and its libraries got of mmap or mremap and have not unmapped, in whole pages; not counted is what libc maps
 * within itself (blocks of the heap, stacks of threads) and what the loader maps (code).
 *
 * Addresses are taken out of the set before they are unmapped, and put in after they were mapped: in between no other
 * thread can have them.
 *
 * Cost: some 50 ns a call.
 * Context: wherever the program may map.  A call waits for another thread that changes the set just now; a handler that
 * interrupted its own thread there counts nothing.
 */
#include "intercept/heap/heap_ranges.h"
#include "intercept/heap/heap_self.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define MAX_RANGES                                                                                                     \
    65536        /* in a MiB; the kernel allows as many by default (vm.max_map_count)                                  \
                  */
#define LOOKS 64 /* looks at a lock that another thread has, before the CPU is yielded */

/* Both names of mmap: the header maps one to the other, depending on off_t. */
PUBLIC void *map_as_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) __asm__("mmap");
PUBLIC void *map_as_mmap64(void *address, size_t size, int protection, int flags, int fd,
                           off_t offset) __asm__("mmap64");

static struct tnd_heap_ranges set;
static bool is_held;
static _Thread_local bool is_holder __attribute__((tls_model("initial-exec")));
static size_t page = 4096;

/* The kernel's calls, used until libc's functions have been looked up. */
static void *map_by_kernel(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

static int unmap_by_kernel(void *address, size_t size)
{
    return (int)syscall(SYS_munmap, address, size);
}

static void *move_by_kernel(void *old, size_t old_size, size_t size, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    void *wanted = va_arg(rest, void *);
    va_end(rest);
    return (void *)syscall(SYS_mremap, old, old_size, size, flags, wanted);
}

static struct {
    void *(*map)(void *address, size_t size, int protection, int flags, int fd, off_t offset);
    int (*unmap)(void *address, size_t size);
    void *(*move)(void *old, size_t old_size, size_t size, int flags, ...);
} next = {map_by_kernel, unmap_by_kernel, move_by_kernel};

/* After the heap's own start, which says whether it is recorded. */
static bool start(void)
{
    if (tnd_heap_flags & TND_HEAP_OFF)
        return false;
    void *map = dlsym(RTLD_NEXT, "mmap"), *unmap = dlsym(RTLD_NEXT, "munmap"), *move = dlsym(RTLD_NEXT, "mremap");
    if (map && unmap && move) {
        next.map = (__typeof__(next.map))map;
        next.unmap = (__typeof__(next.unmap))unmap;
        next.move = (__typeof__(next.move))move;
    }
    page = (size_t)sysconf(_SC_PAGESIZE);
    set.ranges = tnd_target_pages(MAX_RANGES * sizeof *set.ranges);
    set.max = set.ranges ? MAX_RANGES : 0;
    return true;
}

static void fork_child(void)
{
    is_held = is_holder = false;
}

static bool begin_change(void)
{
    if (!set.ranges || tnd_heap_flags & TND_HEAP_OFF || is_holder)
        return false;
    is_holder = true;
    for (unsigned i = 1; __atomic_test_and_set(&is_held, __ATOMIC_ACQUIRE); i++)
        if (i % LOOKS == 0)
            syscall(SYS_sched_yield);
    return true;
}

static void end_change(void)
{
    bool was_short = set.is_short;
    set.is_short = false;
    __atomic_store_n(&tnd_heap_mapped, set.bytes, __ATOMIC_RELAXED);
    __atomic_clear(&is_held, __ATOMIC_RELEASE);
    is_holder = false;
    if (was_short)
        tnd_run_note("heap: the program maps memory in more pieces than there is room for: mapped bytes are too low");
    tnd_heap_self_mapped();
}

static void add(const void *low, size_t size)
{
    if (!begin_change())
        return;
    tnd_heap_ranges_add(&set, (uintptr_t)low, (uintptr_t)low + ((size + page - 1) & ~(page - 1)));
    end_change();
}

/* True: all of the range was in the set. */
static bool cut(const void *low, size_t size)
{
    size = (size + page - 1) & ~(page - 1);
    if ((uintptr_t)low % page || !begin_change())
        return false;
    bool was_whole = tnd_heap_ranges_remove(&set, (uintptr_t)low, (uintptr_t)low + size) == size;
    end_change();
    return was_whole;
}

static inline void *map(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    void *place = next.map(address, size, protection, flags, fd, offset);
    if (place != MAP_FAILED) {
        int before = errno;
        add(place, size);
        errno = before;
    }
    return place;
}

PUBLIC void *map_as_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

PUBLIC void *map_as_mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(address, size, protection, flags, fd, offset);
}

PUBLIC int munmap(void *address, size_t size)
{
    int before = errno;
    bool was_whole = cut(address, size);
    errno = before;
    int result = next.unmap(address, size);
    if (result != 0 && was_whole) {
        before = errno;
        add(address, size);
        errno = before;
    }
    return result;
}

PUBLIC void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    void *wanted = va_arg(rest, void *); /* only an argument if flags say so; libc reads it in any case, too */
    va_end(rest);
    int before = errno;
    bool was_whole = cut(old, old_size);
    errno = before;
    void *place = next.move(old, old_size, size, flags, wanted);
    before = errno;
    if (place != MAP_FAILED)
        add(place, size);
    if (was_whole && (place == MAP_FAILED || flags & MREMAP_DONTUNMAP))
        add(old, old_size);
    errno = before;
    return place;
}

static const struct tnd_source maps_source = {
    .name = "heap maps", .rank = 221, .start = start, .fork_child = fork_child};
TND_SOURCE(maps_source);
