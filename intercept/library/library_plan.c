/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the plan of values.  Context: library_values.h.
 */
#include "intercept/library/library_values.h"
#include "run/library_name.h"
#include "runtime/names.h"
#include "runtime/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 4096, MAX_WORD = 512 };

struct entry {
    char symbol[MAX_WORD], label[MAX_WORD];
};

static struct entry *entries; /* of the values, in the order of the plan: those of a function are together */
static unsigned n_values;

/* Reads a place.  False: it is none. */
static bool read_place(const char *text, struct tnd_library_value *value)
{
    char *end;
    value->source = (uint8_t)*text;
    if (!*text || !strchr("isxry", *text))
        return false;
    value->is_late = *text == 'r' || *text == 'y';
    value->at = (uint8_t)strtoul(text + 1, &end, 10);
    value->is_pointed_to = *end == '*' || *end == '&';
    value->is_late |= *end == '&';
    end += value->is_pointed_to;
    value->kind = *end;
    value->size = (uint8_t)(*end ? strtoul(end + 1, NULL, 10) : 0);
    unsigned most = value->source == 'i' ? TND_LIBRARY_REGISTERS - 1 : value->source == 'x' ? 7 : 255;
    return value->kind && strchr("iuf", value->kind) && value->at <= most && value->size && value->size <= 8 &&
           (value->size & (value->size - 1)) == 0;
}

static bool read_entry(const char *text)
{
    struct tnd_library_value *value = &tnd_library_values[n_values];
    struct entry *entry = &entries[n_values];
    char place[32];
    if (sscanf(text, "%u %511s %511s %31s", &value->type, entry->symbol, entry->label, place) != 4 ||
        !read_place(place, value))
        return false;
    n_values++;
    return true;
}

void tnd_library_values_start(const char *plan)
{
    if (!*plan)
        return;
    tnd_library_values = calloc(MAX_VALUES, sizeof *tnd_library_values);
    entries = calloc(MAX_VALUES, sizeof *entries);
    for (; tnd_library_values && entries && *plan; plan += strcspn(plan, ";"), plan += *plan == ';')
        if (n_values == MAX_VALUES || !read_entry(plan)) {
            tnd_run_note("library: the plan of values cannot be read; not all values are recorded");
            break;
        }
}

/* Tells the type of a value, and where its pointer is kept. */
static void define(unsigned i, uint8_t *n_kept)
{
    struct tnd_library_value *value = &tnd_library_values[i];
    char label[2 * MAX_WORD + 16], plain[MAX_WORD];
    bool has_plain = tnd_library_name_plain(entries[i].symbol, plain, sizeof plain);
    if (value->is_pointed_to && value->is_late)
        value->kept = (*n_kept)++;
    snprintf(label, sizeof label, "%s: %s%s", has_plain ? plain : entries[i].symbol, entries[i].label,
             value->kind == 'f' ? " [1/1000]" : "");
    tnd_names_define(TND_DEFINE_TYPE, value->type, 0, label);
}

void tnd_library_values_of(const char *symbol, struct tnd_library_function *function)
{
    uint8_t n_kept = 0;
    unsigned first = 0;
    while (first < n_values && strcmp(entries[first].symbol, symbol) != 0)
        first++;
    unsigned end = first;
    for (; end < n_values && strcmp(entries[end].symbol, symbol) == 0 && n_kept < TND_LIBRARY_MAX_KEPT; end++)
        define(end, &n_kept);
    function->first_value = (uint16_t)first;
    function->n_values = (uint16_t)(end - first);
}
