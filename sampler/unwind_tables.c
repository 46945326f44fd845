/* SPDX-License-Identifier: Apache-2.0
 *
 * One step up a stack by the tables that compilers write for exceptions (.eh_frame), for use in a handler.
 *
 * Why not libgcc's _Unwind_Backtrace, which reads the same tables: it trusts them.  Where they do not describe an
 * instruction (libgcc's own code that leaves a frame for a handler of an exception is such a place) it takes whatever
 * lies on the stack for an address and reads there: a program that throws was killed within seconds.  Here every word
 * is read only from the thread's own stack, or after the kernel has been asked; a return address counts only if a
 * loaded object has it; and no stack grows backwards.
 *
 * Objects are found by the C library's _dl_find_object, which takes no lock.  Nothing is kept between two samples.
 * Cost: some 0.1 us a frame (measured, tests/bench).  Left out: the parts of DWARF that no compiler writes for x86-64.
 *
 * Context: handler; 1.5 KB of stack.
 */
#include "sampler/unwind_tables.h"

#if defined(__x86_64__)
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RSP 7
#define RBP 6
#define RIP TND_UNWIND_PC
#define N_REGISTERS TND_UNWIND_REGISTERS

/* Bytes of a table, read in order; past the end there are zeros, and bad is set. */
struct cursor {
    const uint8_t *next, *end;
    bool bad;
};

static uint64_t take(struct cursor *cursor, unsigned n_bytes)
{
    uint64_t value = 0;
    if ((size_t)(cursor->end - cursor->next) < n_bytes) {
        cursor->bad = true;
        cursor->next = cursor->end;
        return 0;
    }
    memcpy(&value, cursor->next, n_bytes);
    cursor->next += n_bytes;
    return value;
}

static int64_t take_signed(struct cursor *cursor, unsigned n_bytes)
{
    unsigned shift = 64 - 8 * n_bytes;
    return (int64_t)(take(cursor, n_bytes) << shift) >> shift;
}

static uint64_t uleb(struct cursor *cursor)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static int64_t sleb(struct cursor *cursor)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && (byte & 0x40))
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

/* An address in one of the encodings DW_EH_PE_*: absolute or relative to its own place. */
static uint64_t encoded(struct cursor *cursor, uint8_t encoding)
{
    uint64_t place = (encoding & 0x70) == 0x10 ? (uint64_t)cursor->next : 0;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c:
        return place + take(cursor, 8);
    case 0x02:
        return place + take(cursor, 2);
    case 0x03:
        return place + take(cursor, 4);
    case 0x0a:
        return place + (uint64_t)take_signed(cursor, 2);
    case 0x0b:
        return place + (uint64_t)take_signed(cursor, 4);
    default:
        cursor->bad = true;
        return 0;
    }
}

/* How a register's value in the caller is had. */
enum how { SAME, UNDEFINED, AT_OFFSET, IS_OFFSET, AT_EXPRESSION, IS_EXPRESSION, IN_REGISTER };

struct rule {
    int32_t value; /* offset from the frame's address, a register, or an expression: its distance from `origin` */
    uint8_t how;
};

struct row {
    struct rule rules[N_REGISTERS];
    int32_t frame_value;    /* offset to frame_register, or the expression */
    uint8_t frame_register; /* N_REGISTERS: it is an expression */
};

/* What the tables say of one function. */
struct function {
    uint64_t begin, end;
    struct cursor common, own; /* the instructions */
    uint64_t code_factor;
    int64_t data_factor;
    const uint8_t *origin; /* for distances in rules */
    uint8_t encoding;
    bool is_signal_frame;
};

/* The common part: 'z' and its letters are all that there is on this machine. */
static bool read_common(const uint8_t *place, struct function *function)
{
    uint32_t size;
    memcpy(&size, place, 4);
    struct cursor cursor = {place + 4, place + 4 + size, size == 0xffffffff};
    bool is_common = take(&cursor, 4) == 0;
    uint64_t version = take(&cursor, 1);
    const char *letters = (const char *)cursor.next;
    if (cursor.bad || !is_common || (version != 1 && version != 3) || letters[0] != 'z')
        return false;
    while (take(&cursor, 1) != 0) {
    }
    function->code_factor = uleb(&cursor);
    function->data_factor = sleb(&cursor);
    uint64_t return_register = version == 1 ? take(&cursor, 1) : uleb(&cursor);
    uint64_t n_bytes = uleb(&cursor);
    const uint8_t *instructions = cursor.next + n_bytes;
    function->encoding = 0;
    function->is_signal_frame = false;
    for (const char *letter = letters + 1; *letter && !cursor.bad; letter++)
        if (*letter == 'R')
            function->encoding = (uint8_t)take(&cursor, 1);
        else if (*letter == 'L')
            take(&cursor, 1);
        else if (*letter == 'P')
            encoded(&cursor, (uint8_t)take(&cursor, 1));
        else if (*letter == 'S')
            function->is_signal_frame = true;
        else
            return false;
    if (cursor.bad || return_register != RIP || instructions > cursor.end)
        return false;
    function->common = (struct cursor){instructions, cursor.end, false};
    return true;
}

