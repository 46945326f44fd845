/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bands are read in parallel, row by row, and encoded while their values are in the cache.  If a value has no code, all
 * bands are read again as values: this is rare, and found out in the first bands.
 */
#include "viewer/paint/cells.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/value_codes.h"

#include <math.h>
#include <string.h>

enum { MOST_ITEMS = 64, STEP = 64, EQUAL = 16, MANY_CELLS = 1 << 16 };

/* Whether rows that share a pixel take turns, in which case they are chosen before their cells are known. */
static gboolean take_turns(TndDrawMode mode)
{
    return mode != TND_MODE_MAXIMUM && mode != TND_MODE_MINIMUM;
}

static gboolean wins(TndDrawMode mode, double candidate, double current)
{
    if (isnan(current) || isnan(candidate))
        return isnan(current);
    if (mode == TND_MODE_MINIMUM)
        return candidate != 0 && (current == 0 || fabs(candidate) < fabs(current));
    return fabs(candidate) > fabs(current);
}

static void merge_values(TndDrawMode mode, double *to, const double *from, guint n_columns)
{
    for (guint c = 0; c < n_columns; c++)
        if (wins(mode, from[c], to[c]))
            to[c] = from[c];
}

/* Loops with a fixed number of steps, so that the compiler vectorises them. */

static inline void merge_largest(guint16 *restrict to, const guint16 *restrict from)
{
    for (guint i = 0; i < STEP; i++)
        to[i] = MAX(to[i], from[i]);
}

/* Codes up to `zero` are no values, the largest code of all is none, either. */
static inline void merge_smallest(guint16 *restrict to, const guint16 *restrict from, guint16 zero)
{
    for (guint i = 0; i < STEP; i++) {
        guint16 a = to[i] > zero ? to[i] : (guint16)(to[i] | 0xfff0), b = from[i];
        b = b > zero ? b : (guint16)(b | 0xfff0);
        a = MIN(a, b);
        to[i] = a >= 0xfff0 ? MAX(to[i], from[i]) : a;
    }
}

/* Those whose numbers, `number` and what is in `steps`, are not less than `least`.  Signed, because there are
 * instructions for that. */
static inline void merge_turn(guint16 *restrict to, const guint16 *restrict from, const guint16 *restrict steps,
                              guint16 number, guint16 least)
{
    const gint16 bound = (gint16)(least ^ 0x8000);
    for (guint i = 0; i < STEP; i++) {
        const gint16 is = (gint16)((guint16)(steps[i] + number) ^ 0x8000);
        const guint16 mask = (guint16)(is >= bound ? 0xffff : 0);
        to[i] = (guint16)((from[i] & mask) | (to[i] & ~mask));
    }
}

static void merge_codes(const TndCells *cells, guint16 *to, const guint16 *from)
{
    for (guint at = 0; at < cells->stride; at += STEP)
        if (cells->mode == TND_MODE_MINIMUM)
            merge_smallest(to + at, from + at, cells->zero);
        else
            merge_largest(to + at, from + at);
}

/* A division of n rows among fewer bands: if rows take turns, with fractions of rows, in 65536ths. */
typedef struct {
    guint n_rows, n_bands;
    gboolean has_turns;
    guint32 first_column;
    guint32 seed; /* shares of different seeds have their turns in different columns */
} Share;

static guint64 share_at(const Share *share, guint band)
{
    return ((guint64)band << 16) * share->n_rows / share->n_bands;
}

/* The first row of a band, and the one after its last.  If rows take turns, neighbours may share one. */
static void find_rows(const Share *share, guint band, guint *from, guint *to)
{
    *from = (guint)((share_at(share, band) + (share->has_turns ? 0 : 0xffff)) >> 16);
    *to = (guint)((share_at(share, band + 1) + 0xffff) >> 16);
}

/* The turn of a row of a band, counted from the band's first: it is shown, instead of those before it, in the columns
 * whose numbers are not less than *least.  FALSE: in none. */
