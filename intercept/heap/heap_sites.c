/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites and blocks in tables without locks.  Context: heap_sites.h.
 */
#include "intercept/heap/heap_sites.h"

#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/target.h"
#include "sampler/unwind.h"

#define SITE_BITS 16 /* sites at most; 20 bits fit into a block's word */
#define INDEX_BITS (SITE_BITS + 1)
#define MAX_FRAMES 128 /* run/setting.h */
#define LINE_BLOCKS 7
#define MORE_LINES 65536 /* mapped at once: 4 MiB */
#define COUNT_STUCK 255
#define BLOCK_UNIT 256 /* blocks are counted in 256ths, because a block of the sample may count as two and a half */

struct site {
    uint64_t hash;
    int64_t live, blocks; /* bytes, and parts of blocks */
    uint64_t allocated, n_allocations;
    int64_t peak_live, peak_blocks;
    uint32_t told_in; /* the image's generation in which it was recorded last */
    uint32_t n_frames;
};

/* A line of the table.  A word has a block's address >> 3 in the upper 44 bits and its site below; 0: free. */
struct line {
    uint64_t blocks[LINE_BLOCKS];
    struct line *more;
};

static struct {
    uint64_t period;
    unsigned depth;
    struct site *sites; /* [0]: all those for which there is no room */
    uint64_t *frames;   /* depth of each */
    uint32_t *index;    /* by hash: number of a site */
    uint32_t n_sites, generation;
    struct line *lines;
    struct line *spare; /* MORE_LINES of them */
    uint64_t random;
} table = {.n_sites = 1, .generation = 1};

struct tnd_heap_lines tnd_heap_lines;

bool tnd_heap_sites_start(bool all)
{
    unsigned bits = all ? TND_HEAP_LINE_BITS_ALL : TND_HEAP_LINE_BITS;
    table.period = all ? 0 : tnd_config.heap_sample_bytes;
    table.depth = tnd_config.sampling_depth ? (unsigned)tnd_config.sampling_depth : 1;
    table.sites = tnd_target_pages(sizeof *table.sites << SITE_BITS);
    table.frames = tnd_target_pages(table.depth * sizeof *table.frames << SITE_BITS);
    table.index = tnd_target_pages(sizeof *table.index << INDEX_BITS);
    table.lines = tnd_target_pages(sizeof *table.lines << bits);
    tnd_heap_lines.counts = tnd_target_pages((size_t)1 << bits);
    tnd_heap_lines.shift = 64 - bits;
    bool has_all = table.sites && table.frames && table.index && table.lines && tnd_heap_lines.counts;
    if (!has_all)
        tnd_run_note("heap: sites are not recorded: there is no memory for their table");
    return has_all;
}

uint64_t tnd_heap_sites_period(void)
{
    return table.period;
}

/* A random number of 64 bits (splitmix64): the same sequence in every run, but for the order in which threads take
 * them. */
