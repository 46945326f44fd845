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
 * Context: handler; 1.5 KB of stack.
 */
#include "sampler/unwind_tables.h"

#if defined(__x86_64__)
#include "runtime/modules.h"
#include "sampler/unwind_cache.h"
#include "sampler/unwind_cursor.h"
#include "sampler/unwind_rows.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RBX 3
#define RBP TND_UNWIND_FP
#define RSP TND_UNWIND_SP
#define R12 12
#define RIP TND_UNWIND_PC
#define N_REGISTERS TND_UNWIND_REGISTERS

struct tnd_unwind_cached tnd_unwind_cache[1 << TND_UNWIND_CACHE_BITS];

/* A word of the stack: within the bounds that are known, or on a page that the kernel can read. */
static bool load(struct tnd_unwind_state *state, uint64_t address, uint64_t *value)
{
    if (address % 8 != 0)
        return false;
    bool known = address >= state->stack_low && address < state->stack_high;
    if (!known && address >> 12 != state->good_page) {
        /* An impossible request, which the kernel refuses only after it has read the word. */
        int before = errno;
        bool readable = syscall(SYS_rt_sigprocmask, ~0, address, NULL, 8) != 0 && errno == EINVAL;
        errno = before;
        if (!readable)
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
        } else if (code >= 0x70 && code < 0x70 + N_REGISTERS) { /* breg0.. */
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
        return load(state, frame + (uint64_t)(int64_t)rule.value, value);
    case TND_UNWIND_IS_OFFSET:
        *value = frame + (uint64_t)(int64_t)rule.value;
        return true;
    case TND_UNWIND_AT_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value) && load(state, *value, value);
    case TND_UNWIND_IS_EXPRESSION:
        return evaluate(state, origin + rule.value, &frame, value);
    case TND_UNWIND_IN_REGISTER:
        *value = (uint32_t)rule.value < N_REGISTERS ? state->registers[rule.value] : 0;
        return true;
    default:
        return rule.how == TND_UNWIND_SAME;
    }
}

static bool apply(struct tnd_unwind_state *state, const struct tnd_unwind_place *at)
{
    uint64_t frame, caller[N_REGISTERS];
    if (at->row.frame_register < N_REGISTERS)
        frame = state->registers[at->row.frame_register] + (uint64_t)(int64_t)at->row.frame_value;
    else if (!evaluate(state, at->origin + at->row.frame_value, NULL, &frame))
        return false;
    if (frame <= state->registers[RSP] && !at->is_signal_frame)
        return false;
    memcpy(caller, state->registers, sizeof caller);
    caller[RSP] = frame;
    for (int i = 0; i < N_REGISTERS; i++)
        if (at->row.rules[i].how != TND_UNWIND_SAME &&
            !apply_rule(state, at->origin, at->row.rules[i], frame, &caller[i]) &&
            (i == RIP || at->row.rules[i].how != TND_UNWIND_UNDEFINED))
            return false;
    if (at->row.rules[RIP].how == TND_UNWIND_SAME)
        return false;
    memcpy(state->registers, caller, sizeof caller);
    state->is_exact = at->is_signal_frame;
    return true;
}

/*
 * A rule in a word, of a function that keeps its return address right below its frame's address:
 *   bits 0 to 23   where the registers of saved[] are, 4 bits each: n words below the return address; 0: not saved
 *   bit 24         the frame's address counts from RBP, else from RSP
 *   bit 25         nobody called it: the stack ends
 *   bits 32 to 63  the distance
 */
#define RULE_BY_RBP (1u << 24)
#define RULE_END (1u << 25)
#define N_SAVED 6
#define SAVED_RBP 1
static const uint8_t saved[N_SAVED] = {RBX, RBP, R12, R12 + 1, R12 + 2, R12 + 3};

/* Frames that may be left out of a stack. */
#define MAX_LEFT_OUT 64

