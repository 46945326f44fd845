/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passes over the string, each of which folds the bodies of one length; after a pass that found some, the shortest come
 * again.
 */
#include "analysis/causes/loops.h"

#include "analysis/base/assertion.h"

#include <math.h>

#define FIRST_BODY (G_GUINT64_CONSTANT(1) << 31) /* ids from here on are bodies */
#define CHANCE_BITS 10                           /* one of a thousand */
#define LEAST_ENTROPY 1.0                        /* of a symbol: where all are the same, repetition proves less */

/* A symbol, or a loop: an element of the string as it is folded so far. */
typedef struct {
    gsize begin, end;
    guint32 id, n;
    GArray *parts; /* of a loop of more than a symbol: the items of all iterations */
} Item;

/* What a body is made of. */
typedef struct {
    guint32 first, n; /* its ids in `ids`, and how often each repeats in `counts` */
} Body;

struct TndLoops {
    GArray *items;
    GArray *found; /* TndLoop */
    GArray *bodies, *ids, *counts;
    GHashTable *known; /* of ids as GBytes, the index of the body + 1 */
    double chance_bits, entropy;
};

static Item *item_at(const TndLoops *loops, gsize index)
{
    return &g_array_index(loops->items, Item, index);
}

static const Body *body_of(const TndLoops *loops, guint32 id)
{
    return id >= FIRST_BODY ? &g_array_index(loops->bodies, Body, id - FIRST_BODY) : NULL;
}

/* Where to begin in a circle of ids, so that all rotations of it read the same. */
static guint least_rotation(const guint32 *ids, guint n)
{
    guint least = 0;
    for (guint begin = 1; begin < n; begin++) {
        guint i = 0;
        while (i < n && ids[(begin + i) % n] == ids[(least + i) % n])
            i++;
        if (i < n && ids[(begin + i) % n] < ids[(least + i) % n])
            least = begin;
    }
    return least;
}

/* The id of a body of the items from first on.  All rotations of a body have the same. */
static guint32 intern(TndLoops *loops, gsize first, guint n)
{
    if (n == 1)
        return item_at(loops, first)->id;
    guint32 *ids = g_new(guint32, n), *key_ids = g_new(guint32, n);
    for (guint i = 0; i < n; i++)
        ids[i] = item_at(loops, first + i)->id;
    guint rotation = least_rotation(ids, n);
    for (guint i = 0; i < n; i++)
        key_ids[i] = ids[(rotation + i) % n];
    GBytes *key = g_bytes_new_take(key_ids, n * sizeof *key_ids);
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(loops->known, key));
    if (known) {
        g_bytes_unref(key);
    } else {
        const Body body = {loops->ids->len, n};
        g_array_append_vals(loops->ids, ids, n);
        for (guint i = 0; i < n; i++)
            g_array_append_val(loops->counts, item_at(loops, first + i)->n);
        g_array_append_val(loops->bodies, body);
        known = loops->bodies->len;
        g_hash_table_insert(loops->known, key, GUINT_TO_POINTER(known));
    }
    g_free(ids);
    return (guint32)(FIRST_BODY + known - 1);
}

/* The loop of `n` iterations of n_body items from `first` on.  The items are its own from now on. */
static Item fold(TndLoops *loops, gsize first, guint n_body, guint32 n)
{
    gsize end = first + (gsize)n_body * n;
    Item loop = {.begin = item_at(loops, first)->begin,
                 .end = item_at(loops, end - 1)->end,
                 .id = intern(loops, first, n_body),
                 .n = n};
    if (n_body > 1) {
        loop.parts = g_array_sized_new(FALSE, FALSE, sizeof(Item), n_body * n);
        g_array_append_vals(loop.parts, item_at(loops, first), n_body * n);
        return loop;
    }
    loop.n = 0; /* loops of one body that follow each other are one loop */
    for (gsize i = first; i < end; i++) {
        Item *item = item_at(loops, i);
        loop.n += item->n;
        if (!loop.parts) {
            loop.parts = item->parts;
        } else {
            g_array_append_vals(loop.parts, item->parts->data, item->parts->len);
            g_array_unref(item->parts);
        }
    }
    return loop;
}

/* How many items from `first` on are the same as the ones n_body after them. */
static gsize n_same(const TndLoops *loops, gsize first, guint n_body)
{
    gsize n = 0;
    while (first + n + n_body < loops->items->len &&
           item_at(loops, first + n)->id == item_at(loops, first + n + n_body)->id)
        n++;
    return n;
}

/* Folds all bodies of a length; FALSE: there is none. */
static gboolean fold_all(TndLoops *loops, guint n_body)
{
    gsize n_kept = 0, at = 0, n = loops->items->len;
    while (at < n) {
        gsize same = n_same(loops, at, n_body);
        if (same < n_body) { /* what is the same until here, but too short, does not begin a loop either */
            for (gsize end = at + MIN(same, n - at - 1) + 1; at < end; at++)
                *item_at(loops, n_kept++) = *item_at(loops, at);
            continue;
        }
        guint32 n_iterations = (guint32)(same / n_body + 1);
        const Item loop = fold(loops, at, n_body, n_iterations);
        *item_at(loops, n_kept++) = loop;
        at += (gsize)n_body * n_iterations;
    }
    g_array_set_size(loops->items, (guint)n_kept);
    return n_kept < n;
}

