/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in equal parts, one a slot of the threads, in few mappings: a process may have 65,530 (vm.max_map_count), of
 * which each thread of the program's needs two.  A mapping has the parts of as many slots as there were before it, at
 * most 256: it costs address space, and no memory until a part is used.
 *
 * Context: system calls only.
 */
#ifndef TND_SLOT_PARTS_H
#define TND_SLOT_PARTS_H

#include "runtime/machine.h"

#include <stddef.h>
#include <stdint.h>

#define TND_SLOT_PARTS_AT_ONCE_BITS 8
#define TND_SLOT_PARTS_MAPPINGS (TND_SLOT_PARTS_AT_ONCE_BITS + (TND_MACHINE_SLOTS >> TND_SLOT_PARTS_AT_ONCE_BITS))

struct tnd_slot_parts {
    size_t part_bytes; /* whole pages */
    void *mappings[TND_SLOT_PARTS_MAPPINGS];
};

/* The part of a slot; NULL: it cannot be mapped, and errno says why.  `map` maps the parts of n slots from `first` on;
 * NULL and errno. */
void *tnd_slot_parts_get(struct tnd_slot_parts *parts, uint32_t slot,
                         void *(*map)(const void *user_data, uint32_t first, uint32_t n), const void *user_data);

/* The mapping of that number, below TND_SLOT_PARTS_MAPPINGS; NULL: it is not there. */
void *tnd_slot_parts_mapping(const struct tnd_slot_parts *parts, uint32_t number, size_t *n_bytes);

/* Unmaps all parts. */
void tnd_slot_parts_free(struct tnd_slot_parts *parts);

#endif
