/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs of known allocation.  At checkpoints, when all other threads are at rest, they tell what is live as an event
 * of type 9000: what they allocated themselves and know of, from the first checkpoint on.  So the recorder's values at
 * these moments must differ by the same amounts.  With heap_truth.so preloaded, that of type 9001 is all that is live.
 * The program that maps memory tells by type 9002 what it has mapped.  What they know they print, too, without
 * allocating for it, where it is the same every time.
 */
#include "runtime/tandem.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t live;
static long (*truth)(void);

static void print(const char *what, int64_t value)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%lld %s\n", (long long)value, what);
    if (write(1, line, (size_t)n) != n)
        abort();
}

static bool is_of_chance; /* how threads meet, where blocks lie */

static void checkpoint(void)
{
    tandem_event(9000, __atomic_load_n(&live, __ATOMIC_SEQ_CST));
    print("live", is_of_chance ? 0 : __atomic_load_n(&live, __ATOMIC_SEQ_CST));
    if (truth)
        tandem_event(9001, truth());
}

static void *add(void *block)
{
    __atomic_fetch_add(&live, block ? (int64_t)malloc_usable_size(block) : 0, __ATOMIC_SEQ_CST);
    return block;
}

static void drop(void *block)
{
    __atomic_fetch_sub(&live, block ? (int64_t)malloc_usable_size(block) : 0, __ATOMIC_SEQ_CST);
    free(block);
}

static void *resize(void *old, size_t size)
{
    int64_t before = old ? (int64_t)malloc_usable_size(old) : 0;
    void *block = realloc(old, size);
    if (block || size == 0)
        __atomic_fetch_sub(&live, before, __ATOMIC_SEQ_CST);
    return add(block);
}

/* A replay: threads allocate, free and resize in a common table of blocks, whosesoever they are; between rounds all
 * wait, and one tells. */
enum { N_THREADS = 8, N_PLACES = 4096, N_ROUNDS = 25, N_OPERATIONS = 5000 };
static void *places[N_PLACES];
static pthread_barrier_t barrier;

static uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u; /* Numerical Recipes */
}

/* Mostly small, now and then large. */
static size_t next_size(uint32_t *state)
{
    uint32_t n = next_random(state) >> 8;
    return n % 1000 == 0 ? n % (1 << 20) : n % 50 == 0 ? n % 65536 : n % 400;
}

static void operate(uint32_t *state)
{
    uint32_t n = next_random(state) >> 8;
    void **place = &places[n % N_PLACES];
    void *block = __atomic_exchange_n(place, NULL, __ATOMIC_ACQ_REL);
    if (block && n % 3 == 0)
        block = resize(block, next_size(state) + 1);
    else if (block)
        drop(block), block = NULL;
    else
        block = n % 7 == 0 ? add(calloc(1 + n % 3, next_size(state))) : add(malloc(next_size(state)));
    block = __atomic_exchange_n(place, block, __ATOMIC_ACQ_REL);
    if (block)
        drop(block);
}

