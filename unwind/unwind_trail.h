/* SPDX-License-Identifier: Apache-2.0
 *
 * The way up the stack that a thread's last walk has taken.  Most of it is still there at the next sample: where the
 * new walk comes to a frame that the last one has passed, with the same registers, the rest is the same if the words of
 * the stack that led on are.  Only these are read then, and no tables.
 *
 * Cost: some 2 ns a frame that was passed, 5 ns a new one (measured, tests/bench); 10 KB a thread.
 * Context: handler.
 */
#ifndef TND_UNWIND_TRAIL_H
#define TND_UNWIND_TRAIL_H

#include "unwind/unwind_machine.h"

#define TND_UNWIND_TRAIL_MOST 128

/* A frame that has called another one. */
struct tnd_unwind_trail_step {
    uint64_t pc, sp, fp;   /* the return address, and the registers there */
    const uint64_t *pc_at; /* the word of the stack that has the return address */
    const uint64_t *fp_at; /* that which has the frame pointer; NULL: it is that of the frame that was called */
};

/* Of one thread; all 0 at first. */
struct tnd_unwind_trail {
    uint64_t generation; /* of the loaded code */
    unsigned n;
    struct tnd_unwind_trail_step steps[TND_UNWIND_TRAIL_MOST]; /* the outermost frame first */
    struct tnd_unwind_trail_step fresh[TND_UNWIND_TRAIL_MOST]; /* of the walk that goes on, the innermost one first */
};

/* What a walk may read, and code that ends it. */
struct tnd_unwind_trail_limits {
    uint64_t stack_low, stack_high, own_low, own_size;
};

/* The stack that the context was interrupted in: the interrupted instruction and return addresses, at most max > 0;
 * *deeper is set if there are more.  Returns how many; -1: not all of its frames are on the thread's stack, at places
 * that have a rule (unwind_rule.h), and not of the own code: walk step by step. */
int tnd_unwind_trail_follow(struct tnd_unwind_trail *trail, const ucontext_t *context,
                            const struct tnd_unwind_trail_limits *limits, uint64_t *frames, unsigned max, bool *deeper);

#endif
