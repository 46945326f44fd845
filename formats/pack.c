/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs samples.  Stacks and addresses are found through chains of those with the same hash.
 *
 * Context: pack.h.
 */
#include "formats/pack.h"

#include <string.h>

static unsigned hash(uint64_t address, unsigned caller, unsigned n_chains)
{
    uint64_t mixed = (address + (uint64_t)caller * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return (unsigned)(mixed >> 32) & (n_chains - 1);
}

/* 0: it has no number. */
static unsigned find_stack(const struct tnd_pack *pack, unsigned caller, uint64_t address)
{
    unsigned at = pack->stack_chains[hash(address, caller, TND_PACK_STACK_CHAINS)];
    while (at && (pack->stacks[at].caller != caller || pack->addresses[pack->stacks[at].address] != address))
        at = pack->stacks[at].next;
    return at;
}

/* Numbers it.  0: there are no more numbers. */
static unsigned add_stack(struct tnd_pack *pack, unsigned caller, unsigned address)
{
    if (pack->n_stacks == TND_PACK_MOST_STACKS)
        return 0;
    uint16_t *chain = &pack->stack_chains[hash(pack->addresses[address], caller, TND_PACK_STACK_CHAINS)];
    unsigned at = ++pack->n_stacks;
    pack->stacks[at].caller = (uint16_t)caller;
    pack->stacks[at].address = (uint16_t)address;
    pack->stacks[at].next = *chain;
    *chain = (uint16_t)at;
    return at;
}

static unsigned find_address(const struct tnd_pack *pack, uint64_t address)
{
    unsigned at = pack->address_chains[hash(address, 0, TND_PACK_ADDRESS_CHAINS)];
    while (at && pack->addresses[at] != address)
        at = pack->next_addresses[at];
    return at;
}

static unsigned add_address(struct tnd_pack *pack, uint64_t address)
{
    if (pack->n_addresses == TND_PACK_MOST_ADDRESSES)
        return 0;
    uint16_t *chain = &pack->address_chains[hash(address, 0, TND_PACK_ADDRESS_CHAINS)];
    unsigned at = ++pack->n_addresses;
    pack->addresses[at] = address;
    pack->next_addresses[at] = *chain;
    *chain = (uint16_t)at;
    return at;
}

static uint8_t *put_number(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

/* Writes a frame.  *number is its address's, 0 if it has none. */
static uint8_t *put_frame(struct tnd_pack *pack, uint8_t *at, uint64_t frame, unsigned *number)
{
    *number = find_address(pack, frame);
    if (*number)
        return put_number(at, (uint64_t)*number + 1);
    *number = add_address(pack, frame);
    if (frame & TND_SAMPLE_PYTHON) {
        *at++ = 1;
        return put_number(at, frame & ~TND_SAMPLE_PYTHON);
    }
    uint64_t difference = frame - pack->newest;
    pack->newest = frame;
    *at++ = 0;
    return put_number(at, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
}

/* How many of the n outermost callers have a number together; the path is then theirs. */
static unsigned follow_path(struct tnd_pack *pack, const uint64_t *outermost, unsigned n)
{
    unsigned known = 0, next;
    while (known < n && known < pack->n_path && pack->path_frames[known] == outermost[-(ptrdiff_t)known])
        known++;
    while (known < n && (next = find_stack(pack, pack->path_stacks[known], outermost[-(ptrdiff_t)known]))) {
        pack->path_frames[known] = outermost[-(ptrdiff_t)known];
        pack->path_stacks[++known] = (uint16_t)next;
    }
    pack->n_path = known;
    return known;
}

static uint8_t *put_stack(struct tnd_pack *pack, uint8_t *at, const uint64_t *frames, unsigned n)
{
    unsigned number, n_known = n ? follow_path(pack, frames + n - 1, n - 1) : 0;
    at = put_number(at, pack->path_stacks[n_known]);
    at = put_number(at, n - n_known);
    for (unsigned i = n - n_known; i-- > 0;) {
        at = put_frame(pack, at, frames[i], &number);
        if (i == 0 || !number || pack->n_path != n - 1 - i)
            continue;
        unsigned stack = add_stack(pack, pack->path_stacks[pack->n_path], number);
        if (!stack)
            continue;
        pack->path_frames[pack->n_path] = frames[i];
        pack->path_stacks[++pack->n_path] = (uint16_t)stack;
    }
    return at;
}

size_t tnd_pack_put(struct tnd_pack *pack, uint8_t *at, const struct tnd_pack_entry *entry, const uint64_t *frames,
                    unsigned n)
{
    bool is_wait = entry->kind == TND_RECORD_WAIT;
    uint8_t *end = put_number(at + 1, entry->time - pack->time);
    end = put_number(end, entry->id);
    if (is_wait)
        end = put_number(put_number(end, entry->words[0]), entry->words[1]);
    if (!(entry->flags & TND_SAMPLE_REST))
        end = put_stack(pack, end, frames, n);
    pack->time = entry->time;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uint8_t *)at =
        (uint8_t)(TND_PACK_ENTRY | (is_wait ? TND_PACK_WAIT : 0) | (entry->flags & TND_PACK_FLAGS));
    return (size_t)(end - at);
}

void tnd_pack_reset(struct tnd_pack *pack)
{
    pack->n_stacks = pack->n_addresses = pack->n_path = 0;
    pack->newest = 0;
    memset(pack->stack_chains, 0, sizeof pack->stack_chains);
    memset(pack->address_chains, 0, sizeof pack->address_chains);
}
