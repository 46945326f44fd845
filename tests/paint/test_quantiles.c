/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Percentiles of a view's values, compared with those of a sorted list.
 */
#include "tests/unit/make_trace.h"
#include "viewer/paint/palette.h"

#include <math.h>

static gint by_value(gconstpointer a, gconstpointer b)
{
    const double value = *(const double *)a, other = *(const double *)b;
    return value < other ? -1 : value > other;
}

/* Rows of useful states of random durations, from some ns to ms: their durations are the values. */
static void test_random(void)
{
    enum { ROWS = 5, BURSTS = 4000 };
    GRand *random = g_rand_new_with_seed(17);
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    TndTraceBuild *build = make_trace(ROWS, G_GUINT64_CONSTANT(100000000000), 1);
    for (guint row = 1; row <= ROWS; row++) {
        guint64 at_ns = 0;
        for (guint i = 0; i < BURSTS; i++) {
            const guint64 long_ns = (guint64)exp(g_rand_double_range(random, log(10), log(5e6)));
            const double value = (double)long_ns;
            add_state(build, row, at_ns, at_ns + long_ns, 1);
            add_state(build, row, at_ns + long_ns, at_ns + long_ns + 100, 3);
            g_array_append_val(values, value);
            at_ns += long_ns + 100;
        }
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "useful-duration", NULL);
    TndPaletteScale scale = tnd_palette_scale(view);
    TndQuantiles *quantiles = tnd_quantiles_new(view, scale.least, scale.most);
    g_array_sort(values, by_value);
    g_assert_cmpfloat(tnd_quantiles_at(quantiles, 0), ==, g_array_index(values, double, 0));
    g_assert_cmpfloat(tnd_quantiles_at(quantiles, 1), ==, g_array_index(values, double, values->len - 1));
    for (guint percent = 1; percent < 100; percent++) {
        const double wanted = g_array_index(values, double, values->len *percent / 100);
        g_assert_cmpfloat(fabs(log(tnd_quantiles_at(quantiles, percent / 100.0) / wanted)), <, 0.02);
    }
    scale.quantiles = quantiles;
    tnd_palette_set_look(&scale, &(TndLook){.has_limits = TRUE, .are_percentiles = TRUE, .least = 10, .most = 90});
    g_assert_cmpfloat(scale.minimum, ==, tnd_quantiles_at(quantiles, 0.1));
    g_assert_cmpfloat(scale.maximum, ==, tnd_quantiles_at(quantiles, 0.9));
    g_assert_cmphex(tnd_palette_colour(&scale, scale.least), ==, tnd_palette_gradient(scale.colours, 0));
    g_assert_cmphex(tnd_palette_colour(&scale, scale.most), ==, tnd_palette_gradient(scale.colours, 1));
    tnd_quantiles_free(quantiles);
    tnd_view_free(view);
    tnd_trace_free(trace);
    g_array_unref(values);
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/quantiles/random", test_random);
    return g_test_run();
}
