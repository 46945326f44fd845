/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In a round every strand writes up to a moment that lies as far ahead as makes a round's text of what was written by
 * time before.  One that has much more to write than others stops earlier; then what the others have written too far
 * ahead is held, in order, for the rounds that follow.
 *
 * Pieces are sorted by the digits of their times, the least first.  That keeps the order of those of one time, which is
 * that of strands because they write in this order.
 */
#include "analysis/merge/write/merge_strands.h"
#include "analysis/base/assertion.h"
#include "analysis/base/digit_sort.h"
#include "analysis/merge/base/merge_tournament.h"

#include <string.h>

/* A round should have so much text of each strand, but as a whole not less or more than: */
#define STRAND_BYTES ((gsize)1 << 10)
#define MIN_BYTES ((gsize)256 << 10)
#define MAX_BYTES ((gsize)16 << 20)
#define MAX_FULLER 3 /* and it may have so many times as much as it should */

/* The length of the first round, and of any round at most. */
#define BEGIN_NS 1024
#define MAX_NS ((G_GUINT64_CONSTANT(1) << 40) - 1)
#define MAX_LONGER 4 /* a round is so many times as long as the one before it at most */
#define SHORTER 8    /* and if that one was too full, so many times shorter */

#define STEP_BYTES 64 /* bytes that are copied at once, so that up to so many are read and written behind a piece */
#define AHEAD 8       /* pieces that are fetched before they are copied */

/* A piece of the text that the writer keeps, from `at` to where the next piece begins. */
struct piece {
    guint64 time;
    guint32 order, at;
};

/* Pieces of text that are in order already. */
struct held {
    GByteArray *text;
    GArray *marks; /* TndMergePiece */
    guint at;      /* the first of the marks that was not handed out, */
    gsize text_at; /* and where its text begins */
};

struct TndMergeStrands {
    TndMergeWalkers walkers;
    guint n;
    guint *firsts;             /* by strand: its first walker */
    TndMergeTournament *trees; /* by strand: its walkers, if it has several */
    guint64 *next;             /* by strand: when it writes next; G_MAXUINT64: never */
    guint64 until;             /* no strand will write text that is due before */
    gsize round_bytes;         /* how much text a round should have */
    guint64 round_ns, begin;
    gsize n_handed; /* bytes that were handed out since the round began */

    /* The round.  A word of `order` is the time since the round began and the piece's place among the pieces. */
    struct piece *pieces; /* after the last, one more says where that ends */
    guint64 *order, *other_order;
    guint room, n_pieces, place_bits;
    guint at;          /* the first place in the order that was not handed out */
    gboolean is_alone; /* one strand wrote all of it, so that the text is in order */
    struct held held;
};

static guint64 tree_time(const TndMergeTournament *tree)
{
    return tnd_merge_tournament_winner(tree) != G_MAXUINT ? tnd_merge_tournament_winner_time(tree) : G_MAXUINT64;
}

static struct held new_held(void)
{
    return (struct held){g_byte_array_new(), g_array_new(FALSE, FALSE, sizeof(TndMergePiece)), 0, 0};
}

static void free_held(struct held *held)
{
    g_byte_array_unref(held->text);
    g_array_unref(held->marks);
}

TndMergeStrands *tnd_merge_strands_new(const TndMergeWalkers *walkers, const guint *ends, guint n, const guint64 *times,
                                       guint64 end_ns, GError **error)
{
    TndMergeStrands *strands = g_new0(TndMergeStrands, 1);
    strands->walkers = *walkers;
    strands->firsts = g_new(guint, n);
    strands->trees = g_new0(TndMergeTournament, n);
    strands->next = g_new(guint64, n);
    strands->round_bytes = CLAMP(n * STRAND_BYTES, MIN_BYTES, MAX_BYTES);
    strands->round_ns = BEGIN_NS;
    strands->held = new_held();
    tnd_prv_write_into(walkers->writer, NULL, NULL);
    gboolean planted = TRUE;
    for (guint i = 0, first = 0; i < n && planted; first = ends[i++]) {
        strands->firsts[i] = first;
        strands->next[i] = times[first];
        strands->n++;
        if (ends[i] - first == 1)
            continue;
        planted = tnd_merge_tournament_make(&strands->trees[i], times + first, ends[i] - first, end_ns, error);
        strands->next[i] = planted ? tree_time(&strands->trees[i]) : G_MAXUINT64;
    }
    if (!planted)
        g_clear_pointer(&strands, tnd_merge_strands_free);
    return strands;
}

