/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk up a stack by unwind tables, one step a call: see unwind_tables.c.
 *
 * Context: handler.  Never reads where it might fault, never locks or allocates; keeps errno.
 */
#ifndef TND_UNWIND_TABLES_H
#define TND_UNWIND_TABLES_H

#include "unwind/unwind_machine.h"

#include <stddef.h>

struct tnd_unwind_state {
    uint64_t registers[TND_UNWIND_REGISTERS]; /* [TND_UNWIND_PC]: where the walk is */
    uint64_t stack_low, stack_high;           /* may be read without asking the kernel */
    uint64_t stack_shift;                     /* what to add to such an address for where its word is; 0: it is there */
    uint64_t good_page;                       /* another page that may be read so */
    bool is_exact;                            /* the pc is an interrupted instruction, not a return address */
    bool is_sp_low;                           /* the stack pointer is a lower bound only */
    bool is_astray; /* the pc is no return address: what led to it was misunderstood, and the walk has ended */
};

/* Whether this works on this machine and with this C library. */
bool tnd_unwind_tables_work(void);

/* Begins a walk where the context was interrupted.  stack_low to stack_high: the thread's stack, zeros if unknown. */
void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high);

/* Begins a walk from outside: the caller has set the registers, and has a copy of n_bytes of the stack, from the stack
 * pointer on.  The copy is a multiple of 8 away from them. */
void tnd_unwind_tables_begin_copied(struct tnd_unwind_state *state, const void *copy, size_t n_bytes);

/* Begins a walk in the calling function, which must not return before the walk has ended. */
bool tnd_unwind_tables_begin_here(struct tnd_unwind_state *state, uint64_t stack_low, uint64_t stack_high);

/* What a walk in ordinary code may read, and the code whose frames it leaves out: this library's, and another's. */
struct tnd_unwind_limits {
    uint64_t stack_low, stack_high, own_low, own_size, other_low, other_size;
};

/* The return addresses above `start`, the frame (__builtin_frame_address(0)) of a function of this library that has not
 * returned, innermost first, at most max > 0, if all their places have been passed before and are on the thread's
 * stack: 3 ns a frame.  How many; -1: that cannot be said so quickly, ask step by step. */
int tnd_unwind_tables_recall(const void *start, const struct tnd_unwind_limits *limits, uint64_t *frames, unsigned max);

/* Reads the rule of a place (unwind_rule.h), and keeps it (unwind_cache.h).  False: there is none. */
bool tnd_unwind_tables_learn(uint64_t place, uint64_t generation, uint64_t *rule);

/* Goes to the caller; false at the end of the stack, or where there are no tables. */
bool tnd_unwind_tables_step(struct tnd_unwind_state *state);

#endif
