/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding sensors.  The files are described in the kernel's documentation: hwmon/sysfs-interface, driver-api/thermal,
 * power/powercap, ABI/testing/sysfs-class-power.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#include "system/sensor_files.h"

#include "system/kernel_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_PACKAGES 100 /* places of packages are so far apart */
#define MAX_CPUS 800     /* places from TND_SENSOR_TEMPERATURE_CORE on */
#define MAX_OTHERS 1000
#define HWMON "/sys/class/hwmon"
#define THERMAL "/sys/class/thermal"
#define POWERCAP "/sys/class/powercap"
#define SUPPLY "/sys/class/power_supply"

struct search {
    const char *root;
    struct tnd_sensor *sensors;
    unsigned room, n;
    unsigned n_temperatures, n_powers, n_others; /* sensors that are numbered in the order in which they are found */
    unsigned n_k10temp, n_zones;                 /* sensors of packages that do not say which package */
    bool has_temperature[MAX_PACKAGES];
};

/* Whether a working machine's sensor can have that value. */
static bool is_possible(const struct tnd_sensor *sensor, int64_t value)
{
    switch (sensor->kind) {
    case TND_SENSOR_TEMPERATURE:
        return value >= -100000 && value <= 250000;
    case TND_SENSOR_POWER:
        return value >= 0 && value <= 1000000000; /* a megawatt */
    case TND_SENSOR_ENERGY:
        return value >= 0 && (!sensor->range || (uint64_t)value <= sensor->range);
    default:
        return true;
    }
}

int tnd_sensor_files_read(const char *root, const struct tnd_sensor *sensor, int64_t *value)
{
    int64_t number;
    int error = tnd_kernel_files_number(root, sensor->path, &number);
    if (error)
        return error;
    number /= sensor->divisor;
    if (!is_possible(sensor, number))
        return ERANGE;
    *value = number;
    return 0;
}

/* Adds a sensor, without a name; NULL: no room. */
static struct tnd_sensor *add(struct search *search, enum tnd_sensor_kind kind, unsigned place, const char *origin,
                              const char *path)
{
    static const char *const units[] = {"m°C", "mW", "µJ", ""};
    if (search->n == search->room)
        return NULL;
    struct tnd_sensor *sensor = &search->sensors[search->n++];
    memset(sensor, 0, sizeof *sensor);
    sensor->kind = kind;
    sensor->place = place;
    sensor->divisor = 1;
    strcpy(sensor->unit, units[kind]);
    snprintf(sensor->origin, sizeof sensor->origin, "%s", origin);
    snprintf(sensor->path, sizeof sensor->path, "%s", path);
    return sensor;
}

static void add_package_temperature(struct search *search, unsigned package, const char *origin, const char *path)
{
    struct tnd_sensor *sensor = NULL;
    if (package < MAX_PACKAGES && !search->has_temperature[package])
        sensor = add(search, TND_SENSOR_TEMPERATURE, TND_SENSOR_TEMPERATURE_PACKAGE + package, origin, path);
    if (!sensor)
        return;
    search->has_temperature[package] = true;
    snprintf(sensor->name, sizeof sensor->name, "Package %u", package);
    tnd_kernel_files_cpus(search->root, package, -1, sensor->cpus, sizeof sensor->cpus);
}

/* Of a core, whose lowest CPU and whose list of them are known. */
static void add_core_temperature(struct search *search, const char *name, int cpu, const char *cpus, const char *origin,
                                 const char *path)
{
    unsigned place = TND_SENSOR_TEMPERATURE_CORE + (unsigned)cpu;
    struct tnd_sensor *sensor = cpu < MAX_CPUS ? add(search, TND_SENSOR_TEMPERATURE, place, origin, path) : NULL;
    if (!sensor)
        return;
    snprintf(sensor->name, sizeof sensor->name, "%s", name);
    snprintf(sensor->cpus, sizeof sensor->cpus, "%s", cpus);
}

static void add_other_temperature(struct search *search, const char *name, const char *origin, const char *path)
{
    struct tnd_sensor *sensor = NULL;
    if (search->n_temperatures < TND_SENSOR_TEMPERATURE_PACKAGE)
        sensor = add(search, TND_SENSOR_TEMPERATURE, search->n_temperatures, origin, path);
    if (!sensor)
        return;
    search->n_temperatures++;
    snprintf(sensor->name, sizeof sensor->name, "%.63s", name);
}

