/* SPDX-License-Identifier: Apache-2.0
 *
 * A timer of GPTIMER, the units that interrupt after a time.  Unit 0 is the operating system's; 1 to 4 have four timers
 * each, with one interrupt for all of a unit.  Addresses are given, so that the same code runs on another LEON.
 *
 * Context: tnd_gptimer_start in a thread; the others in its interrupt, too.
 */
#ifndef TND_GPTIMER_H
#define TND_GPTIMER_H

#include <stdbool.h>
#include <stdint.h>

/* Starts a timer, the only one, that interrupts again and again, after periods that differ at random
 * (sampler/draw_period.h).  unit: its address; number: from 0; clock_hz: of the bus.  The prescaler stays as it is,
 * because other timers have it, too, unless nobody has set it.  The mean of the periods in ns, because that is a whole
 * number of ticks; 0: the unit does not have this timer, or cannot count so long. */
uint64_t tnd_gptimer_start(uint32_t unit, unsigned number, uint32_t clock_hz, uint64_t period_ns);

/* Whether it was this timer that interrupted; and it no longer asks for an interrupt. */
bool tnd_gptimer_take(uint32_t unit, unsigned number);

void tnd_gptimer_stop(uint32_t unit, unsigned number);

/* The interrupt of the timer. */
unsigned tnd_gptimer_interrupt(uint32_t unit, unsigned number);

#endif
