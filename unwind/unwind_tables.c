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
 * What the tables said (unwind_rows.h) is kept as far as it fits into one word, which is nearly always
 * (unwind_cache.h).  Cost: some 0.15 us a frame, 5 ns at a place passed before (measured, tests/bench).
 *
 * Context: handler; 1.5 KB of stack, 3 KB on arm64.
 */
#include "unwind/unwind_tables.h"
#include "runtime/modules.h"
#include "unwind/unwind_cache.h"
#include "unwind/unwind_cursor.h"
#include "unwind/unwind_memory.h"
#include "unwind/unwind_rows.h"
#include "unwind/unwind_rule.h"

#include <stddef.h>
#include <sys/auxv.h>

#define FP TND_UNWIND_FP
#define SP TND_UNWIND_SP
#define PC TND_UNWIND_PC
#define RETURN TND_UNWIND_RETURN
#define N_REGISTERS TND_UNWIND_REGISTERS

struct tnd_unwind_cached tnd_unwind_cache[1 << TND_UNWIND_CACHE_BITS];

/* A word of the stack: within the bounds that are known, or on a page that can be read. */
static bool load(struct tnd_unwind_state *state, uint64_t address, uint64_t *value)
{
    if (address % 8 != 0)
        return false;
    bool known = address >= state->stack_low && address < state->stack_high;
    if (!known && address >> 12 != state->good_page) {
        bool readable = tnd_unwind_memory_load(address, value);
        if (readable && !state->stack_shift)
            state->good_page = address >> 12;
        return readable;
    }
    *value = *(const uint64_t *)(address + state->stack_shift);
    return true;
}

/* Whether a register has been taken back from where it was saved: that is below the stack pointer, in the last
 * instructions of a function.  A copy of the stack has nothing there, and the register has its value again. */
static inline bool is_taken_back(const struct tnd_unwind_state *state, uint64_t address)
{
    return state->stack_shift && address < state->registers[SP];
}

static inline bool is_known(const struct tnd_unwind_state *state, uint64_t number)
{
    return number < N_REGISTERS && tnd_unwind_machine_is_known(number, state->is_exact);
}

/* Each frame lies above the one before.  Where calls put nothing on the stack (arm64), the innermost frame may be
 * empty. */
static inline bool grows(const struct tnd_unwind_state *state, uint64_t frame)
{
    return frame > state->registers[SP] ||
           (!TND_UNWIND_RETURN_PLACE && state->is_exact && frame == state->registers[SP]);
}

#define EXPRESSION_DEPTH 8

/* The operations that compilers and assemblers use in .eh_frame: those of signal frames, of PLTs, and of functions that
 * align their stack.  The stack of the machine grows upwards from values[0]. */
