/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the node's sensors.  Events are collected and written after the last file was read, with one time: drivers
 * may be slow, and one line in the trace is cheaper than ten.
 *
 * Context: our own thread: system calls, no allocation; the tables are pages that are kept.
 */
#include "sampler/sensors_node.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/target.h"
#include "sampler/sensors_numa.h"
#include "sampler/sensors_papi.h"
#include "system/kernel_files.h"
#include "system/sensor_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_CPUS 1024
#define STAT_BYTES (256 * MAX_CPUS)
#define MAX_EVENTS (2 * TND_SENSOR_FILES_MAX + 2)
#define CPU_CLOCK "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"

/* More power than any machine has: a counter with such a difference was set back, and did not just wrap. */
#define MOST_MW 100000000.0

/* A sensor and its last value. */
struct watched {
    const struct tnd_sensor *sensor;
    int64_t value;
    uint64_t at_ns; /* 0: nothing yet */
    int told_error; /* in a note */
};

/* Power of the node by one kind of sensor. */
struct sum {
    double uj; /* since the node's power was recorded last */
    bool is_read;
};

static struct node {
    const char *root;
    unsigned n, n_events;
    bool has_papis; /* sensors */
    bool has_numa;
    struct tnd_sensor found[TND_SENSOR_FILES_MAX];
    struct watched watched[TND_SENSOR_FILES_MAX];
    struct {
        uint32_t type;
        int64_t value;
    } events[MAX_EVENTS];

    /* The node's own power. */
    struct sum sums[TND_SENSOR_SHARES];
    enum tnd_sensor_share share; /* the kind that it is computed from; TND_SENSOR_PART: none, or not known yet */
    uint64_t told_ns;            /* when it was recorded last; 0: never */
    double rest_uj;              /* is added next time, because energy is recorded in whole numbers */

    /* By a model. */
    const struct tnd_power_model *model; /* NULL: there is none */
    uint64_t model_ns;                   /* of `before`; 0: nothing yet */
    int model_error;                     /* reported in a note */
    struct tnd_cpu_ticks before[MAX_CPUS], now[MAX_CPUS];
    double running[MAX_CPUS]; /* share of the time that each CPU was running, as last known */
    char stat[STAT_BYTES];
} * node;

static void put(uint32_t type, int64_t value)
{
    if (node->n_events < MAX_EVENTS) {
        node->events[node->n_events].type = type;
        node->events[node->n_events++].value = value;
    }
}

static void write_events(struct tnd_thread *self)
{
    uint64_t now = tnd_clock_ticks();
    for (unsigned i = 0; i < node->n_events; i++)
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, node->events[i].type, 0, (uint64_t)node->events[i].value);
    node->n_events = 0;
}

/* "sensors (coretemp): Core 1: /sys/class/hwmon/hwmon0/temp3_input: No such file or directory". */
static void complain(const char *origin, const char *name, const char *path, int error)
{
    char sentence[400];
    const char *root = path[0] == '/' ? node->root : "";
    const char *why = error == ERANGE ? "says what cannot be" : strerrordesc_np(error);
    snprintf(sentence, sizeof sentence, "sensors (%s): %s: %s%s: %s%s", origin, name, root, path,
             why ? why : "unknown error", error == EACCES ? "; root may read it" : "");
    tnd_run_note(sentence);
}

/* Reports an error once for all sensors of one origin that fail in the same way. */
static void complain_of(struct watched *watched, int error)
{
    bool was_told = watched->told_error == error;
    for (unsigned i = 0; i < node->n && !was_told; i++)
        was_told = node->watched[i].told_error == error &&
                   strcmp(node->watched[i].sensor->origin, watched->sensor->origin) == 0;
    watched->told_error = error;
    if (!was_told)
        complain(watched->sensor->origin, watched->sensor->name, watched->sensor->path, error);
}

static void count(enum tnd_sensor_share share, double uj)
{
    node->sums[share].uj += uj;
    node->sums[share].is_read = true;
}

/* The energy since the last value; the counter may have wrapped.  EAGAIN: it stands still, and the next value will be
 * for all the time since.  ERANGE: it was set back. */
static int take_energy(const struct watched *watched, int64_t value, uint64_t now_ns)
{
    const struct tnd_sensor *sensor = watched->sensor;
    double uj = 0, mw = 0;
    if (watched->at_ns) {
        if (value == watched->value)
            return EAGAIN;
        double elapsed_ns = (double)(now_ns - watched->at_ns);
        uj = (double)(value - watched->value) + (value < watched->value ? (double)sensor->range : 0);
        mw = uj * 1e6 / elapsed_ns; /* microjoules a nanosecond are gigawatts */
        if (mw < 0 || mw > MOST_MW)
            return ERANGE;
    }
    put(TND_TYPE_POWER + sensor->place, (int64_t)(mw + 0.5));
    put(TND_TYPE_ENERGY + sensor->place, (int64_t)uj);
    count(sensor->share, uj);
    return 0;
}

