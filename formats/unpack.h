/* SPDX-License-Identifier: Apache-2.0
 *
 * The reading side of formats/pack.h: SAMPLE and WAIT records, one by one, as if they had been written so.
 *
 * Memory: 4 bytes for each stack and 8 for each address that has a number, as they come.
 * Context: not for handlers; allocates.
 */
#ifndef TND_UNPACK_H
#define TND_UNPACK_H

#include "formats/record.h"

#include <stdbool.h>

/* Of one reader of one stream. */
struct tnd_unpack;

/* NULL: no memory. */
struct tnd_unpack *tnd_unpack_new(void);
struct tnd_unpack *tnd_unpack_copy(const struct tnd_unpack *unpack);
void tnd_unpack_free(struct tnd_unpack *unpack); /* NULL: nothing to do */

/* Begins with a TND_RECORD_PACKED, which must stay until its last entry was read. */
void tnd_unpack_begin(struct tnd_unpack *unpack, const struct tnd_record *packed);

/* The next entry, valid until the next call.  NULL: there is none, or, if *rest_bytes is not 0, what is left of the
 * record cannot be read. */
const struct tnd_record *tnd_unpack_next(struct tnd_unpack *unpack, uint64_t *rest_bytes);

#endif
