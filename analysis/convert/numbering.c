/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hash tables, which own copies of their keys.
 */
#include "analysis/convert/numbering.h"

#include <string.h>

typedef struct {
    gint64 a, b;
} Pair;

static guint hash_pair(gconstpointer data)
{
    const Pair *pair = data;
    guint64 mixed = ((guint64)pair->a * 0x9e3779b97f4a7c15u) ^ ((guint64)pair->b * 0xc2b2ae3d27d4eb4fu);
    return (guint)(mixed >> 32);
}

static gboolean equal_pairs(gconstpointer x, gconstpointer y)
{
    return memcmp(x, y, sizeof(Pair)) == 0;
}

GHashTable *tnd_numbering_new_texts(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

GHashTable *tnd_numbering_new_pairs(void)
{
    return g_hash_table_new_full(hash_pair, equal_pairs, g_free, NULL);
}

static guint number_of(GHashTable *numbers, gconstpointer key, gsize size, gboolean *is_new)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));
    *is_new = !number;
    if (number)
        return number;
    number = g_hash_table_size(numbers) + 1;
    g_hash_table_insert(numbers, g_memdup2(key, size), GUINT_TO_POINTER(number));
    return number;
}

guint tnd_numbering_text(GHashTable *numbers, const char *text, gboolean *is_new)
{
    return number_of(numbers, text, strlen(text) + 1, is_new);
}

guint tnd_numbering_pair(GHashTable *numbers, gint64 a, gint64 b, gboolean *is_new)
{
    const Pair pair = {a, b};
    return number_of(numbers, &pair, sizeof pair, is_new);
}