static gboolean find_turn(const Share *share, guint band, guint row, guint16 *number, guint16 *least)
{
    const guint64 begin = share_at(share, band), height = share_at(share, band + 1) - begin;
    const guint64 above = row ? (((guint64)row << 16) - (begin & 0xffff)) << 16 : 0;
    const guint32 phase = (share->seed + band + 1) * 0x9e3779b1u;
    *number = (guint16)((phase ^ phase >> 15) + share->first_column * TND_TURN_STEP);
    *least = (guint16)((above + height - 1) / height);
    return above <= 0xffff * height;
}

/* The columns in which a row is shown, of n that are added to a band one after the other.  FALSE: there are none. */
static gboolean find_own_columns(const Share *share, guint band, guint row, guint n, TndTurn *turn)
{
    guint16 number, least, next;
    if (!find_turn(share, band, row, &number, &least))
        return FALSE;
    const gboolean is_last = row + 1 == n || !find_turn(share, band, row + 1, &number, &next);
    *turn = (TndTurn){(guint16)(number - least), (is_last ? 1u << 16 : next) - least};
    return turn->n > 0;
}

/* Adds a row to a band as its row-th one. */
static void add_codes(const TndCells *cells, const Share *share, guint band, guint row, guint16 *to,
                      const guint16 *from)
{
    guint16 number, least;
    if (row == 0)
        memcpy(to, from, cells->stride * sizeof *to);
    else if (!share->has_turns)
        merge_codes(cells, to, from);
    else if (find_turn(share, band, row, &number, &least)) {
        guint16 steps[STEP];
        for (guint i = 0; i < STEP; i++)
            steps[i] = (guint16)(i * TND_TURN_STEP);
        for (guint at = 0; at < cells->stride; at += STEP)
            merge_turn(to + at, from + at, steps, (guint16)(number + at * TND_TURN_STEP), least);
    }
}

static void add_values(const TndCells *cells, const Share *share, guint band, guint row, double *to, const double *from)
{
    guint16 number, least;
    if (row == 0)
        memcpy(to, from, cells->n_columns * sizeof *to);
    else if (!share->has_turns)
        merge_values(cells->mode, to, from, cells->n_columns);
    else if (find_turn(share, band, row, &number, &least))
        for (guint c = 0; c < cells->n_columns; c++)
            to[c] = (guint16)(number + c * TND_TURN_STEP) >= least ? from[c] : to[c];
}

typedef struct {
    TndCells *cells;
    TndView *view;
    const TndRowOrder *order;
    TndDrawMode mode; /* to read cells of the mode */
    guint64 begin_ns, end_ns;
    guint first_row, n_rows, n_items; /* n_rows: lines */
    gboolean have_life;               /* rows are threads, values their states */
    gboolean is_lost;                 /* atomic: a value has no code */
    guint8 *has;                      /* atomic: whether a code occurs */
} Reading;

/* The columns [*from, *to) are within the thread's life.  Outside of it there is no state, not even Idle. */
static void find_life(const Reading *reading, guint row, guint *from, guint *to)
{
    const TndThread *thread = tnd_trace_thread(tnd_view_trace(reading->view), row);
    const guint n = reading->cells->n_columns;
    const double column_ns = (double)(reading->end_ns - reading->begin_ns) / n;
    const double first = (double)thread->begin_ns - (double)reading->begin_ns;
    const double last = (double)thread->end_ns - (double)reading->begin_ns;
    *from = *to = 0;
    if (!thread->n_states)
        return;
    *from = (guint)CLAMP(first / column_ns - 2, 0, n); /* not exact, so the loops below correct it */
    *to = (guint)CLAMP(last / column_ns - 2, 0, n);
    while (*from < n && (*from + 1) * column_ns <= first)
        ++*from;
    while (*to < n && *to * column_ns < last)
        ++*to;
    *from = MIN(*from, *to);
    if (take_turns(reading->cells->mode)) { /* 0 in a column at an end may be that of the time outside */
        *from += *from < *to && *from * column_ns < first;
        *to -= *from<*to && * to * column_ns> last;
    }
}