/* A chip of hwmon, and the file of it that is looked at. */
struct chip {
    unsigned number, package;
    char name[32];
    char path[96], label[32], title[80];
};

/* Sets path, label and title for the file <what><i><ending>. */
static void look(const struct search *search, struct chip *chip, const char *what, unsigned i, const char *ending)
{
    snprintf(chip->path, sizeof chip->path, HWMON "/hwmon%u/%s%u_label", chip->number, what, i);
    if (tnd_kernel_files_text(search->root, chip->path, chip->label, sizeof chip->label) < 0)
        chip->label[0] = 0;
    snprintf(chip->path, sizeof chip->path, HWMON "/hwmon%u/%s%u%s", chip->number, what, i, ending);
    if (chip->label[0])
        snprintf(chip->title, sizeof chip->title, "%s %s", chip->name, chip->label);
    else
        snprintf(chip->title, sizeof chip->title, "%s %s%u", chip->name, what, i);
}

/* Labels of Intel's (coretemp: "Package id 0", "Core 3") and AMD's (k10temp: "Tctl", the package's). */
static void add_chip_temperature(struct search *search, struct chip *chip)
{
    unsigned number;
    char cpus[64], name[64];
    if (tnd_kernel_files_number_in(chip->label, "Package id ", "", &number)) {
        chip->package = number;
        add_package_temperature(search, number, chip->name, chip->path);
    } else if (strcmp(chip->name, "k10temp") == 0 && strcmp(chip->label, "Tctl") == 0) {
        add_package_temperature(search, search->n_k10temp++, chip->name, chip->path);
    } else {
        int cpu = -1;
        if (tnd_kernel_files_number_in(chip->label, "Core ", "", &number))
            cpu = tnd_kernel_files_cpus(search->root, chip->package, (int)number, cpus, sizeof cpus);
        snprintf(name, sizeof name, chip->package ? "%s of package %u" : "%s", chip->label, chip->package);
        if (cpu >= 0)
            add_core_temperature(search, name, cpu, cpus, chip->name, chip->path);
        else
            add_other_temperature(search, chip->title, chip->name, chip->path);
    }
}

/* In microwatts or microjoules. */
static void add_chip_power(struct search *search, const struct chip *chip, bool is_energy)
{
    struct tnd_sensor *sensor = NULL;
    unsigned place = TND_SENSOR_POWER_OTHERS + search->n_powers;
    if (place < TND_SENSOR_POWER_PACKAGE)
        sensor = add(search, is_energy ? TND_SENSOR_ENERGY : TND_SENSOR_POWER, place, chip->name, chip->path);
    if (!sensor)
        return;
    search->n_powers++;
    if (is_energy) {
        sensor->share = strncmp(chip->label, "Esocket", 7) == 0 ? TND_SENSOR_SOCKETS : TND_SENSOR_PART;
    } else {
        sensor->divisor = 1000;
        sensor->share = strcmp(chip->name, "power_meter") == 0 ? TND_SENSOR_METER : TND_SENSOR_CHIPS;
    }
    snprintf(sensor->name, sizeof sensor->name, "%.63s", chip->title);
}

static void add_chip_other(struct search *search, const struct chip *chip, const char *unit)
{
    struct tnd_sensor *sensor = NULL;
    if (search->n_others < MAX_OTHERS)
        sensor = add(search, TND_SENSOR_OTHER, search->n_others, chip->name, chip->path);
    if (!sensor)
        return;
    search->n_others++;
    strcpy(sensor->unit, unit);
    snprintf(sensor->name, sizeof sensor->name, "%.63s", chip->title);
}

