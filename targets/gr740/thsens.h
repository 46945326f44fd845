/* SPDX-License-Identifier: Apache-2.0
 *
 * The temperature sensor.  It gives a raw number of 7 bits, one more for each degree; what the number is at 0 °C is
 * not published, so that scale and offset are settings.
 *
 * Context: any, but on one processor at a time.
 */
#ifndef TND_THSENS_H
#define TND_THSENS_H

#include <stdbool.h>
#include <stdint.h>

struct tnd_thsens_reading {
    uint8_t raw, least, most;
    bool is_new;   /* since the reading before */
    bool is_alarm; /* at the threshold or above */
};

/* Switches the sensor on.  threshold: a raw value, for the alarm; 0: none.  False: there is no sensor. */
bool tnd_thsens_start(unsigned threshold);
struct tnd_thsens_reading tnd_thsens_read(void);
void tnd_thsens_stop(void);

#endif
