/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the power model.  Context: board_power.h.
 */
#include "targets/gr740/board_power.h"

#include "sampler/power_model.h"
#include "targets/gr740/l4stat.h"
#include "targets/gr740/registers.h"

#include <stddef.h>
#include <string.h>

const char *tnd_board_power_read(const char *text, uint32_t *idle_uw, uint32_t *running_uw, char name[static 32])
{
    struct tnd_power_model model;
    unsigned line;
    if (!text)
        return "sensors: there is no power model: the program has no tandem_power_model";
    if (tnd_power_model_parse(text, &model, &line))
        return "sensors: tandem_power_model is not a power model";
    double mhz = TND_REGISTERS_CLOCK_HZ / 1e6;
    double idle_mw = tnd_power_model_mw(&model, mhz, 0, TND_L4STAT_CPUS);
    *idle_uw = (uint32_t)(idle_mw * 1000 + 0.5);
    *running_uw = (uint32_t)((tnd_power_model_mw(&model, mhz, 1, TND_L4STAT_CPUS) - idle_mw) * 1000 + 0.5);
    memcpy(name, model.name, sizeof model.name);
    return NULL;
}
