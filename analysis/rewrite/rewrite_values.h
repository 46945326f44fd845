/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each event type of each row had last.
 *
 * Cost: a probe of a hash table for a value, 48 bytes for a type of a row.
 */
#ifndef TND_REWRITE_VALUES_H
#define TND_REWRITE_VALUES_H

#include <glib.h>

typedef struct {
    gint64 value;
    guint64 order; /* the later, the larger */
    guint32 type, cpu;
    guint key_row; /* whose it is */
    guint row;     /* where it was last */
    guint next;    /* place of another type of the same row, plus 1; 0: there is none */
    guint8 flags;  /* the user's */
} TndRewriteValue;

typedef struct {
    TndRewriteValue *values;
    guint n_values, n_slots;
    guint *slots;  /* place plus 1; 0: free */
    guint *firsts; /* of each row: place plus 1; 0: it has none */
} TndRewriteValues;

TndRewriteValues *tnd_rewrite_values_new(guint n_rows);
void tnd_rewrite_values_free(TndRewriteValues *values);

/* Makes room for one more. */
void tnd_rewrite_values_grow(TndRewriteValues *values);

static inline guint tnd_rewrite_values_slot(const TndRewriteValues *values, guint key_row, guint32 type)
{
    guint64 key = (guint64)key_row << 32 | type;
    return (guint)(key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >> 32) & (values->n_slots - 1);
}

/* The one of a type of a row, made with order 0 if there is none yet.  Valid until the next call. */
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
