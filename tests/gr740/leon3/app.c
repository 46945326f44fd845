/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in three functions in the ratio 6 : 3 : 1, at the end of chains of calls that are deeper than the register
 * windows, and in a function that has no window of its own; samples are taken of it.  Then the cost of events, in
 * instructions of an emulator that gives each of them the same time.
 */
#include "runtime/tandem.h"
#include "targets/gr740/tandem_board.h"
#include "tests/gr740/leon3/board_leon3.h"

#define ROUNDS 300
#define N_EVENTS 10000

const char *const tandem_settings[] = {"TANDEM_PROGRAM=leon3", SETTINGS NULL};

static volatile unsigned sink;

/* No call, no window: samples of it name its caller by the register of the call alone. */
__attribute__((noinline, noclone)) unsigned leaf(unsigned value, unsigned n);
unsigned leaf(unsigned value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        value = value * 1664525 + 1013904223;
    return value;
}

#define HOT(name)                                                                                                      \
    __attribute__((noinline, noclone)) void name(unsigned n);                                                          \
    void name(unsigned n)                                                                                              \
    {                                                                                                                  \
        unsigned value = sink;                                                                                         \
        for (unsigned i = 0; i < n; i++)                                                                               \
            value = value * 1664525 + 1013904223;                                                                      \
        sink = value;                                                                                                  \
    }
HOT(hot_six)
HOT(hot_three)
HOT(hot_one)

__attribute__((noinline, noclone)) void descend(unsigned depth, unsigned share, unsigned n);
void descend(unsigned depth, unsigned share, unsigned n)
{
    if (depth > 0)
        descend(depth - 1, share, n);
    else if (share == 6)
        hot_six(6 * n);
    else if (share == 3)
        hot_three(3 * n);
    else
        hot_one(n);
    sink++;
}

static void tell_cost(void)
{
    tandem_region region = tandem_region_register("cost");
    tandem_region_begin(region);
    tandem_region_end(region);
    uint64_t begin = tnd_target_clock_ns(false);
    for (unsigned i = 0; i < N_EVENTS; i++)
        __asm__ volatile("" : : : "memory");
    uint64_t middle = tnd_target_clock_ns(false);
    for (unsigned i = 0; i < N_EVENTS / 2; i++) {
        tandem_region_begin(region);
        tandem_region_end(region);
    }
    uint64_t end = tnd_target_clock_ns(false);
    tandem_counter_set(tandem_counter_register("ps a record"),
                       (int64_t)(uint32_t)(end - middle - (middle - begin)) / (N_EVENTS / 1000));
}

int main(void)
{
    board_start();
    tandem_board_start();
    for (unsigned i = 0; i < ROUNDS; i++) {
        descend(i % 40, 6, WORK);
        descend(i % 40, 3, WORK);
        descend(i % 40, 1, WORK);
        sink = leaf(sink, WORK);
    }
    tandem_counter_set(tandem_counter_register("interrupts"), board_n_interrupts);
    tandem_counter_set(tandem_counter_register("strange interrupts"), board_n_strange);
    if (COST)
        tell_cost();
    tandem_board_end();
    board_halt();
}
