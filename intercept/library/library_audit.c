/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the calls that enter a library, by the linker's audit interface (rtld-audit(7)): what `tandem wrap --check`
 * holds the recorded calls against.  A library of its own, for LD_AUDIT, which shares nothing with the trampolines but
 * the reading of the library's name.  Of x86-64.
 *
 * Cost: some 300 ns a call.  Context: any thread of the program, outside of signal handlers and in them; allocates
 * nothing, takes no lock.  It has a C library and an errno of its own.
 */
#include "formats/call_counts.h"
#include "run/library_name.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC unsigned la_version(unsigned version);
PUBLIC unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie);
PUBLIC ElfW(Addr)
    la_x86_64_gnu_pltenter(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                           La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame_bytes);

static struct tnd_call_counts *counts;
static const char *wanted;

/* The image's file, which the images before it under this pid have not taken. */
static int make_file(const char *directory)
{
    char path[PATH_MAX];
    int fd = -1;
    for (unsigned n = 0; fd < 0 && n < 1000; n++) {
        snprintf(path, sizeof path, "%s/%ld.%u", directory, (long)getpid(), n);
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    return fd;
}

unsigned la_version(unsigned version)
{
    const char *directory = getenv(TND_CALL_COUNTS_DIRECTORY);
    wanted = getenv(TND_CALL_COUNTS_LIBRARY);
    int fd = directory && wanted ? make_file(directory) : -1;
    if (fd < 0)
        return version;
    void *map = ftruncate(fd, sizeof *counts) == 0
                    ? mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                    : MAP_FAILED;
    close(fd);
    counts = map == MAP_FAILED ? NULL : map;
    return version;
}

static bool is_wanted(const char *path)
{
    char real[PATH_MAX];
    return tnd_library_name_means(wanted, path) || (realpath(path, real) && tnd_library_name_means(wanted, real));
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    *cookie = (uintptr_t)map;
    if (!counts || space != LM_ID_BASE)
        return 0;
    return LA_FLG_BINDFROM | (*map->l_name && is_wanted(map->l_name) ? LA_FLG_BINDTO : 0);
}

/* Puts a name into the table; its place, 0: it has no room. */
static uint64_t add_name(const char *name)
{
    size_t n_bytes = strlen(name) + 1;
    uint64_t at = atomic_fetch_add_explicit(&counts->n_bytes, n_bytes, memory_order_relaxed);
    if (at + n_bytes > TND_CALL_COUNTS_NAME_BYTES)
        return 0;
    memcpy(counts->names + at, name, n_bytes);
    return at + 1;
}

static struct tnd_call_count *find(const char *name)
{
    uint64_t hash = 0, added = 0;
    for (const char *at = name; *at; at++)
        hash = 31 * hash + (unsigned char)*at;
    for (unsigned i = 0; i < TND_CALL_COUNTS_FUNCTIONS; i++) {
        struct tnd_call_count *count = &counts->of[(hash + i) % TND_CALL_COUNTS_FUNCTIONS];
        uint64_t place = atomic_load_explicit(&count->name, memory_order_acquire);
        if (!place) {
            added = added ? added : add_name(name);
            if (!added || atomic_compare_exchange_strong(&count->name, &place, added))
                return added ? count : NULL;
        }
        if (strcmp(counts->names + place - 1, name) == 0)
            return count;
    }
    return NULL;
}

ElfW(Addr) la_x86_64_gnu_pltenter(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame_bytes)
{
    (void)index, (void)registers, (void)flags, (void)frame_bytes;
    struct tnd_call_count *count = *from != *to ? find(name) : NULL;
    if (count)
        atomic_fetch_add_explicit(&count->n, 1, memory_order_relaxed);
    return symbol->st_value;
}
