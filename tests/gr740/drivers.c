/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uses the drivers of the GR740's registers against the model, one case by its name.  Prints what was found; the values
 * follow from the model: a counter of cycles counts one a cycle, all others the processor's number + 1.
 */
#include "targets/gr740/clock_gate.h"
#include "targets/gr740/gptimer.h"
#include "targets/gr740/l4stat.h"
#include "targets/gr740/registers.h"
#include "targets/gr740/thsens.h"
#include "tests/gr740/registers_model.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static uint64_t value_of(unsigned cpu, unsigned which)
{
    uint64_t values[TND_L4STAT_EACH] = {0};
    return tnd_l4stat_read(cpu, values) ? values[which] : 0;
}

static void count(void)
{
    static const int events[] = {0x15, 0x11};
    for (int i = 0; i < 16; i++) /* as somebody else may have left them */
        model.counters[i].control = 1 << 13 | 1 << 12;
    printf("start %d gate %x %x %x\n", tnd_l4stat_start(events, 2, 6), model.unlock, model.enable, model.reset);
    for (unsigned cpu = 0; cpu < 4; cpu++)
        printf("control %x %x\n", model.counters[4 * cpu].control, model.counters[4 * cpu + 1].control);
    uint64_t first[4][2];
    for (unsigned cpu = 0; cpu < 4; cpu++)
        for (unsigned i = 0; i < 2; i++)
            first[cpu][i] = value_of(cpu, i);
    uint64_t begin = model.cycles;
    for (int i = 0; i < 5; i++) { /* three quarters of the counter's range at a time */
        model.cycles += i < 4 ? 0xC0000000u / 4 : 0;
        for (unsigned cpu = 0; cpu < 4; cpu++)
            value_of(cpu, 0);
    }
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        uint64_t cycles = value_of(cpu, 0) - first[cpu][0], others = value_of(cpu, 1) - first[cpu][1];
        printf("cpu %u cycles %d ratio %.4f\n", cpu, cycles > 0xC0000000u && cycles <= model.cycles - begin + 3200,
               (double)others / (double)cycles);
    }
    printf("none %llu\n", (unsigned long long)value_of(4, 0));
    tnd_l4stat_stop();
    uint64_t stopped = model.counters[0].value;
    model.cycles += 1000000;
    printf("stopped %d %llu\n", model.counters[0].value == stopped, (unsigned long long)value_of(0, 0));
    printf("event %d %d %s\n", tnd_l4stat_event("dcache-miss,x", 11), tnd_l4stat_event("cache", 5),
           tnd_l4stat_meaning(0x15));
}

static void *read_on(void *is_over)
{
    while (!__atomic_load_n((bool *)is_over, __ATOMIC_RELAXED))
        value_of(3, 1);
    return NULL;
}

/* An interrupt reads counters, while the thread that ends the program stops them. */
static void stop(void)
{
    static const int events[] = {0x15, 0x11};
    bool is_over = false;
    pthread_t reader;
    printf("reader %d\n", pthread_create(&reader, NULL, read_on, &is_over));
    for (int i = 0; i < 200; i++) {
        tnd_l4stat_start(events, 2, 6);
        tnd_l4stat_stop();
    }
    __atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
    printf("joined %d\n", pthread_join(reader, NULL));
}

static void lack(void)
{
    static const int events[] = {0x15, 0x11, 0x08, 0x00, 0x14};
    printf("gated %d\n", tnd_l4stat_start(events, 2, 7));
    model.n_counters = 4;
    printf("few %d\n", tnd_l4stat_start(events, 2, 6));
    model.n_counters = 16;
    printf("many %d\n", tnd_l4stat_start(events, 5, 6));
    model.has_l4stat = model.has_thsens = model.has_timers = false;
    printf("absent %d %d %d %u\n", tnd_l4stat_start(events, 2, 6), tnd_thsens_start(0),
           tnd_gptimer_start(TND_REGISTERS_GPTIMER(1), 2, TND_REGISTERS_CLOCK_HZ, 1000000) != 0, model.n_unknown);
    printf("read %llu\n", (unsigned long long)value_of(0, 0));
}

static void feel(void)
{
    printf("start %d\n", tnd_thsens_start(53));
    for (int i = 0; i < 6; i++) {
        model.cycles = (uint64_t)(i + 10) * 100000;
        struct tnd_thsens_reading at = tnd_thsens_read(), again = tnd_thsens_read();
        printf("%u %u %u new %d %d alarm %d\n", at.raw, at.least, at.most, at.is_new, again.is_new, at.is_alarm);
    }
    tnd_thsens_stop();
    printf("stopped %x %u\n", model.thsens.control, tnd_thsens_read().raw);
}

static void tick(void)
{
    uint32_t unit = TND_REGISTERS_GPTIMER(1);
    unsigned long long period = tnd_gptimer_start(unit, 2, TND_REGISTERS_CLOCK_HZ, 1000000);
    printf("period %llu scaler %u interrupt %u\n", period, model.timer.scaler_reload, tnd_gptimer_interrupt(unit, 2));
    unsigned n_again = 0;
    for (uint64_t before = model.cycles, end = before + 1000 * 250000; model.cycles < end; model.cycles += 5 * 250)
        if (tnd_gptimer_take(unit, 2)) {
            printf("%u ", (unsigned)((model.cycles - before) / 250)); /* us */
            before = model.cycles;
            n_again += tnd_gptimer_take(unit, 2);
        }
    printf("\nagain %u\n", n_again);
    tnd_gptimer_stop(unit, 2);
    model.cycles += 1000000;
    printf("stopped %d\n", tnd_gptimer_take(unit, 2));
    model.timer.scaler_reload = 9; /* somebody else's */
    printf("period %llu", (unsigned long long)tnd_gptimer_start(unit, 2, TND_REGISTERS_CLOCK_HZ, 123456));
    printf(" scaler %u\n", model.timer.scaler_reload);
    printf("wrong %d %d %d\n", tnd_gptimer_start(unit, 4, TND_REGISTERS_CLOCK_HZ, 1000) != 0,
           tnd_gptimer_start(unit, 2, TND_REGISTERS_CLOCK_HZ, 3600000000000ull) != 0,
           tnd_gptimer_start(unit, 2, TND_REGISTERS_CLOCK_HZ, 1) == 40);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"count", count}, {"lack", lack}, {"feel", feel}, {"tick", tick}, {"stop", stop}};
    registers_model_start();
    for (unsigned i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    printf("unknown %u loads %d\n", model.n_unknown, model.n_loads > 0);
    return 0;
}