static bool read_function(const uint8_t *place, struct function *function)
{
    uint32_t size, back;
    memcpy(&size, place, 4);
    memcpy(&back, place + 4, 4);
    if (size == 0xffffffff || size < 4 || back == 0 || !read_common(place + 4 - back, function))
        return false;
    struct cursor cursor = {place + 8, place + 4 + size, false};
    function->begin = encoded(&cursor, function->encoding);
    function->end = function->begin + encoded(&cursor, function->encoding & 0x0f);
    uint64_t n_bytes = uleb(&cursor);
    if (cursor.bad || n_bytes > (size_t)(cursor.end - cursor.next))
        return false;
    cursor.next += n_bytes;
    function->own = cursor;
    function->origin = place;
    return true;
}

/* The object's sorted index of functions (.eh_frame_hdr): its head, then pairs of where and what, relative to it. */
static bool find_function(uint64_t pc, struct function *function)
{
    struct dl_find_object object;
    if (_dl_find_object((void *)pc, &object) != 0 || !object.dlfo_eh_frame)
        return false;
    const uint8_t *head = object.dlfo_eh_frame;
    static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};
    if (memcmp(head, usual, sizeof usual) != 0)
        return false;
    uint32_t n;
    memcpy(&n, head + 8, 4);
    const int32_t(*pairs)[2] = (const int32_t(*)[2])(const void *)(head + 12);
    int64_t wanted = (int64_t)(pc - (uint64_t)head);
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pairs[middle][0] <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && read_function(head + pairs[low - 1][1], function) && pc >= function->begin && pc < function->end;
}

/* The instructions up to the row that holds at pc. */
struct program {
    const struct function *function;
    struct row row, initial;
    struct row kept[2];
    unsigned n_kept;
    uint64_t location;
};

static bool set_rule(struct program *program, uint64_t number, uint8_t how, int64_t value)
{
    if (number < N_REGISTERS)
        program->row.rules[number] = (struct rule){(int32_t)value, how};
    return true;
}

static int64_t take_block(struct program *program, struct cursor *cursor)
{
    int64_t place = cursor->next - program->function->origin;
    uint64_t n_bytes = uleb(cursor);
    if (n_bytes > (size_t)(cursor->end - cursor->next))
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

static void set_frame(struct program *program, uint64_t number, int64_t offset)
{
    program->row.frame_register = number < N_REGISTERS ? (uint8_t)number : N_REGISTERS;
    program->row.frame_value = (int32_t)offset;
}

/* Instructions DW_CFA_* that begin with a register; false for one that is not known. */
static bool of_register(struct program *program, struct cursor *cursor, uint8_t code)
{
    int64_t factor = program->function->data_factor;
    uint64_t number = uleb(cursor);
    switch (code) {
    case 0x06: /* restore_extended */
        restore_rule(program, number);
        return true;
    case 0x0c: /* def_cfa */
        set_frame(program, number, (int64_t)uleb(cursor));
        return true;
    case 0x0d: /* def_cfa_register */
        set_frame(program, number, program->row.frame_value);
        return true;
    case 0x12: /* def_cfa_sf */
        set_frame(program, number, sleb(cursor) * factor);
        return true;
    case 0x05: /* offset_extended */
        return set_rule(program, number, AT_OFFSET, (int64_t)uleb(cursor) * factor);
    case 0x07: /* undefined */
        return set_rule(program, number, UNDEFINED, 0);
    case 0x08: /* same_value */
        return set_rule(program, number, SAME, 0);
    case 0x09: /* register */
        return set_rule(program, number, IN_REGISTER, (int64_t)uleb(cursor));
    case 0x10: /* expression */
        return set_rule(program, number, AT_EXPRESSION, take_block(program, cursor));
    case 0x16: /* val_expression */
        return set_rule(program, number, IS_EXPRESSION, take_block(program, cursor));
    case 0x11: /* offset_extended_sf */
        return set_rule(program, number, AT_OFFSET, sleb(cursor) * factor);
    case 0x14: /* val_offset */
        return set_rule(program, number, IS_OFFSET, (int64_t)uleb(cursor) * factor);
    case 0x15: /* val_offset_sf */
        return set_rule(program, number, IS_OFFSET, sleb(cursor) * factor);
    default:
        return false;
    }
}

/* The other instructions that have a byte for themselves. */
static bool extended(struct program *program, struct cursor *cursor, uint8_t code)
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
        program->location += take(cursor, 1u << (code - 2)) * function->code_factor;
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
        program->row.frame_value = (int32_t)uleb(cursor);
        return true;
    case 0x13: /* def_cfa_offset_sf */
        program->row.frame_value = (int32_t)(sleb(cursor) * function->data_factor);
        return true;
    case 0x0f: /* def_cfa_expression */
        set_frame(program, N_REGISTERS, take_block(program, cursor));
        return true;
    case 0x2e: /* GNU_args_size */
        uleb(cursor);
        return true;
    default:
        return of_register(program, cursor, code);
    }
}

