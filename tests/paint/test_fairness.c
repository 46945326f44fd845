/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The default draw mode: on a picture of many records a value has the share of pixels that it has of the time, whether
 * a pixel covers many bursts, many rows or both.  Also the other modes, against what they are defined as.
 *
 * TANDEM_FAIR_RECORDS: how many records a trace has (default: some 200,000).
 */
#include "tests/paint/picture.h"
#include "tests/unit/all_bursts.h"
#include "tests/unit/make_trace.h"
#include "viewer/paint/cells.h"

#include "formats/event_types.h"

#include <math.h>
#include <stdlib.h>

enum { N_COLUMNS = 1500, MOST_BANDS = 700, FEWER_BANDS = 650, MOST_VALUE = 200, N_KINDS = 3 };

static const char *const views[N_KINDS] = {"state", "mpi-calls", "sampled-functions"};

/* Rows that repeat a step, most of whose time is in few values, but most of whose bursts are short.  is_even: all steps
 * of all rows are equal, so that bursts and columns could get into step with each other. */
static TndTrace *make_steps(guint n_rows, guint n_records, gboolean is_even)
{
    static const struct {
        guint32 length, state;
        gint64 call, function;
    } parts[] = {{8300, 1, 0, 7}, {200, 11, 4, 0}, {700, 13, 10, 150}, {100, 10, 3, 3}, {50, 11, 4, 0},
                 {400, 8, 5, 9},  {30, 3, 5, 0},   {170, 1, 0, 8},     {30, 11, 4, 0},  {20, 10, 3, 120}};
    enum { N_PARTS = G_N_ELEMENTS(parts) };
    const guint n_steps = n_records / n_rows / (3 * N_PARTS) + 1;
    guint64 *at = g_new0(guint64, n_rows), end = (guint64)n_steps * 13000;
    TndTraceBuild *build = make_trace(n_rows, end, 1);
    for (guint step = 0; step < n_steps * N_PARTS; step++)
        for (guint row = 0; row < n_rows; row++) {
            const guint part = step % N_PARTS, stretch = is_even ? 0 : (guint)g_test_rand_int_range(0, 60);
            const guint64 next = at[row] + parts[part].length + parts[part].length * stretch / 100;
            add_state(build, row + 1, at[row], MIN(next, end), parts[part].state);
            add_event(build, row + 1, at[row], TND_TYPE_MPI_P2P, parts[part].call);
            add_event(build, row + 1, at[row], TND_TYPE_SAMPLED_FUNCTION, parts[part].function);
            at[row] = MIN(next, end);
        }
    g_free(at);
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* Adds the share of the time of each value; what is outside of a row's life counts as 0. */
static void find_shares(TndView *view, guint64 begin_ns, guint64 end_ns, double *shares)
{
    const double all = (double)(end_ns - begin_ns) * tnd_view_n_rows(view);
    for (guint row = 0; row < tnd_view_n_rows(view); row++) {
        GArray *bursts = all_bursts(view, row);
        for (guint i = 0; i < bursts->len; i++) {
            const TndBurst *burst = &BURST(bursts, i);
            const guint64 from = MAX(burst->begin_ns, begin_ns), to = MIN(burst->end_ns, end_ns);
            shares[(guint)burst->value] += to > from ? (double)(to - from) / all : 0;
        }
        g_array_unref(bursts);
    }
}

static double value_of_cell(const TndCells *cells, guint band, guint column)
{
    const gsize at = (gsize)cells->lines[band] * cells->stride + column;
    const double value = cells->codes ? cells->codes[at] - (double)TND_VALUE_CODES_OF_ZERO : cells->values[at];
    return isnan(value) ? 0 : MAX(value, 0);
}

/* The largest difference between a value's share of the cells and of the time. */
static double worst_of(TndView *view, TndDrawMode mode, gboolean are_values, guint64 begin_ns, guint64 end_ns)
{
    double shares[MOST_VALUE] = {0}, worst = 0;
    TndCells *cells = tnd_cells_new(view, mode, NULL, are_values, begin_ns, end_ns, 0, tnd_view_n_rows(view) - 1,
                                    N_COLUMNS, MOST_BANDS);
    tnd_cells_limit(cells, FEWER_BANDS);
    find_shares(view, begin_ns, end_ns, shares);
    for (guint band = 0; band < cells->n_bands; band++)
        for (guint c = 0; c < N_COLUMNS; c++)
            shares[(guint)value_of_cell(cells, band, c)] -= 1.0 / N_COLUMNS / cells->n_bands;
    for (guint value = 0; value < MOST_VALUE; value++)
        worst = MAX(worst, fabs(shares[value]));
    tnd_cells_free(cells);
    return worst;
}

static guint n_records_wanted(void)
{
    const char *text = g_getenv("TANDEM_FAIR_RECORDS");
    return text ? (guint)strtoul(text, NULL, 10) : 200000;
}

static void check_shares(guint n_rows, gboolean is_even)
{
    TndTrace *trace = make_steps(n_rows, n_records_wanted(), is_even);
    const guint64 end_ns = tnd_trace_end_ns(trace);
    for (guint i = 0; i < N_KINDS; i++) {
        TndView *view = tnd_view_new(trace, views[i], NULL);
        for (guint round = 0; round < 12; round++) {
            const guint64 begin_ns = round ? end_ns / 1000 * (guint64)g_test_rand_int_range(0, 400) : 0;
            double worst = worst_of(view, TND_MODE_TIME, round % 2, begin_ns, end_ns - begin_ns);
            g_test_message("%s, %u rows, %s, %s: %.4f", views[i], n_rows, is_even ? "even" : "uneven",
                           round % 2 ? "values" : "codes", worst);
            g_assert_cmpfloat(worst, <=, 0.01);
        }
        if (n_rows <= 4) /* more may have few bursts in a pixel */
            g_assert_cmpfloat(worst_of(view, TND_MODE_MAXIMUM, FALSE, 0, end_ns), >, 0.05);
        tnd_view_free(view);
    }
    tnd_trace_free(trace);
}

static void test_shares(void)
{
    static const guint n_rows[] = {1, 4, 64, 690, 3000};
    for (guint i = 0; i < G_N_ELEMENTS(n_rows); i++)
        for (int is_even = 0; is_even < 2; is_even++)
            check_shares(n_rows[i], is_even);
}

/* One row whose columns of 100 ns have 5, 3, nothing and 9 for 10, 40, 30 and 20 ns. */
static void test_modes(void)
{
    enum { N = 60, WIDTH = 100 }; /* one block of bursts, which is read burst by burst */
    TndTraceBuild *build = make_trace(1, N * WIDTH, 1);
    static const struct {
        guint64 at;
        gint64 value;
    } parts[] = {{0, 5}, {10, 3}, {50, 0}, {80, 9}};
    for (guint c = 0; c < N; c++)
        for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
            add_event(build, 1, c * WIDTH + parts[i].at, 90000001, parts[i].value);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "user-events:90000001", NULL);
    static const double wanted[TND_MODE_N] = {[TND_MODE_MAXIMUM] = 9,
                                              [TND_MODE_MINIMUM] = 3,
                                              [TND_MODE_FIRST] = 5,
                                              [TND_MODE_LAST] = 9,
                                              [TND_MODE_MAJORITY] = 3};
    double values[N], sum = 0;
    for (TndDrawMode mode = 0; mode < TND_MODE_N; mode++) {
        guint n_of[10] = {0};
        tnd_view_columns(view, 0, 0, N * WIDTH, N, mode, values);
        for (guint c = 0; c < N; c++) {
            n_of[(guint)values[c]]++;
            sum += mode == TND_MODE_AVERAGE ? values[c] / N : 0;
        }
        if (mode == TND_MODE_MAJORITY)
            g_assert_cmpuint(n_of[3], >, N * 6 / 10);
        else if (wanted[mode])
            g_assert_cmpuint(n_of[(guint)wanted[mode]], ==, N);
        for (guint value = 0; value < 10 && (mode == TND_MODE_TIME || mode == TND_MODE_RANDOM); value++) {
            const double share = value == 5 ? 0.1 : value == 3 ? 0.4 : value == 0 ? 0.3 : value == 9 ? 0.2 : 0;
            g_assert_cmpfloat_with_epsilon(n_of[value], share * N, mode == TND_MODE_TIME ? 2 : N / 4.0);
        }
    }
    g_assert_cmpfloat_with_epsilon(sum, 0.1 * 5 + 0.4 * 3 + 0.2 * 9, 0.3);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* What is found at a point has the colour that the pixel has, in every mode that shows values that occur. */
static void check_found(guint n_rows, const char *name)
{
    enum { WIDTH = 900, HEIGHT = 500 };
    TndTrace *trace = make_steps(n_rows, 100000, FALSE);
    TndView *view = tnd_view_new(trace, name, NULL);
    TndTimelineSubject subject = whole(view);
    TndPaletteScale scale = tnd_palette_scale(view);
    tnd_palette_set_look(&scale, &subject.look);
    for (TndDrawMode mode = 0; mode < TND_MODE_N; mode++) {
        subject.look.mode = mode;
        if (mode == TND_MODE_AVERAGE)
            continue;
        Picture picture = paint_picture(&subject, WIDTH, HEIGHT);
        const TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
        guint n_moved = 0, n_off = 0;
        for (guint i = 0; i < 300; i++) {
            const double x = canvas.x + g_test_rand_int_range(0, (gint)canvas.width) + 0.5;
            const double y = canvas.y + canvas.height / n_rows * (g_test_rand_int_range(0, (gint)n_rows) + 0.5);
            guint row;
            guint64 time_ns;
            TndBurst burst;
            tnd_timeline_find(picture.timeline, x, y, &row, &time_ns);
            g_assert_true(tnd_view_burst_at(view, row, time_ns, &burst));
            n_moved +=
                time_ns != tnd_timeline_time(picture.timeline, x) || row != tnd_timeline_row(picture.timeline, y);
            n_off += pixel_at(&picture, x, y) != tnd_palette_colour(&scale, burst.value);
        }
        g_assert_cmpuint(n_moved, >, 0); /* else the test shows nothing; the fewest are about 14, of 300 at random */

        g_assert_cmpuint(n_off, <=, 2); /* a bin is not exactly in a pixel */
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_found(void)
{
    check_found(4, "mpi-calls");
    check_found(40, "mpi-calls");
    check_found(2000, "sampled-functions");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/fairness/shares", test_shares);
    g_test_add_func("/fairness/modes", test_modes);
    g_test_add_func("/fairness/found", test_found);
    return g_test_run();
}
