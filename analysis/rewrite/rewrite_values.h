/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last value of each event type in each row.
 *
 * Cost: a lookup in a hash table for each value; 48 bytes for each type of a row.
 */
#ifndef TND_REWRITE_VALUES_H
#define TND_REWRITE_VALUES_H

#include <glib.h>

typedef struct {
    gint64 value;
    guint64 order; /* larger for later values */
    guint32 type, cpu;
    guint key_row; /* the row that the value is kept for */
    guint row;     /* the row of its last event */
    guint next;    /* index of the value of another type of the same row + 1; 0: there is none */
    guint8 flags;  /* for the caller */
} TndRewriteValue;

typedef struct {
    TndRewriteValue *values;
    guint n_values, n_slots;
    guint *slots;  /* index of a value + 1; 0: free */
    guint *firsts; /* of each row the index of its first value + 1; 0: it has none */
} TndRewriteValues;

TndRewriteValues *tnd_rewrite_values_new(guint n_rows);
void tnd_rewrite_values_free(TndRewriteValues *values);

/* Makes room for another value. */
void tnd_rewrite_values_grow(TndRewriteValues *values);

static inline guint tnd_rewrite_values_slot(const TndRewriteValues *values, guint key_row, guint32 type)
{
    guint64 key = (guint64)key_row << 32 | type;
    return (guint)(key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >> 32) & (values->n_slots - 1);
}

/* The value of a type in a row; if there is none, it is made with order 0.  Valid until the next call. */
static inline TndRewriteValue *tnd_rewrite_values_of(TndRewriteValues *values, guint key_row, guint32 type)
{
    guint slot = tnd_rewrite_values_slot(values, key_row, type);
    for (; values->slots[slot]; slot = (slot + 1) & (values->n_slots - 1)) {
        TndRewriteValue *value = &values->values[values->slots[slot] - 1];
        if (value->type == type && value->key_row == key_row)
            return value;
    }
    if (values->n_values >= values->n_slots / 2) {
        tnd_rewrite_values_grow(values);
        return tnd_rewrite_values_of(values, key_row, type);
    }
    TndRewriteValue *value = &values->values[values->n_values++];
    *value = (TndRewriteValue){.type = type, .key_row = key_row, .row = key_row, .next = values->firsts[key_row]};
    values->slots[slot] = values->firsts[key_row] = values->n_values;
    return value;
}

#endif
