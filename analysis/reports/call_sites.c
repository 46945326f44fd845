/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row is summed up by place, which is quick to find, and then by the text of the place.
 */
#include "analysis/reports/call_sites.h"

#include <string.h>

typedef struct {
    TndCallSite site;
    guint32 row; /* that is being summed up */
    guint64 row_ns;
} Sum;

/* What a row does at a place. */
typedef struct {
    TndSyncPlace place;
    guint64 n, time_ns;
} Visit;

typedef struct {
    const TndSyncOps *ops;
    guint n_frames;
    GHashTable *sums;   /* by text */
    GHashTable *visits; /* of the row, by place */
} Summing;

static void visit(GHashTable *visits, const TndSyncOp *op)
{
    TndSyncPlace place = tnd_sync_ops_place(op, TRUE);
    Visit *found = g_hash_table_lookup(visits, &place);
    if (!found) {
        found = g_new0(Visit, 1);
        found->place = place;
        g_hash_table_insert(visits, &found->place, found);
    }
    found->n++;
    found->time_ns += op->end_ns - op->begin_ns;
}

static void add(const Summing *summing, guint row, const Visit *found)
{
    char *where = tnd_sync_ops_place_text(summing->ops, found->place, summing->n_frames);
    Sum *sum = g_hash_table_lookup(summing->sums, where);
    if (!sum) {
        sum = g_new0(Sum, 1);
        sum->site.where = where;
        g_hash_table_insert(summing->sums, where, sum);
    } else {
        g_free(where);
    }
    sum->row_ns = (sum->row == row ? sum->row_ns : 0) + found->time_ns;
    sum->row = row;
    sum->site.n += found->n;
    sum->site.time_ns += found->time_ns;
    if (sum->row_ns > sum->site.worst_ns) {
        sum->site.worst_ns = sum->row_ns;
        sum->site.worst_row = row;
    }
}

static void sum_row(const Summing *summing, guint row)
{
    GHashTableIter iter;
    gpointer found;
    gsize n = tnd_sync_ops_n(summing->ops, row);
    for (gsize i = 0; i < n; i++) {
        const TndSyncOp *op = tnd_sync_ops_at(summing->ops, row, i);
        if (op->kind != TND_SYNC_LIFE_END)
            visit(summing->visits, op);
    }
    g_hash_table_iter_init(&iter, summing->visits);
    while (g_hash_table_iter_next(&iter, NULL, &found))
        add(summing, row, found);
    g_hash_table_remove_all(summing->visits);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const TndCallSite *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? 1 : -1;
    return strcmp(x->where, y->where);
}

static void clear_site(gpointer site)
{
    g_free(((TndCallSite *)site)->where);
}

GArray *tnd_call_sites_new(const TndSyncOps *ops, guint n_frames)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(TndCallSite));
    Summing summing = {ops, n_frames, g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
                       g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free)};
    g_array_set_clear_func(sites, clear_site);
    for (guint row = 0; row < tnd_trace_n_threads(tnd_sync_ops_trace(ops)); row++)
        sum_row(&summing, row);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, summing.sums);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const TndCallSite *site = &((const Sum *)value)->site;
        if (site->time_ns)
            g_array_append_vals(sites, site, 1);
        else
            g_free(site->where);
    }
    g_array_sort(sites, compare);
    g_hash_table_unref(summing.visits);
    g_hash_table_unref(summing.sums);
    return sites;
}
