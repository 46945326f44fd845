/* SPDX-License-Identifier: Apache-2.0
 *
 * The unwinders.  A handler calls the configured one; ordinary code uses tables, or frame pointers where there are no
 * tables:
 *   fp      frame pointers, within the bounds of the thread's stack: 0.1 us, but blind where code has none
 *   tables  what compilers write for exceptions, read with care: unwind_tables.c
 *   none    only where
 *
 * Context: as unwind.h says.
 */
#include "sampler/unwind.h"
#include "runtime/config.h"
#include "runtime/thread.h"
#include "sampler/scripted.h"
#include "unwind/unwind_tables.h"
#include "unwind/unwind_trail.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#define CONTEXT_PC(context) tnd_unwind_machine_register(context, TND_UNWIND_PC)
#define CONTEXT_SP(context) tnd_unwind_machine_register(context, TND_UNWIND_SP)
#define CONTEXT_FP(context) tnd_unwind_machine_register(context, TND_UNWIND_FP)

/* The begin and end of this library: symbols of the linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

_Thread_local struct tnd_scripted *tnd_scripted_top;
struct tnd_scripted_code tnd_scripted_code;

struct walk {
    struct tnd_unwind_trail *trail;
    uint64_t *frames;
    unsigned n, max;
    bool deeper;
    uint64_t pc;                    /* the interrupted instruction; 0: there is none */
    uint64_t other_low, other_size; /* code whose frames are left out, as this library's are */
    unsigned n_left_out;            /* frames that were left out */
    unsigned n_then;                /* frames passed up to the last of those, including it */
    bool was_other;                 /* and that one was not this library's */
};

static bool is_own(uint64_t address)
{
    return address - (uint64_t)__ehdr_start < (uint64_t)(_end - __ehdr_start);
}

/* The node (scripted.h) in a frame of the function that runs functions; NULL if it is not there yet, or cannot be read.
 * It is there while the interpreter runs the function, and before that as soon as it is in the list. */
static const struct tnd_scripted *scripted_in(uint64_t sp, uint64_t fp, bool runs)
{
    const struct tnd_thread *thread = tnd_thread_self;
    uint64_t at = fp - tnd_scripted_code.below;
    if (!thread || sp < (uint64_t)thread->stack_low || at < sp || at % 8 != 0 ||
        at >= (uint64_t)thread->stack_high - sizeof(struct tnd_scripted))
        return NULL;
    return runs || at == (uint64_t)tnd_scripted_top ? (const struct tnd_scripted *)at : NULL;
}

/* Adds a function in place of the frame of the interpreter that evaluates it. */
static bool add_scripted(struct walk *walk, uint64_t sp, uint64_t fp)
{
    bool is_inside_left_out = walk->n + walk->n_left_out == walk->n_then;
    const struct tnd_scripted *node = scripted_in(sp, fp, !is_inside_left_out || walk->was_other);
    if (!node || !node->number)
        return true;
    if (!is_inside_left_out && tnd_scripted_code.is_direct) {
        walk->n--;
        walk->n_left_out++;
    }
    if (walk->n == walk->max) {
        walk->deeper = true;
        return false;
    }
    walk->frames[walk->n++] = TND_SAMPLE_PYTHON | node->number;
    return true;
}

/* Leaves a frame out; false if the walk ends here. */
__attribute__((noinline)) static bool leave_out(struct walk *walk, uint64_t address, uint64_t sp, uint64_t fp)
{
    if (walk->pc && address - tnd_scripted_code.low < tnd_scripted_code.size && !add_scripted(walk, sp, fp))
        return false;
    walk->was_other = !is_own(address);
    walk->n_left_out++;
    walk->n_then = walk->n + walk->n_left_out;
    return walk->n_left_out < 4 * TND_RECORD_MAX_WORDS;
}

