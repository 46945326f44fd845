/* SPDX-License-Identifier: Apache-2.0
 *
 * The barest wrapper of bench_library_functions.c that is made by prototypes, to be preloaded: the time before and
 * after each call and its number, into memory that stays warm and is never written out.  As LD_AUDIT, it does the same
 * for the linker's audit interface, which needs no prototypes either.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <x86intrin.h>

enum { N_RECORDS = 8192 };
static struct {
    uint64_t time, what;
} records[N_RECORDS];
static unsigned n_records;

static inline void record(uint64_t what)
{
    records[n_records % N_RECORDS].time = __rdtsc();
    records[n_records++ % N_RECORDS].what = what;
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
    record(1);
    real_nothing();
    record(0);
}

double bench_sum(int a, double b, long c, double d)
{
    record(2);
    double sum = real_sum(a, b, c, d);
    record(0);
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
    record(index);
    *frame_bytes = 64; /* of the caller's arguments, so that pltexit is called */
    return symbol->st_value;
}

unsigned la_x86_64_gnu_pltexit(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                               const La_x86_64_regs *before, La_x86_64_retval *result, const char *name)
{
    record(0);
    return 0;
}
