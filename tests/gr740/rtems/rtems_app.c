/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two tasks on the model of RTEMS, with the model of the chip's registers.  The first one works in the ratio 6 : 3 : 1
 * and is interrupted 10 times in each of 40 rounds; the second one ends when half of them are over.  "refuse" or
 * "absent": there is no interrupt, or no chip.  "long": counters wrap, and what was counted of the second processor is
 * printed.  "within": the interrupts come while the task writes a record, enough of them that it has to write their
 * samples out; then it fills its ring.
 */
#include "tests/gr740/rtems/rtems_model.h"

#include "runtime/emit.h"
#include "runtime/tandem.h"
#include "targets/gr740/l4stat.h"
#include "targets/gr740/tandem_board.h"
#include "tests/gr740/registers_model.h"

#include <stdio.h>
#include <string.h>

const char tandem_power_model[] = "name GR740\n250 321.8 180.87 0\n";
#define N_ROUNDS 40
#define LONG_CYCLES 50000000 /* 0.2 s */
static volatile unsigned sink;
static bool is_long;
static volatile int is_started, is_second_there, is_half_done;

/* An interrupt comes after each 1000 rounds of the loop. */
#define HOT(name, share)                                                                                               \
    __attribute__((noinline, noclone)) static void name(void)                                                          \
    {                                                                                                                  \
        unsigned value = sink;                                                                                         \
        for (unsigned i = 0; i < (share)*1000; i++) {                                                                  \
            value = value * 1664525 + 1013904223;                                                                      \
            if (i % 1000 == 999)                                                                                       \
                RTEMS_MODEL_INTERRUPT();                                                                               \
        }                                                                                                              \
        sink = value;                                                                                                  \
    }
HOT(hot_six, 6)
HOT(hot_three, 3)
HOT(hot_one, 1)

__attribute__((noinline, noclone)) static void work(void)
{
    hot_six();
    hot_three();
    hot_one();
    sink++;
}

static void first(void)
{
    tandem_board_start();
    is_started = 1;
    tandem_region region = tandem_region_register("work");
    while (!is_second_there)
        ;
    for (int round = 0; round < N_ROUNDS; round++) {
        tandem_region_begin(region);
        work();
        tandem_region_end(region);
        if (round == N_ROUNDS / 2) {
            is_half_done = 1;
            while (!_Per_CPU_Get_by_index(1)->executing->is_idle)
                ;
        }
    }
    uint64_t counted[TND_L4STAT_EACH] = {0};
    if (is_long && tnd_l4stat_read(1, counted))
        printf("wraps %u lacks %d\n", (unsigned)(counted[0] >> 32), (int)((model.cycles - counted[0]) / 1000000));
    tandem_board_end();
}

static void second(void)
{
    while (!is_started)
        ;
    while (!is_half_done) {
        tandem_event(5, 1);
        is_second_there = 1;
        for (unsigned i = 0; i < 100000; i++)
            __asm__ volatile("");
    }
}

static void first_within(void)
{
    tandem_board_start();
    tandem_event(5, 1);
    struct tnd_writer *writer = &tnd_thread_self->main;
    const uint8_t *ring = (const uint8_t *)writer->header + TND_STREAM_HEADER_BYTES;
    unsigned n_outside = 0;
    for (int round = 0; round < N_ROUNDS; round++) {
        struct tnd_record *record = tnd_emit_begin(writer, tnd_clock_ticks(), TND_RECORD_EVENT, 5, 2, 0);
        for (int i = 0; i < 100; i++)
            RTEMS_MODEL_INTERRUPT();
        tnd_emit_end(writer, record);
        for (unsigned i = 0; i < 100; i++)
            tandem_event(5, i + 3);
        n_outside += writer->next > ring + writer->header->ring_bytes;
    }
    printf("outside %u lost %u turns %d\n", n_outside, (unsigned)writer->header->n_lost, writer->header->n_turns > 2);
    tandem_board_end();
}

static void second_within(void) {}

int main(int argc, char **argv)
{
    bool is_within = argc > 1 && strcmp(argv[1], "within") == 0;
    registers_model_start();
    rtems_model_refuses = argc > 1 && strcmp(argv[1], "refuse") == 0;
    if (argc > 1 && strcmp(argv[1], "absent") == 0)
        model.has_l4stat = model.has_thsens = model.has_timers = false;
    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    if (is_long)
        rtems_model_cycles = LONG_CYCLES;
    rtems_model_run(is_within ? first_within : first, is_within ? second_within : second);
    printf("interrupts %u unknown %u\n", rtems_model_n_interrupts, model.n_unknown);
    return 0;
}