/* Adds a frame, with its stack and frame pointer; false if the walk ends here. */
static inline bool add(struct walk *walk, uint64_t address, uint64_t sp, uint64_t fp)
{
    if (is_own(address) || address - walk->other_low < walk->other_size)
        return leave_out(walk, address, sp, fp);
    if (walk->n == walk->max) {
        walk->deeper = true;
        return false;
    }
    /* If a call stands for the interrupted instruction, the address is one inside the call. */
    walk->frames[walk->n] = walk->n == 0 && walk->pc && address != walk->pc ? address - 1 : address;
    walk->n++;
    return true;
}

static void only_pc(const ucontext_t *context, struct walk *walk)
{
    add(walk, walk->pc, CONTEXT_SP(context), CONTEXT_FP(context));
}

/* From a frame at or above low. */
static void follow_frames(struct walk *walk, uint64_t low, uint64_t frame)
{
    struct tnd_thread *thread = tnd_thread_self;
    uint64_t high = thread ? (uint64_t)thread->stack_high : 0;
    if (low >= high || low < (uint64_t)thread->stack_low)
        return; /* a stack of the program's own: its bounds are not known */
    while (frame >= low && frame <= high - 16 && frame % 8 == 0) {
        const uint64_t *pair = (const uint64_t *)frame;
        uint64_t address = tnd_unwind_machine_code(pair[1]);
        if (address < 4096 || !add(walk, address, frame + 16, pair[0]))
            return;
        low = frame + 16;
        frame = pair[0];
    }
}

static void by_frame_pointers(const ucontext_t *context, struct walk *walk)
{
    if (add(walk, walk->pc, CONTEXT_SP(context), CONTEXT_FP(context)))
        follow_frames(walk, CONTEXT_SP(context), CONTEXT_FP(context));
}

static inline bool add_here(struct walk *walk, const struct tnd_unwind_state *state)
{
    const uint64_t *registers = state->registers;
    return add(walk, registers[TND_UNWIND_PC], registers[TND_UNWIND_SP], registers[TND_UNWIND_FP]);
}

/* The usual case: no frames are to be left out, and the last walk has passed most of them. */
static bool by_trail(const ucontext_t *context, struct walk *walk)
{
    const struct tnd_thread *thread = tnd_thread_self;
    if (!thread || !walk->trail || walk->other_size)
        return false;
    const struct tnd_unwind_trail_limits limits = {(uint64_t)thread->stack_low, (uint64_t)thread->stack_high,
                                                   (uint64_t)__ehdr_start, (uint64_t)(_end - __ehdr_start)};
    int n = tnd_unwind_trail_follow(walk->trail, context, &limits, walk->frames, walk->max, &walk->deeper);
    walk->n = n > 0 ? (unsigned)n : 0;
    return n > 0;
}

static void by_tables(const ucontext_t *context, struct walk *walk)
{
    struct tnd_thread *thread = tnd_thread_self;
    struct tnd_unwind_state state;
    if (by_trail(context, walk))
        return;
    tnd_unwind_tables_begin(&state, context, thread ? (uint64_t)thread->stack_low : 0,
                            thread ? (uint64_t)thread->stack_high : 0);
    do
        if (!add_here(walk, &state))
            return;
    while (tnd_unwind_tables_step(&state) && state.registers[TND_UNWIND_PC]);
    if (state.is_astray && walk->n > 1 && walk->frames[walk->n - 1] == state.registers[TND_UNWIND_PC])
        walk->n--;
}

static void (*unwinder)(const ucontext_t *, struct walk *) = only_pc;

unsigned tnd_unwind_depth(void)
{
    return (unsigned)tnd_config.sampling_depth;
}

