/* SPDX-License-Identifier: Apache-2.0
 *
 * L4STAT, the unit that counts events of the processors and of the bus: 16 counters of 32 bits, which are shared out
 * here as four to each of the four processors.  They wrap: one that counts cycles after 17 s, so that it must be read
 * more often than that.
 *
 * Context: tnd_l4stat_start and _stop in a thread; the others in any, interrupts included.
 */
#ifndef TND_L4STAT_H
#define TND_L4STAT_H

#include <stdbool.h>
#include <stdint.h>

#define TND_L4STAT_CPUS 4
#define TND_L4STAT_EACH 4 /* counters of a processor */

/* X(number, name, what it counts) */
#define TND_L4STAT_TABLE(X)                                                                                            \
    X(0x00, "icache-miss", "misses of the instruction cache")                                                          \
    X(0x01, "itlb-miss", "misses of the instruction TLB")                                                              \
    X(0x02, "icache-hold", "cycles in which the instruction cache held the processor")                                 \
    X(0x08, "dcache-miss", "read misses of the data cache")                                                            \
    X(0x09, "dtlb-miss", "misses of the data TLB")                                                                     \
    X(0x0a, "dcache-hold", "cycles in which the data cache held the processor")                                        \
    X(0x10, "write-hold", "cycles in which the write buffer held the processor")                                       \
    X(0x11, "instructions", "instructions")                                                                            \
    X(0x12, "integer-instructions", "integer instructions")                                                            \
    X(0x13, "fpu-instructions", "floating-point instructions")                                                         \
    X(0x14, "branch-miss", "branches that were predicted wrong")                                                       \
    X(0x15, "cycles", "cycles, but for those in debug mode")                                                           \
    X(0x17, "ahb-cpu", "cycles in which the processor used the AHB bus")                                               \
    X(0x18, "ahb", "cycles in which anybody used the AHB bus")                                                         \
    X(0x22, "branches", "integer branches")                                                                            \
    X(0x28, "calls", "CALL instructions")                                                                              \
    X(0x38, "memory", "loads and stores")                                                                              \
    X(0x39, "loads", "loads")                                                                                          \
    X(0x3a, "stores", "stores")                                                                                        \
    X(0x40, "ahb-idle", "idle cycles of the bus")                                                                      \
    X(0x41, "ahb-busy", "busy cycles of the bus")                                                                      \
    X(0x44, "ahb-reads", "reads on the bus")                                                                           \
    X(0x45, "ahb-writes", "writes on the bus")                                                                         \
    X(0x4c, "ahb-wait", "wait states on the bus")

/* The number of an event's name, of n letters; < 0: there is none. */
int tnd_l4stat_event(const char *name, unsigned n);

/* What that event counts; NULL: no event has the number. */
const char *tnd_l4stat_meaning(int event);

/* Begins to count the same events on every processor.  clock_gate: the unit's bit in the clock gate.  False: the chip
 * does not have the unit, or it has fewer counters. */
bool tnd_l4stat_start(const int events[], unsigned n, unsigned clock_gate);

/* What the counters of a processor have counted since the start, in the order of the events; of another processor than
 * the caller's, too.  False, and nothing is read: nothing counts, or somebody else is reading that processor's. */
bool tnd_l4stat_read(unsigned cpu, uint64_t values[static TND_L4STAT_EACH]);

void tnd_l4stat_stop(void);

#endif
