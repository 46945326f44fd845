/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bands are read in parallel, row by row, and encoded while their values are in the cache.  If a value has no code, all
 * bands are read again as values: this is rare, and found out in the first bands.
 */
#include "viewer/paint/cells.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/value_codes.h"

#include <math.h>

enum { MOST_ITEMS = 64, STEP = 64, EQUAL = 16 };

static gboolean wins(double candidate, double current)
{
    return isnan(current) || (!isnan(candidate) && fabs(candidate) > fabs(current));
}

static void merge_values(double *to, const double *from, guint n_columns)
{
    for (guint c = 0; c < n_columns; c++)
        if (wins(from[c], to[c]))
            to[c] = from[c];
}

/* A fixed number of steps, so that the compiler vectorises the loop. */
static inline void merge_step(guint16 *restrict to, const guint16 *restrict from)
{
    for (guint i = 0; i < STEP; i++)
        to[i] = MAX(to[i], from[i]);
}

/* n is a multiple of STEP. */
static void merge_codes(guint16 *to, const guint16 *from, guint n)
{
    for (guint at = 0; at < n; at += STEP)
        merge_step(to + at, from + at);
}

typedef struct {
    TndCells *cells;
    TndView *view;
    const TndRowOrder *order;
    guint64 begin_ns, end_ns;
    guint first_row, n_rows, n_items;
    gboolean have_life; /* rows are threads, values their states */
    gboolean is_lost;   /* atomic: a value has no code */
    guint8 *has;        /* atomic: whether a code occurs */
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

/* Reads a band, which is the lines [from, to).  FALSE: a value has no code. */
static gboolean read_codes(const Reading *reading, guint from, guint to, guint16 *codes, guint16 *room)
{
    const TndCells *cells = reading->cells;
    for (guint line = from; line < to; line++) {
        const guint row = tnd_row_order_row(reading->order, reading->first_row, line);
        guint16 *these = line == from ? codes : room;
        if (!tnd_view_codes(reading->view, row, reading->begin_ns, reading->end_ns, cells->n_columns, these))
            return FALSE;
        if (reading->have_life) {
            guint begin, end;
            find_life(reading, row, &begin, &end);
            blank_codes(these, 0, begin);
            blank_codes(these, end, cells->n_columns);
        }
        if (line != from)
            merge_codes(codes, room, cells->stride);
    }
    if (reading->has)
        note_codes(reading, codes);
    return TRUE;
}

static void read_values(const Reading *reading, guint from, guint to, double *band, double *values)
{
    const TndCells *cells = reading->cells;
    for (guint line = from; line < to; line++) {
        const guint row = tnd_row_order_row(reading->order, reading->first_row, line);
        double *these = line == from ? band : values;
        tnd_view_columns(reading->view, row, reading->begin_ns, reading->end_ns, cells->n_columns, these);
        if (reading->have_life) {
            guint begin, end;
            find_life(reading, row, &begin, &end);
            blank_values(these, 0, begin);
            blank_values(these, end, cells->n_columns);
        }
        if (line != from)
            merge_values(band, values, cells->n_columns);
    }
}

/* The first line of a band. */
static guint line_of(const Reading *reading, guint band)
{
    const guint64 n_bands = reading->cells->n_bands;
    return (guint)((band * (guint64)reading->n_rows + n_bands - 1) / n_bands);
}

static void read_bands(guint item, gpointer data)
{
    Reading *reading = data;
    TndCells *cells = reading->cells;
    double *values = g_new0(double, cells->stride);
    guint16 *room = g_new(guint16, cells->stride);
    const guint first = (guint)((guint64)item * cells->n_bands / reading->n_items);
    const guint end = (guint)((item + (guint64)1) * cells->n_bands / reading->n_items);
    for (guint band = first; band < end && !g_atomic_int_get(&reading->is_lost); band++) {
        const guint from = line_of(reading, band), to = line_of(reading, band + 1);
        const gsize at = (gsize)band * cells->stride;
        if (cells->values)
            read_values(reading, from, to, cells->values + at, values);
        else if (!read_codes(reading, from, to, cells->codes + at, room))
            g_atomic_int_set(&reading->is_lost, TRUE);
    }
    g_free(values);
    g_free(room);
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

TndCells *tnd_cells_new(TndView *view, const TndRowOrder *order, gboolean are_values, guint64 begin_ns, guint64 end_ns,
                        guint first_row, guint last_row, guint n_columns, guint most_bands)
{
    const guint n_rows = tnd_row_order_n_lines(order, first_row, last_row);
    TndCells *cells = g_new0(TndCells, 1);
    cells->n_bands = CLAMP(n_rows, 1, MAX(most_bands, 1));
    cells->n_columns = n_columns;
    cells->stride = (n_columns + TND_VIEW_CODES_SLACK + STEP - 1) / STEP * STEP;
    cells->lines = g_new(guint, cells->n_bands);
    for (guint band = 0; band < cells->n_bands; band++)
        cells->lines[band] = band;
    Reading reading = {.cells = cells,
                       .view = view,
                       .order = order,
                       .begin_ns = begin_ns,
                       .end_ns = end_ns,
                       .first_row = first_row,
                       .n_rows = n_rows,
                       .n_items = MIN(cells->n_bands, MOST_ITEMS),
                       .have_life = tnd_view_rule(view)->are_states && tnd_view_level(view) == TND_LEVEL_THREAD};
    if (are_values || !fill_codes(&reading))
        fill_values(&reading);
    return cells;
}

void tnd_cells_limit(TndCells *cells, guint most_bands)
{
    guint n_bands = MIN(cells->n_bands, MAX(most_bands, 1)), last = 0;
    for (guint b = 1; b < cells->n_bands && n_bands < cells->n_bands; b++) {
        guint band = (guint)((guint64)b * n_bands / cells->n_bands);
        gsize to = (gsize)cells->lines[band] * cells->stride, from = (gsize)cells->lines[b] * cells->stride;
        if (band != last)
            cells->lines[band] = cells->lines[b];
        else if (cells->codes)
            merge_codes(cells->codes + to, cells->codes + from, cells->stride);
        else
            merge_values(cells->values + to, cells->values + from, cells->n_columns);
        last = band;
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
