/* SPDX-License-Identifier: Apache-2.0
 *
 * How code uses a slot that holds the address of a function: it calls through it (code compiled with -fno-plt), or reads
 * the address, too.
 *
 * Cost: the object's code is read once, 1 ns a byte, if such a slot is asked for.
 * Context: as library_slots.h.
 */
#ifndef TND_LIBRARY_USES_H
#define TND_LIBRARY_USES_H

#include "intercept/library/library_object.h"

/* Whether the object's code calls through the slot, an address without the bias, and does nothing else with it. */
bool tnd_library_uses_is_only_called(const struct tnd_library_object *object, uint64_t slot);

#endif
