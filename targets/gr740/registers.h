/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of the GR740's peripherals, at their real addresses.  Each access is a call of one of two functions, so
 * that a test can stand in for the hardware.
 *
 * Sources: the GR740's user's manual (GR740-UM-DS 1.7), RTEMS's headers of GRLIB's cores.
 * Context: any, interrupts included.
 */
#ifndef TND_REGISTERS_H
#define TND_REGISTERS_H

#include <stdint.h>

#define TND_REGISTERS_GPTIMER(unit) (0xFF908000u + 0x1000u * (unit)) /* 0: the system's; 1 to 4 are free */
#define TND_REGISTERS_CLOCK_GATE 0xFFA04000u
#define TND_REGISTERS_THSENS 0xFFA0A000u
#define TND_REGISTERS_APB_BRIDGES                                                                                      \
    {                                                                                                                  \
        0xFF900000u, 0xFFA00000u                                                                                       \
    } /* plug and play: the last 4 KiB of the first MiB */

#define TND_REGISTERS_CLOCK_HZ 250000000u

uint32_t tnd_registers_read(uint32_t address);
void tnd_registers_write(uint32_t address, uint32_t value);

/* Where a core of Gaisler's is on the buses of peripherals, by its device number; 0: the chip does not have it. */
uint32_t tnd_registers_find(uint32_t device);

#endif
