/* SPDX-License-Identifier: Apache-2.0
 *
 * How code uses a slot that holds the address of a function: it calls through it (code compiled with -fno-plt), or
 * reads the address, too.
 *
 * Cost: the object's code is read once, 1 ns a byte, if such a slot is asked for.
 * Context: as library_slots.h.
 */
#ifndef TND_LIBRARY_USES_H
#define TND_LIBRARY_USES_H

#include "intercept/library/library_object.h"

enum tnd_library_use { TND_LIBRARY_CALLS = 1, TND_LIBRARY_READS = 2 };

/* What the object's code does with a slot, an address without the bias: a sum of those. */
unsigned tnd_library_uses_of(const struct tnd_library_object *object, uint64_t slot);

/* What was known may be out of date. */
void tnd_library_uses_forget(void);

/* Calls `found` for each instruction that calls through that slot, with the place of its operand: 4 bytes, the distance
 * of the slot from their end. */
void tnd_library_uses_each(const struct tnd_library_object *object, uint64_t slot,
                           void (*found)(uint8_t *operand, void *user_data), void *user_data);

#endif
