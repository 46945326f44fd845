/* SPDX-License-Identifier: Apache-2.0
 *
 * Unpacks samples.  What a file says is checked: numbers must have been given, stacks must fit a record.
 *
 * Context: unpack.h.
 */
#include "formats/unpack.h"
#include "formats/grow.h"
#include "formats/pack.h"

#include <string.h>

#define MOST_FRAMES (TND_RECORD_MAX_WORDS - 2) /* a WAIT has two words besides */

struct stack {
    uint16_t caller, address;
};

/* Frames, innermost first. */
struct frames {
    unsigned n;
    uint64_t frames[MOST_FRAMES];
};

struct tnd_unpack {
    const uint8_t *at, *end; /* what is left of the record */
    bool is_sound;
    uint64_t time, newest;
    size_t n_stacks, n_addresses;
    struct stack *stacks;       /* [number - 1] */
    uint64_t *addresses;        /* likewise */
    struct frames sampled, now; /* of the sample before, of this entry */
    union {
        struct tnd_record record;
        uint64_t words[TND_RECORD_MAX_BYTES / 8];
    } made;
};

struct tnd_unpack *tnd_unpack_new(void)
{
    return calloc(1, sizeof(struct tnd_unpack));
}

static void *copy_array(const void *array, size_t n, size_t size)
{
    size_t room = 1;
    while (room < n)
        room *= 2;
    return n ? memcpy(tnd_grow_memory(NULL, room, size), array, n * size) : NULL;
}

struct tnd_unpack *tnd_unpack_copy(const struct tnd_unpack *unpack)
{
    struct tnd_unpack *copy = tnd_grow_memory(NULL, 1, sizeof *copy);
    *copy = *unpack;
    copy->stacks = copy_array(unpack->stacks, unpack->n_stacks, sizeof *unpack->stacks);
    copy->addresses = copy_array(unpack->addresses, unpack->n_addresses, sizeof *unpack->addresses);
    return copy;
}

void tnd_unpack_free(struct tnd_unpack *unpack)
{
    if (!unpack)
        return;
    free(unpack->stacks);
    free(unpack->addresses);
    free(unpack);
}

static void forget_numbers(struct tnd_unpack *unpack)
{
    free(unpack->stacks);
    free(unpack->addresses);
    unpack->stacks = NULL;
    unpack->addresses = NULL;
    unpack->n_stacks = unpack->n_addresses = 0;
    unpack->newest = 0;
}

void tnd_unpack_begin(struct tnd_unpack *unpack, const struct tnd_record *packed)
{
    if (packed->aux & TND_PACKED_RESET)
        forget_numbers(unpack);
    if (packed->aux & TND_PACKED_FIRST)
        unpack->sampled.n = 0;
    unpack->time = packed->time;
    unpack->at = (const uint8_t *)packed->words;
    unpack->end = unpack->at + 8 * (size_t)packed->n_words;
    unpack->is_sound = true;
}

/* What cannot be a number makes the entry unsound. */
static uint64_t take_number(struct tnd_unpack *unpack)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && unpack->at < unpack->end; shift += 7) {
        uint8_t byte = *unpack->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    unpack->is_sound = false;
    return 0;
}

static uint64_t take_number_below(struct tnd_unpack *unpack, uint64_t limit)
{
    uint64_t number = take_number(unpack);
    unpack->is_sound &= number < limit;
    return unpack->is_sound ? number : 0;
}

static unsigned add_address(struct tnd_unpack *unpack, uint64_t address)
{
    if (unpack->n_addresses == TND_PACK_MOST_ADDRESSES)
        return 0;
    unpack->addresses = tnd_grow_by_one(unpack->addresses, unpack->n_addresses, sizeof *unpack->addresses);
    unpack->addresses[unpack->n_addresses++] = address;
    return (unsigned)unpack->n_addresses;
}

/* A frame; *number is its address's, 0 if it has none. */
static uint64_t take_frame(struct tnd_unpack *unpack, unsigned *number)
{
    uint64_t code = take_number_below(unpack, unpack->n_addresses + 2), frame;
    *number = 0;
    if (code >= 2) {
        *number = (unsigned)code - 1;
        return unpack->addresses[*number - 1];
    }
    frame = take_number(unpack);
    if (!unpack->is_sound)
        return 0;
    if (code == 1) {
        frame |= TND_SAMPLE_PYTHON;
    } else {
        unpack->newest += frame >> 1 ^ (frame & 1 ? UINT64_MAX : 0);
        frame = unpack->newest;
    }
    *number = add_address(unpack, frame);
    return frame;
}

