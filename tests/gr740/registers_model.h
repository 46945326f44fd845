/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model of the GR740's registers that has their side effects, for a program of SPARC under emulation: the addresses
 * are reserved without access, so that each load and store of a driver arrives in a handler, which answers for the
 * hardware.
 */
#ifndef REGISTERS_MODEL_H
#define REGISTERS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct registers_model {
    uint64_t cycles; /* since the start; each access takes 100 */
    unsigned n_loads, n_stores, n_unknown;
    bool has_l4stat, has_thsens, has_timers;
    unsigned n_counters;

    uint32_t unlock, enable, reset; /* clock gate */
    struct {
        uint32_t value, control;
        uint64_t at; /* the value is of this cycle */
    } counters[16];
    struct {
        uint32_t control, threshold;
        uint64_t read_at; /* the cycle of the last read of the status */
    } thsens;
    struct {
        uint32_t scaler_reload, reload, control;
        uint64_t loaded_at, n_underflows;
    } timer; /* of unit 1, whether it is used as the first or as the third */
};
extern struct registers_model model;

void registers_model_start(void);

/* Gets a load of any other address, in its handler, of which `frame` is the frame; the load is passed over then.  NULL:
 * such a load is a fault. */
extern void (*registers_model_other)(uint32_t address, const void *context, volatile uint32_t *frame);

#endif