static void blank_codes(guint16 *codes, guint from, guint to)
{
    for (guint c = from; c < to; c++)
        if (codes[c] == TND_VALUE_CODES_OF_ZERO)
            codes[c] = 0;
}

static void blank_values(double *values, guint from, guint to)
{
    for (guint c = from; c < to; c++)
        if (values[c] == 0)
            values[c] = NAN;
}

/* Writes only if the code was not seen before, which is rare: a write would make the other cores wait for the line. */
static inline void note_code(const Reading *reading, guint16 code)
{
    if (!__atomic_load_n(&reading->has[code], __ATOMIC_RELAXED))
        __atomic_store_n(&reading->has[code], 1, __ATOMIC_RELAXED);
}

static inline gboolean are_equal(const guint16 *codes)
{
    guint differ = 0;
    for (guint i = 0; i < EQUAL; i++)
        differ |= (guint)(codes[i] ^ codes[0]);
    return !differ;
}

/* Neighbouring cells are often equal: then only the first of them is noted. */
static void note_codes(const Reading *reading, const guint16 *codes)
{
    const guint n = reading->cells->n_columns;
    guint c = 0;
    for (; c + EQUAL <= n; c += EQUAL)
        for (guint i = 0, n_different = are_equal(codes + c) ? 1 : EQUAL; i < n_different; i++)
            note_code(reading, codes[c + i]);
    for (; c < n; c++)
        note_code(reading, codes[c]);
}

/* FALSE: a value has no code. */
static gboolean read_row_codes(const Reading *reading, guint row, const TndTurn *turn, guint16 *codes)
{
    const guint n = reading->cells->n_columns;
    if (!tnd_view_codes(reading->view, row, reading->begin_ns, reading->end_ns, n, reading->mode, turn, codes))
        return FALSE;
    if (reading->have_life) {
        guint begin, end;
        find_life(reading, row, &begin, &end);
        blank_codes(codes, 0, begin);
        blank_codes(codes, end, n);
    }
    return TRUE;
}

static void read_row_values(const Reading *reading, guint row, double *values)
{
    const guint n = reading->cells->n_columns;
    tnd_view_columns(reading->view, row, reading->begin_ns, reading->end_ns, n, reading->mode, values);
    if (reading->have_life) {
        guint begin, end;
        find_life(reading, row, &begin, &end);
        blank_values(values, 0, begin);
        blank_values(values, end, n);
    }
}

/* What a work item needs for its bands, one after the other. */
typedef struct {
    Share share;
    guint16 *codes, *folded_codes; /* a line of several in a band, and a row of several in a line */
    double *values, *folded_values;
    guint line; /* which is in codes or values; G_MAXUINT: none */
} Room;

/* Reads a line, whose rows share it as lines share a band; a line of one row only in the columns of its turn, unless
 * that is NULL.  FALSE: a value has no code. */
static gboolean read_line(const Reading *reading, const Room *room, guint line, const TndTurn *turn, guint16 *codes,
                          double *values)
{
    const TndCells *cells = reading->cells;
    const guint n = tnd_row_order_n_rows(reading->order, reading->first_row, line);
    const Share share = {n, 1, room->share.has_turns, cells->first_column, (line + 1) << 16};
    for (guint i = 0; i < n; i++) {
        const guint row = tnd_row_order_row_at(reading->order, reading->first_row, line, i);
        if (values) {
            read_row_values(reading, row, n > 1 ? room->folded_values : values);
            if (n > 1)
                add_values(cells, &share, 0, i, values, room->folded_values);
        } else {
            if (!read_row_codes(reading, row, n > 1 ? NULL : turn, n > 1 ? room->folded_codes : codes))
                return FALSE;
            if (n > 1)
                add_codes(cells, &share, 0, i, codes, room->folded_codes);
        }
    }
    return TRUE;
}