void tnd_merge_strands_free(TndMergeStrands *strands)
{
    for (guint i = 0; i < strands->n; i++)
        tnd_merge_tournament_clear(&strands->trees[i]);
    g_free(strands->trees);
    g_free(strands->firsts);
    g_free(strands->next);
    g_free(strands->pieces);
    g_free(strands->order);
    g_free(strands->other_order);
    free_held(&strands->held);
    g_free(strands);
}

bool tnd_merge_strands_text(void *text, const char *bytes, size_t size)
{
    g_byte_array_append(text, (const guint8 *)bytes, (guint)size);
    return true;
}

static void make_room(TndMergeStrands *strands)
{
    strands->room = 2 * strands->room + 1024;
    strands->pieces = g_renew(struct piece, strands->pieces, strands->room);
    strands->order = g_renew(guint64, strands->order, strands->room + 2 * AHEAD);
    strands->other_order = g_renew(guint64, strands->other_order, strands->room + 2 * AHEAD);
}

/* The walker of a strand that writes next. */
static inline guint walker_of(const TndMergeStrands *strands, guint i)
{
    return strands->firsts[i] + (strands->trees[i].n ? tnd_merge_tournament_winner(&strands->trees[i]) : 0);
}

/* Lets a strand write the lines that are due before `until`, but not more than a round may have.  Returns how many
 * bytes the round has. */
static gsize write_strand(TndMergeStrands *strands, guint i, guint64 until)
{
    const TndMergeWalkers *walkers = &strands->walkers;
    TndMergeTournament *tree = strands->trees[i].n ? &strands->trees[i] : NULL;
    gsize at, end, limit_bytes = MAX_FULLER * strands->round_bytes;
    guint64 time = strands->next[i], next;
    guint walker = walker_of(strands, i);
    tnd_prv_write_kept(walkers->writer, &at);
    tnd_assert(time >= strands->begin);
    for (; time < until && at < limit_bytes; time = next, at = end) {
        guint32 order = walkers->orders[walker];
        next = walkers->step(walkers->user_data, walker, time);
        tnd_assert(next >= time);
        if (tree) {
            tnd_merge_tournament_replay(tree, next);
            next = tree_time(tree);
            walker = walker_of(strands, i);
        }
        tnd_prv_write_kept(walkers->writer, &end);
        if (end == at)
            continue;
        if (strands->n_pieces + 2 > strands->room)
            make_room(strands);
        strands->pieces[strands->n_pieces++] = (struct piece){time, order, (guint32)at};
    }
    strands->next[i] = time;
    return at;
}

static inline const struct piece *nth_piece(const TndMergeStrands *strands, guint n)
{
    return &strands->pieces[strands->order[n] & ((G_GUINT64_CONSTANT(1) << strands->place_bits) - 1)];
}

static void sort_pieces(TndMergeStrands *strands, guint64 begin)
{
    guint64 all = 0;
    strands->place_bits = tnd_digit_sort_bits(strands->n_pieces);
    for (guint i = 0; i < strands->n_pieces; i++) {
        guint64 time = strands->pieces[i].time - begin;
        strands->order[i] = time << strands->place_bits | i;
        all |= time;
    }
    if (strands->is_alone || !strands->n_pieces)
        return;
    tnd_digit_sort_run(&strands->order, &strands->other_order, strands->n_pieces, strands->place_bits,
                       tnd_digit_sort_bits(all));
    for (guint i = 0; i < 2 * AHEAD; i++)
        strands->order[strands->n_pieces + i] = strands->order[0];
}

/* Whether the pieces of the round are ordered by time, and those of one time by strands. */
static gboolean are_sorted(const TndMergeStrands *strands)
{
    for (guint i = 1; i < strands->n_pieces; i++) {
        const struct piece *before = nth_piece(strands, i - 1), *piece = nth_piece(strands, i);
        if (before->time > piece->time || (before->time == piece->time && before >= piece))
            return FALSE;
    }
    return TRUE;
}

/* Whether the writer has the text of the round's pieces and nothing else: while strands have it, nobody else writes. */
static gboolean has_round_only(const TndMergeStrands *strands)
{
    gsize n_bytes;
    tnd_prv_write_kept(strands->walkers.writer, &n_bytes);
    return n_bytes == (strands->n_pieces ? strands->pieces[strands->n_pieces].at : 0);
}