static void find_in_chip(struct search *search, unsigned number)
{
    static const struct {
        const char *what, *ending;
        enum tnd_sensor_kind kind;
        const char *unit; /* of others */
    } files[] = {
        {"temp", "_input", TND_SENSOR_TEMPERATURE, ""}, {"power", "_input", TND_SENSOR_POWER, ""},
        {"power", "_average", TND_SENSOR_POWER, ""},    {"energy", "_input", TND_SENSOR_ENERGY, ""},
        {"fan", "_input", TND_SENSOR_OTHER, "RPM"},     {"in", "_input", TND_SENSOR_OTHER, "mV"},
        {"curr", "_input", TND_SENSOR_OTHER, "mA"},
    };
    struct chip chip = {.number = number};
    char directory[64], path[96];
    snprintf(directory, sizeof directory, HWMON "/hwmon%u", number);
    snprintf(path, sizeof path, "%s/name", directory);
    if (tnd_kernel_files_text(search->root, path, chip.name, sizeof chip.name) <= 0)
        strcpy(chip.name, "hwmon");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct tnd_kernel_numbers numbers = {.before = files[i].what, .after = files[i].ending};
        tnd_kernel_files_numbers(search->root, directory, &numbers);
        for (unsigned j = 0; j < numbers.n; j++) {
            look(search, &chip, files[i].what, numbers.at[j], files[i].ending);
            if (files[i].kind == TND_SENSOR_TEMPERATURE)
                add_chip_temperature(search, &chip);
            else if (files[i].kind == TND_SENSOR_OTHER)
                add_chip_other(search, &chip, files[i].unit);
            else
                add_chip_power(search, &chip, files[i].kind == TND_SENSOR_ENERGY);
        }
    }
}

/* A thermal zone that also is a chip of hwmon has been found there. */
static void find_in_zone(struct search *search, unsigned number)
{
    struct tnd_kernel_numbers chips = {.before = "hwmon", .after = ""};
    char path[96], type[32], name[64], cpus[16];
    unsigned cpu;
    snprintf(path, sizeof path, THERMAL "/thermal_zone%u", number);
    tnd_kernel_files_numbers(search->root, path, &chips);
    if (chips.n)
        return;
    snprintf(path, sizeof path, THERMAL "/thermal_zone%u/type", number);
    if (tnd_kernel_files_text(search->root, path, type, sizeof type) <= 0)
        snprintf(type, sizeof type, "zone %u", number);
    snprintf(path, sizeof path, THERMAL "/thermal_zone%u/temp", number);
    if (strcmp(type, "x86_pkg_temp") == 0 || strcmp(type, "cpu-thermal") == 0 || strcmp(type, "cpu_thermal") == 0) {
        add_package_temperature(search, search->n_zones++, type, path);
    } else if (tnd_kernel_files_number_in(type, "cpu", "-thermal", &cpu) ||
               tnd_kernel_files_number_in(type, "cpu", "_thermal", &cpu)) {
        snprintf(name, sizeof name, "CPU %u", cpu);
        snprintf(cpus, sizeof cpus, "%u", cpu);
        add_core_temperature(search, name, (int)cpu, cpus, type, path);
    } else {
        add_other_temperature(search, type, "thermal zone", path);
    }
}

const struct tnd_sensor_domain tnd_sensor_domains[TND_SENSOR_DOMAINS] = {
    {"package", "PACKAGE_ENERGY", "Package", TND_SENSOR_POWER_PACKAGE, TND_SENSOR_PACKAGES},
    {"core", "PP0_ENERGY", "Cores", TND_SENSOR_POWER_CORES, TND_SENSOR_PART},
    {"uncore", "PP1_ENERGY", "Uncore", TND_SENSOR_POWER_UNCORE, TND_SENSOR_PART},
    {"dram", "DRAM_ENERGY", "Memory", TND_SENSOR_POWER_MEMORY, TND_SENSOR_PACKAGES},
    {"psys", "PSYS_ENERGY", "Platform", TND_SENSOR_POWER_PLATFORM, TND_SENSOR_PLATFORM},
};

void tnd_sensor_files_place(const char *root, const struct tnd_sensor_domain *domain, unsigned package,
                            struct tnd_sensor *sensor)
{
    sensor->place = domain->place + package;
    sensor->share = domain->share;
    snprintf(sensor->name, sizeof sensor->name, "%s %u", domain->title, package);
    if (sensor->share != TND_SENSOR_PLATFORM)
        tnd_kernel_files_cpus(root, package, -1, sensor->cpus, sizeof sensor->cpus);
}

