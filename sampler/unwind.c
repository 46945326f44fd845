/* SPDX-License-Identifier: Apache-2.0
 *
 * Unwinders for a handler, behind one function pointer:
 *   fp      frame pointers, within the bounds of the thread's stack: 0.1 us, but blind where code has none
 *   tables  what compilers write for exceptions, read with care: unwind_tables.c
 *   none    only where
 *
 * Context: as unwind.h says.
 */
#include "sampler/unwind.h"
#include "runtime/config.h"
#include "runtime/thread.h"
#include "sampler/unwind_tables.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#define CONTEXT_PC(context) ((uint64_t)(context)->uc_mcontext.gregs[REG_RIP])
#define CONTEXT_SP(context) ((uint64_t)(context)->uc_mcontext.gregs[REG_RSP])
#define CONTEXT_FP(context) ((uint64_t)(context)->uc_mcontext.gregs[REG_RBP])
#elif defined(__aarch64__)
#define CONTEXT_PC(context) ((uint64_t)(context)->uc_mcontext.pc)
#define CONTEXT_SP(context) ((uint64_t)(context)->uc_mcontext.sp)
#define CONTEXT_FP(context) ((uint64_t)(context)->uc_mcontext.regs[29])
#else
#error "which registers hold pc, sp and fp?"
#endif

/* Where this library lies: the linker's own symbols. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

struct walk {
    uint64_t *frames;
    unsigned n, max;
    unsigned n_steps;
    bool deeper;
    uint64_t pc;
};

/* Adds a frame; false when there is no more to be done. */
static bool add(struct walk *walk, uint64_t address)
{
    if (address - (uint64_t)__ehdr_start < (uint64_t)(_end - __ehdr_start))
        return ++walk->n_steps < 4 * TND_RECORD_MAX_WORDS;
    if (walk->n == walk->max) {
        walk->deeper = true;
        return false;
    }
    /* A call that may stand for the interrupted instruction is named by an address within it. */
    walk->frames[walk->n] = walk->n == 0 && address != walk->pc ? address - 1 : address;
    walk->n++;
    return true;
}

static void only_pc(const ucontext_t *context, struct walk *walk)
{
    add(walk, walk->pc);
}

static void by_frame_pointers(const ucontext_t *context, struct walk *walk)
{
    struct tnd_thread *thread = tnd_thread_self;
    uint64_t low = CONTEXT_SP(context), high = thread ? (uint64_t)thread->stack_high : 0;
    uint64_t frame = CONTEXT_FP(context);
    if (!add(walk, walk->pc) || low >= high || low < (uint64_t)thread->stack_low)
        return; /* a stack of the program's own: its bounds are not known */
    while (frame >= low && frame <= high - 16 && frame % 8 == 0) {
        const uint64_t *pair = (const uint64_t *)frame;
        if (pair[1] < 4096 || !add(walk, pair[1]))
            return;
        low = frame + 16;
        frame = pair[0];
    }
}

static void by_tables(const ucontext_t *context, struct walk *walk)
{
    struct tnd_thread *thread = tnd_thread_self;
    struct tnd_unwind_state state;
    tnd_unwind_tables_begin(&state, context, thread ? (uint64_t)thread->stack_low : 0,
                            thread ? (uint64_t)thread->stack_high : 0);
    do
        if (!add(walk, state.registers[TND_UNWIND_PC]))
            return;
    while (tnd_unwind_tables_step(&state) && state.registers[TND_UNWIND_PC]);
}

static void (*unwinder)(const ucontext_t *, struct walk *) = only_pc;

unsigned tnd_unwind_depth(void)
{
    return (unsigned)tnd_config.sampling_depth;
}

unsigned tnd_unwind_handler(const ucontext_t *context, uint64_t *frames, unsigned max, bool *deeper)
{
    struct walk walk = {.frames = frames, .max = max, .pc = CONTEXT_PC(context)};
    unwinder(context, &walk);
    *deeper = walk.deeper;
    return walk.n;
}

void tnd_unwind_start(void)
{
    const char *name = tnd_config.unwind;
    if (strcmp(name, "none") == 0 || tnd_unwind_depth() == 0)
        return;
    unwinder = strcmp(name, "fp") != 0 && tnd_unwind_tables_work() ? by_tables : by_frame_pointers;
}
