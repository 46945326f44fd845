/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any program on the models of RTEMS and of the chip: what has to be there before main, and the parts of the hardware
 * that depend on what the program does.  Temperature and use of the bus are invented, but follow how many processors
 * run: the chip gets warmer within a tenth of a second, a processor that runs has the bus in an eighth of its cycles.
 */
#include "tests/gr740/registers_model.h"
#include "tests/gr740/rtems/rtems_model.h"

#include "targets/gr740/l4stat.h"
#include "targets/gr740/tandem_board.h"

#define POOL_BYTES 0x1000000
#define CYCLES 0x15
#define AHB_OF_ONE 0x17
#define AHB 0x18
#define ON_BUS 125 /* of 1000 cycles of a processor that runs */
#define COLD 46    /* raw value while nothing runs; each processor adds WARMER */
#define WARMER 2
#define INERTIA 25000000 /* cycles: a tenth of a second */

char tandem_pool[POOL_BYTES] __attribute__((aligned(8)));
const size_t tandem_pool_bytes = POOL_BYTES;
const char tandem_power_model[] = "name GR740\n250 321.8 180.87 0\n";

static uint32_t n_running(void)
{
    uint32_t n = 0;
    for (uint32_t cpu = 0; cpu < TND_L4STAT_CPUS; cpu++)
        n += rtems_model_is_running(cpu);
    return n;
}

/* What the sensor measures now. */
static void warm(void)
{
    static uint64_t before;
    const uint64_t now = model.cycles;
    static int64_t warmth = COLD * 1000;
    int64_t goal = (COLD + WARMER * (int64_t)n_running()) * 1000, passed = before ? (int64_t)(now - before) : 0;
    warmth += (goal - warmth) * (passed < INERTIA ? passed : INERTIA) / INERTIA;
    before = now;
    model.thsens.raw = (uint32_t)((warmth + 500) / 1000);
}

static uint32_t rate(uint32_t event, uint32_t cpu)
{
    switch (event) {
    case CYCLES:
        return 1000;
    case AHB:
        return ON_BUS * n_running();
    case AHB_OF_ONE:
        return ON_BUS * rtems_model_is_running(cpu);
    default:
        return 1000 * rtems_model_is_running(cpu);
    }
}

static __attribute__((constructor)) void start(void)
{
    registers_model_start();
    registers_model_rate = rate;
    registers_model_before_tick = warm;
    model.has_real_time = true;
    rtems_model_open();
}
