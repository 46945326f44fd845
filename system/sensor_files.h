/* SPDX-License-Identifier: Apache-2.0
 *
 * The sensors in the kernel's files (hwmon, thermal zones, powercap for RAPL, batteries): finding them and reading
 * them.
 * Cost: finding them takes some hundred system calls, and as many again for each package and core; reading one, a small
 * file.
 *
 * What it is not: counters that wrap, power computed from energy, sums over a node; these are in
 * sampler/sensors_node.c.
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_SENSOR_FILES_H
#define TND_SENSOR_FILES_H

#include <stdint.h>

#define TND_SENSOR_FILES_MAX 512

enum tnd_sensor_kind {
    TND_SENSOR_TEMPERATURE, /* m°C */
    TND_SENSOR_POWER,       /* mW */
    TND_SENSOR_ENERGY,      /* µJ since an arbitrary moment */
    TND_SENSOR_OTHER,       /* as its unit says */
};

/* What a sensor contributes to the power of the whole node, which is the sum over all sensors of the last of these
 * kinds that can be read. */
enum tnd_sensor_share {
    TND_SENSOR_PART,     /* nothing: another sensor includes it */
    TND_SENSOR_BATTERY,  /* a battery that is in use now */
    TND_SENSOR_CHIPS,    /* chips of hwmon, each of some part of the node */
    TND_SENSOR_SOCKETS,  /* energy of processors by hwmon */
    TND_SENSOR_PACKAGES, /* packages and memory by RAPL */
    TND_SENSOR_PLATFORM, /* the whole machine by RAPL */
    TND_SENSOR_METER,    /* a power meter of the whole machine */
    TND_SENSOR_SHARES
};

/* A sensor's place in its block of event types (92010000 temperature, 92011000 power, 92012000 energy, 92013000
 * others).  For those of a package its number is added. */
enum tnd_sensor_place {
    TND_SENSOR_TEMPERATURE_OTHERS = 0, /* in the order in which they are found */
    TND_SENSOR_TEMPERATURE_PACKAGE = 100,
    TND_SENSOR_TEMPERATURE_CORE = 200, /* plus the lowest of the core's CPUs */
    TND_SENSOR_POWER_NODE = 0,
    TND_SENSOR_POWER_OTHERS = 1, /* in the order in which they are found */
    TND_SENSOR_POWER_PACKAGE = 100,
    TND_SENSOR_POWER_CORES = 200, /* of a package, as the next two */
    TND_SENSOR_POWER_UNCORE = 300,
    TND_SENSOR_POWER_MEMORY = 400,
    TND_SENSOR_POWER_PLATFORM = 500,
};

struct tnd_sensor {
    enum tnd_sensor_kind kind;
    enum tnd_sensor_share share;
    unsigned place;
    int32_t divisor; /* divides the file's number to get the kind's unit */
    uint64_t range;  /* of a counter: the value after which it begins again at 0; 0: unknown */
    char name[64];   /* "Package 0" */
    char unit[8];    /* in UTF-8 */
    char origin[32]; /* "coretemp" */
    char cpus[64];   /* as the kernel lists them; "": the whole node's */
    char path[96];   /* of the file, below the root */
};

/* The domains of RAPL, by their names in powercap and in PAPI's component. */
struct tnd_sensor_domain {
    const char *powercap, *papi, *title;
    unsigned place; /* of package 0 */
    enum tnd_sensor_share share;
};
enum { TND_SENSOR_DOMAINS = 5 };
extern const struct tnd_sensor_domain tnd_sensor_domains[TND_SENSOR_DOMAINS];

/* Fills in place, share, name and CPUs of a domain's sensor in a package. */
void tnd_sensor_files_place(const char *root, const struct tnd_sensor_domain *domain, unsigned package,
                            struct tnd_sensor *sensor);

/* Finds the sensors below root, always in the same order.  How many: at most `room`. */
unsigned tnd_sensor_files_find(const char *root, struct tnd_sensor *sensors, unsigned room);

/* The sensor's value.  0; an errno; or ERANGE: the file holds no number, or one that is impossible. */
int tnd_sensor_files_read(const char *root, const struct tnd_sensor *sensor, int64_t *value);

#endif
