/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of L4STAT.  They are never cleared while they count, because what is counted between a read and a clear
 * would be lost: differences of two reads are added up, which also takes care of one wrap between them.
 *
 * Context: l4stat.h.
 */
#include "targets/gr740/l4stat.h"

#include "targets/gr740/clock_gate.h"
#include "targets/gr740/registers.h"

#include <stddef.h>
#include <string.h>

#define DEVICE 0x047

/* Offsets of counter i. */
#define VALUE(i) (4 * (i))
#define CONTROL(i) (0x80 + 4 * (i))

/* Bits of a control register.  Without a filter a counter counts in user and in supervisor mode; CL, which clears at
 * each read, stays 0. */
#define ENABLE (1u << 12)
#define EVENT(number) ((uint32_t)(number) << 4)
#define N_COUNTERS(control) (((control) >> 23 & 31) + 1)

static struct {
    uint32_t base;                 /* 0: not counting */
    unsigned n;                    /* of each processor */
    bool is_read[TND_L4STAT_CPUS]; /* a lock of a processor's */
    uint32_t before[TND_L4STAT_CPUS][TND_L4STAT_EACH];
    uint64_t total[TND_L4STAT_CPUS][TND_L4STAT_EACH];
} unit;

static const struct {
    int number;
    const char *name, *meaning;
} events[] = {
#define ROW(number, name, meaning) {number, name, meaning},
    TND_L4STAT_TABLE(ROW)};

int tnd_l4stat_event(const char *name, unsigned n)
{
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strlen(events[i].name) == n && strncmp(events[i].name, name, n) == 0)
            return events[i].number;
    return -1;
}

const char *tnd_l4stat_meaning(int event)
{
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i].number == event)
            return events[i].meaning;
    return NULL;
}

static unsigned slot(unsigned cpu, unsigned which)
{
    return TND_L4STAT_EACH * cpu + which;
}

bool tnd_l4stat_start(const int wanted[], unsigned n, unsigned clock_gate)
{
    uint32_t base = tnd_registers_find(DEVICE);
    if (!base || n > TND_L4STAT_EACH)
        return false;
    tnd_clock_gate_open(clock_gate);
    if (N_COUNTERS(tnd_registers_read(base + CONTROL(0))) < TND_L4STAT_CPUS * TND_L4STAT_EACH)
        return false;
    memset(&unit, 0, sizeof unit);
    unit.n = n;
    for (unsigned cpu = 0; cpu < TND_L4STAT_CPUS; cpu++)
        for (unsigned i = 0; i < n; i++) {
            uint32_t at = slot(cpu, i);
            tnd_registers_write(base + CONTROL(at), 0);
            tnd_registers_write(base + VALUE(at), 0);
            tnd_registers_write(base + CONTROL(at), ENABLE | EVENT(wanted[i]) | cpu);
        }
    unit.base = base;
    return true;
}

bool tnd_l4stat_read(unsigned cpu, uint64_t values[static TND_L4STAT_EACH])
{
    uint32_t base = __atomic_load_n(&unit.base, __ATOMIC_RELAXED); /* another thread may stop it meanwhile */
    if (!base || cpu >= TND_L4STAT_CPUS || __atomic_test_and_set(&unit.is_read[cpu], __ATOMIC_ACQUIRE))
        return false;
    for (unsigned i = 0; i < unit.n; i++) {
        uint32_t now = tnd_registers_read(base + VALUE(slot(cpu, i)));
        unit.total[cpu][i] += now - unit.before[cpu][i];
        unit.before[cpu][i] = now;
        values[i] = unit.total[cpu][i];
    }
    __atomic_clear(&unit.is_read[cpu], __ATOMIC_RELEASE);
    return true;
}

void tnd_l4stat_stop(void)
{
    for (unsigned cpu = 0; cpu < TND_L4STAT_CPUS && unit.base; cpu++)
        for (unsigned i = 0; i < unit.n; i++)
            tnd_registers_write(unit.base + CONTROL(slot(cpu, i)), 0);
    unit.base = 0;
}
