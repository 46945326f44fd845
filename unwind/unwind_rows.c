/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading unwind tables.  Context: unwind_rows.h.
 */
#include "unwind/unwind_rows.h"
#include "unwind/unwind_cursor.h"
#include "unwind/unwind_memory.h"

#define N_REGISTERS TND_UNWIND_REGISTERS

/* An address in one of the encodings DW_EH_PE_*: absolute or relative to its own place. */
static uint64_t encoded(struct tnd_unwind_cursor *cursor, uint8_t encoding)
{
    uint64_t place = (encoding & 0x70) == 0x10 ? (uint64_t)cursor->next : 0;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c:
        return place + tnd_unwind_cursor_take(cursor, 8);
    case 0x02:
        return place + tnd_unwind_cursor_take(cursor, 2);
    case 0x03:
        return place + tnd_unwind_cursor_take(cursor, 4);
    case 0x0a:
        return place + (uint64_t)tnd_unwind_cursor_signed(cursor, 2);
    case 0x0b:
        return place + (uint64_t)tnd_unwind_cursor_signed(cursor, 4);
    default:
        cursor->bad = true;
        return 0;
    }
}

/* What the tables have about one function. */
struct function {
    uint64_t begin, end;
    struct tnd_unwind_cursor common, own; /* the instructions */
    uint64_t code_factor;
    int64_t data_factor;
    const uint8_t *origin; /* for distances in rules */
    uint8_t encoding;
    bool is_signal_frame;
};

/* Whether an entry that begins at `place` is in the object's bytes, and how long it is. */
static bool take_size(const struct tnd_unwind_object *object, const uint8_t *place, uint32_t *size)
{
    if (place < object->low || place > object->high || object->high - place < 8)
        return false;
    memcpy(size, place, 4);
    return *size >= 4 && *size <= object->high - place - 4;
}

/* Reads the common part (CIE).  Its augmentation is always 'z' and letters on this machine. */
static bool read_common(const struct tnd_unwind_object *object, const uint8_t *place, struct function *function)
{
    uint32_t size;
    if (!take_size(object, place, &size))
        return false;
    struct tnd_unwind_cursor cursor = {place + 4, place + 4 + size, false};
    bool is_common = tnd_unwind_cursor_take(&cursor, 4) == 0;
    uint64_t version = tnd_unwind_cursor_take(&cursor, 1);
    const char *letters = (const char *)cursor.next;
    if (cursor.bad || !is_common || (version != 1 && version != 3) || letters[0] != 'z')
        return false;
    while (tnd_unwind_cursor_take(&cursor, 1) != 0) {
    }
    function->code_factor = tnd_unwind_cursor_uleb(&cursor);
    function->data_factor = tnd_unwind_cursor_sleb(&cursor);
    uint64_t return_register = version == 1 ? tnd_unwind_cursor_take(&cursor, 1) : tnd_unwind_cursor_uleb(&cursor);
    uint64_t n_bytes = tnd_unwind_cursor_uleb(&cursor);
    if (cursor.bad || n_bytes > (size_t)(cursor.end - cursor.next))
        return false;
    const uint8_t *instructions = cursor.next + n_bytes;
    function->encoding = 0;
    function->is_signal_frame = false;
    for (const char *letter = letters + 1; *letter && !cursor.bad; letter++)
        if (*letter == 'R')
            function->encoding = (uint8_t)tnd_unwind_cursor_take(&cursor, 1);
        else if (*letter == 'L')
            tnd_unwind_cursor_take(&cursor, 1);
        else if (*letter == 'P')
            encoded(&cursor, (uint8_t)tnd_unwind_cursor_take(&cursor, 1));
        else if (*letter == 'S')
            function->is_signal_frame = true;
        else if (*letter ==
                 'B') /* arm64: return addresses are signed with the other key, which only matters for checking them */
            continue;
        else
            return false;
    if (cursor.bad || return_register != TND_UNWIND_RETURN)
        return false;
    function->common = (struct tnd_unwind_cursor){instructions, cursor.end, false};
    return true;
}

