/* SPDX-License-Identifier: Apache-2.0
 *
 * The source of sensors.  In each process a thread of ours wakes up every --sensors-period and records values of the
 * process (memory, faults, switches, migrations, bytes).  In one process of each node, which holds a lock in the run
 * directory, it records the node's sensors, too (sensors_node.h); when that process ends, another takes over within a
 * second.
 *
 * A child of fork() begins after one period, because most run another program at once.  All other processes read the
 * sensors at their begin and end, however short they are.
 * Cost: nothing without --sensors; with it, some 150 us of CPU time for a reading of the process's values and a dozen
 * of the node's on a busy machine: 0.2 % of a CPU at 100 ms, 1.5 % at 10 ms (measured).
 *
 * Context: the hooks as source.h says; the rest in our own thread.
 */
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"
#include "sampler/sensors_node.h"
#include "sampler/sensors_numa.h"
#include "sampler/sensors_papi.h"
#include "sampler/sensors_process.h"
#include "system/kernel_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)
#define STOP_MS 1000 /* how long the end of the process waits for a reading in progress */
#define MODEL_BYTES 8192
#define LOCK_NAME_BYTES 300

static struct {
    unsigned wanted;
    bool is_child;  /* of a fork */
    bool is_holder; /* of the node's lock */
    bool has_model;
    uint32_t stop;
    struct tnd_power_model model;
    char root[PATH_MAX];
} sensors;

static void read_all(struct tnd_thread *self)
{
    if (!tnd_thread_recording)
        return;
    if (sensors.wanted & TND_SENSORS_PROCESS)
        tnd_sensors_process_read(self, sensors.root);
    if (sensors.is_holder)
        tnd_sensors_node_read(self);
}

static void name_lock(char name[static LOCK_NAME_BYTES])
{
    strcpy(name, "sensors.");
    tnd_target_host(name + strlen(name), 256);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '_';
}

/* Takes the node's lock, if it is free. */
static void try_to_hold(struct tnd_thread *self)
{
    char name[LOCK_NAME_BYTES];
    if (sensors.is_holder || !(sensors.wanted & ~(unsigned)TND_SENSORS_PROCESS))
        return;
    name_lock(name);
    sensors.is_holder = tnd_target_own_lock(tnd_run_directory(), name);
    if (sensors.is_holder)
        tnd_sensors_node_begin(self, sensors.root, sensors.wanted, sensors.has_model ? &sensors.model : NULL);
}

/* Sleeps until that time; false: the thread is to end. */
static bool sleep_until(uint64_t due_ns)
{
    while (!__atomic_load_n(&sensors.stop, __ATOMIC_ACQUIRE)) {
        if (tnd_clock_monotonic_ns() >= due_ns)
            return true;
        tnd_target_wait(&sensors.stop, 0, due_ns);
    }
    return false;
}

static void watch(void)
{
    uint64_t due_ns = tnd_clock_monotonic_ns() + (sensors.is_child ? tnd_config.sensors_period_ns : 0), second_ns = 0;
    if (sensors.is_child && !sleep_until(due_ns))
        return;
    struct tnd_thread *self = tnd_thread_begin_own();
    if (!self)
        return;
    bool goes_on = true;
    while (goes_on) {
        uint64_t now_ns = tnd_clock_monotonic_ns();
        if (now_ns >= second_ns) {
            second_ns = now_ns + SECOND_NS;
            if (!tnd_sensors_process_is_ours())
                break;
            try_to_hold(self);
        }
        read_all(self);
        due_ns += tnd_config.sensors_period_ns;
        if (due_ns < now_ns)
            due_ns = now_ns + tnd_config.sensors_period_ns; /* readings that were missed are left out */
        goes_on = sleep_until(due_ns);
    }
    if (!goes_on)
        read_all(self);
    tnd_thread_end_own();
}

