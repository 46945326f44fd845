/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of the temperature sensor.  Reading the status clears its flag of a new value, so that it is read once.
 *
 * Context: thsens.h.
 */
#include "targets/gr740/thsens.h"

#include "targets/gr740/registers.h"

#define CONTROL (TND_REGISTERS_THSENS + 0x0)
#define STATUS (TND_REGISTERS_THSENS + 0x4)
#define THRESHOLD (TND_REGISTERS_THSENS + 0x8)

/* Of CONTROL.  The sensor's clock must be 250 to 500 kHz: 400 kHz here.  That the sensor is on while POWER is 1 is how
 * sensors of this family have it; the manual's page was not seen. */
#define DIVIDER ((TND_REGISTERS_CLOCK_HZ / 400000u) << 16)
#define ALARM (1u << 8)
#define POWER (1u << 7)
#define RUN (1u << 1)
#define CLOCK (1u << 0)

/* Of STATUS. */
#define RAW(status) ((status)&0x7f)
#define ALARMED (1u << 8)
#define UPDATED (1u << 9)

bool tnd_thsens_start(unsigned threshold)
{
    uint32_t control = DIVIDER | POWER | CLOCK | (threshold ? ALARM : 0);
    tnd_registers_write(THRESHOLD, threshold & 0x7f);
    tnd_registers_write(CONTROL, control);
    tnd_registers_write(CONTROL, control | RUN);
    return tnd_registers_read(CONTROL) == (control | RUN);
}

struct tnd_thsens_reading tnd_thsens_read(void)
{
    uint32_t status = tnd_registers_read(STATUS);
    return (struct tnd_thsens_reading){.raw = RAW(status),
                                       .least = RAW(status >> 16),
                                       .most = RAW(status >> 24),
                                       .is_new = status & UPDATED,
                                       .is_alarm = status & ALARMED};
}

void tnd_thsens_stop(void)
{
    tnd_registers_write(CONTROL, 0);
}
