/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of values, and a code for each: its place in their order.
 *
 * Cost: 1 to 3 ns for each value that is added or looked up (open addressing).
 */
#ifndef TND_VALUE_SET_H
#define TND_VALUE_SET_H

#include <glib.h>
#include <math.h>
#include <string.h>

typedef struct {
    guint64 *keys; /* the bits of the values; TND_VALUE_SET_FREE: there is none */
    guint32 *codes;
    guint n, room; /* room: a power of 2, at least 2 n */
} TndValueSet;

#define TND_VALUE_SET_FREE G_MAXUINT64 /* the bits of a NaN, which no key has */

static inline guint64 tnd_value_set_key(double value)
{
    guint64 key;
    value = value == 0 ? 0 : isnan(value) ? NAN : value; /* -0 is 0, and all NaN are one */
    memcpy(&key, &value, sizeof key);
    return key;
}

/* The place of a key, or the free place that it would have. */
static inline guint tnd_value_set_find(const TndValueSet *set, guint64 key)
{
    guint place = (guint)(key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) >> 32) & (set->room - 1);
    while (set->keys[place] != key && set->keys[place] != TND_VALUE_SET_FREE)
        place = (place + 1) & (set->room - 1);
    return place;
}

TndValueSet *tnd_value_set_new(void);
void tnd_value_set_free(TndValueSet *set);

/* Adds a key, which is not in the set, at its place. */
void tnd_value_set_put(TndValueSet *set, guint64 key, guint place);

static inline void tnd_value_set_add(TndValueSet *set, double value)
{
    guint64 key = tnd_value_set_key(value);
    guint place = tnd_value_set_find(set, key);
    if (set->keys[place] == TND_VALUE_SET_FREE)
        tnd_value_set_put(set, key, place);
}

void tnd_value_set_add_all(TndValueSet *set, const TndValueSet *other);

/* Gives the values their codes, and returns them in this order.  Free with g_free. */
double *tnd_value_set_number(TndValueSet *set);

/* The code of a value that is in the set. */
static inline guint32 tnd_value_set_code(const TndValueSet *set, double value)
{
    return set->codes[tnd_value_set_find(set, tnd_value_set_key(value))];
}

#endif
