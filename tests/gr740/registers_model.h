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
    uint64_t cycles; /* since the start; each access takes 100, if they are not those of a real clock */
    bool has_real_time;
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
        uint32_t raw;     /* what it measures; 0: 50 to 54, one more in each sample */
    } thsens;
    struct {
        uint32_t scaler_reload, reload, control;
        uint64_t loaded_at, loaded; /* in cycles: when it began to count, and from what */
    } timer;                        /* of unit 1, whether it is used as the first or as the third */
};
extern struct registers_model model;

void registers_model_start(void);

/* Between two interrupts of the timer; 0: it is off. */
uint32_t registers_model_period_ns(void);

/* The timer interrupts: counters have counted as long as it is now. */
void registers_model_tick(void);

/* Called at each, before; NULL: nothing else depends on time. */
extern void (*registers_model_before_tick)(void);

/* How many of an event a processor counts in 1000 cycles; NULL: of cycles 1000, of all others 1000 * (cpu + 1). */
extern uint32_t (*registers_model_rate)(uint32_t event, uint32_t cpu);

/* Gets a load of any other address, in its handler, of which `frame` is the frame; the load is passed over then.  NULL:
 * such a load is a fault. */
extern void (*registers_model_other)(uint32_t address, const void *context, volatile uint32_t *frame);

/* What a handler of signals must give back by itself, first and last in it: QEMU's emulation of Linux (7.2) restores
 * the condition codes that were interrupted only if they were written last, and neither those of 64 bits nor %asi.  It
 * also loses the upper halves of registers, so that code which is interrupted must not have values in them
 * (-mno-v8plus). */
#define REGISTERS_MODEL_KEEP(codes, asi)                                                                               \
    __asm__ volatile("rd %%ccr, %0; rd %%asi, %1" : "=r"(codes), "=r"(asi) : : "memory")
#define REGISTERS_MODEL_GIVE_BACK(codes, asi)                                                                          \
    __asm__ volatile("wr %0, 0, %%ccr; wr %1, 0, %%asi" : : "r"(codes), "r"(asi) : "memory")

#endif