static void *replay_one(void *number)
{
    uint32_t state = (uint32_t)(uintptr_t)number;
    for (int round = 0; round < N_ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        if ((uintptr_t)number == (uintptr_t)round % N_THREADS)
            checkpoint();
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < N_OPERATIONS; i++)
            operate(&state);
    }
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void replay(void)
{
    pthread_t threads[N_THREADS];
    is_of_chance = true;
    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (uintptr_t i = 1; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, replay_one, (void *)i);
    replay_one(NULL);
    checkpoint();
    for (uintptr_t i = 1; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void chains(void)
{
    void *block = NULL;
    for (size_t size = 1; size < 3u << 20; size += 1 + size / 3) {
        block = resize(block, size);
        checkpoint();
    }
    block = resize(block, 100);
    checkpoint();
    errno = 0;
    volatile size_t too_much = SIZE_MAX / 2;
    if (resize(block, too_much) || errno != ENOMEM) /* refused: the old one stays */
        abort();
    checkpoint();
    if (reallocarray(block, too_much, 4) || errno != ENOMEM)
        abort();
    errno = EAGAIN;
    int64_t before = (int64_t)malloc_usable_size(block);
    block = reallocarray(block, 1000, 24);
    live -= before;
    add(block);
    checkpoint();
    drop(block);
    if (errno != EAGAIN)
        abort();
    checkpoint();
    block = resize(add(malloc(100)), 0); /* frees, with GNU's */
    drop(block);
    block = add(malloc(0));
    checkpoint();
    drop(block);
    drop(NULL);
    checkpoint();
}

static void aligned(void)
{
    void *blocks[64];
    int n = 0;
    is_of_chance = true;
    checkpoint();
    for (size_t alignment = 16; alignment <= 1 << 16; alignment *= 4) {
        blocks[n++] = add(aligned_alloc(alignment, 3 * alignment));
        blocks[n++] = add(memalign(alignment, 1000));
        if (posix_memalign(&blocks[n], alignment, 12345))
            abort();
        add(blocks[n++]);
        checkpoint();
    }
    blocks[n++] = add(valloc(100));
    blocks[n++] = add(pvalloc(5000));
    checkpoint();
    for (int i = 0; i < n; i++)
        if ((uintptr_t)blocks[i] % 16)
            abort();
    volatile size_t too_much = SIZE_MAX / 2;
    if (posix_memalign(&blocks[n], 3, 10) != EINVAL || aligned_alloc(16, too_much) || malloc(too_much) ||
        calloc(too_much, 8))
        abort();
    checkpoint();
    while (n > 0)
        drop(blocks[--n]);
    checkpoint();
}

static void *hold_and_fork(void *data)
{
    void *block = add(malloc(100000));
    checkpoint();
    pid_t child = fork();
    checkpoint();
    void *more = add(malloc(child ? 5000 : 70000));
    checkpoint();
    drop(block); /* of before, in both */
    checkpoint();
    if (child)
        waitpid(child, NULL, 0);
    drop(more);
    checkpoint();
    if (!child)
        exit(0);
    return data;
}

/* In the second thread, while the first one has blocks, too. */
static void forks(void)
{
    pthread_t thread;
    void *block = add(malloc(33333));
    pthread_create(&thread, NULL, hold_and_fork, NULL);
    pthread_join(thread, NULL);
    drop(block);
    checkpoint();
}

static void *free_it(void *block)
{
    drop(block);
    return add(malloc(2000));
}

/* Threads that end leave blocks behind, and free what others made. */
static void ends(void)
{
    static char stacks[200][65536] __attribute__((aligned(4096))); /* so that they allocate nothing themselves */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        void *block = add(malloc(1000 + (size_t)i));
        pthread_attr_setstack(&attributes, stacks[i], sizeof stacks[i]);
        pthread_create(&thread, &attributes, free_it, block);
        pthread_join(thread, &block);
        if (i % 2)
            drop(block);
        checkpoint();
    }
}

/* What is never freed: so many blocks, each by its function. */
__attribute__((noinline)) static void leak_small(void)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile("" ::"r"(add(malloc(24))));
}

__attribute__((noinline)) static void leak_large(void)
{
    for (int i = 0; i < 7; i++)
        __asm__ volatile("" ::"r"(add(malloc(123456))));
}

__attribute__((noinline)) static void leak_nothing(void)
{
    void *blocks[5000];
    for (int i = 0; i < 5000; i++)
        blocks[i] = add(malloc(64));
    for (int i = 0; i < 5000; i++)
        drop(blocks[i]);
}

__attribute__((noinline)) static void leak_one_in_ten(void)
{
    for (int i = 0; i < 1000; i++) {
        void *block = add(malloc(400));
        block = resize(block, 500);
        if (i % 10)
            drop(block);
    }
}

static void leaks(void)
{
    leak_small();
    checkpoint();
    leak_large();
    checkpoint();
    leak_nothing();
    checkpoint();
    leak_one_in_ten();
    checkpoint();
}

/* Memory that is mapped: whole, in parts, over what there was, moved, refused; of a file; by threads at once. */
enum { PAGE = 4096, N_MAPPERS = 4, N_MAPS = 2000 };
static int64_t mapped;

