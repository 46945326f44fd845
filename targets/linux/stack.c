/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread's stack and CPU, on Linux.  The kernel says which pages of a stack are resident (mincore), and reads them
 * for us (process_vm_readv), so that a page that the program has made unreadable or unmaps meanwhile causes no fault.
 *
 * Context: runtime/target.h.
 */
#include "runtime/target.h"
#include "targets/linux/tsan.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CHUNK_PAGES 512                  /* looked at by one call of mincore */
#define READ_BYTES 1024                  /* read at once, into a buffer on the calling thread's stack */
#define HUGE_BYTES ((uintptr_t)2 << 20)  /* a page that the kernel may have given for 512 small ones */
#define RSEQ_CPU_ID 4                    /* of struct rseq, in bytes (linux/rseq.h) */
#define LEAST_GAP ((uintptr_t)128 << 20) /* that the kernel keeps free below the first thread's stack (mm/util.c) */
#define MOST_GAP ((uintptr_t)1 << 30)

/* Stands for the CPU's number where the kernel keeps none. */
static _Thread_local int32_t no_cpu __attribute__((tls_model("initial-exec"))) = -1;
static const ptrdiff_t *rseq; /* NULL: none */

ptrdiff_t tnd_target_cpu_place(void)
{
    const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset"); /* glibc from 2.35 on */
    const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");
    rseq = offset && size && *size > 0 ? offset : NULL;
    return rseq ? *rseq + RSEQ_CPU_ID : (const char *)&no_cpu - (const char *)__builtin_thread_pointer();
}

int tnd_target_cpu(void)
{
    if (rseq)
        return *(const volatile int32_t *)((const char *)__builtin_thread_pointer() + *rseq + RSEQ_CPU_ID);
    int before = errno, cpu = sched_getcpu(); /* of the vDSO */
    errno = before;
    return cpu;
}

/* The first thread's stack grows down to its limit; without a limit, as far as the kernel keeps room for it. */
static uintptr_t floor_of_first(uintptr_t high, uint64_t *size_bytes)
{
    struct rlimit limit;
    if (syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) != 0)
        return 0;
    uintptr_t room = MOST_GAP;
    if (limit.rlim_cur != RLIM_INFINITY) {
        *size_bytes = limit.rlim_cur;
        room = limit.rlim_cur < LEAST_GAP ? LEAST_GAP : limit.rlim_cur < MOST_GAP ? limit.rlim_cur : MOST_GAP;
    }
    return high > room ? high - room : 0;
}

uintptr_t tnd_target_stack_floor(uintptr_t high, uint64_t *size_bytes)
{
    int before = errno;
    uintptr_t floor = 0;
    *size_bytes = 0;
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (tnd_target_thread_id() == tnd_target_process_id()) {
        floor = floor_of_first(high, size_bytes);
    } else if (!tnd_tsan_is_here() && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &size) == 0 && (uintptr_t)low < high &&
            high - (uintptr_t)low <= size) {
            floor = (uintptr_t)low;
            *size_bytes = high - floor;
        }
        pthread_attr_destroy(&attributes);
    }
    errno = before;
    return floor;
}

/* The number of the first of n pages that is resident (or, with false, that is not); n if there is none; < 0: not all
 * of the pages are mapped. */
static long find_page(uintptr_t low, size_t n, size_t page_bytes, bool is_resident)
{
    unsigned char resident[CHUNK_PAGES];
    if (syscall(SYS_mincore, low, n * page_bytes, resident) != 0)
        return -1;
    size_t i = 0;
    while (i < n && (resident[i] & 1) != is_resident)
        i++;
    return (long)i;
}

/* The lowest resident page of [floor, high), as far down as there is memory; 0: none. */
static uintptr_t find_resident(uintptr_t floor, uintptr_t high, size_t page_bytes)
{
    uintptr_t lowest = 0;
    size_t n = CHUNK_PAGES;
    while (floor < high && n > 0) {
        size_t n_left = (high - floor) / page_bytes;
        n = n < n_left ? n : n_left;
        long at = n ? find_page(high - n * page_bytes, n, page_bytes, true) : 0;
        if (at < 0) {
            n /= 2;
            continue;
        }
        if ((size_t)at < n)
            lowest = high - (n - (size_t)at) * page_bytes;
        high -= n * page_bytes;
    }
    return lowest;
}

/* The lowest word of [from, to) that is not 0; `to` if all are. */
static uintptr_t find_written(uintptr_t from, uintptr_t to)
{
    while (from < to) {
        uint64_t words[READ_BYTES / sizeof(uint64_t)];
        size_t n_bytes = to - from < sizeof words ? to - from : sizeof words;
        struct iovec here = {words, n_bytes}, there = {(void *)from, n_bytes};
        ssize_t n = syscall(SYS_process_vm_readv, tnd_target_process_id(), &here, 1, &there, 1, 0);
        if (n <= 0)
            return from; /* it cannot be read, but it is there */
        for (size_t i = 0; i < (size_t)n / sizeof *words; i++)
            if (words[i])
                return from + i * sizeof *words;
        from += (size_t)n;
    }
    return to;
}

/* Whether the page may be the first of a huge page, most of which the program may never have touched. */
static bool may_be_huge(uintptr_t page, uintptr_t end, size_t page_bytes)
{
    size_t n = ((page + HUGE_BYTES < end ? page + HUGE_BYTES : end) - page) / page_bytes;
    return page % HUGE_BYTES == 0 && n <= CHUNK_PAGES && find_page(page, n, page_bytes, false) == (long)n;
}

uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high)
{
    int before = errno;
    size_t page_bytes = getauxval(AT_PAGESZ);
    uintptr_t end = (high + page_bytes - 1) & ~(page_bytes - 1), touched = 0;
    uintptr_t page = find_resident((floor + page_bytes - 1) & ~(page_bytes - 1), end, page_bytes);
    if (page) {
        uintptr_t to = page + (may_be_huge(page, end, page_bytes) ? HUGE_BYTES : page_bytes);
        to = to < high ? to : high;
        touched = find_written(page, to);
        touched = touched < to ? touched : page; /* a frame may begin with zeros */
    }
    errno = before;
    return touched;
}
