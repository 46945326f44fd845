/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock gate: cores of the chip that are off until their clock is switched on.
 *
 * Context: a thread, one at a time.
 */
#ifndef TND_CLOCK_GATE_H
#define TND_CLOCK_GATE_H

/* Switches the clock of a core on, which is reset by that; does nothing to one that has its clock. */
void tnd_clock_gate_open(unsigned core);

#endif
