/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of a processor's power, for machines without a sensor of it.  A small text table says how much power the
 * processor takes by itself, for each core that runs and for each that is idle; how many run is measured.
 *
 *     # Comments; then a name, and a line for each clock at which the figures hold.
 *     name GR740
 *     # MHz   static mW   mW a running core   mW an idle core
 *     250     321.8       180.87              0
 *
 * Context: any; nothing is allocated.
 */
#ifndef TND_POWER_MODEL_H
#define TND_POWER_MODEL_H

#include <stdint.h>

#define TND_POWER_MODEL_CLOCKS 16

struct tnd_power_model {
    char name[32];
    unsigned n_clocks;
    struct tnd_power_clock {
        double mhz, static_mw, running_mw, idle_mw;
    } clocks[TND_POWER_MODEL_CLOCKS];
};

/* Reads the text of such a table.  NULL, or what is wrong with line *line. */
const char *tnd_power_model_parse(const char *text, struct tnd_power_model *model, unsigned *line);

/* Power in mW while n_running cores of n_cores run (a mean, so perhaps no whole number), at the table's clock that is
 * nearest to mhz (0: not known, the first one). */
double tnd_power_model_mw(const struct tnd_power_model *model, double mhz, double n_running, double n_cores);

/* What a CPU has done since the machine started, in the kernel's ticks.  Time that the hypervisor gave to others
 * (steal) is in neither. */
struct tnd_cpu_ticks {
    uint64_t running, idle;
};

/* Reads the CPUs of /proc/stat's text, by number.  Returns one more than the highest number that is stored. */
unsigned tnd_power_model_cpus(const char *text, struct tnd_cpu_ticks *cpus, unsigned room);

#endif
