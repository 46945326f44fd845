/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples are chosen by debts: a bin or a column owes each value in it the part that the value has of its time; it is
 * given to the value that is owed most, to which one less is then owed.  So over a row a value has as many bins, or
 * columns, as its share of the time makes, give or take one, and nearly so over any stretch of it.  Noise is added to
 * debts, because regular patterns of bins could be in step with columns.
 *
 * Or a column has a place, which is a moment in it, and shows the value there: this is up to eight times as fast.
 * Places are hashed, so that they are not in step with what the program repeats.
 */
#include "analysis/bursts/grid_samples.h"

static inline guint32 mixed(guint32 number)
{
    number = (number ^ number >> 16) * 0x7feb352du;
    number = (number ^ number >> 15) * 0x846ca68bu;
    return number ^ number >> 16;
}

/* Debts. */

struct TndGridDebts {
    guint32 noise;
    float debts[1 << 12]; /* of bins or columns; different values may share one, which makes shares less exact */
};

TndGridDebts *tnd_grid_samples_begin(guint16 seed)
{
    TndGridDebts *debts = g_new0(TndGridDebts, 1);
    debts->noise = seed * 0x9e3779b1u;
    return debts;
}

/* Codes are debtors' numbers themselves. */
FOR_EACH_KIND float *debt_of(TndGridDebts *debts, guint64 rank, gboolean are_codes)
{
    const guint32 number = are_codes ? (guint32)rank : mixed((guint32)rank ^ (guint32)(rank >> 32));
    return &debts->debts[number % G_N_ELEMENTS(debts->debts)];
}

static const TndGridChoice nobody = {0, -INFINITY};

FOR_EACH_KIND void ask(TndGridDebts *debts, TndGridChoice *choice, guint64 rank, double share, gboolean are_codes)
{
    float *debt = debt_of(debts, rank, are_codes);
    *debt += (float)share;
    debts->noise = debts->noise * 1664525u + 1013904223u;
    const float wanted = *debt + (float)(debts->noise >> 8) * (0.5f / (1 << 24));
    choice->best = wanted > choice->most ? rank : choice->best;
    choice->most = MAX(wanted, choice->most);
}

/* Returns whom it is given to. */
FOR_EACH_KIND guint64 give(TndGridDebts *debts, TndGridChoice *choice, gboolean are_codes)
{
    const guint64 best = choice->best;
    *debt_of(debts, best, are_codes) -= 1;
    *choice = nobody;
    return best;
}

/* Bins. */

void tnd_grid_samples_of_block(TndGridDebts *debts, const Grid *grid, const guint64 *ends_ns, const guint16 *codes,
                               const double *values, guint n)
{
    const gboolean are_codes = codes != NULL;
    const double bin_ns = (double)(G_GUINT64_CONSTANT(1) << grid->shift);
    guint burst = 0;
    for (guint number = 0; number < grid->n_bins; number++) {
        const guint64 bin = tnd_grid_tree_first_bin(grid) + number,
                      end_ns = MIN((bin + 1) << grid->shift, grid->end_ns);
        guint64 at_ns = MAX(bin << grid->shift, grid->begin_ns);
        const double all_ns = MIN(bin_ns, (double)(end_ns - at_ns));
        TndGridChoice choice = nobody;
        for (; at_ns < end_ns; burst += burst + 1 < n && ends_ns[burst] <= end_ns) {
            const guint64 until_ns = MIN(burst + 1 < n ? ends_ns[burst] : end_ns, end_ns);
            const guint32 is = are_codes ? codes[burst] : tnd_grid_tree_key_of(values[burst], grid->are_whole);
            if (until_ns > at_ns)
                ask(debts, &choice, is, (double)(until_ns - at_ns) / all_ns, are_codes);
            at_ns = MAX(at_ns, until_ns);
        }
        tnd_grid_tree_set_bin(grid, number, (guint32)give(debts, &choice, are_codes), are_codes);
    }
}

