/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks say how the text is cut: a mark is one turn of a row, a few lines.  What is sent to a rank is how many marks,
 * the marks, their text.
 */
#include "analysis/merge/write/merge_slices.h"
#include "analysis/base/assertion.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_A_RANK 4 /* marks that a rank tells for each slice */

gsize tnd_merge_slices_limit_bytes = (gsize)1 << 20;

/* The marks of one rank within a slice, and their text. */
struct source {
    const TndMergePiece *mark, *end;
    const guint8 *text;
};

struct TndMergeSlices {
    TndMergeTeam *team;
    TndTraceOutput *output;
    gboolean is_open;      /* the team has a file open */
    TndMergeDue until;     /* all text that was due before is written */
    guint64 written_bytes; /* bytes of the file that all ranks have written */
    GByteArray **give, *take, *slice;
    gsize *begins;
};

TndMergeSlices *tnd_merge_slices_new(TndMergeTeam *team, TndTraceOutput *output, const char *path, GError **error)
{
    TndMergeSlices *slices = g_new0(TndMergeSlices, 1);
    slices->team = team;
    slices->output = output;
    slices->give = g_new(GByteArray *, team->n_ranks);
    for (guint rank = 0; rank < team->n_ranks; rank++)
        slices->give[rank] = g_byte_array_new();
    slices->take = g_byte_array_new();
    slices->slice = g_byte_array_new();
    slices->begins = g_new(gsize, team->n_ranks + 1);
    slices->is_open = path && team->open(team, path, error);
    return slices;
}

static TndMergeDue due_of(const TndMergePiece *mark)
{
    return (TndMergeDue){mark->time, mark->order};
}

static int compare_marks(gconstpointer a, gconstpointer b)
{
    return tnd_merge_slices_compare(due_of(a), due_of(b));
}

static const TndMergePiece *mark_at(const GArray *marks, guint i)
{
    return &g_array_index(marks, TndMergePiece, i);
}

