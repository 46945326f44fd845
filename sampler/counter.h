/* SPDX-License-Identifier: Apache-2.0
 *
 * A counter, a set of counters that count at the same time, and why a counter is refused.
 *
 * Context: any.
 */
#ifndef TND_COUNTER_H
#define TND_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#define TND_COUNTERS_MAX 16 /* of a set */
#define TND_COUNTER_NAME_MAX 128
#define TND_COUNTER_WHAT_MAX 72

struct tnd_counter {
    char name[TND_COUNTER_NAME_MAX];
    char what[TND_COUNTER_WHAT_MAX]; /* a few words; may be empty */
    uint32_t type;                   /* of its events */
    bool is_papi;                    /* PAPI's, by its code; else the kernel's */
    bool needs_kernel;  /* counts events in the kernel only, and cannot be had where those may not be counted */
    int code;           /* PAPI's */
    uint32_t perf_type; /* the kernel's, as of struct perf_event_attr */
    uint64_t perf_config;
};

struct tnd_counter_set {
    struct tnd_counter counters[TND_COUNTERS_MAX]; /* the kernel's counters first */
    unsigned n, n_perf;
    unsigned number; /* from 1, as the user wrote them */
    bool multiplex;  /* if not all fit, they may count in turns and are extrapolated */
    uint64_t turn_ns;
};

/* Why a counter is not counted. */
enum tnd_counter_refusal {
    TND_COUNTER_FINE,
    TND_COUNTER_UNKNOWN,
    TND_COUNTER_NO_LIBRARY, /* PAPI is not installed, or does not work */
    TND_COUNTER_NO_UNIT,    /* this machine has nothing that counts it */
    TND_COUNTER_FORBIDDEN,
    TND_COUNTER_NO_ROOM, /* cannot count at the same time as the others of its set */
    TND_COUNTER_FAILED,
};

/* The event type of one of PAPI's native counters, as Extrae makes it of its name. */
uint32_t tnd_counter_native(const char *name);

#endif
