/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading code for instructions that name a slot: those with an operand relative to the next instruction.  They are not
 * decoded from the begin of a function; a byte that such an operand has before it is enough to find them.
 *
 * Context: library_uses.h.
 */
#include "intercept/library/library_uses.h"

#include "runtime/target.h"

#include <stdlib.h>
#include <string.h>

/* What is known of one object: of each word from the first to the last slot. */
static struct {
    const ElfW(Phdr) * parts; /* of the object; NULL: none */
    uint64_t bias, first;
    size_t n;
    uint8_t *uses;   /* enum tnd_library_use */
    uint8_t **calls; /* operands of all calls, in the order of the code */
    size_t n_calls, room;
} known;

#define OPERAND_BYTES 4
#define IS_RELATIVE(byte) (((byte)&0xc7) == 0x05) /* the addressing byte before such an operand */

/* What the instruction does whose addressing byte is there: ff /2 calls, ff /4 jumps. */
static uint8_t use_at(const uint8_t *code)
{
    return code[-1] == 0xff && (code[0] == 0x15 || code[0] == 0x25) ? TND_LIBRARY_CALLS : TND_LIBRARY_READS;
}

static void keep_call(const uint8_t *operand)
{
    if (known.n_calls == known.room) {
        uint8_t **larger = realloc(known.calls, (2 * known.room + 256) * sizeof *larger);
        if (!larger)
            return;
        known.calls = larger;
        known.room = 2 * known.room + 256;
    }
    known.calls[known.n_calls++] = (uint8_t *)operand;
}

static uint64_t slot_of(const uint8_t *operand)
{
    int32_t distance;
    memcpy(&distance, operand, sizeof distance);
    return (uint64_t)(operand + OPERAND_BYTES) + (uint64_t)(int64_t)distance;
}

static void read_code(const uint8_t *code, size_t n_bytes)
{
    for (size_t i = 1; i + OPERAND_BYTES < n_bytes; i++) {
        if (!IS_RELATIVE(code[i]))
            continue;
        uint64_t place = slot_of(code + i + 1) - known.first;
        if (place / 8 >= known.n || place % 8 != 0)
            continue;
        uint8_t use = use_at(code + i);
        known.uses[place / 8] |= use;
        if (use == TND_LIBRARY_CALLS)
            keep_call(code + i + 1);
    }
}

/* The first and the last slot that the loader fills with an address. */
static void find_bounds(const struct tnd_library_object *object)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < object->n_others; i++) {
        uint64_t at = object->others[i].r_offset;
#if defined(__x86_64__)
        if (ELF64_R_TYPE(object->others[i].r_info) != R_X86_64_GLOB_DAT)
            continue;
#endif
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    known.first = object->bias + low;
    known.n = low <= high ? (high - low) / 8 + 1 : 0;
}

static void learn(const struct tnd_library_object *object)
{
    if (known.uses)
        tnd_target_pages_free(known.uses, known.n);
    known.n_calls = 0;
    known.parts = object->parts;
    known.bias = object->bias;
    find_bounds(object);
    known.uses = tnd_target_pages(known.n);
    for (unsigned i = 0; known.uses && i < object->n_parts; i++) {
        const ElfW(Phdr) *part = &object->parts[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && part->p_flags & PF_R)
            read_code((const uint8_t *)(object->bias + part->p_vaddr), part->p_memsz);
    }
}

void tnd_library_uses_forget(void)
{
    known.parts = NULL;
}

unsigned tnd_library_uses_of(const struct tnd_library_object *object, uint64_t slot)
{
    if (known.parts != object->parts || known.bias != object->bias)
        learn(object);
    size_t place = (object->bias + slot - known.first) / 8;
    return known.uses && place < known.n ? known.uses[place] : 0;
}

void tnd_library_uses_each(const struct tnd_library_object *object, uint64_t slot,
                           void (*found)(uint8_t *operand, void *user_data), void *user_data)
{
    for (size_t i = 0; tnd_library_uses_of(object, slot) && i < known.n_calls; i++)
        if (slot_of(known.calls[i]) == object->bias + slot)
            found(known.calls[i], user_data);
}