static bool evaluate(struct tnd_unwind_state *state, const uint8_t *place, const uint64_t *first, uint64_t *result)
{
    struct tnd_unwind_cursor cursor = {place, place + 10, false};
    uint64_t values[EXPRESSION_DEPTH + 1], size = tnd_unwind_cursor_uleb(&cursor);
    unsigned n = 0;
    cursor.end = cursor.next + size;
    if (first)
        values[n++] = *first;
    while (cursor.next < cursor.end && !cursor.bad) {
        uint8_t code = (uint8_t)tnd_unwind_cursor_take(&cursor, 1);
        if (n >= EXPRESSION_DEPTH)
            return false;
        if (code >= 0x30 && code <= 0x4f) { /* lit0..31 */
            values[n++] = code - 0x30u;
        } else if (code >= 0x70 && code < 0x70 + N_REGISTERS && is_known(state, code - 0x70)) { /* breg0.. */
            values[n++] = state->registers[code - 0x70] + (uint64_t)tnd_unwind_cursor_sleb(&cursor);
        } else if (code == 0x08 || code == 0x0a || code == 0x0c) { /* const1u, 2u, 4u */
            values[n++] = tnd_unwind_cursor_take(&cursor, code == 0x08 ? 1 : code == 0x0a ? 2 : 4);
        } else if (code == 0x09 || code == 0x0b || code == 0x0d) { /* const1s, 2s, 4s */
            values[n++] = (uint64_t)tnd_unwind_cursor_signed(&cursor, code == 0x09 ? 1 : code == 0x0b ? 2 : 4);
        } else if (code == 0x12 && n > 0) { /* dup */
            values[n] = values[n - 1];
            n++;
        } else if (code == 0x06 && n > 0) { /* deref */
            if (!load(state, values[n - 1], &values[n - 1]))
                return false;
        } else if (code == 0x23 && n > 0) { /* plus_uconst */
            values[n - 1] += tnd_unwind_cursor_uleb(&cursor);
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

static bool apply_rule(struct tnd_unwind_state *state, const uint8_t *origin, struct tnd_unwind_rule rule,
                       uint64_t frame, uint64_t *value)
{
    switch (rule.how) {
    case TND_UNWIND_AT_OFFSET:
        return is_taken_back(state, frame + (uint64_t)(int64_t)rule.value) ||
               load(state, frame + (uint64_t)(int64_t)rule.value, value);
    case TND_UNWIND_IS_OFFSET:
        *value = frame + (uint64_t)(int64_t)rule.value;
        return true;
    case TND_UNWIND_AT_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value) && load(state, *value, value);
    case TND_UNWIND_IS_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value);
    case TND_UNWIND_IN_REGISTER:
        *value = is_known(state, (uint32_t)rule.value) ? state->registers[rule.value] : 0;
        return true;
    default:
        return rule.how == TND_UNWIND_SAME;
    }
}

static bool apply(struct tnd_unwind_state *state, const struct tnd_unwind_place *at)
{
    const struct tnd_unwind_rule *rules = at->row.rules;
    uint64_t frame, caller[N_REGISTERS];
    if (is_known(state, at->row.frame_register))
        frame = state->registers[at->row.frame_register] + (uint64_t)(int64_t)at->row.frame_value;
    else if (at->row.frame_register < N_REGISTERS || !evaluate(state, at->origin + at->row.frame_value, NULL, &frame))
        return false;
    if (!grows(state, frame) && !at->is_signal_frame)
        return false;
    memcpy(caller, state->registers, sizeof caller);
    caller[SP] = frame;
    for (int i = 0; i < N_REGISTERS; i++)
        if (rules[i].how != TND_UNWIND_SAME && (i == RETURN || tnd_unwind_machine_is_known((uint64_t)i, false)) &&
            !apply_rule(state, at->origin, rules[i], frame, &caller[i]) &&
            (i == RETURN || rules[i].how != TND_UNWIND_UNDEFINED))
            return false;
    /* It is still where the call left it: in a register, if this function has not called another one; on the stack a
     * rule says where.
     */
    if (rules[RETURN].how == TND_UNWIND_SAME && (TND_UNWIND_RETURN_PLACE || !state->is_exact))
        return false;
    /* glibc's _dl_runtime_resolve on arm64 counts its frame from below the words that the PLT has pushed. */
    if (rules[RETURN].how == TND_UNWIND_AT_OFFSET && rules[RETURN].value >= 0)
        caller[SP] = frame + (uint64_t)rules[RETURN].value + 8;
    caller[PC] = tnd_unwind_machine_code(caller[RETURN]);
    memcpy(state->registers, caller, sizeof caller);
    state->is_exact = at->is_signal_frame || at->row.frame_register == TND_UNWIND_EH_FRAME;
    return true;
}

/* How many frames may be left out of a stack. */
#define MAX_LEFT_OUT 64

static bool follow(struct tnd_unwind_state *state, uint64_t rule)
{
    uint64_t *registers = state->registers;
    uint64_t frame = tnd_unwind_rule_frame(rule, registers[SP], registers[FP]);
    if (rule & TND_UNWIND_RULE_END || !grows(state, frame) || (!tnd_unwind_rule_return_place(rule) && !state->is_exact))
        return false;
    if (tnd_unwind_rule_is_known(rule, frame, registers[SP], state->stack_low, state->stack_high)) {
        const uint64_t *words = (const uint64_t *)(frame + state->stack_shift);
        if (TND_UNWIND_RETURN_PLACE)
            registers[PC] = words[-TND_UNWIND_RETURN_PLACE];
        for (int n = 0; n < TND_UNWIND_RULE_SAVED; n++) { /* without branches, which would be mispredicted */
            uint64_t *value = &registers[tnd_unwind_rule_saved[n]];
            const uint64_t *place = words - tnd_unwind_rule_place(rule, n);
            *value = *(tnd_unwind_rule_place(rule, n) ? place : value);
        }
    } else {
        if (TND_UNWIND_RETURN_PLACE && !load(state, frame - 8 * TND_UNWIND_RETURN_PLACE, &registers[PC]))
            return false;
        for (int n = 0; n < TND_UNWIND_RULE_SAVED; n++) {
            uint64_t place = tnd_unwind_rule_place(rule, n);
            if (place && !is_taken_back(state, frame - 8 * place) &&
                !load(state, frame - 8 * place, &registers[tnd_unwind_rule_saved[n]]))
                return false;
        }
    }
    registers[SP] = frame;
    registers[PC] = tnd_unwind_machine_code(registers[RETURN]);
    state->is_exact = false;
    return true;
}

/* The caller's registers, for a walk that begins with only a frame's address. */
struct start {
    uint64_t pc, sp, fp;
};

#if defined(__x86_64__)
static inline bool find_start(const void *frame, uint64_t generation, struct start *start)
{
    const uint64_t *pair = frame;
    *start = (struct start){.fp = pair[0], .pc = pair[1], .sp = (uint64_t)(pair + 2)};
    return true;
}
#else
/* The pair that FP points at lies anywhere in its frame.  A function that this one called has an address of code within
 * its function, and a rule that says where. */
static inline bool find_start(const void *frame, uint64_t generation, struct start *start)
{
    enum { MAX_LEVELS = 8 };
    const uint64_t *pair = frame, *inner = __builtin_frame_address(0);
    uint64_t rule;
    for (int i = 0; i < MAX_LEVELS && inner < pair && inner[0] != (uint64_t)pair; i++)
        inner = (const uint64_t *)inner[0];
    if (inner[0] != (uint64_t)pair || !tnd_unwind_cache_find(tnd_unwind_machine_code(inner[1]) - 1, generation, &rule))
        return false;
    uint64_t place = tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED_FP);
    *start = (struct start){.fp = pair[0], .pc = tnd_unwind_machine_code(pair[1]), .sp = (uint64_t)(pair + place)};
    return place != 0;
}
#endif

