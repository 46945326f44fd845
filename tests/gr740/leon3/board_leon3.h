/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The board that a program without an operating system starts, and how it ends.
 */
#ifndef BOARD_LEON3_H
#define BOARD_LEON3_H

#include "runtime/target.h"
#include "runtime/thread.h"

extern unsigned board_n_interrupts, board_n_strange; /* interrupts of the sampling timer, and any others */

void board_start(void);
__attribute__((noreturn)) void board_halt(void);

#endif