void tnd_grid_samples_of_grids(TndGridDebts *debts, const Grid *grid, const Grid *below, gsize n, gboolean are_codes)
{
    enum { N = 8 }; /* moments of a bin whose values are asked */
    gsize at = 0;
    for (guint number = 0; number < grid->n_bins; number++) {
        const guint64 bin = tnd_grid_tree_first_bin(grid) + number;
        TndGridChoice choice = nobody;
        for (guint i = 0; i < N; i++) {
            const guint64 part = i * (65536 / N) + mixed(debts->noise) % (65536 / N);
            const guint64 after = grid->shift >= 16 ? part << (grid->shift - 16) : part >> (16 - grid->shift);
            const guint64 moment = CLAMP((bin << grid->shift) + after, grid->begin_ns, grid->end_ns - 1);
            while (at + 1 < n && below[at].end_ns <= moment)
                at++;
            guint32 is = tnd_grid_tree_bin(
                &below[at], (moment >> below[at].shift) - tnd_grid_tree_first_bin(&below[at]), are_codes);
            if (!are_codes && below[at].are_whole && !grid->are_whole)
                is = tnd_grid_tree_key_of_float(tnd_grid_tree_value_of(is, TRUE));
            ask(debts, &choice, is, 1.0 / N, are_codes);
        }
        tnd_grid_tree_set_bin(grid, number, (guint32)give(debts, &choice, are_codes), are_codes);
    }
}

/* Columns. */

/* The steps by which the number of a turn comes back below n, by Euclid's algorithm: from one such column to the next
 * one it is `more`, `less`, or both. */
static void start_turn(Frame *frame, const TndTurn *turn)
{
    frame->turn = turn && !frame->debts ? *turn : (TndTurn){0, ALL_COLUMNS};
    frame->turn.n = MAX(frame->turn.n, 2); /* which the last step of the algorithm has */
    frame->more = TND_TURN_STEP;
    frame->less = ALL_COLUMNS - TND_TURN_STEP;
    frame->more_columns = frame->less_columns = 1;
    while (frame->more >= frame->turn.n || frame->less >= frame->turn.n)
        if (frame->more > frame->less) {
            frame->more -= frame->less;
            frame->more_columns += frame->less_columns;
        } else {
            frame->less -= frame->more;
            frame->less_columns += frame->more_columns;
        }
}

/* A wanted column, and its number. */
typedef struct {
    gint column;
    guint32 number;
} Wanted;

/* The first one from a column on; if there is none, n_columns or later. */
static inline Wanted wanted_from(const Frame *frame, gint column)
{
    Wanted at = {column, (guint16)(frame->turn.number + (guint32)column * TND_TURN_STEP)};
    for (; at.number >= frame->turn.n && at.column < frame->n_columns; at.column++)
        at.number = (guint16)(at.number + TND_TURN_STEP);
    return at;
}

/* The next one.  No branch depends on its number. */
static inline Wanted wanted_after(const Frame *frame, Wanted at)
{
    if (frame->turn.n == ALL_COLUMNS)
        return (Wanted){at.column + 1, 0};
    const guint32 more = -(guint32)(at.number < frame->less),
                  less = -(guint32)(at.number + frame->more >= frame->turn.n);
    return (Wanted){at.column + (gint)((more & (guint32)frame->more_columns) + (less & (guint32)frame->less_columns)),
                    at.number + (more & frame->more) - (less & frame->less)};
}

void tnd_grid_samples_start(Frame *frame, guint n, const TndTurn *turn)
{
    /* Counted from time 0 on, so that what is shown moves with the columns. */
    const guint64 first = (guint64)((double)frame->begin_ns * frame->per_ns + 0.5);
    frame->n_columns = (gint)n;
    frame->first_column = (guint32)first + frame->grids->seed * 0x9e3779b1u;
    if (frame->place == TND_PLACE_FAIR)
        frame->debts = tnd_grid_samples_begin(frame->grids->seed);
    frame->choice = nobody;
    start_turn(frame, turn);
}

/* Where in a column its place is, from 0 to 1. */
static inline double place_in(const Frame *frame, gint column)
{
    const double unit = 1.0 / 65536, least = 0x1p-40;
    if (frame->place == TND_PLACE_RANDOM)
        return ((mixed(frame->first_column + (guint)column) >> 16) + 0.5) * unit;
    return frame->place == TND_PLACE_FIRST ? least : 1 - least;
}

