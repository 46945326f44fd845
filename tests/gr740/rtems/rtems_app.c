/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two tasks on the model of RTEMS, with the model of the chip's registers.  The first one works in the ratio 6 : 3 : 1
 * and is sampled; the second one runs for half of that time.  "refuse" or "absent": there is no interrupt, or no chip.
 */
#include "tests/gr740/rtems/rtems_model.h"

#include "runtime/tandem.h"
#include "targets/gr740/tandem_board.h"
#include "tests/gr740/registers_model.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char tandem_power_model[] = "name GR740\n250 321.8 180.87 0\n";
static volatile unsigned sink;
static volatile int is_half_done;

#define HOT(name, share)                                                                                               \
    __attribute__((noinline, noclone)) static void name(void)                                                          \
    {                                                                                                                  \
        unsigned value = sink;                                                                                         \
        for (unsigned i = 0; i < (share)*100000; i++)                                                                  \
            value = value * 1664525 + 1013904223;                                                                      \
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
    tandem_region region = tandem_region_register("work");
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        tandem_region_begin(region);
        for (int i = 0; i < 10; i++)
            work();
        tandem_region_end(region);
        clock_gettime(CLOCK_MONOTONIC, &now);
        is_half_done |= (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 > 750;
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 1500);
    tandem_board_end();
}

static void second(void)
{
    const struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
    while (!is_half_done) {
        tandem_event(5, 1);
        for (unsigned i = 0; i < 100000; i++)
            sink++;
    }
}

int main(int argc, char **argv)
{
    registers_model_start();
    rtems_model_refuses = argc > 1 && strcmp(argv[1], "refuse") == 0;
    if (argc > 1 && strcmp(argv[1], "absent") == 0)
        model.has_l4stat = model.has_thsens = model.has_timers = false;
    rtems_model_run(first, second);
    printf("interrupts %u unknown %u\n", rtems_model_n_interrupts, model.n_unknown);
    return 0;
}