static void map_checkpoint(void)
{
    tandem_event(9002, __atomic_load_n(&mapped, __ATOMIC_SEQ_CST));
    print("mapped", __atomic_load_n(&mapped, __ATOMIC_SEQ_CST));
}

static char *map(void *address, size_t size, int flags, int fd)
{
    char *place = mmap(address, size, PROT_READ, MAP_PRIVATE | flags, fd, 0);
    if (place == MAP_FAILED)
        abort();
    return place;
}

static void *map_many(void *number)
{
    uint32_t state = (uint32_t)(uintptr_t)number;
    char *kept[16] = {NULL};
    for (int i = 0; i < N_MAPS; i++) {
        char **place = &kept[next_random(&state) >> 8 & 15];
        if (*place && munmap(*place, 3 * PAGE))
            abort();
        *place = *place ? NULL : map(NULL, 3 * PAGE - 7, MAP_ANONYMOUS, -1);
    }
    for (int i = 0; i < 16; i++)
        if (kept[i])
            __atomic_fetch_add(&mapped, 3 * PAGE, __ATOMIC_SEQ_CST);
    return NULL;
}

static void maps_of_threads(void)
{
    pthread_t threads[N_MAPPERS];
    for (uintptr_t i = 0; i < N_MAPPERS; i++)
        pthread_create(&threads[i], NULL, map_many, (void *)i);
    for (uintptr_t i = 0; i < N_MAPPERS; i++)
        pthread_join(threads[i], NULL);
    map_checkpoint();
}

static void step(int64_t change)
{
    mapped += change;
    map_checkpoint();
}

static void maps(void)
{
    map_checkpoint();
    /* Far from what else is mapped: the kernel puts nothing into holes there, which the program fills later. */
    char *area = map((void *)(UINT64_C(1) << 36), 600 * PAGE, MAP_ANONYMOUS | MAP_NORESERVE, -1);
    step(600 * PAGE);
    munmap(area, 10 * PAGE); /* its begin is cut off, and a piece out of it */
    munmap(area + 90 * PAGE, 10 * PAGE);
    step(-20 * PAGE);
    munmap(area + 50 * PAGE, PAGE); /* a hole */
    step(-PAGE);
    map(area + 40 * PAGE, 20 * PAGE, MAP_ANONYMOUS | MAP_FIXED, -1); /* over both sides of it */
    step(PAGE);
    int file = open("/proc/self/exe", O_RDONLY);
    char *text = map(NULL, 100, 0, file); /* a page at least */
    step(PAGE);
    close(file);
    char *moved = mremap(text, PAGE, 1, 0);
    step(0);
    char *wide = map(NULL, 2 * PAGE, MAP_ANONYMOUS, -1);
    step(2 * PAGE);
    wide = mremap(wide, 2 * PAGE, 500 * PAGE, MREMAP_MAYMOVE);
    step(498 * PAGE);
    if (mremap(wide, 500 * PAGE, (size_t)1 << 60, MREMAP_MAYMOVE) != MAP_FAILED || munmap(wide + 1, PAGE) == 0 ||
        munmap(wide, 0) == 0)
        abort();
    step(0);
    mremap(wide, 500 * PAGE, 500 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, area + 10 * PAGE); /* over most of the area */
    step(-490 * PAGE);
    if (fork() == 0) {
        munmap(area, 510 * PAGE);
        step(-500 * PAGE);
        exit(0);
    }
    wait(NULL);
    munmap(moved, PAGE);
    step(-PAGE);
    maps_of_threads();
    munmap(area, 510 * PAGE); /* its begin is not there */
    step(-500 * PAGE);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"replay", replay}, {"chains", chains}, {"aligned", aligned}, {"forks", forks},
                 {"ends", ends},     {"leaks", leaks},   {"maps", maps}};
    truth = (long (*)(void))dlsym(RTLD_DEFAULT, "truth_live");
    for (unsigned i = 0; i < sizeof cases / sizeof *cases && argc > 1; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    return 0;
}