static inline double after(const Frame *frame, guint64 time_ns)
{
    return MIN((double)(gint64)(time_ns - frame->begin_ns) * frame->per_ns, frame->n_columns);
}

/* The first column whose place is not before x, in columns. */
static inline gint column_from(const Frame *frame, double x)
{
    const gint column = (gint)x;
    return column + (column < frame->n_columns && place_in(frame, column) < x - column);
}

/* Adds a piece of the row, which begins where the one before ended, to the columns that it covers. */
FOR_EACH_KIND void add_piece(Frame *frame, double from, double until, guint64 rank, gboolean are_codes)
{
    while (from < until) {
        const gint column = (gint)from;
        const double end = MIN(until, column + 1.0);
        ask(frame->debts, &frame->choice, rank, end - from, are_codes);
        from = end;
        if (end == column + 1.0) {
            tnd_grid_tree_turn_to(frame, column, are_codes);
            tnd_grid_tree_set_rank(frame->columns, column, give(frame->debts, &frame->choice, are_codes), are_codes);
            frame->n_done = column + 1;
        }
    }
}

FOR_EACH_KIND void put(Frame *frame, guint64 begin_ns, const guint64 *ends_ns, const Stretch *stretch,
                       gboolean are_codes)
{
    double x = after(frame, begin_ns);
    gint at = frame->debts ? 0 : column_from(frame, x);
    for (guint i = 0; i < stretch->n && frame->debts; i++) {
        const double end = after(frame, ends_ns[i]);
        add_piece(frame, x, end, tnd_grid_tree_rank(&stretch->of, (gint)i, are_codes), are_codes);
        x = end;
    }
    if (frame->debts)
        return;
    tnd_grid_tree_turn_to(frame, at, are_codes);
    for (guint i = 0; i < stretch->n; i++) {
        const gint end = column_from(frame, after(frame, ends_ns[i]));
        const guint64 rank = tnd_grid_tree_rank(&stretch->of, (gint)i, are_codes);
        do { /* ahead of the end, because the next one overwrites what is too much */
            for (gint ahead = at; ahead < at + TND_ROW_GRIDS_SLACK; ahead++)
                tnd_grid_tree_set_rank(frame->columns, ahead, rank, are_codes);
        } while ((at += TND_ROW_GRIDS_SLACK) < end);
        at = end;
    }
    frame->n_done = MAX(at, frame->n_done);
}

void tnd_grid_samples_put(Frame *frame, guint64 begin_ns, const guint64 *ends_ns, const Stretch *stretch)
{
    if (frame->grids->codes)
        put(frame, begin_ns, ends_ns, stretch, TRUE);
    else
        put(frame, begin_ns, ends_ns, stretch, FALSE);
}

gboolean tnd_grid_samples_start_picks(Frame *frame, guint64 begin_ns, const guint64 *ends_ns, guint n,
                                      TndGridPicks *picks)
{
    const gint first = column_from(frame, after(frame, begin_ns)),
               end = column_from(frame, after(frame, ends_ns[n - 1]));
    const guint64 n_wanted = (guint64)(end - first) * frame->turn.n / ALL_COLUMNS;
    if (frame->debts || 2 * n_wanted >= n)
        return FALSE;
    *picks = (TndGridPicks){.next = wanted_from(frame, first).column, .end = end, .are_near = n_wanted * 6 > n};
    tnd_grid_tree_turn_to(frame, first, frame->grids->codes != NULL);
    frame->n_done = MAX(end, frame->n_done);
    return TRUE;
}

/* The burst at a moment, not before another one: several a step, so that hardly any branch depends on one. */
FOR_EACH_KIND guint burst_at(const guint64 *ends_ns, guint burst, guint64 moment, guint n_ahead)
{
    enum { STRIDE = 4 };
    guint more;
    do {
        more = 0;
        for (guint ahead = STRIDE - 1; ahead < n_ahead; ahead += STRIDE)
            more += ends_ns[burst + ahead] <= moment;
        burst += more * STRIDE;
    } while (more * STRIDE == n_ahead);
    for (guint ahead = more = 0; ahead < STRIDE - 1; ahead++)
        more += ends_ns[burst + ahead] <= moment;
    return burst + more;
}

