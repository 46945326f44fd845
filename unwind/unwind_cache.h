/* SPDX-License-Identifier: Apache-2.0
 *
 * What unwind tables said of places in the code that have been passed before: one 64-bit rule a place (unwind_tables.c
 * says what is in it), in a table of fixed size that all threads and handlers share.  A place that loses its slot to
 * another is read from the tables again.
 *
 * An entry is two words, written one after the other without a lock.  The first is made of the place, the rule and the
 * generation of the loaded code, so that two halves that do not belong together, by whatever writer, and entries from
 * before something was unloaded, are found out and count as absent.
 *
 * Cost: 2 ns to find (measured, tests/bench), 64 KiB of zeros of which the touched pages count.
 * Context: any, handlers included.
 */
#ifndef TND_UNWIND_CACHE_H
#define TND_UNWIND_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define TND_UNWIND_CACHE_BITS 12

struct tnd_unwind_cached {
    uint64_t check, rule;
};
extern struct tnd_unwind_cached tnd_unwind_cache[1 << TND_UNWIND_CACHE_BITS] __attribute__((visibility("hidden")));

/* Knuth's multiplier, 2^64 / phi, and another odd one. */
#define TND_UNWIND_CACHE_SPREAD 0x9e3779b97f4a7c15u
#define TND_UNWIND_CACHE_MIX 0xd1342543de82ef95u

static inline struct tnd_unwind_cached *tnd_unwind_cache_slot(uint64_t pc)
{
    return &tnd_unwind_cache[pc * TND_UNWIND_CACHE_SPREAD >> (64 - TND_UNWIND_CACHE_BITS)];
}

static inline uint64_t tnd_unwind_cache_check(uint64_t pc, uint64_t generation, uint64_t rule)
{
    return pc ^ generation * TND_UNWIND_CACHE_SPREAD ^ rule * TND_UNWIND_CACHE_MIX;
}

/* The rule of a place; false if it is not there. */
static inline bool tnd_unwind_cache_find(uint64_t pc, uint64_t generation, uint64_t *rule)
{
    const struct tnd_unwind_cached *slot = tnd_unwind_cache_slot(pc);
    *rule = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED);
    return __atomic_load_n(&slot->check, __ATOMIC_RELAXED) == tnd_unwind_cache_check(pc, generation, *rule);
}

/* generation: as it was before the tables were read. */
static inline void tnd_unwind_cache_keep(uint64_t pc, uint64_t generation, uint64_t rule)
{
    struct tnd_unwind_cached *slot = tnd_unwind_cache_slot(pc);
    __atomic_store_n(&slot->check, tnd_unwind_cache_check(pc, generation, rule), __ATOMIC_RELAXED);
    __atomic_store_n(&slot->rule, rule, __ATOMIC_RELAXED);
}

#endif