/* Reads a line for a band of the lines [first, to).  If a large part of it is also in another band, it is read as a
 * whole, and kept for that.  FALSE: a value has no code. */
static gboolean add_line(const Reading *reading, Room *room, guint band, guint first, guint to, guint line)
{
    const TndCells *cells = reading->cells;
    const Share *share = &room->share;
    const gsize at = (gsize)band * cells->stride;
    const gboolean is_kept = share->n_rows < 2 * share->n_bands;
    TndTurn turn;
    if (share->has_turns && !find_own_columns(share, band, line - first, to - first, &turn))
        return TRUE;
    if (room->line != line &&
        !read_line(reading, room, line, share->has_turns && !is_kept ? &turn : NULL, room->codes, room->values))
        return FALSE;
    room->line = is_kept ? line : G_MAXUINT;
    if (cells->values)
        add_values(cells, share, band, line - first, cells->values + at, room->values);
    else
        add_codes(cells, share, band, line - first, cells->codes + at, room->codes);
    return TRUE;
}

/* FALSE: a value has no code. */
static gboolean read_band(const Reading *reading, Room *room, guint band)
{
    const TndCells *cells = reading->cells;
    const gsize at = (gsize)band * cells->stride;
    gboolean have_codes = TRUE;
    guint from, to;
    find_rows(&room->share, band, &from, &to);
    if (to - from > 1)
        for (guint line = from; have_codes && line < to; line++)
            have_codes = add_line(reading, room, band, from, to, line);
    else
        have_codes = read_line(reading, room, from, NULL, cells->codes ? cells->codes + at : NULL,
                               cells->values ? cells->values + at : NULL);
    if (have_codes && reading->has)
        note_codes(reading, cells->codes + at);
    return have_codes;
}

static void read_bands(guint item, gpointer data)
{
    Reading *reading = data;
    TndCells *cells = reading->cells;
    Room room = {.share = {reading->n_rows, cells->n_bands, take_turns(cells->mode), cells->first_column},
                 .codes = g_new0(guint16, cells->stride),
                 .folded_codes = g_new(guint16, cells->stride),
                 .values = cells->values ? g_new0(double, cells->stride) : NULL,
                 .folded_values = cells->values ? g_new0(double, cells->stride) : NULL,
                 .line = G_MAXUINT};
    const guint first = (guint)((guint64)item * cells->n_bands / reading->n_items);
    const guint end = (guint)((item + (guint64)1) * cells->n_bands / reading->n_items);
    for (guint band = first; band < end && !g_atomic_int_get(&reading->is_lost); band++)
        if (!read_band(reading, &room, band))
            g_atomic_int_set(&reading->is_lost, TRUE);
    g_free(room.codes);
    g_free(room.folded_codes);
    g_free(room.values);
    g_free(room.folded_values);
}

typedef struct {
    double value;
    gsize n_cells;
} Seen;

static gint by_value(gconstpointer a, gconstpointer b)
{
    double x = ((const Seen *)a)->value, y = ((const Seen *)b)->value;
    return x < y ? -1 : x > y;
}

static gint by_area(gconstpointer a, gconstpointer b)
{
    const Seen *x = a, *y = b;
    return x->n_cells != y->n_cells ? (x->n_cells > y->n_cells ? -1 : 1) : by_value(a, b);
}

static void set_seen(TndCells *cells, GArray *seen)
{
    g_array_sort(seen, seen->len > TND_CELLS_FEW ? by_area : by_value);
    cells->n_seen = seen->len;
    cells->seen = g_new(double, seen->len);
    for (guint i = 0; i < seen->len; i++)
        cells->seen[i] = g_array_index(seen, Seen, i).value;
    g_array_unref(seen);
}

/* The number of cells of each code.  Neighbouring cells, which are mostly equal, have counters of their own: an
 * addition would have to wait for the one before if both were to the same counter. */
