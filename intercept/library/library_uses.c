/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading code for instructions that name a slot: those with an operand relative to the next instruction.  They are not
 * decoded from the begin of a function; a byte that such an operand has before it is enough to find them.
 *
 * Context: library_uses.h.
 */
#include "intercept/library/library_uses.h"

#include "runtime/target.h"

#include <string.h>

enum { CALLS = 1, READS = 2 };

/* What is known of one object: of each word from the first to the last slot. */
static struct {
    const ElfW(Phdr) *parts; /* of the object; NULL: none */
    uint64_t bias, first;
    size_t n;
    uint8_t *uses; /* CALLS, READS */
} known;

#define OPERAND_BYTES 4
#define IS_RELATIVE(byte) (((byte) & 0xc7) == 0x05) /* the addressing byte before such an operand */

/* What the instruction does whose addressing byte is there: ff /2 calls, ff /4 jumps. */
static uint8_t use_at(const uint8_t *code)
{
    return code[-1] == 0xff && (code[0] == 0x15 || code[0] == 0x25) ? CALLS : READS;
}

static void read_code(const uint8_t *code, size_t n_bytes)
{
    for (size_t i = 1; i + OPERAND_BYTES < n_bytes; i++) {
        if (!IS_RELATIVE(code[i]))
            continue;
        int32_t distance;
        memcpy(&distance, code + i + 1, sizeof distance);
        uint64_t place = (uint64_t)(code + i + 1 + OPERAND_BYTES) + (uint64_t)(int64_t)distance - known.first;
        if (place / 8 < known.n && place % 8 == 0)
            known.uses[place / 8] |= use_at(code + i);
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

bool tnd_library_uses_is_only_called(const struct tnd_library_object *object, uint64_t slot)
{
    if (known.parts != object->parts || known.bias != object->bias)
        learn(object);
    size_t place = (object->bias + slot - known.first) / 8;
    return known.uses && place < known.n && known.uses[place] == CALLS;
}