/* Where a register is saved, in a rule's 4 bits; false if that does not fit. */
static bool shorten_place(struct tnd_unwind_rule rule, uint64_t *place)
{
    *place = rule.how == TND_UNWIND_AT_OFFSET ? (uint64_t)(-rule.value / 8 - 1) : 0;
    return rule.how == TND_UNWIND_SAME || rule.how == TND_UNWIND_UNDEFINED ||
           (rule.how == TND_UNWIND_AT_OFFSET && rule.value % 8 == 0 && *place >= 1 && *place <= 15);
}

/* The row as a rule; false if it is more than that. */
static bool shorten(const struct tnd_unwind_place *at, uint64_t *rule)
{
    *rule = 0;
    for (int i = 0, n = 0; i < RIP; i++) {
        uint64_t place;
        bool is_saved = n < N_SAVED && saved[n] == i;
        if (!shorten_place(at->row.rules[i], &place) || (place && !is_saved))
            return false;
        *rule |= is_saved ? place << 4 * n : 0;
        n += is_saved;
    }
    if (at->row.rules[RIP].how == TND_UNWIND_UNDEFINED)
        *rule |= RULE_END;
    else if (at->row.rules[RIP].how != TND_UNWIND_AT_OFFSET || at->row.rules[RIP].value != -8)
        return false;
    *rule |= at->row.frame_register == RBP ? RULE_BY_RBP : 0;
    *rule |= (uint64_t)(uint32_t)at->row.frame_value << 32;
    return (at->row.frame_register == RBP || at->row.frame_register == RSP) && !at->is_signal_frame;
}

static inline uint64_t rule_frame(uint64_t rule, uint64_t sp, uint64_t bp)
{
    return (rule & RULE_BY_RBP ? bp : sp) + (uint64_t)((int64_t)rule >> 32);
}

/* Where register n of saved[] is, if the rule's frame is there. */
static inline uint64_t rule_place(uint64_t rule, int n)
{
    return rule >> 4 * n & 15;
}

/* Whether all words that a rule may ask for lie on the known part of the stack, and it grows the right way. */
static inline bool frame_is_known(uint64_t frame, uint64_t sp, uint64_t low, uint64_t high)
{
    return frame > sp && frame <= high && frame - 8 * 16 >= low && frame % 8 == 0;
}

static bool follow(struct tnd_unwind_state *state, uint64_t rule)
{
    uint64_t *registers = state->registers;
    uint64_t frame = rule_frame(rule, registers[RSP], registers[RBP]);
    if (rule & RULE_END || frame <= registers[RSP])
        return false;
    if (frame_is_known(frame, registers[RSP], state->stack_low, state->stack_high)) {
        const uint64_t *words = (const uint64_t *)frame - 1;
        registers[RIP] = *words;
        for (int n = 0; n < N_SAVED; n++) { /* without a branch: they would be guessed wrong */
            const uint64_t *place = words - rule_place(rule, n);
            registers[saved[n]] = *(rule_place(rule, n) ? place : &registers[saved[n]]);
        }
    } else {
        if (!load(state, frame - 8, &registers[RIP]))
            return false;
        for (int n = 0; n < N_SAVED; n++)
            if (rule_place(rule, n) && !load(state, frame - 8 - 8 * rule_place(rule, n), &registers[saved[n]]))
                return false;
    }
    registers[RSP] = frame;
    state->is_exact = false;
    return true;
}

int tnd_unwind_tables_recall(const void *start, const struct tnd_unwind_limits *limits, uint64_t *frames, unsigned max)
{
    const uint64_t *pair = start;
    uint64_t bp = pair[0], pc = pair[1], sp = (uint64_t)(pair + 2), rule;
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED);
    unsigned n = 0;
    if ((uint64_t)start < limits->stack_low || sp > limits->stack_high)
        return -1;
    for (unsigned n_steps = 0; pc; n_steps++) {
        if (pc - limits->own_low >= limits->own_size && pc - limits->other_low >= limits->other_size)
            frames[n++] = pc;
        if (n == max)
            break;
        if (n_steps > max + MAX_LEFT_OUT || !tnd_unwind_cache_find(pc - 1, generation, &rule))
            return -1;
        uint64_t frame = rule_frame(rule, sp, bp);
        if (rule & RULE_END)
            break;
        if (!frame_is_known(frame, sp, limits->stack_low, limits->stack_high))
            return -1;
        const uint64_t *words = (const uint64_t *)frame - 1;
        pc = *words;
        if (rule_place(rule, SAVED_RBP))
            bp = *(words - rule_place(rule, SAVED_RBP));
        sp = frame;
    }
    return (int)n;
}

