/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of labels and colours of a trace, and writing it as a .pcf.  Sorted arrays: finding is a binary search,
 * adding in ascending order is cheap, out of order costs a move of what follows.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/pcf.h"
#include "formats/event_types.h"
#include "formats/grow.h"
#include "formats/plain_text.h"

#include <inttypes.h>

struct tnd_pcf *tnd_pcf_new(void)
{
    struct tnd_pcf *pcf = tnd_grow_memory(NULL, 1, sizeof *pcf);
    *pcf = (struct tnd_pcf){0};
    for (size_t i = 0; i < tnd_event_states_n; i++) {
        const struct tnd_state *state = &tnd_event_states[i];
        tnd_pcf_set_state(pcf, state->state, state->label);
        tnd_pcf_set_colour(pcf, state->state, (struct tnd_pcf_colour){state->r, state->g, state->b, true});
    }
    return pcf;
}

static void free_values(struct tnd_pcf_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(values[i].label);
    free(values);
}

void tnd_pcf_free(struct tnd_pcf *pcf)
{
    if (!pcf)
        return;
    for (size_t i = 0; i < pcf->n_types; i++) {
        free(pcf->types[i].label);
        free_values(pcf->types[i].values, pcf->types[i].n_values);
    }
    free(pcf->types);
    free_values(pcf->states, pcf->n_states);
    free(pcf->colours);
    free(pcf);
}

