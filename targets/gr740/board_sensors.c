/* SPDX-License-Identifier: Apache-2.0
 *
 * The node's sensors: temperature, and power by a table from how many processors run.  They are read in the interrupt
 * of the sampling timer, and have a stream of their own, as those of an operating system have (sampler/sensors.c).
 *
 * Nothing here computes with floating point but board_power.c, at start.
 * Context: runtime/source.h; the tick as board.h says.
 */
#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/names.h"
#include "runtime/run.h"
#include "runtime/sentence.h"
#include "runtime/source.h"
#include "runtime/target.h"
#include "targets/gr740/board.h"
#include "targets/gr740/board_power.h"
#include "targets/gr740/thsens.h"

#include <string.h>

static struct {
    struct tnd_thread *thread; /* whose stream it is; NULL: nothing is read */
    bool has_temperature, has_power;
    int32_t offset;      /* m°C of the raw value 0 */
    uint32_t idle_uw;    /* while no processor runs */
    uint32_t running_uw; /* more for each that does */
    uint64_t due;
    uint32_t n_ticks, n_running; /* since the last value */
    char is_held;                /* a lock: another processor may already have the next tick, or a thread writes out */
} sensors;

bool tnd_board_has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, n) == 0 && (at[n] == ',' || at[n] == 0))
            return true;
    return false;
}

static void tell(uint64_t time, uint32_t type, int64_t value)
{
    tnd_emit_word(&sensors.thread->main, time, TND_RECORD_EVENT, type, 0, (uint64_t)value);
}

static void tell_temperature(uint64_t time)
{
    struct tnd_thsens_reading reading = tnd_thsens_read();
    if (!reading.is_new)
        return;
    tell(time, TND_TYPE_TEMPERATURE,
         (int64_t)(int32_t)(reading.raw * (uint32_t)tnd_board_settings.temperature_scale) + sensors.offset);
    tell(time, TND_TYPE_SENSOR, reading.raw);
    if (tnd_board_settings.temperature_alarm)
        tell(time, TND_TYPE_SENSOR + 1, reading.is_alarm);
}

static void take_tick(uint64_t time, unsigned n_running)
{
    sensors.n_ticks++;
    sensors.n_running += n_running;
    if (time < sensors.due)
        return;
    sensors.due = time + tnd_config.sensors_period_ns;
    if (sensors.has_temperature)
        tell_temperature(time);
    if (sensors.has_power)
        tell(
            time, TND_TYPE_POWER,
            (int64_t)tnd_machine_divide(
                sensors.idle_uw + tnd_machine_divide((uint64_t)sensors.running_uw * sensors.n_running, sensors.n_ticks),
                1000));
    sensors.n_ticks = sensors.n_running = 0;
}

void tnd_board_sensors_tick(uint64_t time, unsigned n_running)
{
    if (!tnd_thread_recording || __atomic_test_and_set(&sensors.is_held, __ATOMIC_ACQUIRE))
        return;
    if (sensors.thread)
        take_tick(time, n_running);
    __atomic_clear(&sensors.is_held, __ATOMIC_RELEASE);
}

/* m°C, perhaps below 0. */
static int32_t read_offset(const char *text)
{
    uint64_t number = 0;
    bool is_below = text[0] == '-';
    if (!tnd_value_number(&number, text + is_below, "0 to 1000000"))
        tnd_run_note("sensors: TANDEM_TEMPERATURE_OFFSET takes a whole number of m°C; using 0");
    return is_below ? -(int32_t)number : (int32_t)number;
}

static void name_type(uint32_t type, const char *label)
{
    tnd_names_define(TND_DEFINE_TYPE, type, 0, label);
}

static void start_temperature(void)
{
    sensors.has_temperature = tnd_thsens_start((unsigned)tnd_board_settings.temperature_alarm);
    if (!sensors.has_temperature) {
        tnd_run_note("sensors: the chip has no temperature sensor");
        return;
    }
    sensors.offset = read_offset(tnd_board_settings.temperature_offset);
    name_type(TND_TYPE_SENSOR, "Temperature sensor, raw value");
    if (tnd_board_settings.temperature_alarm)
        name_type(TND_TYPE_SENSOR + 1, "Temperature alarm");
}

static bool start(void)
{
    bool all = tnd_board_has_word(tnd_config.sensors, "all");
    if (all || tnd_board_has_word(tnd_config.sensors, "temperature"))
        start_temperature();
    if (all || tnd_board_has_word(tnd_config.sensors, "power")) {
        char label[100], name[32];
        const char *wrong = tnd_board_power_read(tandem_power_model, &sensors.idle_uw, &sensors.running_uw, name);
        sensors.has_power = wrong == NULL;
        if (wrong)
            tnd_run_note(wrong);
        tnd_sentence(label, sizeof label, "Power of the node [mW] (modelled: ", name, ")", NULL);
        if (!wrong)
            name_type(TND_TYPE_POWER, label);
    }
    return sensors.has_temperature || sensors.has_power;
}

/* The stream is opened by the first thread, and written by interrupts. */
static void thread_start(struct tnd_thread *thread)
{
    if (thread->number != 0)
        return;
    struct tnd_thread *own = tnd_thread_begin_own();
    tnd_thread_self = thread;
    sensors.thread = own;
    tnd_board_output_share(own ? &own->main : NULL, &sensors.is_held);
}

static void stop(void)
{
    struct tnd_thread *self = tnd_thread_self, *own = sensors.thread;
    uint32_t before = tnd_board_interrupts_off(); /* so that nobody on this processor waits for the lock */
    while (__atomic_test_and_set(&sensors.is_held, __ATOMIC_ACQUIRE))
        ;
    sensors.thread = NULL;
    tnd_board_output_share(NULL, &sensors.is_held);
    __atomic_clear(&sensors.is_held, __ATOMIC_RELEASE);
    tnd_board_interrupts_on(before);
    if (sensors.has_temperature)
        tnd_thsens_stop();
    if (!own)
        return;
    tnd_thread_self = own;
    own->born_cpu_ns = tnd_target_cpu_ns(); /* it is no thread that has used any */
    tnd_thread_end_own();
    tnd_thread_self = self;
}

static const struct tnd_source source = {
    .name = "board-sensors", .rank = 90, .start = start, .thread_start = thread_start, .stop = stop};
TND_SOURCE(source);
