/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a walk reads: that of its own process (unwind_own.c), or, from outside, what is known of another
 * process (attach/attach_memory.c).  A program has one of the two.
 *
 * Context: handler.
 */
#ifndef TND_UNWIND_MEMORY_H
#define TND_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* A file with code that is loaded: where its unwind tables can be read, here. */
struct tnd_unwind_object {
    const uint8_t *low, *high; /* its bytes */
    const uint8_t *index;      /* its sorted index (.eh_frame_hdr), in its bytes */
    uint64_t shift;            /* what to add to an address of its code for where that is here; 0 in the own process */
};

/* The file that has the code at pc; false: none that has tables. */
bool tnd_unwind_memory_object(uint64_t pc, struct tnd_unwind_object *object);

/* Whether the page of an address, which is not of the known part of the stack, can be read; *value: its word there.
 * address is a multiple of 8. */
bool tnd_unwind_memory_load(uint64_t address, uint64_t *value);

#endif