static bool execute(struct program *program, struct cursor cursor, uint64_t pc)
{
    while (cursor.next < cursor.end && program->location <= pc) {
        uint8_t byte = (uint8_t)take(&cursor, 1), low = byte & 0x3f;
        switch (byte & 0xc0) {
        case 0x40: /* advance_loc */
            program->location += low * program->function->code_factor;
            break;
        case 0x80: /* offset */
            set_rule(program, low, AT_OFFSET, (int64_t)uleb(&cursor) * program->function->data_factor);
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

/* A word of the stack: within the bounds that are known, or on a page that the kernel can read. */
static bool load(struct tnd_unwind_state *state, uint64_t address, uint64_t *value)
{
    if (address % 8 != 0)
        return false;
    bool known = address >= state->stack_low && address < state->stack_high;
    if (!known && address >> 12 != state->good_page) {
        /* An impossible request, which the kernel refuses only after it has read the word. */
        if (syscall(SYS_rt_sigprocmask, ~0, address, NULL, 8) == 0 || errno != EINVAL)
            return false;
        state->good_page = address >> 12;
    }
    *value = *(const uint64_t *)address;
    return true;
}

#define EXPRESSION_DEPTH 8

/* The operations that compilers and assemblers use in .eh_frame: those of signal frames, of PLTs, and of functions that
 * align their stack.  The stack of the machine grows upwards from values[0]. */
static bool evaluate(struct tnd_unwind_state *state, const uint8_t *place, const uint64_t *first, uint64_t *result)
{
    struct cursor cursor = {place, place + 10, false};
    uint64_t values[EXPRESSION_DEPTH + 1], size = uleb(&cursor);
    unsigned n = 0;
    cursor.end = cursor.next + size;
    if (first)
        values[n++] = *first;
    while (cursor.next < cursor.end && !cursor.bad) {
        uint8_t code = (uint8_t)take(&cursor, 1);
        if (n >= EXPRESSION_DEPTH)
            return false;
        if (code >= 0x30 && code <= 0x4f) { /* lit0..31 */
            values[n++] = code - 0x30u;
        } else if (code >= 0x70 && code < 0x70 + N_REGISTERS) { /* breg0.. */
            values[n++] = state->registers[code - 0x70] + (uint64_t)sleb(&cursor);
        } else if (code == 0x08 || code == 0x0a || code == 0x0c) { /* const1u, 2u, 4u */
            values[n++] = take(&cursor, code == 0x08 ? 1 : code == 0x0a ? 2 : 4);
        } else if (code == 0x09 || code == 0x0b || code == 0x0d) { /* const1s, 2s, 4s */
            values[n++] = (uint64_t)take_signed(&cursor, code == 0x09 ? 1 : code == 0x0b ? 2 : 4);
        } else if (code == 0x12 && n > 0) { /* dup */
            values[n] = values[n - 1];
            n++;
        } else if (code == 0x06 && n > 0) { /* deref */
            if (!load(state, values[n - 1], &values[n - 1]))
                return false;
        } else if (code == 0x23 && n > 0) { /* plus_uconst */
            values[n - 1] += uleb(&cursor);
        } else if (n >= 2) {
            uint64_t right = values[--n], *left = &values[n - 1];
            if (code == 0x1a)
                *left &= right;
            else if (code == 0x1c)
                *left -= right;
            else if (code == 0x22)
                *left += right;
            else if (code == 0x24 && right < 64)
                *left <<= right;
            else if (code == 0x2a)
                *left = (int64_t)*left >= (int64_t)right;
            else
                return false;
        } else {
            return false;
        }
    }
    if (n == 0 || cursor.bad)
        return false;
    *result = values[n - 1];
    return true;
}

static bool apply_rule(struct tnd_unwind_state *state, const uint8_t *origin, struct rule rule, uint64_t frame,
                       uint64_t *value)
{
    switch (rule.how) {
    case AT_OFFSET:
        return load(state, frame + (uint64_t)(int64_t)rule.value, value);
    case IS_OFFSET:
        *value = frame + (uint64_t)(int64_t)rule.value;
        return true;
    case AT_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value) && load(state, *value, value);
    case IS_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value);
    case IN_REGISTER:
        *value = (uint32_t)rule.value < N_REGISTERS ? state->registers[rule.value] : 0;
        return true;
    default:
        return rule.how == SAME;
    }
}

static bool apply(struct tnd_unwind_state *state, const struct function *function, const struct row *row)
{
    uint64_t frame, caller[N_REGISTERS];
    if (row->frame_register < N_REGISTERS)
        frame = state->registers[row->frame_register] + (uint64_t)(int64_t)row->frame_value;
    else if (!evaluate(state, function->origin + row->frame_value, NULL, &frame))
        return false;
    if (frame <= state->registers[RSP] && !function->is_signal_frame)
        return false;
    memcpy(caller, state->registers, sizeof caller);
    caller[RSP] = frame;
    for (int i = 0; i < N_REGISTERS; i++)
        if (row->rules[i].how != SAME && !apply_rule(state, function->origin, row->rules[i], frame, &caller[i]) &&
            (i == RIP || row->rules[i].how != UNDEFINED))
            return false;
    if (row->rules[RIP].how == SAME)
        return false;
    memcpy(state->registers, caller, sizeof caller);
    state->is_exact = function->is_signal_frame;
    return true;
}

/* Code without tables (made at run time, or by hand) often keeps a frame pointer; believed if a function that has
 * tables called it. */
static bool step_by_frame_pointer(struct tnd_unwind_state *state)
{
    struct function caller;
    uint64_t frame = state->registers[RBP], next, pc;
    if (frame < state->registers[RSP] || !load(state, frame, &next) || !load(state, frame + 8, &pc) || pc < 4096 ||
        !find_function(pc - 1, &caller))
        return false;
    state->registers[RBP] = next;
    state->registers[RSP] = frame + 16;
    state->registers[RIP] = pc;
    state->is_exact = false;
    return true;
}

bool tnd_unwind_tables_step(struct tnd_unwind_state *state)
{
    struct function function;
    struct program program;
    uint64_t pc = state->registers[RIP] - !state->is_exact;
    if (!find_function(pc, &function))
        return step_by_frame_pointer(state);
    program.function = &function;
    program.n_kept = 0;
    memset(&program.row, 0, sizeof program.row);
    program.location = 0;
    if (!execute(&program, function.common, pc))
        return false;
    program.initial = program.row;
    program.location = function.begin;
    return execute(&program, function.own, pc) && apply(state, &function, &program.row);
}

void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high)
{
    static const uint8_t order[N_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                               REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                               REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (int i = 0; i < N_REGISTERS; i++)
        state->registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    uint64_t sp = state->registers[RSP];
    bool known = sp >= stack_low && sp < stack_high;
    state->stack_low = known ? sp - 128 : 0; /* the red zone */
    state->stack_high = known ? stack_high : 0;
    state->good_page = ~(uint64_t)0;
    state->is_exact = true;
}

bool tnd_unwind_tables_work(void)
{
    struct function function;
    return find_function((uint64_t)__builtin_return_address(0), &function);
}
#else
bool tnd_unwind_tables_work(void)
{
    return false;
}
void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high)
{
}
bool tnd_unwind_tables_step(struct tnd_unwind_state *state)
{
    return false;
}
#endif
