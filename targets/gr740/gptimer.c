/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of GPTIMER.  A period is (prescaler's reload + 1) * (timer's reload + 1) cycles of the bus.
 *
 * Context: gptimer.h.
 */
#include "targets/gr740/gptimer.h"

#include "runtime/machine.h"
#include "sampler/draw_period.h"
#include "targets/gr740/registers.h"

#define SCALER 0x0
#define SCALER_RELOAD 0x4
#define CONFIG 0x8
#define RELOAD(number) (0x10 * ((number) + 1) + 0x4)
#define CONTROL(number) (0x10 * ((number) + 1) + 0x8)

#define N_TIMERS(config) ((config)&7)
#define INTERRUPT(config) ((config) >> 3 & 31)
#define SEPARATE (1u << 8) /* each timer has its own interrupt */

#define ENABLE (1u << 0)
#define RESTART (1u << 1)
#define LOAD (1u << 2)
#define INTERRUPTS (1u << 3)
#define PENDING (1u << 4) /* writing 1 clears it */

#define FRESH_SCALER 0xffff /* after a reset */

static struct {
    uint64_t mean_ticks;
    uint32_t random;
} drawn = {.random = 1};

static void draw_reload(uint32_t unit, unsigned number)
{
    tnd_registers_write(unit + RELOAD(number), (uint32_t)tnd_draw_period(&drawn.random, drawn.mean_ticks) - 1);
}

uint64_t tnd_gptimer_start(uint32_t unit, unsigned number, uint32_t clock_hz, uint64_t period_ns)
{
    uint32_t config = tnd_registers_read(unit + CONFIG), mhz = clock_hz / 1000000;
    if (number >= N_TIMERS(config) || mhz == 0)
        return 0;
    uint32_t scale = tnd_registers_read(unit + SCALER_RELOAD);
    if (scale == FRESH_SCALER) {
        scale = mhz - 1; /* ticks of 1 us */
        tnd_registers_write(unit + SCALER_RELOAD, scale);
        tnd_registers_write(unit + SCALER, scale);
    }
    uint64_t tick_cycles = (uint64_t)scale + 1;
    uint64_t ticks = tnd_machine_divide(tnd_machine_divide(period_ns * mhz, 1000) + tick_cycles / 2, tick_cycles);
    if (ticks == 0)
        ticks = 1;
    if (ticks > UINT32_MAX / 2)
        return 0;
    tnd_registers_write(unit + CONTROL(number), PENDING);
    drawn.mean_ticks = ticks;
    draw_reload(unit, number);
    tnd_registers_write(unit + CONTROL(number), ENABLE | RESTART | LOAD | INTERRUPTS);
    return tnd_machine_divide(ticks * tick_cycles * 1000, mhz);
}

bool tnd_gptimer_take(uint32_t unit, unsigned number)
{
    uint32_t control = tnd_registers_read(unit + CONTROL(number));
    if (!(control & PENDING))
        return false;
    tnd_registers_write(unit + CONTROL(number), control | PENDING);
    draw_reload(unit, number); /* of the period after the one that has begun */
    return true;
}

void tnd_gptimer_stop(uint32_t unit, unsigned number)
{
    tnd_registers_write(unit + CONTROL(number), PENDING);
}

unsigned tnd_gptimer_interrupt(uint32_t unit, unsigned number)
{
    uint32_t config = tnd_registers_read(unit + CONFIG);
    return INTERRUPT(config) + (config & SEPARATE ? number : 0);
}