/* How many marks, from `from` on, are due before `due`. */
static guint count_before(const GArray *marks, guint from, TndMergeDue due)
{
    guint low = from, high = marks->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (tnd_merge_slices_compare(due_of(mark_at(marks, middle)), due) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low - from;
}

/* Whether marks are in order, and their bytes are all bytes of the text. */
static gboolean are_marks_of(const GByteArray *text, const GArray *marks)
{
    guint64 n_bytes = 0;
    for (guint i = 0; i < marks->len; i++) {
        if (i && compare_marks(mark_at(marks, i - 1), mark_at(marks, i)) > 0)
            return FALSE;
        n_bytes += mark_at(marks, i)->n_bytes;
    }
    return n_bytes == text->len;
}

/* Chooses where slices end: every rank tells when some of its first n marks are due and how much text each of these
 * stands for, and from that all choose the same ends. */
static TndMergeDue *choose_ends(TndMergeSlices *slices, const GByteArray *text, const GArray *marks, guint n)
{
    guint n_ranks = slices->team->n_ranks, n_told = SAMPLES_A_RANK * n_ranks;
    gsize n_all = (gsize)n_told * n_ranks;
    TndMergePiece *told = g_new0(TndMergePiece, n_told), *all = g_new(TndMergePiece, n_all);
    for (guint i = 0; i < n_told && n; i++) {
        told[i] = *mark_at(marks, (guint)((guint64)n * (2 * i + 1) / (2 * n_told)));
        told[i].n_bytes = (guint32)((guint64)text->len * n / marks->len / n_told);
    }
    tnd_merge_team_gather(slices->team, told, n_told * sizeof *told, all);
    qsort(all, n_all, sizeof *all, compare_marks);
    guint64 total_bytes = 0, n_bytes = 0;
    for (gsize i = 0; i < n_all; i++)
        total_bytes += all[i].n_bytes;
    TndMergeDue *ends = g_new(TndMergeDue, n_ranks);
    gsize at = 0;
    for (guint rank = 0; rank < n_ranks; rank++) {
        while (at < n_all && n_bytes < total_bytes * (rank + 1) / n_ranks)
            n_bytes += all[at++].n_bytes;
        gboolean is_last = rank + 1 == n_ranks || at == n_all || !slices->is_open;
        ends[rank] = is_last ? TND_MERGE_NEVER : due_of(&all[at]);
    }
    g_free(all);
    g_free(told);
    return ends;
}

/* Cuts the first n marks into slices and sends each to its rank. */
static void send(TndMergeSlices *slices, GByteArray *text, GArray *marks, guint n)
{
    TndMergeDue *ends = choose_ends(slices, text, marks, n);
    guint from = 0;
    const guint8 *at = text->data;
    for (guint rank = 0; rank < slices->team->n_ranks; rank++) {
        guint64 n_here = MIN(count_before(marks, from, ends[rank]), n - from), n_bytes = 0;
        for (guint i = from; i < from + n_here; i++)
            n_bytes += mark_at(marks, i)->n_bytes;
        GByteArray *give = slices->give[rank];
        g_byte_array_set_size(give, 0);
        g_byte_array_append(give, (const guint8 *)&n_here, sizeof n_here);
        g_byte_array_append(give, (const guint8 *)mark_at(marks, from), (guint)(n_here * sizeof(TndMergePiece)));
        g_byte_array_append(give, at, (guint)n_bytes);
        g_byte_array_append(give, (const guint8 *)"\0\0\0\0\0\0\0",
                            (guint)(-n_bytes % 8)); /* so that what follows is aligned */
        at += n_bytes;
        from += (guint)n_here;
    }
    guint n_sent = (guint)(at - text->data);
    if (n_sent)
        g_byte_array_remove_range(text, 0, n_sent);
    if (n)
        g_array_remove_range(marks, 0, n);
    slices->team->exchange(slices->team, slices->give, slices->take, slices->begins);
    g_free(ends);
}

static gboolean is_before(const struct source *a, const struct source *b)
{
    int order = compare_marks(a->mark, b->mark);
    return order ? order < 0 : a < b; /* of equal marks, that of the lesser rank is before */
}

static void sift_down(struct source **heap, guint n, guint at)
{
    struct source *moved = heap[at];
    for (guint child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_before(heap[child + 1], heap[child]))
            child++;
        if (is_before(moved, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Puts the text that all ranks have sent into one order. */
static void put_in_order(TndMergeSlices *slices)
{
    struct source *sources = g_new(struct source, slices->team->n_ranks),
                  **heap = g_new(struct source *, slices->team->n_ranks);
    guint n = 0;
    for (guint rank = 0; rank < slices->team->n_ranks; rank++) {
        const guint64 *sent = (const guint64 *)(const void *)(slices->take->data + slices->begins[rank]);
        const TndMergePiece *marks = (const TndMergePiece *)(const void *)(sent + 1);
        sources[rank] = (struct source){marks, marks + *sent, (const guint8 *)(marks + *sent)};
        if (*sent)
            heap[n++] = &sources[rank];
    }
    for (guint i = n / 2; i-- > 0;)
        sift_down(heap, n, i);
    g_byte_array_set_size(slices->slice, slices->take->len); /* which is more than the text needs */
    guint8 *at = slices->slice->data;
    TndMergePiece last = {0};
    while (n) {
        struct source *first = heap[0];
        memcpy(at, first->text, first->mark->n_bytes);
        at += first->mark->n_bytes;
        first->text += first->mark->n_bytes;
        tnd_assert(compare_marks(&last, first->mark) <= 0);
        last = *first->mark;
        if (++first->mark == first->end)
            heap[0] = heap[--n];
        sift_down(heap, n, 0);
    }
    g_byte_array_set_size(slices->slice, (guint)(at - slices->slice->data));
    g_free(heap);
    g_free(sources);
}

/* Writes a rank's bytes behind those of the ranks before it. */
static void write_slice(TndMergeSlices *slices, const GByteArray *bytes, GError **error)
{
    guint64 n_bytes = bytes->len, *all = g_new(guint64, slices->team->n_ranks), offset = slices->written_bytes;
    tnd_merge_team_gather(slices->team, &n_bytes, sizeof n_bytes, all);
    for (guint rank = 0; rank < slices->team->n_ranks; rank++) {
        offset += rank < slices->team->rank ? all[rank] : 0;
        slices->written_bytes += all[rank];
    }
    g_free(all);
    if (!n_bytes || *error)
        return;
    if (slices->is_open)
        slices->team->write_at(slices->team, bytes->data, n_bytes, offset, error);
    else if (!tnd_trace_output_bytes(slices->output, (const char *)bytes->data, n_bytes))
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno ? errno : EIO), "writing the trace: %s",
                    g_strerror(errno ? errno : EIO));
}

gboolean tnd_merge_slices_turn(TndMergeSlices *slices, GByteArray *text, GArray *marks, TndMergeDue next,
                               GError **error)
{
    guint n_ranks = slices->team->n_ranks;
    struct {
        TndMergeDue next;
        gboolean is_failed;
    } mine = {next, *error != NULL}, *all = g_new0(typeof(mine), n_ranks);
    tnd_merge_team_gather(slices->team, &mine, sizeof mine, all);
    gboolean is_failed = FALSE;
    for (guint rank = 0; rank < n_ranks; rank++) {
        if (tnd_merge_slices_compare(all[rank].next, next) < 0)
            next = all[rank].next;
        is_failed |= all[rank].is_failed;
    }
    g_free(all);
    if (is_failed)
        return tnd_merge_team_agree(slices->team, error); /* FALSE */
    tnd_assert(are_marks_of(text, marks));
    tnd_assert(!marks->len || tnd_merge_slices_compare(due_of(mark_at(marks, 0)), slices->until) >= 0);
    slices->until = next;
    send(slices, text, marks, count_before(marks, 0, next));
    put_in_order(slices);
    write_slice(slices, slices->slice, error);
    if (next.time != G_MAXUINT64)
        return TRUE;
    tnd_merge_team_agree(slices->team, error);
    return FALSE;
}

gboolean tnd_merge_slices_end(TndMergeSlices *slices, const GByteArray *text, GError **error)
{
    if (tnd_merge_team_agree(slices->team, error))
        write_slice(slices, text, error);
    GError *closing = NULL;
    if (slices->is_open)
        slices->team->close(slices->team, *error ? &closing : error);
    g_clear_error(&closing);
    for (guint rank = 0; rank < slices->team->n_ranks; rank++)
        g_byte_array_unref(slices->give[rank]);
    g_free(slices->give);
    g_free(slices->begins);
    g_byte_array_unref(slices->slice);
    g_byte_array_unref(slices->take);
    TndMergeTeam *team = slices->team;
    g_free(slices);
    return tnd_merge_team_agree(team, error);
}
