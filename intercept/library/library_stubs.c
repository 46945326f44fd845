/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing trampolines.  Context: library_stubs.h.
 */
#include "intercept/library/library_stubs.h"

#include "formats/hash.h"
#include "intercept/library/library_counted.h"
#include "intercept/library/library_values.h"
#include "runtime/config.h"
#include "runtime/names.h"
#include "runtime/run.h"
#include "runtime/target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define N_BUCKETS (2 * TND_LIBRARY_MAX_FUNCTIONS)
#define STUB_BYTES 16
#if defined(__aarch64__) /* the largest page that its kernels have */
#define PAGE_BYTES 65536
#else
#define PAGE_BYTES 4096
#endif
#define STUBS_BYTES ((size_t)16 << 20) /* each look that finds new functions begins a page */

static struct {
    uint8_t *stubs;
    uint32_t *hashes;  /* of the functions */
    uint32_t *places;  /* of their trampolines, in STUB_BYTES */
    uint32_t *buckets; /* function + 1 */
    uint32_t used;     /* places */
    uint32_t finished; /* places in pages that are executable */
    bool is_full;
} table;

uint64_t tnd_library_state_bytes;

#if defined(__x86_64__)
#include <cpuid.h>

/* Bytes of the states that tnd_library_shadow_guarded keeps, 0: the processor cannot. */
static uint64_t find_state_bytes(void)
{
    enum { HAS_XSAVE = 1 << 27, LAST_STATE = 7 }; /* the kernel lets programs use it */
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & HAS_XSAVE))
        return 0;
    uint64_t size = 512 + 64;
    for (unsigned i = 2; i <= LAST_STATE; i++)
        if (__get_cpuid_count(13, i, &a, &b, &c, &d) && a && size < (uint64_t)a + b)
            size = (uint64_t)a + b;
    return size;
}

static void write_stub(uint8_t *stub, uint32_t index, const uint8_t *target)
{
    static const uint8_t code[STUB_BYTES] = {0xf3, 0x0f, 0x1e, 0xfa,        /* endbr64 */
                                             0x41, 0xbb, 0,    0,    0, 0,  /* mov $index, %r11d */
                                             0xff, 0x25, 0,    0,    0, 0}; /* jmp *target(%rip) */
    int32_t distance = (int32_t)(target - (stub + STUB_BYTES));
    memcpy(stub, code, sizeof code);
    memcpy(stub + 6, &index, sizeof index);
    memcpy(stub + 12, &distance, sizeof distance);
}
#elif defined(__aarch64__)
/* The vector registers that all processors have; functions that have others as arguments are left alone. */
static uint64_t find_state_bytes(void)
{
    return 512;
}

static void write_stub(uint8_t *stub, uint32_t index, const uint8_t *target)
{
    uint32_t distance = (uint32_t)((int32_t)(target - (stub + 8)) / 4) & 0x7ffff;
    const uint32_t code[] = {0xd503245f,                 /* bti c */
                             0x52800011 | index << 5,    /* mov w17, #index */
                             0x58000010 | distance << 5, /* ldr x16, target */
                             0xd61f0200};                /* br x16 */
    _Static_assert(sizeof code == STUB_BYTES, "a trampoline");
    memcpy(stub, code, sizeof code);
}
#else
static uint64_t find_state_bytes(void)
{
    return 0;
}

static void write_stub(uint8_t *stub, uint32_t index, const uint8_t *target) {}
#endif

static bool refuse(const char *why)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "library: no call is recorded: %s", why);
    tnd_run_note(sentence);
    return false;
}

bool tnd_library_stubs_start(void)
{
    tnd_library_state_bytes = find_state_bytes();
    if (!tnd_library_state_bytes)
        return refuse("that needs an x86-64 processor with XSAVE, or an AArch64 processor");
    size_t n_bytes = TND_LIBRARY_MAX_FUNCTIONS * (sizeof *tnd_library_functions + 2 * sizeof(uint32_t)) +
                     N_BUCKETS * sizeof(uint32_t);
    uint8_t *pages = tnd_target_pages(n_bytes);
    table.stubs = tnd_target_pages(STUBS_BYTES);
    if (!pages || !table.stubs)
        return refuse("there is no memory for its tables");
    tnd_library_functions = (struct tnd_library_function *)(void *)pages;
    table.hashes = (uint32_t *)(tnd_library_functions + TND_LIBRARY_MAX_FUNCTIONS);
    table.places = table.hashes + TND_LIBRARY_MAX_FUNCTIONS;
    table.buckets = table.places + TND_LIBRARY_MAX_FUNCTIONS;
    return true;
}

static uint64_t address_of(uint32_t function)
{
    return (uint64_t)(table.stubs + (size_t)table.places[function] * STUB_BYTES);
}

