/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of power where nothing measures it: a small text table says what a processor needs by itself, and how much
 * more for each core that runs and each that does not; how many run is the measured part.
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

/* What a CPU has done since the machine started, in the kernel's ticks.  Time that another virtual machine had of it is
 * neither. */
struct tnd_cpu_ticks {
    uint64_t running, idle;
};

/* The CPUs of the text of /proc/stat, by number.  One more than the highest that is stored. */
unsigned tnd_power_model_cpus(const char *text, struct tnd_cpu_ticks *cpus, unsigned room);

#endif
