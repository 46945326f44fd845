/* SPDX-License-Identifier: Apache-2.0
 *
 * What unwind tables (.eh_frame) say of one place in the code: where its frame is, and the registers of its caller.
 *
 * Cost: some 0.15 us a place (measured,
 * tests/bench).  Parts of DWARF that no compiler writes for x86-64 and arm64 are left out.
 *
 * Context: handler; 1 KB of stack, 2 KB on arm64.
 */
#ifndef TND_UNWIND_ROWS_H
#define TND_UNWIND_ROWS_H

#include "unwind/unwind_tables.h"

/* How the caller's value of a register is found. */
enum tnd_unwind_how {
    TND_UNWIND_SAME,
    TND_UNWIND_UNDEFINED,
    TND_UNWIND_AT_OFFSET,
    TND_UNWIND_IS_OFFSET,
    TND_UNWIND_AT_EXPRESSION,
    TND_UNWIND_IS_EXPRESSION,
    TND_UNWIND_IN_REGISTER
};

struct tnd_unwind_rule {
    int32_t value; /* offset from the frame's address, a register, or an expression: its distance from `origin` */
    uint8_t how;
};

struct tnd_unwind_row {
    struct tnd_unwind_rule rules[TND_UNWIND_REGISTERS];
    int32_t frame_value;    /* offset to frame_register, or the expression */
    uint8_t frame_register; /* TND_UNWIND_REGISTERS: it is an expression */
};

/* Beside the row: what holds for all of the function. */
struct tnd_unwind_place {
    struct tnd_unwind_row row;
    const uint8_t *origin; /* for distances in rules */
    bool is_signal_frame;
};

enum tnd_unwind_found { TND_UNWIND_NO_TABLE, TND_UNWIND_NOT_READ, TND_UNWIND_ROW };

/* Whether tables cover the place. */
bool tnd_unwind_rows_cover(uint64_t pc);

/* Fills *place if the answer is TND_UNWIND_ROW. */
enum tnd_unwind_found tnd_unwind_rows_find(uint64_t pc, struct tnd_unwind_place *place);

#endif
