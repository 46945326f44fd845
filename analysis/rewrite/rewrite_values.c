/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hash table with open addressing, over an array of values in the order in which they were added.
 */
#include "analysis/rewrite/rewrite_values.h"

#define FIRST_SLOTS 256

TndRewriteValues *tnd_rewrite_values_new(guint n_rows)
{
    TndRewriteValues *values = g_new0(TndRewriteValues, 1);
    values->firsts = g_new0(guint, (gsize)n_rows + 1);
    tnd_rewrite_values_grow(values);
    return values;
}

void tnd_rewrite_values_free(TndRewriteValues *values)
{
    if (!values)
        return;
    g_free(values->values);
    g_free(values->slots);
    g_free(values->firsts);
    g_free(values);
}

void tnd_rewrite_values_grow(TndRewriteValues *values)
{
    values->n_slots = values->n_slots ? 2 * values->n_slots : FIRST_SLOTS;
    values->values = g_renew(TndRewriteValue, values->values, values->n_slots / 2);
    g_free(values->slots);
    values->slots = g_new0(guint, values->n_slots);
    for (guint i = 0; i < values->n_values; i++) {
        guint slot = tnd_rewrite_values_slot(values, values->values[i].key_row, values->values[i].type);
        while (values->slots[slot])
            slot = (slot + 1) & (values->n_slots - 1);
        values->slots[slot] = i + 1;
    }
}