static gsize *count_codes(const TndCells *cells)
{
    enum { APART = 4 };
    gsize *counts = g_new0(gsize, (gsize)cells->n_codes * APART);
    for (guint band = 0; band < cells->n_bands; band++) {
        const guint16 *codes = cells->codes + (gsize)band * cells->stride;
        for (guint c = 0; c < cells->n_columns; c++)
            counts[codes[c] * APART + c % APART]++;
    }
    for (guint code = 0; code < cells->n_codes; code++)
        counts[code] =
            counts[code * APART] + counts[code * APART + 1] + counts[code * APART + 2] + counts[code * APART + 3];
    return counts;
}

/* The codes are counted only if there are more than TND_CELLS_FEW. */
static void collect_codes(TndCells *cells, const guint8 *has)
{
    GArray *seen = g_array_new(FALSE, FALSE, sizeof(Seen));
    for (guint code = 0; code < TND_VALUE_CODES_MOST; code++) {
        Seen one = {code - (double)TND_VALUE_CODES_OF_ZERO, 0};
        if (!has[code])
            continue;
        cells->n_codes = code + 1;
        cells->has_none |= code < TND_VALUE_CODES_OF_ZERO;
        if (code >= TND_VALUE_CODES_OF_ZERO)
            g_array_append_val(seen, one);
    }
    gsize *counts = seen->len > TND_CELLS_FEW ? count_codes(cells) : NULL;
    for (guint i = 0; counts && i < seen->len; i++) {
        Seen *one = &g_array_index(seen, Seen, i);
        one->n_cells = counts[(guint)one->value + TND_VALUE_CODES_OF_ZERO];
    }
    g_free(counts);
    set_seen(cells, seen);
}

static void collect_values(TndCells *cells)
{
    GHashTable *index = g_hash_table_new(g_double_hash, g_double_equal); /* a cell's value to its place in `seen` + 1 */
    GArray *seen = g_array_new(FALSE, FALSE, sizeof(Seen));
    for (guint band = 0; band < cells->n_bands; band++) {
        double *values = cells->values + (gsize)band * cells->stride;
        guint place = 0;
        for (guint c = 0; c < cells->n_columns; c++) {
            cells->has_none |= isnan(values[c]) != 0;
            if (isnan(values[c]))
                continue;
            if (c == 0 || values[c] != values[c - 1])
                place = GPOINTER_TO_UINT(g_hash_table_lookup(index, &values[c]));
            if (!place) {
                Seen first = {values[c], 0};
                g_array_append_val(seen, first);
                place = seen->len;
                g_hash_table_insert(index, &values[c], GUINT_TO_POINTER(place));
            }
            g_array_index(seen, Seen, place - 1).n_cells++;
        }
    }
    g_hash_table_destroy(index);
    set_seen(cells, seen);
}

static gboolean fill_codes(Reading *reading)
{
    TndCells *cells = reading->cells;
    const gboolean are_codes = tnd_view_rule(reading->view)->palette == TND_PALETTE_CODE;
    cells->codes = g_new(guint16, (gsize)cells->n_bands * cells->stride);
    cells->n_codes = TND_VALUE_CODES_GRADIENT;
    reading->has = are_codes ? g_new0(guint8, TND_VALUE_CODES_MOST) : NULL;
    tnd_cores_run(reading->n_items, read_bands, reading);
    if (reading->is_lost)
        g_clear_pointer(&cells->codes, g_free);
    else if (are_codes)
        collect_codes(cells, reading->has);
    g_clear_pointer(&reading->has, g_free);
    return !reading->is_lost;
}

static void fill_values(Reading *reading)
{
    TndCells *cells = reading->cells;
    cells->values = g_new(double, (gsize)cells->n_bands * cells->stride);
    reading->is_lost = FALSE;
    tnd_cores_run(reading->n_items, read_bands, reading);
    if (tnd_view_rule(reading->view)->palette == TND_PALETTE_CODE)
        collect_values(cells);
}