/* Index of the first value that is not below. */
static size_t lower_value(const struct tnd_pcf_value *values, size_t n, int64_t value)
{
    if (n && values[n - 1].value < value)
        return n;
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t lower_type(const struct tnd_pcf *pcf, uint32_t type)
{
    size_t low = 0, high = pcf->n_types;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pcf->types[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void set_value(struct tnd_pcf_value **values, size_t *n, int64_t value, const char *label)
{
    size_t at = lower_value(*values, *n, value);
    if (at < *n && (*values)[at].value == value) {
        free((*values)[at].label);
    } else {
        *values = tnd_grow_by_one(*values, *n, sizeof **values);
        memmove(*values + at + 1, *values + at, (*n - at) * sizeof **values);
        ++*n;
    }
    (*values)[at] = (struct tnd_pcf_value){value, tnd_grow_text(label)};
    tnd_plain_text_make((*values)[at].label, "");
}

/* The type, made if it is not there. */
static struct tnd_pcf_type *make_type(struct tnd_pcf *pcf, uint32_t type)
{
    size_t at = lower_type(pcf, type);
    if (at == pcf->n_types || pcf->types[at].type != type) {
        pcf->types = tnd_grow_by_one(pcf->types, pcf->n_types, sizeof *pcf->types);
        memmove(pcf->types + at + 1, pcf->types + at, (pcf->n_types - at) * sizeof *pcf->types);
        pcf->types[at] = (struct tnd_pcf_type){.type = type, .label = tnd_grow_text("")};
        pcf->n_types++;
    }
    return &pcf->types[at];
}

void tnd_pcf_set_type(struct tnd_pcf *pcf, uint32_t type, const char *label)
{
    struct tnd_pcf_type *made = make_type(pcf, type);
    free(made->label);
    made->label = tnd_grow_text(label);
    tnd_plain_text_make(made->label, "");
}

void tnd_pcf_set_value(struct tnd_pcf *pcf, uint32_t type, int64_t value, const char *label)
{
    struct tnd_pcf_type *made = make_type(pcf, type);
    set_value(&made->values, &made->n_values, value, label);
}

void tnd_pcf_set_precision(struct tnd_pcf *pcf, uint32_t type, int precision)
{
    make_type(pcf, type)->precision = precision;
}

void tnd_pcf_set_state(struct tnd_pcf *pcf, int64_t state, const char *label)
{
    set_value(&pcf->states, &pcf->n_states, state, label);
}

void tnd_pcf_set_colour(struct tnd_pcf *pcf, uint32_t index, struct tnd_pcf_colour colour)
{
    if (index >= TND_PCF_MAX_COLOURS)
        return;
    for (; pcf->n_colours <= index; pcf->n_colours++) {
        pcf->colours = tnd_grow_by_one(pcf->colours, pcf->n_colours, sizeof *pcf->colours);
        pcf->colours[pcf->n_colours] = (struct tnd_pcf_colour){0};
    }
    pcf->colours[index] = colour;
}

const struct tnd_pcf_type *tnd_pcf_type(const struct tnd_pcf *pcf, uint32_t type)
{
    size_t at = lower_type(pcf, type);
    return at < pcf->n_types && pcf->types[at].type == type ? &pcf->types[at] : NULL;
}

static const char *find_label(const struct tnd_pcf_value *values, size_t n, int64_t value)
{
    size_t at = lower_value(values, n, value);
    return at < n && values[at].value == value ? values[at].label : NULL;
}

const char *tnd_pcf_value_label(const struct tnd_pcf *pcf, uint32_t type, int64_t value)
{
    const struct tnd_pcf_type *found = tnd_pcf_type(pcf, type);
    return found ? find_label(found->values, found->n_values, value) : NULL;
}

const char *tnd_pcf_state_label(const struct tnd_pcf *pcf, int64_t state)
{
    return find_label(pcf->states, pcf->n_states, state);
}

/* Hues a golden section of the circle apart, so that neighbours differ; four tints in turn, so that hues that come
 * close later differ in another way.  Integers only: the same on every machine. */
static struct tnd_pcf_colour spread_colour(uint64_t value)
{
    static const struct {
        uint8_t low, high;
    } tints[4] = {{40, 220}, {90, 255}, {0, 170}, {130, 235}};
    unsigned low = tints[value % 4].low, span = tints[value % 4].high - low;
    uint32_t hue = (uint32_t)value * 2654435769u; /* 2^32 / golden ratio */
    unsigned sector = (unsigned)((uint64_t)hue * 6 >> 32);
    unsigned within = (unsigned)((uint64_t)hue * 6 >> 24 & 255);
    uint8_t rise = (uint8_t)(low + span * within / 255), fall = (uint8_t)(low + span * (255 - within) / 255);
    uint8_t least = (uint8_t)low, most = (uint8_t)(low + span);
    switch (sector) {
    case 0:
        return (struct tnd_pcf_colour){most, rise, least, true};
    case 1:
        return (struct tnd_pcf_colour){fall, most, least, true};
    case 2:
        return (struct tnd_pcf_colour){least, most, rise, true};
    case 3:
        return (struct tnd_pcf_colour){least, fall, most, true};
    case 4:
        return (struct tnd_pcf_colour){rise, least, most, true};
    default:
        return (struct tnd_pcf_colour){most, least, fall, true};
    }
}

struct tnd_pcf_colour tnd_pcf_value_colour(const struct tnd_pcf *pcf, int64_t value)
{
    if (value >= 0 && (uint64_t)value < pcf->n_colours && pcf->colours[value].set)
        return pcf->colours[value];
    return spread_colour((uint64_t)value);
}

/* Whether the label has a character that is not blank. */
static bool is_visible(const char *label)
{
    while (*label && (unsigned char)*label <= ' ')
        label++;
    return *label != '\0';
}

/* A label on one line. */
static void put_label(FILE *file, const char *label)
{
    for (; *label; label++)
        putc((unsigned char)*label < ' ' ? ' ' : *label, file);
    putc('\n', file);
}

static void put_values(FILE *file, const struct tnd_pcf_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_visible(values[i].label)) {
            fprintf(file, "%-4" PRId64 " ", values[i].value);
            put_label(file, values[i].label);
        }
}

static bool same_values(const struct tnd_pcf_type *a, const struct tnd_pcf_type *b)
{
    if (a->n_values != b->n_values || a->precision != b->precision)
        return false;
    for (size_t i = 0; i < a->n_values; i++)
        if (a->values[i].value != b->values[i].value || strcmp(a->values[i].label, b->values[i].label) != 0)
            return false;
    return true;
}

static void put_type(FILE *file, const struct tnd_pcf_type *type)
{
    fprintf(file, "0    %" PRIu32 "    ", type->type);
    if (is_visible(type->label))
        put_label(file, type->label);
    else
        fprintf(file, "Type %" PRIu32 "\n", type->type);
}

static void put_types(const struct tnd_pcf *pcf, FILE *file)
{
    bool *done = tnd_grow_memory(NULL, pcf->n_types, sizeof *done);
    memset(done, 0, pcf->n_types * sizeof *done);
    for (size_t i = 0; i < pcf->n_types; i++) {
        const struct tnd_pcf_type *type = &pcf->types[i];
        if (done[i])
            continue;
        fputs("\n\nEVENT_TYPE\n", file);
        for (size_t k = i; k < pcf->n_types; k++)
            if (!done[k] && same_values(type, &pcf->types[k])) {
                put_type(file, &pcf->types[k]);
                done[k] = true;
            }
        if (type->n_values) {
            fputs("VALUES\n", file);
            put_values(file, type->values, type->n_values);
        }
        if (type->precision)
            fprintf(file, "PRECISION %d\n", type->precision);
    }
    free(done);
}

bool tnd_pcf_write(const struct tnd_pcf *pcf, FILE *file)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
          "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n",
          file);
    put_values(file, pcf->states, pcf->n_states);
    fputs("\n\nSTATES_COLOR\n", file);
    for (size_t i = 0; i < pcf->n_colours; i++) {
        const struct tnd_pcf_colour *colour = &pcf->colours[i];
        if (colour->set)
            fprintf(file, "%-4zu {%d,%d,%d}\n", i, colour->r, colour->g, colour->b);
    }
    put_types(pcf, file);
    return !fflush(file) && !ferror(file);
}
