/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of bench_library_functions.c that are made by prototypes, to be preloaded.  They write the records that
 * tandem writes, with its own code for that, into memory that stays warm and is never written out; with IS_ONLY_CLOCK
 * they only read the clock twice.  As LD_AUDIT, it does the same for the linker's audit interface, which needs no
 * prototypes either.
 */
#include "formats/event_types.h"
#include "runtime/emit.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

enum tnd_clock tnd_clock_kind = TND_CLOCK_TSC;

enum { RING_BYTES = 1 << 17 };
static uint8_t ring[RING_BYTES];
static struct tnd_stream_header header;
static struct tnd_writer writer = {.header = &header, .next = ring, .limit = ring + RING_BYTES};

uint64_t tnd_clock_monotonic_ns(void)
{
    return 0; /* the clock is the other one */
}

/* The ring is full: it begins again. */
void tnd_emit_head_slowly(struct tnd_writer *full, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux)
{
    full->next = ring;
    tnd_emit_head(full, time, kind, id, aux);
}

static inline void record(uint8_t kind, unsigned what)
{
    uint64_t time = tnd_clock_ticks();
    if (IS_ONLY_CLOCK)
        __asm__ volatile("" : : "r"(time));
    else
        tnd_emit_head(&writer, time, kind, TND_TYPE_LIBRARY_FUNCTION, (uint16_t)what);
}

void bench_nothing(void);
double bench_sum(int a, double b, long c, double d);
static void (*real_nothing)(void);
static double (*real_sum)(int, double, long, double);

__attribute__((constructor)) static void find(void)
{
    real_nothing = (void (*)(void))dlsym(RTLD_NEXT, "bench_nothing");
    real_sum = (double (*)(int, double, long, double))dlsym(RTLD_NEXT, "bench_sum");
}

void bench_nothing(void)
{
    record(TND_RECORD_ENTER, 1);
    real_nothing();
    record(TND_RECORD_LEAVE, 0);
}

double bench_sum(int a, double b, long c, double d)
{
    record(TND_RECORD_ENTER, 2);
    double sum = real_sum(a, b, c, d);
    record(TND_RECORD_LEAVE, 0);
    return sum;
}

unsigned la_version(unsigned version);
unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie);
ElfW(Addr) la_x86_64_gnu_pltenter(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame_bytes);
unsigned la_x86_64_gnu_pltexit(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                               const La_x86_64_regs *before, La_x86_64_retval *result, const char *name);

unsigned la_version(unsigned version)
{
    return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    return strstr(map->l_name, "bench_library_functions") ? LA_FLG_BINDTO : *map->l_name ? 0 : LA_FLG_BINDFROM;
}

ElfW(Addr) la_x86_64_gnu_pltenter(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame_bytes)
{
    record(TND_RECORD_ENTER, index);
    *frame_bytes = 64; /* of the caller's arguments, so that pltexit is called */
    return symbol->st_value;
}

unsigned la_x86_64_gnu_pltexit(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                               const La_x86_64_regs *before, La_x86_64_retval *result, const char *name)
{
    record(TND_RECORD_LEAVE, 0);
    return 0;
}
