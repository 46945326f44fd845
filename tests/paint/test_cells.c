/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells against what a view says of each row and column, merged one by one: each pixel, and the values that occur.
 */
#include "analysis/bursts/value_codes.h"
#include "tests/unit/make_trace.h"
#include "viewer/paint/cell_picture.h"

#include <math.h>

enum { N_COLUMNS = 333, HEIGHT = 240, END_NS = 10000 };

/* Threads that live for a part of the time, in one of n_states states; events of small or of any numbers, and of a
 * counter. */
static TndTrace *make_random(GRand *chance, guint n_rows, guint n_states, gboolean is_odd)
{
    static const gint64 odd[] = {-7, 40000, 1000000000000, 0, 3};
    TndTraceBuild *build = make_trace(n_rows, END_NS, 1);
    for (guint task = 1; task <= n_rows; task++) {
        guint64 at = (guint64)g_rand_int_range(chance, 0, 4000);
        while (at < 9000 && task % 7 != 5) { /* some never live */
            guint64 next = at + (guint64)g_rand_int_range(chance, 1, 600);
            add_state(build, task, at, next, (guint32)g_rand_int_range(chance, 0, (gint32)n_states));
            gint64 value = g_rand_int_range(chance, 0, 9) ? g_rand_int_range(chance, 0, 30) : 32767;
            add_event(build, task, at, 90000001, is_odd ? odd[g_rand_int_range(chance, 0, 5)] : value);
            add_event(build, task, at, 42000050, g_rand_int_range(chance, 0, 1000));
            at = next;
        }
    }
    return tnd_trace_build_finish(build, NULL, NULL);
}

static gboolean is_outside_life(const TndThread *thread, guint column, double column_ns)
{
    return !thread->n_states || (column + 1) * column_ns <= (double)thread->begin_ns ||
           column * column_ns >= (double)thread->end_ns;
}

/* Cells one by one, of `most` bands. */
static double *make_naive(TndView *view, guint n_rows, guint most, guint *n_bands)
{
    const TndTrace *trace = tnd_view_trace(view);
    gboolean is_state = g_str_equal(tnd_view_rule(view)->name, "state");
    *n_bands = MIN(n_rows, most);
    double *naive = g_new(double, *n_bands *N_COLUMNS), values[N_COLUMNS];
    for (guint i = 0; i < *n_bands * N_COLUMNS; i++)
        naive[i] = NAN;
    for (guint row = 0; row < n_rows; row++) {
        tnd_view_columns(view, row, 0, END_NS, N_COLUMNS, TND_MODE_MAXIMUM, values);
        for (guint c = 0; c < N_COLUMNS; c++) {
            double *cell = &naive[row * *n_bands / n_rows * N_COLUMNS + c];
            if (is_state && values[c] == 0 &&
                is_outside_life(tnd_trace_thread(trace, row), c, (double)END_NS / N_COLUMNS))
                continue;
            if (isnan(*cell) || fabs(values[c]) > fabs(*cell))
                *cell = values[c];
        }
    }
    return naive;
}

static void check_seen(const TndCells *cells, const double *naive)
{
    GHashTable *found = g_hash_table_new(g_double_hash, g_double_equal);
    for (guint i = 0; i < cells->n_bands * N_COLUMNS; i++)
        if (!isnan(naive[i]))
            g_hash_table_add(found, (gpointer)&naive[i]);
    g_assert_cmpuint(cells->n_seen, ==, g_hash_table_size(found));
    gsize before = G_MAXSIZE;
    for (guint i = 0; i < cells->n_seen; i++) {
        gsize n = 0;
        g_assert_true(g_hash_table_contains(found, &cells->seen[i]));
        for (guint j = 0; j < cells->n_bands * N_COLUMNS; j++)
            n += naive[j] == cells->seen[i];
        if (cells->n_seen > TND_CELLS_FEW) {
            g_assert_cmpuint(n, <=, before);
            before = n;
        } else if (i) {
            g_assert_cmpfloat(cells->seen[i - 1], <, cells->seen[i]);
        }
    }
    g_hash_table_unref(found);
}

static guint apart(guint32 a, guint32 b)
{
    guint most = 0;
    for (guint shift = 0; shift < 24; shift += 8)
        most = MAX(most, (guint)abs((int)(a >> shift & 255) - (int)(b >> shift & 255)));
    return most;
}

