/* SPDX-License-Identifier: Apache-2.0
 *
 * A core's clock is switched on while the core is unlocked and in reset.  The sequence is GRLIB's general one; it was
 * not tried on a GR740.
 *
 * Context: clock_gate.h.
 */
#include "targets/gr740/clock_gate.h"

#include "targets/gr740/registers.h"

#define UNLOCK (TND_REGISTERS_CLOCK_GATE + 0x0)
#define ENABLE (TND_REGISTERS_CLOCK_GATE + 0x4)
#define RESET (TND_REGISTERS_CLOCK_GATE + 0x8)
#define SETTLE_READS 8 /* of a register, while the clock settles */

static void set(uint32_t address, uint32_t bit)
{
    tnd_registers_write(address, tnd_registers_read(address) | bit);
}

static void clear(uint32_t address, uint32_t bit)
{
    tnd_registers_write(address, tnd_registers_read(address) & ~bit);
}

void tnd_clock_gate_open(unsigned core)
{
    uint32_t bit = 1u << core;
    if (tnd_registers_read(ENABLE) & bit)
        return;
    set(UNLOCK, bit);
    set(RESET, bit);
    set(ENABLE, bit);
    for (int i = 0; i < SETTLE_READS; i++)
        tnd_registers_read(ENABLE);
    clear(RESET, bit);
    clear(UNLOCK, bit);
}