unsigned tnd_unwind_handler(const ucontext_t *context, struct tnd_unwind_trail *trail, uint64_t *frames, unsigned max,
                            bool *deeper)
{
    struct walk walk = {.trail = trail, .frames = frames, .max = max, .pc = CONTEXT_PC(context)};
    if (__builtin_expect(tnd_scripted_top != NULL, 0)) {
        walk.other_low = tnd_scripted_code.interpreter_low;
        walk.other_size = tnd_scripted_code.interpreter_size;
    }
    unwinder(context, &walk);
    if (walk.n == 0)
        frames[walk.n++] = walk.pc;
    *deeper = walk.deeper;
    return walk.n;
}

unsigned tnd_unwind_call(const ucontext_t *context, const void *function, uint64_t *frames, unsigned max, bool *deeper)
{
    unsigned n = 1;
    if (!is_own(CONTEXT_PC(context))) {
        n = tnd_unwind_handler(context, NULL, frames, max, deeper);
    } else if (max > 1) {
        n += tnd_unwind_handler(context, NULL, frames + 1, max - 1, deeper);
        if (!(frames[1] & TND_SAMPLE_PYTHON))
            frames[1]++; /* it is inside of the call; a caller's is behind that */
    }
    frames[0] = (uint64_t)function;
    return n;
}

/* Step by step, which fills the cache. */
__attribute__((noinline)) static unsigned walk_here(const void *start, const struct tnd_unwind_limits *limits,
                                                    uint64_t *frames, unsigned max)
{
    struct tnd_unwind_state state;
    struct walk walk = {.frames = frames, .max = max, .other_low = limits->other_low, .other_size = limits->other_size};
    bool goes_on = tnd_unwind_tables_begin_here(&state, limits->stack_low, limits->stack_high);
    if (!goes_on)
        follow_frames(&walk, (uint64_t)start, (uint64_t)start);
    while (goes_on && add_here(&walk, &state) && walk.n < max)
        goes_on = tnd_unwind_tables_step(&state) && state.registers[TND_UNWIND_PC];
    return walk.n;
}

/* The library of tnd_unwind_leave_out; size 0: none yet. */
static uint64_t other_low, other_size;

void tnd_unwind_leave_out(const void *address)
{
    struct dl_find_object object;
    if (_dl_find_object((void *)address, &object) != 0 || !object.dlfo_link_map->l_name[0])
        return;
    __atomic_store_n(&other_low, (uint64_t)object.dlfo_map_start, __ATOMIC_RELAXED);
    __atomic_store_n(&other_size, (uint64_t)object.dlfo_map_end - (uint64_t)object.dlfo_map_start, __ATOMIC_RELEASE);
}

bool tnd_unwind_leaves_out(uint64_t address)
{
    uint64_t size = __atomic_load_n(&other_size, __ATOMIC_ACQUIRE);
    return is_own(address) || address - other_low < size;
}

uintptr_t tnd_unwind_stack_pointer(const ucontext_t *context)
{
    return (uintptr_t)CONTEXT_SP(context);
}

unsigned tnd_unwind_here(const void *start, uint64_t *frames, unsigned max)
{
    const struct tnd_thread *thread = tnd_thread_self;
    const struct tnd_unwind_limits limits = {
        .stack_low = thread ? (uint64_t)thread->stack_low : 0,
        .stack_high = thread ? (uint64_t)thread->stack_high : 0,
        .own_low = (uint64_t)__ehdr_start,
        .own_size = (uint64_t)(_end - __ehdr_start),
        .other_size = __atomic_load_n(&other_size, __ATOMIC_ACQUIRE),
        .other_low = other_low,
    };
    if (!max)
        return 0;
    int n = tnd_unwind_tables_recall(start, &limits, frames, max);
    return n >= 0 ? (unsigned)n : walk_here(start, &limits, frames, max);
}

void tnd_unwind_start(void)
{
    const char *name = tnd_config.unwind;
    if (strcmp(name, "none") == 0 || tnd_unwind_depth() == 0)
        return;
    unwinder = strcmp(name, "fp") != 0 && tnd_unwind_tables_work() ? by_tables : by_frame_pointers;
}