/* is_apart: painted to a surface that cairo keeps to itself. */
static void check_pixels(const TndCells *cells, const TndPaletteScale *scale, const double *naive, guint n_bands,
                         gboolean is_apart)
{
    enum { LEFT = 7, TOP = 5 };
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, N_COLUMNS + 2 * LEFT, HEIGHT + 2 * TOP);
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1, 0, 1);
    cairo_paint(cr);
    if (is_apart)
        cairo_push_group(cr);
    const TndRectangle canvas = {LEFT, TOP, N_COLUMNS, HEIGHT};
    g_assert_cmpint(tnd_cell_picture_covers(cells, cr, canvas), ==, !is_apart);
    tnd_cell_picture_paint(cells, scale, cr, canvas);
    if (is_apart) {
        cairo_pop_group_to_source(cr);
        cairo_paint(cr);
    }
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    guint32 wanted[HEIGHT + 2 * TOP];
    gsize stride = (gsize)cairo_image_surface_get_stride(surface) / 4;
    const guint32 *pixels = (const guint32 *)(gpointer)cairo_image_surface_get_data(surface);
    for (guint x = 0; x < N_COLUMNS + 2 * LEFT; x++) {
        gboolean is_inside = x >= LEFT && x < LEFT + N_COLUMNS;
        for (guint y = 0; y < HEIGHT + 2 * TOP; y++)
            wanted[y] = is_inside && y >= TOP && y < TOP + HEIGHT ? TND_CANVAS : 0xff00ff;
        for (guint band = 0; is_inside && band < n_bands; band++) {
            double top, bottom;
            tnd_cells_band(n_bands, band, HEIGHT, &top, &bottom);
            for (double y = top; y < bottom; y++)
                wanted[TOP + (guint)y] = tnd_palette_colour(scale, naive[band * N_COLUMNS + x - LEFT]);
        }
        for (guint y = 0; y < HEIGHT + 2 * TOP; y++)
            g_assert_cmpuint(apart(pixels[y * stride + x], wanted[y]), <=, scale->kind == TND_PALETTE_GRADIENT);
    }
    cairo_surface_destroy(surface);
}

static void check_view(const TndTrace *trace, const char *name, gboolean has_codes, gboolean knows_scale)
{
    enum { MOST = 300 }; /* before it is known how many there is room for */
    guint n_rows = tnd_trace_n_threads(trace), n_bands, n_limited;
    TndView *view = tnd_view_new(trace, name, NULL);
    TndPaletteScale scale = tnd_palette_scale(view);
    TndCells *cells =
        tnd_cells_new(view, TND_MODE_MAXIMUM, NULL, !knows_scale, 0, END_NS, 0, n_rows - 1, N_COLUMNS, MOST);
    double *naive = make_naive(view, n_rows, MOST, &n_bands), minimum, maximum;
    g_assert_cmpint(cells->codes != NULL, ==, has_codes);
    if (scale.kind == TND_PALETTE_CODE)
        check_seen(cells, naive);
    if (!knows_scale && tnd_cells_range(cells, &minimum, &maximum)) {
        g_assert_cmpfloat(minimum, >=, scale.minimum);
        g_assert_cmpfloat(maximum, ==, scale.maximum);
    }
    tnd_cells_limit(cells, HEIGHT);
    n_limited = MIN(n_bands, HEIGHT);
    g_assert_cmpuint(cells->n_bands, ==, n_limited);
    for (guint band = 0; band < n_bands; band++) /* in place: a band goes to itself, or before */
        for (guint c = 0; c < N_COLUMNS; c++) {
            guint to = band * n_limited / n_bands;
            gboolean is_first = band == 0 || (band - 1) * n_limited / n_bands != to;
            double *cell = &naive[to * N_COLUMNS + c], value = naive[band * N_COLUMNS + c];
            if (is_first || isnan(*cell) || fabs(value) > fabs(*cell))
                *cell = value;
        }
    check_pixels(cells, &scale, naive, n_limited, FALSE);
    check_pixels(cells, &scale, naive, n_limited, TRUE);
    g_free(naive);
    tnd_cells_free(cells);
    tnd_view_free(view);
}

static void test_cells(void)
{
    static const guint sizes[] = {1, 9, 60, 290, 1000};
    GRand *chance = g_rand_new_with_seed(20);
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        for (gboolean is_odd = FALSE; is_odd <= TRUE; is_odd++) {
            TndTrace *trace = make_random(chance, sizes[i], is_odd ? 13 : 60, is_odd);
            check_view(trace, "state", TRUE, TRUE);
            check_view(trace, "user-events:90000001", !is_odd, TRUE);
            check_view(trace, "counter:42000050", TRUE, TRUE);
            check_view(trace, "counter:42000050", FALSE, FALSE);
            tnd_trace_free(trace);
        }
    g_rand_free(chance);
}

/* Codes are as fine as colours, on both scales; their ends are exact. */
static void test_gradient_codes(void)
{
    enum { N = 511 };
    double values[N] = {0};
    guint16 codes[N];
    TndPaletteScale scale = {.kind = TND_PALETTE_GRADIENT, .least = 100, .most = 610, .minimum = 100, .maximum = 610};
    const TndValueCodes of = tnd_value_codes_of_gradient(scale.minimum, scale.maximum);
    for (guint i = 1; i < N; i++)
        values[i] = 100 + i;
    tnd_value_codes_encode(&of, values, N, codes);
    g_assert_cmpuint(codes[0], ==, 0);
    g_assert_cmpuint(codes[N - 1], ==, TND_VALUE_CODES_GRADIENT - 1);
    for (int is_log = 0; is_log < 2; is_log++) {
        tnd_palette_set_look(&scale, &(TndLook){.scale = is_log ? TND_SCALE_LOG : TND_SCALE_AUTO});
        g_assert_cmpint(scale.is_log, ==, is_log); /* 6 times is not far apart */
        guint32 *colours = tnd_palette_colours(&scale, TND_VALUE_CODES_GRADIENT);
        for (guint i = 0; i < N; i++)
            g_assert_cmpuint(apart(colours[codes[i]], tnd_palette_colour(&scale, values[i])), <=, 1);
        g_assert_cmphex(colours[codes[N - 1]], ==, tnd_palette_colour(&scale, 610));
        g_free(colours);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cells/random", test_cells);
    g_test_add_func("/cells/gradient", test_gradient_codes);
    return g_test_run();
}
