/* SPDX-License-Identifier: Apache-2.0
 *
 * The event types: one table, event_types.tsv, from which the build makes the constants TND_TYPE_* (event_numbers.h),
 * the table behind these functions, and docs/event-types.md.  Numbers are Extrae's where Extrae has the event; the
 * block 92000000 to 92999999 is ours.
 *
 * Context: any; constant data.
 */
#ifndef TND_EVENT_TYPES_H
#define TND_EVENT_TYPES_H

#include "formats/event_numbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TND_STATE_NONE UINT32_MAX

struct tnd_event_value {
    int64_t value;
    const char *label;
    uint32_t state; /* the state of the thread while this value holds; TND_STATE_NONE: it does not change */
};

struct tnd_event_type {
    uint32_t type;
    uint32_t last; /* = type, unless the entry is a range: "#" in its label stands for 1 at `type`, 2 at the next... */
    const char *label;
    const char *source; /* which source makes it: "mpi", "sampler", "runtime", "user" */
    uint32_t state;     /* as of a value, for values that are not in the table */
    size_t n_values;    /* sorted by value */
    const struct tnd_event_value *values;
};

struct tnd_state {
    uint32_t state;
    const char *label;
    uint8_t r, g, b;
};

extern const struct tnd_event_type tnd_event_types[]; /* sorted by type */
extern const size_t tnd_event_types_n;
extern const struct tnd_state tnd_event_states[]; /* index = state */
extern const size_t tnd_event_states_n;

const struct tnd_event_type *tnd_event_types_find(uint32_t type); /* the type, or the range it is in; NULL: not ours */

/* The label of a type, with the number that "#" stands for, cut to size; false, and label untouched, if not ours. */
bool tnd_event_types_label(uint32_t type, char *label, size_t size);

/* Whether the type is of MPI calls.  Values of all of these types together tell calls apart, and are below
 * TND_EVENT_MPI_VALUES. */
#define TND_EVENT_MPI_VALUES 2048
static inline bool tnd_event_types_is_mpi(uint32_t type)
{
    return type >= TND_TYPE_MPI_P2P && type <= TND_TYPE_MPI_IO;
}

/* NULL: not in the table. */
const struct tnd_event_value *tnd_event_types_value(uint32_t type, int64_t value);

#endif
