/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growing, and the order of the values.
 */
#include "analysis/tables/value_set.h"

#include <stdlib.h>

#define ROOM_AT_FIRST 64

static void make_room(TndValueSet *set, guint room)
{
    set->room = room;
    set->n = 0;
    set->keys = g_new(guint64, room);
    memset(set->keys, 0xff, room * sizeof *set->keys);
    set->codes = g_new0(guint32, room);
}

TndValueSet *tnd_value_set_new(void)
{
    TndValueSet *set = g_new(TndValueSet, 1);
    make_room(set, ROOM_AT_FIRST);
    return set;
}

void tnd_value_set_free(TndValueSet *set)
{
    if (!set)
        return;
    g_free(set->keys);
    g_free(set->codes);
    g_free(set);
}

void tnd_value_set_put(TndValueSet *set, guint64 key, guint place)
{
    set->keys[place] = key;
    if (2 * ++set->n <= set->room)
        return;
    TndValueSet old = *set;
    make_room(set, 2 * old.room);
    tnd_value_set_add_all(set, &old);
    g_free(old.keys);
    g_free(old.codes);
}

void tnd_value_set_add_all(TndValueSet *set, const TndValueSet *other)
{
    for (guint i = 0; i < other->room; i++) {
        double value;
        memcpy(&value, &other->keys[i], sizeof value);
        if (other->keys[i] != TND_VALUE_SET_FREE)
            tnd_value_set_add(set, value);
    }
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return isnan(left) || isnan(right) ? !!isnan(left) - !!isnan(right) : (left > right) - (left < right);
}

double *tnd_value_set_number(TndValueSet *set)
{
    double *values = g_new(double, set->n + 1);
    guint n = 0;
    for (guint i = 0; i < set->room; i++)
        if (set->keys[i] != TND_VALUE_SET_FREE)
            memcpy(&values[n++], &set->keys[i], sizeof *values);
    qsort(values, n, sizeof *values, compare);
    for (guint32 code = 0; code < n; code++)
        set->codes[tnd_value_set_find(set, tnd_value_set_key(values[code]))] = code;
    return values;
}
