/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ring of stretches for each row.  If it does not reach back to where two rows met, they are compared since then.
 */
#include "analysis/causes/wait_history.h"

#define N_STRETCHES 256

typedef struct {
    guint64 begin_ns, end_ns;
    guint32 place;
    guint32 n_blamed; /* 0: it did not wait */
    TndBlame blamed[TND_BLAME_KEPT];
} Stretch;

typedef struct {
    Stretch *stretches;
    gsize n; /* added so far */
} Row;

/* Time at a place of the late row, without that of the waiting one. */
typedef struct {
    double late_ns;
    gboolean is_touched;
} PlaceSum;

struct TndWaitHistory {
    Row *rows;
    guint n_rows;
    GArray *sums;    /* PlaceSum of each place */
    GArray *touched; /* guint32: places with a sum */
    GArray *blames;  /* TndBlame: the result */
};

TndWaitHistory *tnd_wait_history_new(guint n_rows)
{
    TndWaitHistory *history = g_new0(TndWaitHistory, 1);
    history->rows = g_new0(Row, n_rows + 1);
    history->n_rows = n_rows;
    history->sums = g_array_new(FALSE, TRUE, sizeof(PlaceSum));
    history->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    history->blames = g_array_new(FALSE, FALSE, sizeof(TndBlame));
    return history;
}

void tnd_wait_history_free(TndWaitHistory *history)
{
    for (guint row = 0; row < history->n_rows; row++)
        g_free(history->rows[row].stretches);
    g_free(history->rows);
    g_array_unref(history->sums);
    g_array_unref(history->touched);
    g_array_unref(history->blames);
    g_free(history);
}

void tnd_wait_history_add(TndWaitHistory *history, guint row, guint64 begin_ns, guint64 end_ns, guint32 place,
                          const TndBlame *blame, guint n)
{
    Row *at = &history->rows[row];
    if (begin_ns >= end_ns)
        return;
    if (!at->stretches)
        at->stretches = g_new(Stretch, N_STRETCHES);
    Stretch *stretch = &at->stretches[at->n++ % N_STRETCHES];
    float sum = 0;
    *stretch = (Stretch){.begin_ns = begin_ns, .end_ns = end_ns, .place = place, .n_blamed = MIN(n, TND_BLAME_KEPT)};
    for (guint i = 0; i < stretch->n_blamed; i++)
        sum += blame[i].share;
    for (guint i = 0; i < stretch->n_blamed; i++)
        stretch->blamed[i] = (TndBlame){blame[i].row, blame[i].place, blame[i].share / sum};
}

static gsize oldest(const Row *row)
{
    return row->n > N_STRETCHES ? row->n - N_STRETCHES : 0;
}

static guint64 begin_of(const Row *row)
{
    return row->n ? row->stretches[oldest(row) % N_STRETCHES].begin_ns : 0;
}

static double overlap(const Stretch *stretch, guint64 from_ns, guint64 until_ns)
{
    guint64 begin_ns = MAX(stretch->begin_ns, from_ns), end_ns = MIN(stretch->end_ns, until_ns);
    return begin_ns < end_ns ? (double)(end_ns - begin_ns) : 0;
}

static void add_to_place(TndWaitHistory *history, guint32 place, double ns)
{
    if (place >= history->sums->len)
        g_array_set_size(history->sums, place + 1);
    PlaceSum *sum = &g_array_index(history->sums, PlaceSum, place);
    if (!sum->is_touched)
        g_array_append_val(history->touched, place);
    sum->is_touched = TRUE;
    sum->late_ns += ns;
}

/* Adds the times of a row in [from_ns, until_ns) to the sums of places, times sign.  Returns how long it waited. */
static double add_row(TndWaitHistory *history, const Row *row, guint64 from_ns, guint64 until_ns, double sign)
{
    double waited_ns = 0;
    for (gsize i = row->n; i-- > oldest(row);) {
        const Stretch *stretch = &row->stretches[i % N_STRETCHES];
        if (stretch->end_ns <= from_ns)
            break;
        double ns = overlap(stretch, from_ns, until_ns);
        if (stretch->n_blamed)
            waited_ns += ns;
        else if (ns > 0)
            add_to_place(history, stretch->place, sign * ns);
    }
    return waited_ns;
}

static void add_blame(GArray *blames, guint32 row, guint32 place, double ns)
{
    for (guint i = 0; i < blames->len; i++) {
        TndBlame *blame = &g_array_index(blames, TndBlame, i);
        if (blame->row == row && blame->place == place) {
            blame->share += (float)ns;
            return;
        }
    }
    const TndBlame blame = {row, place, (float)ns};
    g_array_append_val(blames, blame);
}

/* Those whom the late row waited for, except that the waiting one is not to blame for its own wait. */
static void blame_others(TndWaitHistory *history, guint waiting, const Row *late, guint64 from_ns, guint64 until_ns,
                         double part)
{
    for (gsize i = late->n; i-- > oldest(late);) {
        const Stretch *stretch = &late->stretches[i % N_STRETCHES];
        if (stretch->end_ns <= from_ns)
            break;
        double ns = overlap(stretch, from_ns, until_ns) * part;
        for (guint j = 0; j < stretch->n_blamed && ns > 0; j++)
            if (stretch->blamed[j].row != waiting)
                add_blame(history->blames, stretch->blamed[j].row, stretch->blamed[j].place,
                          ns * (double)stretch->blamed[j].share);
    }
}

static int compare_blames(gconstpointer a, gconstpointer b)
{
    const TndBlame *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

const TndBlame *tnd_wait_history_blame(TndWaitHistory *history, guint row, guint cause, guint64 met_ns, guint64 from_ns,
                                       guint64 until_ns, guint32 place, guint *n)
{
    const Row *waiting = &history->rows[row], *late = &history->rows[cause];
    guint64 since_ns = MAX(met_ns, MAX(begin_of(late), begin_of(waiting)));
    float sum = 0;
    since_ns = MIN(since_ns, from_ns);
    g_array_set_size(history->blames, 0);
    double late_waits_ns = add_row(history, late, since_ns, until_ns, 1);
    double own_waits_ns = add_row(history, waiting, since_ns, from_ns, -1);
    for (guint i = 0; i < history->touched->len; i++) {
        guint32 touched = g_array_index(history->touched, guint32, i);
        PlaceSum *at = &g_array_index(history->sums, PlaceSum, touched);
        if (at->late_ns > 0)
            add_blame(history->blames, cause, touched, at->late_ns);
        *at = (PlaceSum){0};
    }
    g_array_set_size(history->touched, 0);
    if (late_waits_ns > own_waits_ns)
        blame_others(history, row, late, since_ns, until_ns, 1 - own_waits_ns / late_waits_ns);
    if (!history->blames->len)
        add_blame(history->blames, cause, place, 1);
    g_array_sort(history->blames, compare_blames);
    for (guint i = 0; i < history->blames->len; i++)
        sum += g_array_index(history->blames, TndBlame, i).share;
    for (guint i = 0; i < history->blames->len; i++)
        g_array_index(history->blames, TndBlame, i).share /= sum;
    *n = history->blames->len;
    return (const TndBlame *)(gconstpointer)history->blames->data;
}
