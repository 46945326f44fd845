/* SPDX-License-Identifier: Apache-2.0
 *
 * Sensors as the kernel's files show them: hwmon, thermal zones, powercap (RAPL), batteries; which there are and what
 * they say.
 * Cost: finding them some hundred system calls, and as many again a package and a core; reading one, a small file.
 *
 * What it is not: wrap-around, power from energy, sums of a node; they are the reader's (sampler/sensors_node.c).
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_SENSOR_FILES_H
#define TND_SENSOR_FILES_H

#include <stdint.h>

#define TND_SENSOR_FILES_MAX 512

enum tnd_sensor_kind {
    TND_SENSOR_TEMPERATURE, /* m°C */
    TND_SENSOR_POWER,       /* mW */
    TND_SENSOR_ENERGY,      /* µJ since some moment */
    TND_SENSOR_OTHER,       /* as its unit says */
};

/* What a sensor says of the whole node's power: of the last kind that can be read all are added up. */
enum tnd_sensor_share {
    TND_SENSOR_PART,     /* nothing: it is within another */
    TND_SENSOR_BATTERY,  /* that is in use now */
    TND_SENSOR_CHIPS,    /* hwmon's, each of something */
    TND_SENSOR_SOCKETS,  /* hwmon's energy of processors */
    TND_SENSOR_PACKAGES, /* RAPL's packages, and memory */
    TND_SENSOR_PLATFORM, /* RAPL's of the whole machine */
    TND_SENSOR_METER,    /* a meter of the whole machine's */
    TND_SENSOR_SHARES
};

/* A sensor's place in its block of event types (92010000 temperature, 92011000 power, 92012000 energy, 92013000
 * others), by what it is about; where a package is meant, plus its number. */
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
    int32_t divisor; /* of what the file says, for the kind's unit */
    uint64_t range;  /* of a counter: the value after which it begins again; 0: not known */
    char name[64];   /* "Package 0" */
    char unit[8];    /* in UTF-8 */
    char origin[32]; /* "coretemp" */
    char cpus[64];   /* as the kernel lists them; "": the whole node's */
    char path[96];   /* of the file, below the root */
};

/* What RAPL tells the energy of: as powercap calls it, and as PAPI's component does. */
struct tnd_sensor_domain {
    const char *powercap, *papi, *title;
    unsigned place; /* of package 0 */
    enum tnd_sensor_share share;
};
enum { TND_SENSOR_DOMAINS = 5 };
extern const struct tnd_sensor_domain tnd_sensor_domains[TND_SENSOR_DOMAINS];

/* Of a domain of a package: place, share, name, CPUs. */
void tnd_sensor_files_place(const char *root, const struct tnd_sensor_domain *domain, unsigned package,
                            struct tnd_sensor *sensor);

/* Finds the sensors below root, in an order that does not depend on how directories are read.  How many: at most
 * `room`. */
unsigned tnd_sensor_files_find(const char *root, struct tnd_sensor *sensors, unsigned room);

/* The sensor's value.  0; an errno; or ERANGE: what is there is no number, or none that it can be. */
int tnd_sensor_files_read(const char *root, const struct tnd_sensor *sensor, int64_t *value);

#endif