/* Code without tables (made at run time, or by hand) often keeps a frame pointer; believed if a function that has
 * tables called it. */
static bool step_by_frame_pointer(struct tnd_unwind_state *state)
{
    uint64_t frame = state->registers[RBP], next, pc;
    if (frame < state->registers[RSP] || !load(state, frame, &next) || !load(state, frame + 8, &pc) || pc < 4096 ||
        !tnd_unwind_rows_cover(pc - 1))
        return false;
    state->registers[RBP] = next;
    state->registers[RSP] = frame + 16;
    state->registers[RIP] = pc;
    state->is_exact = false;
    return true;
}

/* A step by what stands in the tables, which is kept for the next time. */
__attribute__((noinline)) static bool read_and_step(struct tnd_unwind_state *state, uint64_t pc, uint64_t generation)
{
    struct tnd_unwind_place at;
    uint64_t rule;
    enum tnd_unwind_found found = tnd_unwind_rows_find(pc, &at);
    if (found != TND_UNWIND_ROW)
        return found == TND_UNWIND_NO_TABLE && step_by_frame_pointer(state);
    if (shorten(&at, &rule))
        tnd_unwind_cache_keep(pc, generation, rule);
    return apply(state, &at);
}

bool tnd_unwind_tables_step(struct tnd_unwind_state *state)
{
    uint64_t pc = state->registers[RIP] - !state->is_exact, rule;
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED);
    return tnd_unwind_cache_find(pc, generation, &rule) ? follow(state, rule) : read_and_step(state, pc, generation);
}

/* Where a walk from these registers may read without asking. */
static void set_bounds(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high)
{
    uint64_t sp = state->registers[RSP];
    bool known = sp >= stack_low && sp < stack_high;
    state->stack_low = known ? sp - 128 : 0; /* the red zone */
    state->stack_high = known ? stack_high : 0;
    state->good_page = ~(uint64_t)0;
    state->is_exact = true;
}

void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high)
{
    static const uint8_t order[N_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                               REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                               REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    for (int i = 0; i < N_REGISTERS; i++)
        state->registers[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
    set_bounds(state, stack_low, stack_high);
}

bool tnd_unwind_tables_begin_here(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high)
{
    memset(state->registers, 0, sizeof state->registers);
    /* Registers that calls preserve; [16] is the address after the first instruction. */
    __asm__ volatile("leaq 0(%%rip), %%rax\n\t"
                     "movq %%rax, 128(%0)\n\t"
                     "movq %%rbx, 24(%0)\n\t"
                     "movq %%rbp, 48(%0)\n\t"
                     "movq %%rsp, 56(%0)\n\t"
                     "movq %%r12, 96(%0)\n\t"
                     "movq %%r13, 104(%0)\n\t"
                     "movq %%r14, 112(%0)\n\t"
                     "movq %%r15, 120(%0)"
                     :
                     : "r"(state->registers)
                     : "rax", "memory");
    set_bounds(state, stack_low, stack_high);
    state->good_page = state->registers[RSP] >> 12; /* in use */
    return tnd_unwind_tables_step(state);
}

bool tnd_unwind_tables_work(void)
{
    return tnd_unwind_rows_cover((uint64_t)__builtin_return_address(0));
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
bool tnd_unwind_tables_begin_here(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high)
{
    return false;
}
bool tnd_unwind_tables_step(struct tnd_unwind_state *state)
{
    return false;
}
int tnd_unwind_tables_recall(const void *start, const struct tnd_unwind_limits *limits, uint64_t *frames, unsigned max)
{
    return -1;
}
#endif
