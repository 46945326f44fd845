/* SPDX-License-Identifier: Apache-2.0
 *
 * The barest recorder of malloc and free there can be, to be preloaded by bench_heap: the time before and after each
 * call and the block, into memory that stays warm and is never written out.  Nothing is counted, nobody is asked.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { N_RECORDS = 4096 };

/* glibc's own names of them: nothing is looked up. */
extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);
void *malloc(size_t size);
void free(void *block);

static __thread struct {
    uint64_t begin, end, block;
} records[N_RECORDS];
static __thread unsigned n_records;

static inline uint64_t read_clock(void)
{
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

static inline void record(uint64_t begin, const void *block)
{
    unsigned at = n_records++ % N_RECORDS;
    records[at].begin = begin;
    records[at].end = read_clock();
    records[at].block = (uint64_t)block;
}

void *malloc(size_t size)
{
    uint64_t begin = read_clock();
    void *block = __libc_malloc(size);
    record(begin, block);
    return block;
}

void free(void *block)
{
    uint64_t begin = read_clock();
    __libc_free(block);
    record(begin, block);
}