/* Between two values of power, power is taken to be their mean. */
static void take_power(const struct watched *watched, int64_t value, uint64_t now_ns)
{
    double mean_mw = (double)(watched->value + value) / 2;
    put(TND_TYPE_POWER + watched->sensor->place, value);
    count(watched->sensor->share, watched->at_ns ? mean_mw * (double)(now_ns - watched->at_ns) / 1e6 : 0);
}

static void read_sensor(struct watched *watched)
{
    const struct tnd_sensor *sensor = watched->sensor;
    int64_t value;
    uint64_t now_ns = tnd_clock_monotonic_ns();
    int error = tnd_sensors_papi_has(sensor) ? tnd_sensors_papi_value(sensor, &value)
                                             : tnd_sensor_files_read(node->root, sensor, &value);
    if (!error) {
        if (sensor->kind == TND_SENSOR_ENERGY)
            error = take_energy(watched, value, now_ns);
        else if (sensor->kind == TND_SENSOR_POWER)
            take_power(watched, value, now_ns);
        else
            put((sensor->kind == TND_SENSOR_OTHER ? TND_TYPE_SENSOR : TND_TYPE_TEMPERATURE) + sensor->place, value);
        if (error == EAGAIN) {
            count(sensor->share, 0);
            return;
        }
        watched->value = value;
        watched->at_ns = now_ns;
    }
    if (error)
        complain_of(watched, error);
}

/* How many CPUs were running since the last call, on average; and how many there are. */
static double count_running(unsigned n_cpus, unsigned *n_present)
{
    double n_running = 0;
    *n_present = 0;
    for (unsigned i = 0; i < n_cpus; i++) {
        const struct tnd_cpu_ticks *now = &node->now[i], *before = &node->before[i];
        if (now->running + now->idle == 0)
            continue; /* the CPU is off */
        uint64_t ran = now->running - before->running, idled = now->idle - before->idle;
        if (now->running >= before->running && now->idle >= before->idle && ran + idled > 0)
            node->running[i] = (double)ran / (double)(ran + idled);
        n_running += node->running[i];
        ++*n_present;
    }
    return n_running;
}

/* Energy since the last call, by the model; false: unknown. */
static bool model_energy(uint64_t now_ns, double *uj)
{
    int64_t khz = 0;
    unsigned n_present;
    if (tnd_kernel_files_text(node->root, "/proc/stat", node->stat, sizeof node->stat) < 0) {
        if (node->model_error != errno)
            complain("model of power", node->model->name, "/proc/stat", node->model_error = errno);
        return false;
    }
    unsigned n_cpus = tnd_power_model_cpus(node->stat, node->now, MAX_CPUS);
    double n_running = count_running(n_cpus, &n_present);
    if (node->model->n_clocks > 1)
        tnd_kernel_files_number(node->root, CPU_CLOCK, &khz);
    double mw = tnd_power_model_mw(node->model, (double)khz / 1000, n_running, n_present);
    *uj = node->model_ns ? mw * (double)(now_ns - node->model_ns) / 1e6 : 0;
    memcpy(node->before, node->now, n_cpus * sizeof *node->now);
    node->model_ns = now_ns;
    return true;
}

/* Records the names of the whole node's power and energy. */
static void define_node(struct tnd_thread *self, const char *how, const char *root)
{
    static const uint64_t nothing[2];
    static const struct {
        uint32_t type;
        const char *what;
    } labels[] = {{TND_TYPE_POWER, "Power of the node [mW]"}, {TND_TYPE_ENERGY, "Energy of the node [µJ]"}};
    char label[128];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(label, sizeof label, "%s (%s%s)", labels[i].what, how, root[0] ? ", fixture" : "");
        tnd_emit_text(&self->main, tnd_clock_ticks(), TND_RECORD_DEFINE, labels[i].type, TND_DEFINE_TYPE, nothing, 2,
                      label);
    }
}

/* Chooses the best kind of sensor that could be read. */
static void choose_share(struct tnd_thread *self)
{
    static const char *const names[TND_SENSOR_SHARES] = {
        [TND_SENSOR_BATTERY] = "battery",         [TND_SENSOR_CHIPS] = "hwmon",
        [TND_SENSOR_SOCKETS] = "hwmon",           [TND_SENSOR_PACKAGES] = "RAPL, packages",
        [TND_SENSOR_PLATFORM] = "RAPL, platform", [TND_SENSOR_METER] = "power meter",
    };
    static const char *const papis_names[TND_SENSOR_SHARES] = {
        [TND_SENSOR_PACKAGES] = "RAPL by PAPI, packages", [TND_SENSOR_PLATFORM] = "RAPL by PAPI, platform"};
    for (unsigned share = TND_SENSOR_SHARES; --share > TND_SENSOR_PART && !node->share;)
        if (node->sums[share].is_read)
            node->share = share;
    bool is_papis = node->has_papis && (node->share == TND_SENSOR_PACKAGES || node->share == TND_SENSOR_PLATFORM);
    if (node->share)
        define_node(self, is_papis ? papis_names[node->share] : names[node->share], is_papis ? "" : node->root);
}

