/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading single instructions to a trampoline, where the slot that they call through is also read as an address and
 * must stay: their operand is changed to name a cell of ours near the code, which holds the trampoline.
 *
 * Context: as library_slots.h.  The page of the instruction is writable for a moment.
 */
#ifndef TND_LIBRARY_SITES_H
#define TND_LIBRARY_SITES_H

#include "intercept/library/library_object.h"

/* Leads all calls through the slot, an address without the bias, to the trampoline; those that cannot be changed stay.
 */
void tnd_library_sites_lead(const struct tnd_library_object *object, uint64_t slot, uint64_t trampoline);

#endif