TndCells *tnd_cells_new(TndView *view, TndDrawMode mode, const TndRowOrder *order, gboolean are_values,
                        guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row, guint n_columns,
                        guint most_bands)
{
    const guint n_rows = tnd_row_order_n_lines(order, first_row, last_row);
    TndCells *cells = g_new0(TndCells, 1);
    cells->mode = mode;
    cells->zero = tnd_view_rule(view)->palette == TND_PALETTE_CODE ? TND_VALUE_CODES_OF_ZERO : 0;
    cells->first_column = (guint32)(guint64)((double)begin_ns / (double)(end_ns - begin_ns) * n_columns + 0.5);
    cells->n_bands = CLAMP(n_rows, 1, MAX(most_bands, 1));
    cells->n_columns = n_columns;
    cells->stride = (n_columns + TND_VIEW_CODES_SLACK + STEP - 1) / STEP * STEP;
    cells->lines = g_new(guint, cells->n_bands);
    for (guint band = 0; band < cells->n_bands; band++)
        cells->lines[band] = band;
    Reading reading = {.cells = cells,
                       .view = view,
                       .order = order,
                       .mode = mode,
                       .begin_ns = begin_ns,
                       .end_ns = end_ns,
                       .first_row = first_row,
                       .n_rows = n_rows,
                       .n_items = MIN(cells->n_bands, MOST_ITEMS),
                       .have_life = tnd_view_rule(view)->are_states && tnd_view_level(view) == TND_LEVEL_THREAD};
    /* Of many cells, random ones have nearly the same shares, for a part of the cost. */
    if (mode == TND_MODE_TIME && (guint64)n_rows * n_columns > MANY_CELLS)
        reading.mode = TND_MODE_RANDOM;
    if (are_values || !fill_codes(&reading))
        fill_values(&reading);
    return cells;
}

void tnd_cells_limit(TndCells *cells, guint most_bands)
{
    const guint n_bands = MIN(cells->n_bands, MAX(most_bands, 1));
    const Share share = {cells->n_bands, n_bands, take_turns(cells->mode), cells->first_column};
    for (guint band = 0; band < n_bands && n_bands < cells->n_bands; band++) {
        guint first, to;
        find_rows(&share, band, &first, &to);
        cells->lines[band] = first; /* in place: no later band needs it */
        for (guint from = first + 1; from < to; from++) {
            const gsize at = (gsize)first * cells->stride, other = (gsize)from * cells->stride;
            if (cells->codes)
                add_codes(cells, &share, band, from - first, cells->codes + at, cells->codes + other);
            else
                add_values(cells, &share, band, from - first, cells->values + at, cells->values + other);
        }
    }
    cells->n_bands = n_bands;
}

void tnd_cells_free(TndCells *cells)
{
    if (!cells)
        return;
    g_free(cells->lines);
    g_free(cells->codes);
    g_free(cells->values);
    g_free(cells->seen);
    g_free(cells);
}

gboolean tnd_cells_range(const TndCells *cells, double *minimum, double *maximum)
{
    double least = INFINITY, most = -INFINITY;
    for (guint band = 0; cells->values && band < cells->n_bands; band++) {
        const double *values = cells->values + (gsize)cells->lines[band] * cells->stride;
        for (guint c = 0; c < cells->n_columns; c++)
            if (values[c] != 0 && !isnan(values[c])) {
                least = MIN(least, values[c]);
                most = MAX(most, values[c]);
            }
    }
    if (least > most)
        return FALSE;
    *minimum = least;
    *maximum = most;
    return TRUE;
}

void tnd_cells_band(guint n_bands, guint band, double height, double *top, double *bottom)
{
    double step = height / n_bands;
    double gap = step < 4 ? 0 : MIN(MAX(floor(step * 0.22), 1), 8);
    *top = floor(band * step) + floor(gap / 2);
    *bottom = MAX(floor((band + 1) * step) - ceil(gap / 2), *top + 1);
}
