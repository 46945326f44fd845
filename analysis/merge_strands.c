/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two kinds of tournament: of the walkers of a strand, while it writes, and of
 * strands, by what each has written and not handed out, or would write next.
 */
#include "analysis/merge_strands.h"
#include "analysis/merge_walk.h"

#include <string.h>

#define ALL_BYTES ((gsize)64 << 20) /* of text that all strands write ahead, where that is enough for */
#define MIN_BYTES ((gsize)1 << 10)  /* each */
#define MAX_BYTES ((gsize)8 << 10)
#define STEP_BYTES 64 /* in which pieces are copied: so much is read and written behind them */

struct strand {
    const TndMergePiece *piece, *end; /* those that are not handed out, which begin there in the text: */
    const char *at;
    guint first;       /* walker */
    TndMergeTree tree; /* of its walkers */
    GByteArray *text;
    TndMergePiece *pieces;
    guint room;
};

struct TndMergeStrands {
    TndMergeWalkers walkers;
    struct strand *all;
    guint n;
    gsize limit_bytes;
    TndMergeTree tree;
};

static guint64 tree_time(const TndMergeTree *tree)
{
    return tnd_merge_walk_winner(tree) != G_MAXUINT ? tnd_merge_walk_winner_time(tree) : G_MAXUINT64;
}

TndMergeStrands *tnd_merge_strands_new(const TndMergeWalkers *walkers, const guint *ends, guint n, const guint64 *times,
                                       guint64 end_ns, GError **error)
{
    TndMergeStrands *strands = g_new0(TndMergeStrands, 1);
    strands->walkers = *walkers;
    strands->all = g_new0(struct strand, n);
    strands->limit_bytes = CLAMP(ALL_BYTES / n, MIN_BYTES, MAX_BYTES);
    guint64 *begins = g_new(guint64, n);
    gboolean planted = TRUE;
    for (guint i = 0, first = 0; i < n && planted; first = ends[i++]) {
        struct strand *strand = &strands->all[i];
        strand->first = first;
        strand->text = g_byte_array_new();
        strands->n++;
        planted = tnd_merge_walk_plant(&strand->tree, times + first, ends[i] - first, end_ns, error);
        begins[i] = planted ? tree_time(&strand->tree) : G_MAXUINT64;
    }
    if (!planted || !tnd_merge_walk_plant(&strands->tree, begins, n, end_ns, error))
        g_clear_pointer(&strands, tnd_merge_strands_free);
    g_free(begins);
    return strands;
}

void tnd_merge_strands_free(TndMergeStrands *strands)
{
    for (guint i = 0; i < strands->n; i++) {
        g_byte_array_unref(strands->all[i].text);
        g_free(strands->all[i].pieces);
        tnd_merge_walk_fell(&strands->all[i].tree);
    }
    tnd_merge_walk_fell(&strands->tree);
    g_free(strands->all);
    g_free(strands);
}

bool tnd_merge_strands_text(void *text, const char *bytes, size_t size)
{
    g_byte_array_append(text, (const guint8 *)bytes, (guint)size);
    return true;
}

static void write_ahead(const TndMergeStrands *strands, struct strand *strand)
{
    const TndMergeWalkers *walkers = &strands->walkers;
    g_byte_array_set_size(strand->text, 0);
    tnd_prv_write_into(walkers->writer, tnd_merge_strands_text, strand->text);
    guint64 begin = tnd_prv_write_position(walkers->writer), end = begin;
    guint n = 0;
    for (guint i; end - begin < strands->limit_bytes && (i = tnd_merge_walk_winner(&strand->tree)) != G_MAXUINT;) {
        guint64 time = tnd_merge_walk_winner_time(&strand->tree);
        guint32 order = walkers->orders[strand->first + i];
        tnd_merge_walk_replay(&strand->tree, walkers->step(walkers->user_data, strand->first + i, time));
        guint64 at = tnd_prv_write_position(walkers->writer);
        if (n == strand->room)
            strand->pieces = g_renew(TndMergePiece, strand->pieces, strand->room = 2 * strand->room + 64);
        strand->pieces[n++] = (TndMergePiece){time, order, (guint32)(at - end)};
        end = at;
    }
    tnd_prv_write_flush(walkers->writer);
    g_byte_array_set_size(strand->text, strand->text->len + STEP_BYTES);
    strand->at = (const char *)strand->text->data;
    strand->piece = strand->pieces;
    strand->end = strand->pieces + n;
}

TndMergeDue tnd_merge_strands_due(const TndMergeStrands *strands)
{
    guint i = tnd_merge_walk_winner(&strands->tree);
    if (i == G_MAXUINT)
        return TND_MERGE_NEVER;
    const struct strand *strand = &strands->all[i];
    guint32 order = strand->piece < strand->end
                        ? strand->piece->order
                        : strands->walkers.orders[strand->first + tnd_merge_walk_winner(&strand->tree)];
    return (TndMergeDue){tnd_merge_walk_winner_time(&strands->tree), order};
}

void tnd_merge_strands_take(TndMergeStrands *strands, GByteArray *text, GArray *marks, gsize limit_bytes)
{
    gsize n_bytes = text->len;
    for (guint i; n_bytes < limit_bytes && (i = tnd_merge_walk_winner(&strands->tree)) != G_MAXUINT;) {
        struct strand *strand = &strands->all[i];
        if (strand->piece == strand->end)
            write_ahead(strands, strand);
        const TndMergePiece *piece = strand->piece++;
        if (n_bytes + piece->n_bytes + STEP_BYTES > text->len)
            g_byte_array_set_size(text, (guint)(n_bytes + piece->n_bytes + limit_bytes));
        guint8 *to = text->data + n_bytes;
        for (guint32 k = 0; k < piece->n_bytes; k += STEP_BYTES)
            memcpy(to + k, strand->at + k, STEP_BYTES);
        strand->at += piece->n_bytes;
        n_bytes += piece->n_bytes;
        __builtin_prefetch(strand->at + STEP_BYTES);
        __builtin_prefetch(piece + 4);
        if (marks)
            g_array_append_vals(marks, piece, 1);
        tnd_merge_walk_replay(&strands->tree,
                              strand->piece < strand->end ? strand->piece->time : tree_time(&strand->tree));
    }
    g_byte_array_set_size(text, (guint)n_bytes);
}
