/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk up a stack by unwind tables, one step a call: see unwind_tables.c.
 *
 * Context: handler.  Never reads where it might fault, never locks or allocates; may change errno.
 */
#ifndef TND_UNWIND_TABLES_H
#define TND_UNWIND_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define TND_UNWIND_REGISTERS 17 /* of x86-64, in DWARF's order */
#define TND_UNWIND_PC 16

struct tnd_unwind_state {
    uint64_t registers[TND_UNWIND_REGISTERS]; /* [TND_UNWIND_PC]: where the walk is */
    uint64_t stack_low, stack_high;           /* may be read without asking */
    uint64_t good_page;                       /* as may this one */
    bool is_exact;                            /* the pc is an interrupted instruction, not a return address */
};

/* Whether this machine and C library have what it takes. */
bool tnd_unwind_tables_work(void);

/* Where the context was interrupted.  stack_low to stack_high: the thread's stack, zeros if unknown. */
void tnd_unwind_tables_begin(struct tnd_unwind_state *state, const ucontext_t *context, uint64_t stack_low,
                             uint64_t stack_high);

/* To the caller; false at the end of the stack, or where the tables end. */
bool tnd_unwind_tables_step(struct tnd_unwind_state *state);

#endif