static guint64 earliest(const TndMergeStrands *strands)
{
    guint64 time = G_MAXUINT64;
    for (guint i = 0; i < strands->n; i++)
        time = MIN(time, strands->next[i]);
    return time;
}

/* Chooses how long the round that begins then lasts, by how much text was due in the one before. */
static void choose_length(TndMergeStrands *strands, guint64 begin)
{
    gdouble wanted = (gdouble)(begin - strands->begin) * (gdouble)strands->round_bytes / (gdouble)strands->n_handed;
    guint64 most = MIN(strands->round_ns, MAX_NS / MAX_LONGER) * MAX_LONGER;
    if (strands->n_handed)
        strands->round_ns = wanted < (gdouble)most ? MAX((guint64)wanted, 1) : most;
    strands->begin = begin;
    strands->n_handed = 0;
}

/* Lets all strands write the next round.  FALSE: no strand has more lines. */
static gboolean write_round(TndMergeStrands *strands)
{
    gsize n_bytes = 0;
    guint n_writers = 0;
    guint64 begin = strands->until = earliest(strands);
    if (begin == G_MAXUINT64)
        return FALSE;
    choose_length(strands, begin);
    tnd_prv_write_flush(strands->walkers.writer);
    strands->n_pieces = strands->at = 0;
    for (guint i = 0; i < strands->n; i++)
        if (strands->next[i] < begin + strands->round_ns) {
            n_bytes = write_strand(strands, i, begin + strands->round_ns);
            n_writers++;
        }
    if (strands->n_pieces)
        strands->pieces[strands->n_pieces] = (struct piece){.at = (guint32)n_bytes};
    strands->is_alone = n_writers == 1;
    sort_pieces(strands, begin);
    tnd_assert(are_sorted(strands));
    tnd_assert(has_round_only(strands));
    strands->until = earliest(strands);
    if (n_bytes >= MAX_FULLER * strands->round_bytes)
        strands->round_ns = MAX(strands->round_ns / SHORTER, 1);
    return TRUE;
}

/* When the first piece of the round is due that was not handed out. */
static TndMergeDue due_in_round(const TndMergeStrands *strands)
{
    if (strands->at == strands->n_pieces)
        return TND_MERGE_NEVER;
    const struct piece *piece = nth_piece(strands, strands->at);
    return (TndMergeDue){piece->time, piece->order};
}

/* When the first piece is due that is held. */
static TndMergeDue due_in_held(const struct held *held)
{
    if (held->at == held->marks->len)
        return TND_MERGE_NEVER;
    const TndMergePiece *mark = &g_array_index(held->marks, TndMergePiece, held->at);
    return (TndMergeDue){mark->time, mark->order};
}

/* Appends a piece to the text, of which n_bytes are in use.  Returns how many are in use then. */
static inline gsize copy_piece(GByteArray *text, gsize n_bytes, const char *from, const TndMergePiece *piece,
                               GArray *marks)
{
    if (G_UNLIKELY(n_bytes + piece->n_bytes + STEP_BYTES > text->len))
        g_byte_array_set_size(text, (guint)(n_bytes + piece->n_bytes + MIN_BYTES));
    guint8 *to = text->data + n_bytes;
    for (guint32 k = 0; k < piece->n_bytes; k += STEP_BYTES)
        memcpy(to + k, from + k, STEP_BYTES);
    if (marks)
        g_array_append_vals(marks, piece, 1);
    return n_bytes + piece->n_bytes;
}

/* Hands out pieces of the round that are due before `until`. */
static gsize hand_out_round(TndMergeStrands *strands, TndMergeDue until, GByteArray *text, gsize n_bytes, GArray *marks,
                            gsize limit_bytes)
{
    const guint64 *order = strands->order, mask = (G_GUINT64_CONSTANT(1) << strands->place_bits) - 1;
    const struct piece *pieces = strands->pieces;
    gsize kept_bytes;
    const char *kept = tnd_prv_write_kept(strands->walkers.writer, &kept_bytes);
    guint at = strands->at, n = strands->n_pieces;
    for (; at < n && n_bytes < limit_bytes; at++) {
        const struct piece *piece = &pieces[order[at] & mask];
        if (tnd_merge_slices_compare((TndMergeDue){piece->time, piece->order}, until) >= 0)
            break;
        const char *soon = kept + pieces[order[at + AHEAD] & mask].at;
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + 64);
        __builtin_prefetch(&pieces[order[at + 2 * AHEAD] & mask]);
        const TndMergePiece mark = {piece->time, piece->order, piece[1].at - piece->at};
        n_bytes = copy_piece(text, n_bytes, kept + piece->at, &mark, marks);
    }
    strands->at = at;
    return n_bytes;
}

