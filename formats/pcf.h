/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels and colours of a trace (.pcf), and the names of its objects (.row), read as the real loader reads them and
 * written so that it reads them well.
 *
 * Context: not for handlers; allocates.
 */
#ifndef TND_PCF_H
#define TND_PCF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tnd_pcf_value {
    int64_t value;
    char *label;
};

struct tnd_pcf_type {
    uint32_t type;
    char *label;
    int precision;   /* decimal places of its values; 0 usually */
    size_t n_values; /* sorted by value */
    struct tnd_pcf_value *values;
};

struct tnd_pcf_colour {
    uint8_t r, g, b;
    bool set;
};

#define TND_PCF_MAX_COLOURS 65536

struct tnd_pcf {
    size_t n_types; /* sorted by type */
    struct tnd_pcf_type *types;
    size_t n_states; /* sorted by value */
    struct tnd_pcf_value *states;
    size_t n_colours; /* index = state or event value */
    struct tnd_pcf_colour *colours;
};

/* A table with the states and colours that every trace has (formats/event_types.tsv). */
struct tnd_pcf *tnd_pcf_new(void);
void tnd_pcf_free(struct tnd_pcf *pcf);

/* Adds or relabels. */
void tnd_pcf_set_type(struct tnd_pcf *pcf, uint32_t type, const char *label);
void tnd_pcf_set_value(struct tnd_pcf *pcf, uint32_t type, int64_t value, const char *label);
void tnd_pcf_set_precision(struct tnd_pcf *pcf, uint32_t type, int precision);
void tnd_pcf_set_state(struct tnd_pcf *pcf, int64_t state, const char *label);

/* An index of TND_PCF_MAX_COLOURS or more is ignored. */
void tnd_pcf_set_colour(struct tnd_pcf *pcf, uint32_t index, struct tnd_pcf_colour colour);

const struct tnd_pcf_type *tnd_pcf_type(const struct tnd_pcf *pcf, uint32_t type);        /* NULL: unknown */
const char *tnd_pcf_value_label(const struct tnd_pcf *pcf, uint32_t type, int64_t value); /* NULL: none */
const char *tnd_pcf_state_label(const struct tnd_pcf *pcf, int64_t state);                /* NULL: none */

/* The colour of a value: the .pcf's, or one of a fixed, well-spread sequence; any int64 has one. */
struct tnd_pcf_colour tnd_pcf_value_colour(const struct tnd_pcf *pcf, int64_t value);

/* Reads; a file that is not a .pcf gives a table with the defaults.  fault (may be NULL) is called for every line that
 * the real loader would skip; two kinds of these are read here all the same: values and types beyond 32 bits, and lines
 * that end in CR LF. */
struct tnd_pcf *tnd_pcf_read(FILE *file, void (*fault)(void *self, uint64_t line_number, const char *what), void *self);

/* Writes all of it; types that share equal value tables stand in one block.  False with errno. */
bool tnd_pcf_write(const struct tnd_pcf *pcf, FILE *file);

enum tnd_row_level {
    TND_ROW_WORKLOAD,
    TND_ROW_APPL,
    TND_ROW_TASK,
    TND_ROW_THREAD,
    TND_ROW_SYSTEM,
    TND_ROW_NODE,
    TND_ROW_CPU,
    TND_ROW_N_LEVELS
};

struct tnd_row {
    size_t n_names[TND_ROW_N_LEVELS];
    char **names[TND_ROW_N_LEVELS]; /* an empty name: use the default label */
};

struct tnd_row *tnd_row_new(void);
void tnd_row_free(struct tnd_row *row);
void tnd_row_add(struct tnd_row *row, enum tnd_row_level level, const char *name);
/* The name of an object, 0-based; NULL: it has none.  row may be NULL. */
const char *tnd_row_name(const struct tnd_row *row, enum tnd_row_level level, size_t index);

/* Reads; fault (may be NULL) as for tnd_pcf_read. */
struct tnd_row *tnd_row_read(FILE *file, void (*fault)(void *self, uint64_t line_number, const char *what), void *self);
bool tnd_row_write(const struct tnd_row *row, FILE *file); /* levels without names are left out */

#endif
