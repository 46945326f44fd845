/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples on a board: a timer of the hardware interrupts a processor, and the handler of that interrupt tells where the
 * thread was.  The stack is walked through the register windows, which must have been written to it.
 *
 * Context: as each function says.
 */
#ifndef TND_BOARD_SAMPLING_H
#define TND_BOARD_SAMPLING_H

#include "runtime/thread.h"

/* Where a thread was interrupted. */
struct tnd_board_sampling_at {
    uint32_t pc, sp;
    uint32_t o7;     /* the call in its caller, if its function has no window of its own; 0: not known */
    uint64_t before; /* time of the tick before on this processor: what the sample stands for is from then on */
};

/* Writes a sample to the thread's signal stream.  In the interrupt of the processor that it runs on. */
void tnd_board_sampling_take(struct tnd_thread *thread, uint64_t time, const struct tnd_board_sampling_at *at);

/* Of the operating system: begins and ends the interrupts.  The period in ns that they have; 0: there is no timer. */
uint64_t tnd_board_sampling_begin(uint64_t period_ns);
void tnd_board_sampling_end(void);

#endif
