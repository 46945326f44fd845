/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of slots: mapping 0 has slot 0, 1 has slot 1, 2 has 2 and 3, 3 has 4 to 7, and so on.
 *
 * Context: slot_parts.h.
 */
#include "targets/linux/slot_parts.h"

#include "runtime/target.h"

#include <stdbool.h>

#define AT_ONCE (1u << TND_SLOT_PARTS_AT_ONCE_BITS)

/* The number of the mapping that has the slot, and which slots it has. */
static uint32_t find(uint32_t slot, uint32_t *first, uint32_t *n)
{
    if (slot >= AT_ONCE) {
        *first = slot & ~(AT_ONCE - 1);
        *n = AT_ONCE;
        return TND_SLOT_PARTS_AT_ONCE_BITS + slot / AT_ONCE;
    }
    uint32_t number = slot ? 32 - (uint32_t)__builtin_clz(slot) : 0;
    *first = slot ? 1u << (number - 1) : 0;
    *n = slot ? *first : 1;
    return number;
}

void *tnd_slot_parts_get(struct tnd_slot_parts *parts, uint32_t slot,
                         void *(*map)(const void *user_data, uint32_t first, uint32_t n), const void *user_data)
{
    uint32_t first, n;
    void **place = &parts->mappings[find(slot, &first, &n)];
    void *mapping = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (!mapping) {
        void *made = map(user_data, first, n);
        if (!made)
            return NULL;
        if (__atomic_compare_exchange_n(place, &mapping, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            mapping = made;
        else
            tnd_target_pages_free(made, n * parts->part_bytes); /* another thread came first */
    }
    return (char *)mapping + (slot - first) * parts->part_bytes;
}

void *tnd_slot_parts_mapping(const struct tnd_slot_parts *parts, uint32_t number, size_t *n_bytes)
{
    uint32_t n = number > TND_SLOT_PARTS_AT_ONCE_BITS ? AT_ONCE : number ? 1u << (number - 1) : 1;
    *n_bytes = n * parts->part_bytes;
    return __atomic_load_n(&parts->mappings[number], __ATOMIC_ACQUIRE);
}

void tnd_slot_parts_free(struct tnd_slot_parts *parts)
{
    size_t n_bytes;
    for (uint32_t i = 0; i < TND_SLOT_PARTS_MAPPINGS; i++) {
        void *mapping = tnd_slot_parts_mapping(parts, i, &n_bytes);
        if (mapping)
            tnd_target_pages_free(mapping, n_bytes);
        parts->mappings[i] = NULL;
    }
}