static double entropy_of(const TndLoops *loops)
{
    double entropy = 0, n = loops->items->len;
    GHashTable *counts = g_hash_table_new(NULL, NULL);
    for (gsize i = 0; i < loops->items->len; i++) {
        gpointer key = GUINT_TO_POINTER(item_at(loops, i)->id);
        g_hash_table_insert(counts, key, GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(counts, key)) + 1));
    }
    GHashTableIter iter;
    gpointer count;
    g_hash_table_iter_init(&iter, counts);
    while (g_hash_table_iter_next(&iter, NULL, &count))
        entropy -= GPOINTER_TO_UINT(count) / n * log2(GPOINTER_TO_UINT(count) / n);
    g_hash_table_unref(counts);
    return entropy;
}

/* Whether a loop says something of the string: by chance alone, fewer than one string of a thousand would have one that
 * is as long. */
static gboolean is_sure(const TndLoops *loops, const TndLoop *loop)
{
    return (loop->n - 1.0) * loop->n_body * loops->entropy > loops->chance_bits;
}

/* Keeps a loop, or those that it is made of. */
static void find(TndLoops *loops, const Item *item, guint least)
{
    const Body *body = body_of(loops, item->id);
    TndLoop loop = {item->begin, item->end, item->id, body ? body->n : 1, item->n, NULL};
    if (loop.n >= least && is_sure(loops, &loop)) {
        loop.starts = g_new(gsize, loop.n);
        for (guint32 i = 0; i < loop.n; i++)
            loop.starts[i] = body ? g_array_index(item->parts, Item, i * body->n).begin : item->begin + i;
        g_array_append_val(loops->found, loop);
        return;
    }
    for (guint i = 0; item->parts && i < item->parts->len; i++)
        find(loops, &g_array_index(item->parts, Item, i), least);
}

static void clear_item(gpointer item)
{
    GArray *parts = ((Item *)item)->parts;
    for (guint i = 0; parts && i < parts->len; i++)
        clear_item(&g_array_index(parts, Item, i));
    if (parts)
        g_array_unref(parts);
}

TndLoops *tnd_loops_new(const guint32 *symbols, gsize n, guint least)
{
    TndLoops *loops = g_new0(TndLoops, 1);
    loops->items = g_array_sized_new(FALSE, FALSE, sizeof(Item), (guint)n);
    loops->found = g_array_new(FALSE, FALSE, sizeof(TndLoop));
    loops->bodies = g_array_new(FALSE, FALSE, sizeof(Body));
    loops->ids = g_array_new(FALSE, FALSE, sizeof(guint32));
    loops->counts = g_array_new(FALSE, FALSE, sizeof(guint32));
    loops->known = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    for (gsize i = 0; i < n; i++) {
        tnd_assert(symbols[i] < FIRST_BODY);
        const Item item = {i, i + 1, symbols[i], 1, NULL};
        g_array_append_val(loops->items, item);
    }
    fold_all(loops, 1);
    loops->entropy = MAX(entropy_of(loops), LEAST_ENTROPY);
    loops->chance_bits = log2((double)n + 1) + CHANCE_BITS;
    for (guint n_body = 1; n_body <= MIN(TND_LOOPS_LONGEST, loops->items->len / 2);)
        n_body = fold_all(loops, n_body) ? 1 : n_body + 1;
    for (gsize i = 0; i < loops->items->len; i++)
        find(loops, item_at(loops, i), least);
    return loops;
}

void tnd_loops_free(TndLoops *loops)
{
    if (!loops)
        return;
    for (gsize i = 0; i < loops->items->len; i++)
        clear_item(item_at(loops, i));
    for (guint i = 0; i < loops->found->len; i++)
        g_free(g_array_index(loops->found, TndLoop, i).starts);
    g_array_unref(loops->items);
    g_array_unref(loops->found);
    g_array_unref(loops->bodies);
    g_array_unref(loops->ids);
    g_array_unref(loops->counts);
    g_hash_table_unref(loops->known);
    g_free(loops);
}

const TndLoop *tnd_loops_outermost(const TndLoops *loops, guint *n)
{
    *n = loops->found->len;
    return (const TndLoop *)(gconstpointer)loops->found->data;
}

/* Appends an element, as often as it repeats. */
static void append(GString *text, const TndLoops *loops, guint32 id, guint32 n, TndLoopsName name, gpointer user_data)
{
    const Body *body = body_of(loops, id);
    if (text->len && !g_str_has_suffix(text->str, "("))
        g_string_append(text, ", ");
    if (n > 1)
        g_string_append_printf(text, body ? "%u x (" : "%u x ", n);
    if (!body)
        g_string_append(text, name(id, user_data));
    for (guint i = 0; body && i < body->n; i++)
        append(text, loops, g_array_index(loops->ids, guint32, body->first + i),
               g_array_index(loops->counts, guint32, body->first + i), name, user_data);
    if (body && n > 1)
        g_string_append_c(text, ')');
}

char *tnd_loops_text(const TndLoops *loops, const TndLoop *loop, TndLoopsName name, gpointer user_data)
{
    GString *text = g_string_new(NULL);
    append(text, loops, loop->id, 1, name, user_data);
    return g_string_free(text, FALSE);
}