int tnd_unwind_tables_recall(const void *start, const struct tnd_unwind_limits *limits, uint64_t *frames, unsigned max)
{
    struct start at;
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED), rule;
    unsigned n = 0;
    if ((uint64_t)start < limits->stack_low || (uint64_t)start + 16 > limits->stack_high ||
        !find_start(start, generation, &at))
        return -1;
    for (unsigned n_steps = 0; at.pc; n_steps++) {
        if (at.pc - limits->own_low >= limits->own_size && at.pc - limits->other_low >= limits->other_size)
            frames[n++] = at.pc;
        if (n == max)
            break;
        if (n_steps > max + MAX_LEFT_OUT || !tnd_unwind_cache_find(at.pc - 1, generation, &rule))
            return -1;
        uint64_t frame = tnd_unwind_rule_frame(rule, at.sp, at.fp);
        if (rule & TND_UNWIND_RULE_END)
            break;
        if (!tnd_unwind_rule_is_known(rule, frame, at.sp, limits->stack_low, limits->stack_high) ||
            !tnd_unwind_rule_return_place(rule))
            return -1;
        const uint64_t *words = (const uint64_t *)frame;
        at.pc = tnd_unwind_machine_code(*(words - tnd_unwind_rule_return_place(rule)));
        if (tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED_FP))
            at.fp = *(words - tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED_FP));
        at.sp = frame;
    }
    return (int)n;
}