static uint64_t next_random(void)
{
    uint64_t x = __atomic_add_fetch(&table.random, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* -ln(x / 2^64): the power of two, and a series for what is left, which lies in [1, 2). */
static double minus_log(uint64_t x)
{
    unsigned zeros = x ? (unsigned)__builtin_clzll(x) : 63;
    double left = (double)(x << zeros) / 9223372036854775808.0, t = (left - 1) / (left + 1), t2 = t * t;
    return (zeros + 1) * 0.6931471805599453 - 2 * t * (1 + t2 * (1 / 3.0 + t2 * (1 / 5.0 + t2 * (1 / 7.0 + t2 / 9.0))));
}

/* 1 - exp(-x): by the limit of (1 - x / n)^n, within a thousandth. */
static double chance(double x)
{
    enum { HALVINGS = 12 };
    if (x > 16)
        return 1;
    if (x < 1e-3)
        return x - x * x / 2;
    double power = 1 - x / (1 << HALVINGS);
    for (int i = 0; i < HALVINGS; i++)
        power *= power;
    return 1 - power;
}

int64_t tnd_heap_sites_next(void)
{
    return table.period ? (int64_t)(minus_log(next_random()) * (double)table.period) : 0;
}

/* What a block of the sample counts as: bytes, and 256ths of blocks. */
struct weight {
    int64_t bytes, blocks;
};

static struct weight weigh(size_t n_bytes)
{
    if (!table.period)
        return (struct weight){(int64_t)n_bytes, BLOCK_UNIT};
    double n = 1 / chance((double)n_bytes / (double)table.period);
    return (struct weight){(int64_t)((double)n_bytes * n + 0.5), (int64_t)(BLOCK_UNIT * n + 0.5)};
}

static void add(uint32_t site, struct weight weight)
{
    __atomic_fetch_add(&table.sites[site].live, weight.bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&table.sites[site].blocks, weight.blocks, __ATOMIC_RELAXED);
}

/* Sites. */

/* FNV-1a over words instead of bytes, with some mixing. */
static uint64_t hash_frames(const uint64_t *frames, unsigned n)
{
    uint64_t hash = 0xcbf29ce484222325u ^ n;
    for (unsigned i = 0; i < n; i++) {
        hash = (hash ^ frames[i]) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash | 1;
}

/* A new site, not in the index yet; 0: no room. */
static uint32_t make_site(uint64_t hash, const uint64_t *frames, unsigned n)
{
    uint32_t number = __atomic_load_n(&table.n_sites, __ATOMIC_RELAXED);
    do
        if (number >> SITE_BITS)
            return 0;
    while (
        !__atomic_compare_exchange_n(&table.n_sites, &number, number + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    table.sites[number].hash = hash;
    table.sites[number].n_frames = n;
    for (unsigned i = 0; i < n; i++)
        table.frames[(size_t)number * table.depth + i] = frames[i];
    return number;
}

/* Two stacks of one hash are taken for one: of 65,536 there are two such with probability 1e-10. */
static uint32_t find_site(const uint64_t *frames, unsigned n)
{
    uint64_t hash = hash_frames(frames, n), mask = ((uint64_t)1 << INDEX_BITS) - 1;
    uint32_t made = 0;
    for (uint64_t at = hash >> (64 - INDEX_BITS);; at = (at + 1) & mask) {
        uint32_t number = __atomic_load_n(&table.index[at], __ATOMIC_ACQUIRE);
        if (!number) {
            if (!made && !(made = make_site(hash, frames, n)))
                return 0;
            if (__atomic_compare_exchange_n(&table.index[at], &number, made, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
                return made;
        }
        if (table.sites[number].hash == hash)
            return number; /* a site that was made in vain stays empty, and is not recorded */
    }
}

uint32_t tnd_heap_sites_here(const void *start)
{
    uint64_t frames[MAX_FRAMES];
    return find_site(frames, tnd_unwind_here(start, frames, table.depth));
}

/* Blocks. */

/* The first word of the spare lines counts how many of them are taken, the first one included. */
static struct line *take_line(void)
{
    for (;;) {
        struct line *spare = __atomic_load_n(&table.spare, __ATOMIC_ACQUIRE);
        uint64_t n = spare ? __atomic_fetch_add(&spare->blocks[0], 1, __ATOMIC_RELAXED) + 1 : MORE_LINES;
        if (n < MORE_LINES)
            return &spare[n];
        struct line *more = tnd_target_pages(MORE_LINES * sizeof *more);
        if (!more)
            return NULL;
        if (!__atomic_compare_exchange_n(&table.spare, &spare, more, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            tnd_target_pages_free(more, MORE_LINES * sizeof *more);
    }
}

/* Puts the word into a free place of the line or of one that continues it. */
static bool put_word(uint64_t word, struct line *line)
{
    for (;;) {
        for (unsigned i = 0; i < LINE_BLOCKS; i++) {
            uint64_t free = 0;
            if (__atomic_load_n(&line->blocks[i], __ATOMIC_RELAXED) == 0 &&
                __atomic_compare_exchange_n(&line->blocks[i], &free, word, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                return true;
        }
        struct line *more = __atomic_load_n(&line->more, __ATOMIC_ACQUIRE);
        if (!more) {
            struct line *taken = take_line();
            if (!taken)
                return false;
            if (__atomic_compare_exchange_n(&line->more, &more, taken, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                more = taken;
        }
        line = more;
    }
}

/* A count that has reached COUNT_STUCK stays there. */
static void count(uint64_t line, int change)
{
    uint8_t *place = &tnd_heap_lines.counts[line], n = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (n != COUNT_STUCK &&
           !__atomic_compare_exchange_n(place, &n, (uint8_t)(n + change), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

#define SITE_OF_WORD ((1u << 20) - 1)

static bool put_block(const void *block, uint32_t site)
{
    uint64_t line = tnd_heap_sites_line(block);
    count(line, 1);
    return put_word((uint64_t)block >> 3 << 20 | site, &table.lines[line]);
}

void tnd_heap_sites_took(const void *block, size_t n_bytes, const void *start)
{
    uint32_t site = tnd_heap_sites_here(start);
    if (!put_block(block, site))
        return;
    struct weight weight = weigh(n_bytes);
    add(site, weight);
    __atomic_fetch_add(&table.sites[site].allocated, (uint64_t)weight.bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&table.sites[site].n_allocations, (uint64_t)weight.blocks, __ATOMIC_RELAXED);
}

/* Returns the site's number + 1, so that 0 is none. */
uint32_t tnd_heap_sites_clear(const void *block)
{
    uint64_t number = tnd_heap_sites_line(block), high = (uint64_t)block >> 3;
    for (struct line *line = &table.lines[number]; line; line = __atomic_load_n(&line->more, __ATOMIC_ACQUIRE))
        for (unsigned i = 0; i < LINE_BLOCKS; i++) {
            uint64_t word = __atomic_load_n(&line->blocks[i], __ATOMIC_RELAXED);
            if (word && word >> 20 == (high & (UINT64_MAX >> 20))) {
                __atomic_store_n(&line->blocks[i], 0, __ATOMIC_RELAXED);
                count(number, -1);
                return (uint32_t)(word & SITE_OF_WORD) + 1;
            }
        }
    return 0;
}

void tnd_heap_sites_gave(uint32_t site, size_t n_bytes)
{
    struct weight weight = weigh(n_bytes);
    add(site - 1, (struct weight){-weight.bytes, -weight.blocks});
}

void tnd_heap_sites_stays(const void *block, uint32_t site)
{
    put_block(block, site - 1);
}

/* Recording. */

void tnd_heap_sites_keep(void)
{
    uint32_t n = __atomic_load_n(&table.n_sites, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++) {
        table.sites[i].peak_live = __atomic_load_n(&table.sites[i].live, __ATOMIC_RELAXED);
        table.sites[i].peak_blocks = __atomic_load_n(&table.sites[i].blocks, __ATOMIC_RELAXED);
    }
}

static uint64_t whole(int64_t parts)
{
    return parts > 0 ? (uint64_t)(parts + BLOCK_UNIT / 2) / BLOCK_UNIT : 0;
}

static void tell_site(struct tnd_thread *thread, uint64_t time, uint32_t number)
{
    struct site *site = &table.sites[number];
    bool is_new = site->told_in != table.generation;
    if (is_new && !__atomic_load_n(&site->n_allocations, __ATOMIC_RELAXED) &&
        !__atomic_load_n(&site->blocks, __ATOMIC_RELAXED))
        return; /* of the parent of a forked image, which freed its blocks */
    if (is_new)
        tnd_emit_words(&thread->main, time, TND_RECORD_HEAP_SITE, number, 0, site->n_frames,
                       &table.frames[(size_t)number * table.depth]);
    site->told_in = table.generation;
    tnd_emit_words(&thread->main, time, TND_RECORD_HEAP, number, 0, 6,
                   (uint64_t[]){(uint64_t)__atomic_load_n(&site->live, __ATOMIC_RELAXED),
                                whole(__atomic_load_n(&site->blocks, __ATOMIC_RELAXED)),
                                __atomic_load_n(&site->allocated, __ATOMIC_RELAXED),
                                whole((int64_t)__atomic_load_n(&site->n_allocations, __ATOMIC_RELAXED)),
                                (uint64_t)site->peak_live, whole(site->peak_blocks)});
}

void tnd_heap_sites_tell(struct tnd_thread *thread, uint64_t time)
{
    uint32_t n = __atomic_load_n(&table.n_sites, __ATOMIC_ACQUIRE);
    for (uint32_t i = 1; i < n; i++)
        tell_site(thread, time, i);
}

void tnd_heap_sites_fork_child(void)
{
    table.generation++;
    for (uint32_t i = 0; i < table.n_sites; i++)
        table.sites[i].allocated = table.sites[i].n_allocations = 0;
}