static void launch(void)
{
    sensors.stop = 0;
    sensors.is_holder = false;
    int error = tnd_target_own_start(watch, "tandem-sensors");
    if (!error)
        return;
    char sentence[128];
    snprintf(sentence, sizeof sentence, "sensors are not read: %s", strerrordesc_np(error));
    tnd_run_note(sentence);
}

static void end_thread(void)
{
    __atomic_store_n(&sensors.stop, 1, __ATOMIC_RELEASE);
    tnd_target_wake(&sensors.stop);
    tnd_target_own_ended(STOP_MS);
}

/* The words of --sensors (run/setting.h), as bits. */
static unsigned read_wanted(const char *list)
{
    static const struct {
        const char *word;
        unsigned wanted;
    } words[] = {
        {"none", 0},
        {"temperature", TND_SENSORS_TEMPERATURE},
        {"power", TND_SENSORS_POWER},
        {"other", TND_SENSORS_OTHER},
        {"process", TND_SENSORS_PROCESS},
        {"numa", TND_SENSORS_NUMA},
        {"all",
         TND_SENSORS_TEMPERATURE | TND_SENSORS_POWER | TND_SENSORS_OTHER | TND_SENSORS_PROCESS | TND_SENSORS_NUMA},
    };
    unsigned wanted = 0;
    for (; *list; list += *list == ',') {
        size_t n = strcspn(list, ","), i = 0;
        while (i < sizeof words / sizeof *words && (strlen(words[i].word) != n || strncmp(words[i].word, list, n) != 0))
            i++;
        if (i < sizeof words / sizeof *words)
            wanted |= words[i].wanted;
        list += n;
    }
    return wanted;
}

static void read_model(const char *path)
{
    static char text[MODEL_BYTES];
    char sentence[PATH_MAX + 200];
    unsigned line = 0;
    int n = tnd_kernel_files_text("", path, text, sizeof text);
    const char *fault = n < 0 ? strerrordesc_np(errno) : tnd_power_model_parse(text, &sensors.model, &line);
    sensors.has_model = !fault;
    if (!fault)
        return;
    if (line)
        snprintf(sentence, sizeof sentence, "model of power: %s:%u: %s", path, line, fault);
    else
        snprintf(sentence, sizeof sentence, "model of power: %s: %s", path, fault);
    tnd_run_note(sentence);
}

static bool start(void)
{
    sensors.wanted = read_wanted(tnd_config.sensors);
    if (!sensors.wanted)
        return false;
    snprintf(sensors.root, sizeof sensors.root, "%s", strcmp(tnd_config.sysfs_root, "/") ? tnd_config.sysfs_root : "");
    if (tnd_config.power_model[0])
        read_model(tnd_config.power_model);
    if (sensors.wanted & TND_SENSORS_POWER && !sensors.has_model) {
        char name[LOCK_NAME_BYTES];
        name_lock(name);
        if (!tnd_target_own_locked(tnd_run_directory(), name))
            tnd_sensors_papi_begin(sensors.root);
    }
    return true;
}

static void thread_start(struct tnd_thread *thread)
{
    if (thread->number == 0)
        launch();
}

static void fork_child(void)
{
    tnd_target_own_forget();
    sensors.is_child = true;
    tnd_sensors_papi_forget();
    tnd_sensors_process_forget();
    tnd_sensors_numa_forget();
}

static void stop(void)
{
    end_thread();
    tnd_sensors_papi_end();
}

static void be_alone(bool begins)
{
    if (begins)
        end_thread();
    else
        launch();
}

static void before_exec(struct tnd_thread *thread)
{
    stop();
}

static void after_failed_exec(struct tnd_thread *thread)
{
    launch();
}

static const struct tnd_source source = {
    .name = "sensors",
    .rank = 40, /* before the counters: the helper is forked before we have loaded PAPI */
    .start = start,
    .thread_start = thread_start,
    .fork_child = fork_child,
    .before_exec = before_exec,
    .after_failed_exec = after_failed_exec,
    .be_alone = be_alone,
    .stop = stop,
};
TND_SOURCE(source);
