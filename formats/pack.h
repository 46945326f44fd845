/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples and waits, packed: many in one record (TND_RECORD_PACKED), some 15 bytes each.  Readers of streams hand them
 * out as the SAMPLE and WAIT records that they stand for (formats/unpack.h).
 *
 * Both sides number, in the order in which they come, the addresses of frames, and the stacks of callers: a stack is
 * its number's caller and one frame further in.  So what was seen before is told by its number, and only what is new
 * by its frames.  Entries follow each other in the record's words, as bytes:
 *
 *     byte     128, 16 if it is a WAIT, and its enum tnd_sample_flag; 0: nothing follows
 *     number   ticks since the entry before; of the first one, since the record's time
 *     number   id
 *     number   of a WAIT: each of its last two words
 *     number   of the callers' stack, 0: none          } not of a TND_SAMPLE_REST, whose
 *     number   of frames that follow, outermost first  } stack is that of the sample before
 *     frames   each: 2 or more: that of number - 1; 0 and a number: a new address, by its difference to the newest
 *              one, twice the difference or, of one below, twice its distance - 1; 1 and a number: a new function of
 *              Python's
 *
 * A number has 7 bits a byte, the lowest first; 128 in all bytes but the last.  A new frame has the next number, as
 * long as there are any; all but the innermost one make a new stack of the one before, if frame and stack have numbers.
 *
 * What was written is there at each moment: an entry's first byte is stored last, and the record was published with
 * nothing but zeros in it.
 *
 * Cost: 35 to 170 ns for stacks that were seen before, of 10 to 30 frames; 0.4 MB of address space a writer, of which
 * is used what its stacks need (measured, docs/decisions/0021-packed-samples.md).
 *
 * Context: any; no allocation, no lock.
 */
#ifndef TND_PACK_H
#define TND_PACK_H

#include "formats/record.h"

#include <stdbool.h>
#include <stddef.h>

#define TND_PACK_MOST_STACKS 32767
#define TND_PACK_MOST_ADDRESSES 16383
#define TND_PACK_MOST_FRAMES 128 /* of one stack; run/setting.h: the greatest depth */

/* Of an entry's first byte. */
#define TND_PACK_ENTRY 128
#define TND_PACK_WAIT 16
#define TND_PACK_FLAGS 15

/* Room that an entry may need, in bytes, with n frames. */
#define TND_PACK_ENTRY_BYTES(n) (48 + 11 * (size_t)(n))

#define TND_PACK_STACK_CHAINS 8192
#define TND_PACK_ADDRESS_CHAINS 4096

/* Of one writer; all 0 at first. */
struct tnd_pack {
    uint64_t time;   /* of the entry before, or of the record */
    uint64_t newest; /* address that was written last */
    uint32_t n_stacks, n_addresses;
    uint32_t n_path;                                /* callers of the entry before that have numbers */
    uint64_t path_frames[TND_PACK_MOST_FRAMES];     /* outermost first */
    uint16_t path_stacks[TND_PACK_MOST_FRAMES + 1]; /* [n]: of n callers */
    uint16_t stack_chains[TND_PACK_STACK_CHAINS];
    uint16_t address_chains[TND_PACK_ADDRESS_CHAINS];
    uint64_t addresses[TND_PACK_MOST_ADDRESSES + 1];
    uint16_t next_addresses[TND_PACK_MOST_ADDRESSES + 1];
    struct {
        uint16_t caller, address, next;
    } stacks[TND_PACK_MOST_STACKS + 1];
};

/* What an entry says besides its stack. */
struct tnd_pack_entry {
    uint64_t time;
    uint32_t id;
    uint8_t kind;      /* TND_RECORD_SAMPLE, TND_RECORD_WAIT */
    uint8_t flags;     /* enum tnd_sample_flag */
    uint64_t words[2]; /* of a WAIT: the last two */
};

/* Forgets all numbers. */
void tnd_pack_reset(struct tnd_pack *pack);

/* Writes an entry at a place of at least TND_PACK_ENTRY_BYTES(n) bytes that begins with 0.  Returns its length.
 * frames: n, innermost first; none of a TND_SAMPLE_REST. */
size_t tnd_pack_put(struct tnd_pack *pack, uint8_t *at, const struct tnd_pack_entry *entry, const uint64_t *frames,
                    unsigned n);

#endif