/* A zone of RAPL: a package or the platform ("intel-rapl:0"), or a part of a package ("intel-rapl:0:1"). */
static void add_rapl(struct search *search, const char *zone, const char *name, unsigned package)
{
    const struct tnd_sensor_domain *domain = tnd_sensor_domains, *end = domain + TND_SENSOR_DOMAINS;
    while (domain < end && strncmp(name, domain->powercap, strlen(domain->powercap)) != 0)
        domain++;
    if (domain == end || package >= MAX_PACKAGES)
        return;
    char path[96];
    int64_t range;
    snprintf(path, sizeof path, "%s/energy_uj", zone);
    struct tnd_sensor *sensor = add(search, TND_SENSOR_ENERGY, domain->place + package, "RAPL", path);
    if (!sensor)
        return;
    tnd_sensor_files_place(search->root, domain, package, sensor);
    snprintf(path, sizeof path, "%s/max_energy_range_uj", zone);
    if (tnd_kernel_files_number(search->root, path, &range) == 0 && range > 0)
        sensor->range = (uint64_t)range;
}

static void find_in_rapl(struct search *search, unsigned number)
{
    char before[32], zone[64], path[96], name[32];
    unsigned package = number; /* unless it says otherwise */
    snprintf(zone, sizeof zone, POWERCAP "/intel-rapl:%u", number);
    snprintf(path, sizeof path, "%s/name", zone);
    if (tnd_kernel_files_text(search->root, path, name, sizeof name) <= 0)
        return;
    tnd_kernel_files_number_in(name, "package-", "", &package);
    add_rapl(search, zone, name, package);
    snprintf(before, sizeof before, "intel-rapl:%u:", number);
    struct tnd_kernel_numbers parts = {.before = before, .after = ""};
    tnd_kernel_files_numbers(search->root, POWERCAP, &parts);
    for (unsigned i = 0; i < parts.n; i++) {
        snprintf(zone, sizeof zone, POWERCAP "/intel-rapl:%u:%u", number, parts.at[i]);
        snprintf(path, sizeof path, "%s/name", zone);
        if (tnd_kernel_files_text(search->root, path, name, sizeof name) > 0)
            add_rapl(search, zone, name, package);
    }
}

/* A battery counts for the node's power only while it discharges: what flows in while it charges is not what the
 * machine needs. */
static void find_in_battery(struct search *search, unsigned number)
{
    char path[96], status[32];
    int64_t value;
    snprintf(path, sizeof path, SUPPLY "/BAT%u/status", number);
    bool is_in_use =
        tnd_kernel_files_text(search->root, path, status, sizeof status) > 0 && strcmp(status, "Discharging") == 0;
    snprintf(path, sizeof path, SUPPLY "/BAT%u/power_now", number);
    unsigned place = TND_SENSOR_POWER_OTHERS + search->n_powers;
    struct tnd_sensor *sensor = NULL;
    if (tnd_kernel_files_number(search->root, path, &value) != ENOENT && place < TND_SENSOR_POWER_PACKAGE)
        sensor = add(search, TND_SENSOR_POWER, place, "battery", path);
    if (!sensor)
        return;
    search->n_powers++;
    sensor->divisor = 1000; /* microwatts */
    sensor->share = is_in_use ? TND_SENSOR_BATTERY : TND_SENSOR_PART;
    snprintf(sensor->name, sizeof sensor->name, "Battery %u", number);
}

unsigned tnd_sensor_files_find(const char *root, struct tnd_sensor *sensors, unsigned room)
{
    static const struct {
        const char *directory, *before;
        void (*find)(struct search *, unsigned);
    } places[] = {
        {HWMON, "hwmon", find_in_chip},
        {THERMAL, "thermal_zone", find_in_zone},
        {POWERCAP, "intel-rapl:", find_in_rapl},
        {SUPPLY, "BAT", find_in_battery},
    };
    struct search search = {.root = root, .sensors = sensors, .room = room};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tnd_kernel_numbers numbers = {.before = places[i].before, .after = ""};
        tnd_kernel_files_numbers(root, places[i].directory, &numbers);
        for (unsigned j = 0; j < numbers.n; j++)
            places[i].find(&search, numbers.at[j]);
    }
    return search.n;
}