/* Hands out pieces that are due before until_ns, until the text has limit_bytes. */
static void hand_out(TndMergeStrands *strands, guint64 until_ns, GByteArray *text, GArray *marks, gsize limit_bytes)
{
    const TndMergeDue until = {until_ns, 0};
    struct held *held = &strands->held;
    gsize n_before = text->len, n_bytes = n_before;
    while (n_bytes < limit_bytes) {
        TndMergeDue in_round = due_in_round(strands), in_held = due_in_held(held);
        if (MIN(in_round.time, in_held.time) >= until.time)
            break;
        if (tnd_merge_slices_compare(in_round, in_held) < 0) {
            n_bytes =
                hand_out_round(strands, tnd_merge_slices_sooner(in_held, until), text, n_bytes, marks, limit_bytes);
            continue;
        }
        const TndMergePiece *mark = &g_array_index(held->marks, TndMergePiece, held->at++);
        n_bytes = copy_piece(text, n_bytes, (const char *)held->text->data + held->text_at, mark, marks);
        held->text_at += mark->n_bytes;
    }
    strands->n_handed += n_bytes - n_before;
    g_byte_array_set_size(text, (guint)n_bytes);
}

/* Hands out pieces of a round that one strand wrote. */
static void hand_out_alone(TndMergeStrands *strands, guint64 until, GByteArray *text)
{
    gsize n_bytes;
    const char *kept = tnd_prv_write_kept(strands->walkers.writer, &n_bytes);
    guint from = strands->at;
    while (strands->at < strands->n_pieces && strands->pieces[strands->at].time < until)
        strands->at++;
    if (strands->at == from)
        return;
    n_bytes = strands->pieces[strands->at].at - strands->pieces[from].at;
    g_byte_array_append(text, (const guint8 *)kept + strands->pieces[from].at, (guint)n_bytes);
    strands->n_handed += n_bytes;
}

static gboolean are_marks_sorted(const GArray *marks)
{
    for (guint i = 1; i < marks->len; i++)
        if (g_array_index(marks, TndMergePiece, i - 1).time > g_array_index(marks, TndMergePiece, i).time)
            return FALSE;
    return TRUE;
}

/* Holds the pieces that are left of the round, with those that were held before, for later rounds. */
static void hold_rest(TndMergeStrands *strands)
{
    struct held rest = new_held();
    gsize n_handed = strands->n_handed;
    hand_out(strands, G_MAXUINT64, rest.text, rest.marks, G_MAXSIZE);
    strands->n_handed = n_handed;
    tnd_assert(are_marks_sorted(rest.marks));
    g_byte_array_set_size(rest.text, rest.text->len + STEP_BYTES);
    free_held(&strands->held);
    strands->held = rest;
}

TndMergeDue tnd_merge_strands_due(const TndMergeStrands *strands)
{
    TndMergeDue due = tnd_merge_slices_sooner(due_in_round(strands), due_in_held(&strands->held));
    for (guint i = 0; i < strands->n; i++)
        if (strands->next[i] <= due.time && strands->next[i] != G_MAXUINT64)
            due = tnd_merge_slices_sooner(
                due, (TndMergeDue){strands->next[i], strands->walkers.orders[walker_of(strands, i)]});
    return due;
}

/* Whether the text, if any was appended to it, would be below the limit without its last piece. */
static gboolean is_bounded(const GByteArray *text, guint n_before, const GArray *marks, gsize limit_bytes)
{
    if (!marks || text->len == n_before)
        return TRUE;
    return text->len - g_array_index(marks, TndMergePiece, marks->len - 1).n_bytes < limit_bytes;
}

void tnd_merge_strands_take(TndMergeStrands *strands, GByteArray *text, GArray *marks, gsize limit_bytes)
{
    const guint n_before = text->len;
    tnd_assert(has_round_only(strands));
    for (;;) {
        const struct held *held = &strands->held;
        if (strands->is_alone && !marks && held->at == held->marks->len)
            hand_out_alone(strands, strands->until, text);
        else
            hand_out(strands, strands->until, text, marks, limit_bytes);
        tnd_assert(is_bounded(text, n_before, marks, limit_bytes));
        if (text->len >= limit_bytes)
            return;
        if (held->at < held->marks->len || strands->at < strands->n_pieces)
            hold_rest(strands);
        if (!write_round(strands))
            return;
    }
}