/* n_ahead: a constant. */
FOR_EACH_KIND void pick(const Frame *frame, const guint64 *ends_ns, guint n, TndGridPicks *picks, guint n_ahead)
{
    const double column_ns = 1 / frame->per_ns;
    Wanted at = wanted_from(frame, picks->next);
    guint burst = picks->burst;
    for (picks->n = 0; picks->n < TND_ROW_BURSTS_BLOCK && at.column < picks->end; at = wanted_after(frame, at)) {
        const gint64 place_ns = (gint64)((at.column + place_in(frame, at.column)) * column_ns);
        burst = burst_at(ends_ns, burst, MIN(frame->begin_ns + (guint64)place_ns, ends_ns[n - 1] - 1), n_ahead);
        picks->columns[picks->n] = at.column;
        picks->bursts[picks->n++] = burst;
    }
    picks->next = at.column;
    picks->burst = burst;
}

void tnd_grid_samples_pick(const Frame *frame, const guint64 *ends_ns, guint n, TndGridPicks *picks)
{
    if (picks->are_near)
        pick(frame, ends_ns, n, picks, TND_GRID_PICKS_AHEAD / 4);
    else
        pick(frame, ends_ns, n, picks, TND_GRID_PICKS_AHEAD);
}

FOR_EACH_KIND guint64 rank_of_bin(const Grid *grid, guint64 bin, gboolean are_codes)
{
    return are_codes
               ? tnd_grid_tree_bin(grid, bin, TRUE)
               : tnd_grid_tree_rank_of(tnd_grid_tree_value_of(tnd_grid_tree_bin(grid, bin, FALSE), grid->are_whole));
}

FOR_EACH_KIND void read_grid(Frame *frame, const Grid *grid, gboolean are_codes)
{
    const guint64 begin_ns = MAX(grid->begin_ns, frame->begin_ns), end_ns = MIN(grid->end_ns, frame->end_ns);
    const guint64 first = tnd_grid_tree_first_bin(grid), end = ((end_ns - 1) >> grid->shift) + 1;
    double x = after(frame, begin_ns);
    for (guint64 bin = begin_ns >> grid->shift; bin < end && frame->debts; bin++) {
        const double until = after(frame, MIN((bin + 1) << grid->shift, end_ns));
        add_piece(frame, x, until, rank_of_bin(grid, bin - first, are_codes), are_codes);
        x = until;
    }
    if (frame->debts)
        return;
    /* Where column 0 begins, and how wide columns are, in bins. */
    const double per_ns = 1 / (double)(G_GUINT64_CONSTANT(1) << grid->shift);
    const double origin = (double)(gint64)(frame->begin_ns - (first << grid->shift)) * per_ns;
    const double width = per_ns / frame->per_ns, last = grid->n_bins - 1.0;
    const gint column = column_from(frame, x), end_column = column_from(frame, after(frame, end_ns));
    tnd_grid_tree_turn_to(frame, column, are_codes);
    for (Wanted at = wanted_from(frame, column); at.column < end_column; at = wanted_after(frame, at)) {
        const double bin = origin + (at.column + place_in(frame, at.column)) * width;
        tnd_grid_tree_set_rank(frame->columns, at.column, rank_of_bin(grid, (guint64)CLAMP(bin, 0, last), are_codes),
                               are_codes);
    }
    frame->n_done = MAX(end_column, frame->n_done);
}

void tnd_grid_samples_read(Frame *frame, const Grid *grid)
{
    if (frame->grids->codes)
        read_grid(frame, grid, TRUE);
    else
        read_grid(frame, grid, FALSE);
}

void tnd_grid_samples_finish(Frame *frame)
{
    const gboolean are_codes = frame->grids->codes != NULL;
    if (frame->debts && frame->choice.most > nobody.most && frame->n_done < frame->n_columns)
        tnd_grid_tree_set_rank(frame->columns, frame->n_done++, frame->choice.best, are_codes);
    g_free(frame->debts);
}