/* Code without tables (made at run time, or by hand) often keeps a frame pointer; that is believed if its caller is a
 * function with tables. */
static bool step_by_frame_pointer(struct tnd_unwind_state *state)
{
    uint64_t frame = state->registers[FP], next, pc;
    if (frame < state->registers[SP] || !load(state, frame, &next) || !load(state, frame + 8, &pc) || pc < 4096 ||
        !tnd_unwind_rows_cover(tnd_unwind_machine_code(pc) - 1))
        return false;
    state->registers[FP] = next;
    state->registers[SP] = frame + 16;
    state->registers[PC] = tnd_unwind_machine_code(pc);
    state->is_exact = false;
    state->is_sp_low = !TND_UNWIND_RETURN_PLACE;
    return true;
}

#if defined(__x86_64__)
/* Whether the instruction before a place is a call: direct (e8), or by register or memory (ff /2, of 2 to 7 bytes). */
static bool is_after_call(struct tnd_unwind_state *state, uint64_t pc)
{
    uint64_t first = (pc - 7) & ~(uint64_t)7, words[2] = {0, 0};
    const uint8_t *before = (const uint8_t *)words + (pc - first);
    if (pc < 4096 || !load(state, first, &words[0]) || (pc - first > 8 && !load(state, first + 8, &words[1])))
        return false;
    if (before[-5] == 0xe8)
        return true;
    for (int length = 2; length <= 7; length++)
        if (before[-length] == 0xff && (before[1 - length] >> 3 & 7) == 2)
            return true;
    return false;
}

/* The innermost function has no tables and keeps no frame pointer, such as the code that the linker runs when it loads
 * and unloads a library.  What called it is at the top of the stack, or below a register or two that it has saved. */
static bool step_by_call(struct tnd_unwind_state *state)
{
    enum { MOST_SAVED = 3 };
    uint64_t sp = state->registers[SP], pc;
    for (unsigned n = 0; state->is_exact && n <= MOST_SAVED; n++) {
        if (!load(state, sp + 8 * n, &pc))
            return false;
        if (pc < 4096 || !tnd_unwind_rows_cover(pc - 1) || !is_after_call(state, pc))
            continue;
        state->registers[SP] = sp + 8 * (n + 1);
        state->registers[PC] = pc;
        state->is_exact = false;
        return true;
    }
    return false;
}
#else
static bool is_after_call(struct tnd_unwind_state *state, uint64_t pc)
{
    return true;
}

static bool step_by_call(struct tnd_unwind_state *state)
{
    return false;
}
#endif

#if defined(__aarch64__)
/* Where the kernel has handlers return to, which has no tables (they were taken out of Linux 5.9); 0: not found. */
static uint64_t handler_return;

static void find_handler_return(void)
{
    static const uint32_t wanted[] = {0xd2801168, 0xd4000001}; /* mov x8, #SYS_rt_sigreturn; svc #0 */
    const uint32_t *code = (const uint32_t *)getauxval(AT_SYSINFO_EHDR);
    for (unsigned i = 0; code && i < 1022 && !handler_return; i++) /* of its first page */
        if (code[i] == wanted[0] && code[i + 1] == wanted[1])
            handler_return = (uint64_t)&code[i];
}

/* Goes from a handler's return address to what the handler interrupted; the kernel put that context above a siginfo of
 * 128 bytes. */