static bool read_function(const struct tnd_unwind_object *object, const uint8_t *place, struct function *function)
{
    uint32_t size, back;
    if (!take_size(object, place, &size))
        return false;
    memcpy(&back, place + 4, 4);
    if (back == 0 || !read_common(object, place + 4 - back, function))
        return false;
    struct tnd_unwind_cursor cursor = {place + 8, place + 4 + size, false};
    function->begin = encoded(&cursor, function->encoding);
    function->end = function->begin + encoded(&cursor, function->encoding & 0x0f);
    uint64_t n_bytes = tnd_unwind_cursor_uleb(&cursor);
    if (cursor.bad || n_bytes > (size_t)(cursor.end - cursor.next))
        return false;
    cursor.next += n_bytes;
    function->own = cursor;
    function->origin = place;
    return true;
}

static int32_t read_distance(const uint8_t *place)
{
    int32_t distance;
    memcpy(&distance, place, sizeof distance);
    return distance;
}

/* Finds a function in the object's sorted index: a head, then pairs of a function and its entry, both relative to the
 * index.  *pc becomes where that code is here. */
static bool find_function(uint64_t *pc, struct function *function)
{
    enum { HEAD_BYTES = 12, PAIR_BYTES = 8 };
    static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};
    struct tnd_unwind_object object;
    if (!tnd_unwind_memory_object(*pc, &object) || object.high - object.index < HEAD_BYTES ||
        memcmp(object.index, usual, sizeof usual) != 0)
        return false;
    *pc += object.shift;
    const uint8_t *head = object.index;
    uint32_t n;
    memcpy(&n, head + 8, 4);
    if (n > (size_t)(object.high - head - HEAD_BYTES) / PAIR_BYTES)
        return false;
    int64_t wanted = (int64_t)(*pc - (uint64_t)head);
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (read_distance(head + HEAD_BYTES + (size_t)PAIR_BYTES * middle) <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    const uint8_t *pair = head + HEAD_BYTES + (size_t)PAIR_BYTES * low - PAIR_BYTES;
    return low > 0 && read_function(&object, head + read_distance(pair + 4), function) && *pc >= function->begin &&
           *pc < function->end;
}

/* Executes a function's instructions up to the row that holds at pc. */
struct program {
    const struct function *function;
    struct tnd_unwind_row row, initial;
    struct tnd_unwind_row kept[2];
    unsigned n_kept;
    uint64_t location;
};

static bool set_rule(struct program *program, uint64_t number, uint8_t how, int64_t value)
{
    if (number < N_REGISTERS)
        program->row.rules[number] = (struct tnd_unwind_rule){(int32_t)value, how};
    return true;
}

/* A number times the factor of distances on the stack. */
static int64_t take_scaled(struct program *program, struct tnd_unwind_cursor *cursor, bool is_signed)
{
    uint64_t value = is_signed ? (uint64_t)tnd_unwind_cursor_sleb(cursor) : tnd_unwind_cursor_uleb(cursor);
    return (int64_t)(value * (uint64_t)program->function->data_factor);
}

/* Where a block of an expression is, from the function's entry on. */
static int64_t take_block(struct program *program, struct tnd_unwind_cursor *cursor)
{
    int64_t place = cursor->next - program->function->origin;
    uint64_t n_bytes = tnd_unwind_cursor_uleb(cursor);
    if (n_bytes > (size_t)(cursor->end - cursor->next) || place != (int32_t)place)
        cursor->bad = true;
    else
        cursor->next += n_bytes;
    return place;
}

static void restore_rule(struct program *program, uint64_t number)
{
    if (number < N_REGISTERS)
        program->row.rules[number] = program->initial.rules[number];
}

/* False: no walk keeps that register. */
static bool set_frame(struct program *program, uint64_t number, int64_t offset)
{
    program->row.frame_register = (uint8_t)number;
    program->row.frame_value = (int32_t)offset;
    return number < N_REGISTERS;
}