static void tell_node(struct tnd_thread *self)
{
    uint64_t now_ns = tnd_clock_monotonic_ns();
    double uj = 0;
    if (node->model) {
        if (!model_energy(now_ns, &uj))
            return;
    } else {
        if (!node->share)
            choose_share(self);
        struct sum *sum = &node->sums[node->share];
        if (!node->share || !sum->is_read)
            return;
        uj = sum->uj;
        if (node->told_ns && uj == 0)
            return;
        sum->uj = 0;
    }
    int64_t whole_uj = (int64_t)(uj + node->rest_uj);
    node->rest_uj += uj - (double)whole_uj;
    put(TND_TYPE_ENERGY, whole_uj);
    put(TND_TYPE_POWER, node->told_ns ? (int64_t)(uj * 1e6 / (double)(now_ns - node->told_ns) + 0.5) : 0);
    node->told_ns = now_ns;
}

/* Records a sensor's name and its CPUs. */
static void define(struct tnd_thread *self, uint32_t type, const struct tnd_sensor *sensor, const char *unit)
{
    static const uint64_t nothing[2];
    char label[160];
    snprintf(label, sizeof label, "%s [%s] (%s%s)", sensor->name, unit, sensor->origin,
             node->root[0] && !tnd_sensors_papi_has(sensor) ? ", fixture" : "");
    tnd_emit_text(&self->main, tnd_clock_ticks(), TND_RECORD_DEFINE, type, TND_DEFINE_TYPE, nothing, 2, label);
    if (sensor->cpus[0])
        tnd_emit_text(&self->main, tnd_clock_ticks(), TND_RECORD_DEFINE, type, TND_DEFINE_SENSOR, nothing, 2,
                      sensor->cpus);
}

static void define_sensor(struct tnd_thread *self, const struct tnd_sensor *sensor)
{
    switch (sensor->kind) {
    case TND_SENSOR_TEMPERATURE:
        define(self, TND_TYPE_TEMPERATURE + sensor->place, sensor, sensor->unit);
        break;
    case TND_SENSOR_OTHER:
        define(self, TND_TYPE_SENSOR + sensor->place, sensor, sensor->unit);
        break;
    case TND_SENSOR_ENERGY:
        define(self, TND_TYPE_ENERGY + sensor->place, sensor, sensor->unit);
        define(self, TND_TYPE_POWER + sensor->place, sensor, "mW");
        break;
    case TND_SENSOR_POWER:
        define(self, TND_TYPE_POWER + sensor->place, sensor, sensor->unit);
        break;
    }
}

void tnd_sensors_node_begin(struct tnd_thread *self, const char *root, unsigned wanted,
                            const struct tnd_power_model *model)
{
    static const unsigned wants[] = {[TND_SENSOR_TEMPERATURE] = TND_SENSORS_TEMPERATURE,
                                     [TND_SENSOR_POWER] = TND_SENSORS_POWER,
                                     [TND_SENSOR_ENERGY] = TND_SENSORS_POWER,
                                     [TND_SENSOR_OTHER] = TND_SENSORS_OTHER};
    if (!node)
        node = tnd_target_pages(sizeof *node);
    if (!node)
        return;
    memset(node, 0, offsetof(struct node, stat));
    node->root = root;
    node->model = wanted & TND_SENSORS_POWER ? model : NULL;
    node->has_numa = wanted & TND_SENSORS_NUMA;
    unsigned n = tnd_sensor_files_find(root, node->found, TND_SENSOR_FILES_MAX);
    if (wanted & TND_SENSORS_POWER && !model)
        n = tnd_sensors_papi_replace(root, node->found, n, TND_SENSOR_FILES_MAX);
    for (unsigned i = 0; i < n; i++)
        if (wanted & wants[node->found[i].kind]) {
            node->watched[node->n++].sensor = &node->found[i];
            node->has_papis |= tnd_sensors_papi_has(&node->found[i]);
            define_sensor(self, &node->found[i]);
        }
    char how[64];
    snprintf(how, sizeof how, "modelled: %s", model ? model->name : "");
    if (node->model)
        define_node(self, how, root);
}

void tnd_sensors_node_read(struct tnd_thread *self)
{
    if (!node)
        return;
    for (unsigned share = 0; share < TND_SENSOR_SHARES; share++)
        node->sums[share].is_read = false;
    if (node->has_papis)
        tnd_sensors_papi_read();
    for (unsigned i = 0; i < node->n; i++)
        read_sensor(&node->watched[i]);
    tell_node(self);
    write_events(self);
    if (node->has_numa)
        tnd_sensors_numa_read(self, node->root);
}