/* The number that its DEFINE has: of its name, a newline, and the file's name. */
static uint32_t number_of(const char *symbol, const char *path)
{
    char text[2048];
    const char *slash = strrchr(path, '/');
    int n = snprintf(text, sizeof text, "%s\n%s", symbol, slash ? slash + 1 : path);
    return n > 0 && (size_t)n < sizeof text ? tnd_names_number(TND_DEFINE_LIBRARY, text) : 0;
}

/* Each page begins with the address where its trampolines go. */
static uint8_t *new_stub(void)
{
    uint8_t *stub = table.stubs + (size_t)table.used * STUB_BYTES;
    if ((size_t)table.used * STUB_BYTES % PAGE_BYTES == 0) {
        uint64_t target = (uint64_t)tnd_library_enter;
        memcpy(stub, &target, sizeof target);
        stub += STUB_BYTES;
        table.used++;
    }
    table.used++;
    return stub;
}

static uint32_t add(uint64_t real, uint32_t hash, uint32_t number, const char *symbol)
{
    uint32_t function = tnd_library_n_functions++;
    uint8_t *stub = new_stub();
    write_stub(stub, function, table.stubs + ((size_t)(stub - table.stubs) & ~(size_t)(PAGE_BYTES - 1)));
    struct tnd_library_function *added = &tnd_library_functions[function];
    bool is_counted = strcmp(tnd_config.library_short, "counted") == 0;
    *added = (struct tnd_library_function){.real = real, .number = number, .index = (uint16_t)function};
    if (number)
        tnd_library_values_of(symbol, added);
    added->nature = !number || added->n_values ? TND_LIBRARY_APART
                    : is_counted               ? TND_LIBRARY_TRIED
                                               : TND_LIBRARY_RECORDED;
    table.hashes[function] = hash;
    table.places[function] = (uint32_t)((size_t)(stub - table.stubs) / STUB_BYTES);
    return function;
}

/* Where the function is in the table of buckets, or would be. */
static uint32_t bucket_of(uint64_t real, const char *symbol, uint32_t *hash)
{
    *hash = (uint32_t)tnd_hash_add(tnd_hash_add(TND_HASH_BEGIN, &real, sizeof real), symbol, strlen(symbol));
    uint32_t bucket = *hash % N_BUCKETS;
    for (; table.buckets[bucket]; bucket = (bucket + 1) % N_BUCKETS) {
        uint32_t function = table.buckets[bucket] - 1;
        if (table.hashes[function] == *hash && tnd_library_functions[function].real == real)
            break;
    }
    return bucket;
}

static uint64_t refuse_function(void)
{
    if (!table.is_full)
        tnd_run_note("library: there are more functions than can be told apart; calls of the others are not recorded");
    table.is_full = true;
    return 0;
}

/* path: NULL: of a landing, which has no number. */
static uint64_t get(uint64_t real, const char *symbol, const char *path)
{
    uint32_t hash, bucket = bucket_of(real, symbol, &hash);
    if (table.buckets[bucket])
        return address_of(table.buckets[bucket] - 1);
    uint32_t number = path && tnd_library_n_functions < TND_LIBRARY_MAX_FUNCTIONS ? number_of(symbol, path) : 0;
    bool has_room =
        tnd_library_n_functions < TND_LIBRARY_MAX_FUNCTIONS && (size_t)(table.used + 2) * STUB_BYTES <= STUBS_BYTES;
    if (!has_room || (path && !number))
        return refuse_function();
    uint32_t function = add(real, hash, number, symbol);
    table.buckets[bucket] = function + 1;
    return address_of(function);
}

uint64_t tnd_library_stubs_get(uint64_t real, const char *symbol, const char *path)
{
    return get(real, symbol, path);
}

uint64_t tnd_library_stubs_get_landing(uint64_t real, const char *symbol)
{
    return get(real, symbol, NULL);
}

bool tnd_library_stubs_has(uint64_t address)
{
    return address - (uint64_t)table.stubs < STUBS_BYTES;
}

bool tnd_library_stubs_finish(void)
{
    const uint32_t of_page = PAGE_BYTES / STUB_BYTES;
    if (table.used == table.finished)
        return true;
    size_t begin = (size_t)table.finished * STUB_BYTES;
    table.used = (table.used + of_page - 1) / of_page * of_page; /* what comes later begins a page */
    table.finished = table.used;
    __builtin___clear_cache((char *)table.stubs + begin, (char *)table.stubs + (size_t)table.used * STUB_BYTES);
    if (mprotect(table.stubs + begin, (size_t)table.used * STUB_BYTES - begin, PROT_READ | PROT_EXEC) == 0)
        return true;
    return refuse(strerrordesc_np(errno));
}