/* The number of a stack that is added; 0: it gets none. */
static unsigned add_stack(struct tnd_unpack *unpack, unsigned caller, unsigned address)
{
    if (unpack->n_stacks == TND_PACK_MOST_STACKS)
        return 0;
    unpack->stacks = tnd_grow_by_one(unpack->stacks, unpack->n_stacks, sizeof *unpack->stacks);
    unpack->stacks[unpack->n_stacks++] = (struct stack){(uint16_t)caller, (uint16_t)address};
    return (unsigned)unpack->n_stacks;
}

static void take_stack(struct tnd_unpack *unpack)
{
    struct frames *now = &unpack->now;
    unsigned callers = (unsigned)take_number_below(unpack, unpack->n_stacks + 1), stack = callers;
    unsigned n_new = (unsigned)take_number_below(unpack, MOST_FRAMES + 1), number;
    bool is_numbered = true;
    for (unsigned i = n_new; i-- > 0 && unpack->is_sound;) {
        now->frames[i] = take_frame(unpack, &number);
        is_numbered = is_numbered && number && i && (stack = add_stack(unpack, stack, number));
    }
    for (now->n = n_new; callers && now->n < MOST_FRAMES; callers = unpack->stacks[callers - 1].caller)
        now->frames[now->n++] = unpack->addresses[unpack->stacks[callers - 1].address - 1];
    unpack->is_sound &= callers == 0;
}

/* How many of the outermost frames are those of the sample before. */
static unsigned count_common(const struct tnd_unpack *unpack)
{
    const struct frames *now = &unpack->now, *sampled = &unpack->sampled;
    unsigned n = 0, most = now->n < sampled->n ? now->n : sampled->n;
    while (n < most && sampled->frames[sampled->n - 1 - n] == now->frames[now->n - 1 - n])
        n++;
    return n;
}

/* Puts the stack into the record. */
static void put_stack(struct tnd_unpack *unpack, struct tnd_record *record)
{
    const struct frames *now = &unpack->now;
    unsigned n_common = count_common(unpack), n_own = now->n - n_common;
    memcpy(record->words, now->frames, n_own * sizeof now->frames[0]);
    record->n_words = (uint8_t)n_own;
    record->aux |= TND_SAMPLE_COMMON(n_common);
    if (record->kind == TND_RECORD_SAMPLE) {
        unpack->sampled.n = now->n;
        memcpy(unpack->sampled.frames, now->frames, now->n * sizeof now->frames[0]);
    }
}

static void take_entry(struct tnd_unpack *unpack, uint8_t first)
{
    struct tnd_record *record = &unpack->made.record;
    uint64_t words[2] = {0, 0};
    unpack->time += take_number(unpack);
    record->time = unpack->time;
    record->id = (uint32_t)take_number_below(unpack, (uint64_t)UINT32_MAX + 1);
    record->aux = first & TND_PACK_FLAGS;
    record->kind = first & TND_PACK_WAIT ? TND_RECORD_WAIT : TND_RECORD_SAMPLE;
    record->n_words = 0;
    if (record->kind == TND_RECORD_WAIT)
        for (int i = 0; i < 2; i++)
            words[i] = take_number(unpack);
    if (record->aux & TND_SAMPLE_REST) {
        record->aux |= TND_SAMPLE_COMMON(unpack->sampled.n);
    } else {
        take_stack(unpack);
        if (unpack->is_sound)
            put_stack(unpack, record);
    }
    if (record->kind == TND_RECORD_WAIT) {
        memcpy(record->words + record->n_words, words, sizeof words);
        record->n_words += 2;
    }
}

const struct tnd_record *tnd_unpack_next(struct tnd_unpack *unpack, uint64_t *rest_bytes)
{
    const uint8_t *begin = unpack->at;
    *rest_bytes = 0;
    if (begin == unpack->end || !*begin)
        return NULL;
    unpack->at++;
    unpack->is_sound = *begin & TND_PACK_ENTRY;
    take_entry(unpack, *begin);
    if (unpack->is_sound)
        return &unpack->made.record;
    *rest_bytes = (uint64_t)(unpack->end - begin);
    unpack->at = unpack->end;
    return NULL;
}