static bool step_from_handler(struct tnd_unwind_state *state)
{
    uint64_t context = state->registers[SP] + 128, registers[N_REGISTERS];
    for (int i = 0; i < N_REGISTERS; i++) {
        size_t at = i == PC   ? offsetof(ucontext_t, uc_mcontext.pc)
                    : i == SP ? offsetof(ucontext_t, uc_mcontext.sp)
                              : offsetof(ucontext_t, uc_mcontext.regs) + 8 * (size_t)i;
        if (!load(state, context + at, &registers[i]))
            return false;
    }
    memcpy(state->registers, registers, sizeof registers);
    state->is_exact = true;
    state->is_sp_low = false;
    return true;
}
#else
static const uint64_t handler_return = 0; /* that code has tables here */
static void find_handler_return(void) {}
static bool step_from_handler(struct tnd_unwind_state *state)
{
    return false;
}
#endif

static bool step_without_table(struct tnd_unwind_state *state)
{
    state->is_astray = !state->is_exact && !is_after_call(state, state->registers[PC]);
    return !state->is_astray && (step_by_frame_pointer(state) || step_by_call(state));
}

__attribute__((noinline)) bool tnd_unwind_tables_learn(uint64_t place, uint64_t generation, uint64_t *rule)
{
    struct tnd_unwind_place at;
    if (tnd_unwind_rows_find(place, &at) != TND_UNWIND_ROW || !tnd_unwind_rule_make(&at, rule))
        return false;
    tnd_unwind_cache_keep(place, generation, *rule);
    return true;
}

/* A step by the tables; what they say is kept for the next time. */
__attribute__((noinline)) static bool read_and_step(struct tnd_unwind_state *state, uint64_t pc, uint64_t generation)
{
    struct tnd_unwind_place at;
    uint64_t rule;
    if (handler_return && state->registers[PC] == handler_return)
        return step_from_handler(state);
    enum tnd_unwind_found found = tnd_unwind_rows_find(pc, &at);
    if (found == TND_UNWIND_NO_TABLE)
        return step_without_table(state);
    if (found != TND_UNWIND_ROW)
        return false;
    if (tnd_unwind_rule_make(&at, &rule))
        tnd_unwind_cache_keep(pc, generation, rule);
    return apply(state, &at);
}

bool tnd_unwind_tables_step(struct tnd_unwind_state *state)
{
    uint64_t pc = state->registers[PC] - !state->is_exact, rule;
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED);
    if (!TND_UNWIND_RETURN_PLACE && state->is_sp_low)
        return step_by_frame_pointer(state);
    return tnd_unwind_cache_find(pc, generation, &rule) ? follow(state, rule) : read_and_step(state, pc, generation);
}

/* Sets where a walk from these registers may read without asking the kernel. */
static void set_bounds(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high)
{
    uint64_t sp = state->registers[SP];
    bool known = sp >= stack_low && sp < stack_high;
    state->stack_low = known ? sp - 128 : 0; /* the red zone */
    state->stack_high = known ? stack_high : 0;
    state->stack_shift = 0;
    state->good_page = ~(uint64_t)0;
    state->is_exact = true;
    state->is_sp_low = state->is_astray = false;
}

void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high)
{
    for (int i = 0; i < N_REGISTERS; i++)
        state->registers[i] = tnd_unwind_machine_register(context, i);
    set_bounds(state, stack_low, stack_high);
}

void tnd_unwind_tables_begin_copied(struct tnd_unwind_state *state, const void *copy, size_t n_bytes)
{
    uint64_t sp = state->registers[SP];
    set_bounds(state, sp, sp + n_bytes);
    state->stack_low = sp;
    state->stack_shift = (uint64_t)copy - sp;
}

bool tnd_unwind_tables_begin_here(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high)
{
    memset(state->registers, 0, sizeof state->registers);
    tnd_unwind_machine_here(state->registers);
    set_bounds(state, stack_low, stack_high);
    state->good_page = state->registers[SP] >> 12; /* in use */
    bool goes_on = tnd_unwind_tables_step(state);
    __asm__ volatile("" ::: "memory"); /* keeps this frame on the stack: no tail call */
    return goes_on;
}

bool tnd_unwind_tables_work(void)
{
    find_handler_return();
    return tnd_unwind_rows_cover((uint64_t)__builtin_return_address(0));
}