/* Instructions DW_CFA_* that begin with a register; false for one that cannot be followed. */
static bool of_register(struct program *program, struct tnd_unwind_cursor *cursor, uint8_t code)
{
    uint64_t number = tnd_unwind_cursor_uleb(cursor);
    switch (code) {
    case 0x06: /* restore_extended */
        restore_rule(program, number);
        return true;
    case 0x0c: /* def_cfa */
        return set_frame(program, number, (int64_t)tnd_unwind_cursor_uleb(cursor));
    case 0x0d: /* def_cfa_register */
        return set_frame(program, number, program->row.frame_value);
    case 0x12: /* def_cfa_sf */
        return set_frame(program, number, take_scaled(program, cursor, true));
    case 0x05: /* offset_extended */
        return set_rule(program, number, TND_UNWIND_AT_OFFSET, take_scaled(program, cursor, false));
    case 0x07: /* undefined */
        return set_rule(program, number, TND_UNWIND_UNDEFINED, 0);
    case 0x08: /* same_value */
        return set_rule(program, number, TND_UNWIND_SAME, 0);
    case 0x09: /* register */
        return set_rule(program, number, TND_UNWIND_IN_REGISTER, (int64_t)tnd_unwind_cursor_uleb(cursor));
    case 0x10: /* expression */
        return set_rule(program, number, TND_UNWIND_AT_EXPRESSION, take_block(program, cursor));
    case 0x16: /* val_expression */
        return set_rule(program, number, TND_UNWIND_IS_EXPRESSION, take_block(program, cursor));
    case 0x11: /* offset_extended_sf */
        return set_rule(program, number, TND_UNWIND_AT_OFFSET, take_scaled(program, cursor, true));
    case 0x14: /* val_offset */
        return set_rule(program, number, TND_UNWIND_IS_OFFSET, take_scaled(program, cursor, false));
    case 0x15: /* val_offset_sf */
        return set_rule(program, number, TND_UNWIND_IS_OFFSET, take_scaled(program, cursor, true));
    default:
        return false;
    }
}

/* The other instructions that have a byte for themselves. */
static bool extended(struct program *program, struct tnd_unwind_cursor *cursor, uint8_t code)
{
    const struct function *function = program->function;
    switch (code) {
    case 0x00: /* nop */
        return true;
    case 0x01: /* set_loc */
        program->location = encoded(cursor, function->encoding);
        return true;
    case 0x02: /* advance_loc1, 2, 4 */
    case 0x03:
    case 0x04:
        program->location += tnd_unwind_cursor_take(cursor, 1u << (code - 2)) * function->code_factor;
        return true;
    case 0x0a: /* remember_state */
        if (program->n_kept == sizeof program->kept / sizeof program->kept[0])
            return false;
        program->kept[program->n_kept++] = program->row;
        return true;
    case 0x0b: /* restore_state */
        if (program->n_kept == 0)
            return false;
        program->row = program->kept[--program->n_kept];
        return true;
    case 0x0e: /* def_cfa_offset */
        program->row.frame_value = (int32_t)tnd_unwind_cursor_uleb(cursor);
        return true;
    case 0x13: /* def_cfa_offset_sf */
        program->row.frame_value = (int32_t)take_scaled(program, cursor, true);
        return true;
    case 0x0f: /* def_cfa_expression */
        program->row.frame_register = N_REGISTERS;
        program->row.frame_value = (int32_t)take_block(program, cursor);
        return true;
    case 0x2d: /* AARCH64_negate_ra_state: return addresses are stripped of signatures anyway */
        return true;
    case 0x2e: /* GNU_args_size */
        tnd_unwind_cursor_uleb(cursor);
        return true;
    default:
        return of_register(program, cursor, code);
    }
}

static bool execute(struct program *program, struct tnd_unwind_cursor cursor, uint64_t pc)
{
    while (cursor.next < cursor.end && program->location <= pc) {
        uint8_t byte = (uint8_t)tnd_unwind_cursor_take(&cursor, 1), low = byte & 0x3f;
        switch (byte & 0xc0) {
        case 0x40: /* advance_loc */
            program->location += low * program->function->code_factor;
            break;
        case 0x80: /* offset */
            set_rule(program, low, TND_UNWIND_AT_OFFSET, take_scaled(program, &cursor, false));
            break;
        case 0xc0: /* restore */
            restore_rule(program, low);
            break;
        default:
            if (!extended(program, &cursor, low))
                return false;
        }
    }
    return !cursor.bad;
}

bool tnd_unwind_rows_cover(uint64_t pc)
{
    struct function function;
    return find_function(&pc, &function);
}

enum tnd_unwind_found tnd_unwind_rows_find(uint64_t pc, struct tnd_unwind_place *place)
{
    struct function function;
    struct program program;
    if (!find_function(&pc, &function))
        return TND_UNWIND_NO_TABLE;
    program.function = &function;
    program.n_kept = 0;
    memset(&program.row, 0, sizeof program.row);
    program.location = 0;
    if (!execute(&program, function.common, pc))
        return TND_UNWIND_NOT_READ;
    program.initial = program.row;
    program.location = function.begin;
    if (!execute(&program, function.own, pc))
        return TND_UNWIND_NOT_READ;
    *place = (struct tnd_unwind_place){program.row, function.origin, function.is_signal_frame};
    return TND_UNWIND_ROW;
}
