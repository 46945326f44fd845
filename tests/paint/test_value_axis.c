/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axes of values: round ends that are near, units, ticks that fit.
 */
#include "viewer/paint/value_axis.h"

#include <math.h>

/* Its labels, and its unit. */
static char *describe(const TndValueAxis *axis)
{
    GString *text = g_string_new(NULL);
    for (guint tick = 0; tick < axis->n_ticks; tick++) {
        char *label = tnd_value_axis_label(axis, tnd_value_axis_tick(axis, tick));
        g_string_append_printf(text, "%s ", label);
        g_free(label);
    }
    g_string_append(text, axis->unit);
    return g_string_free(text, FALSE);
}

static void test_axes(void)
{
    static const struct {
        double least, most;
        const char *unit;
        gboolean without_zero;
        guint most_ticks;
        const char *axis;
    } cases[] = {
        {42.7, 55.9, "°C", TRUE, 3, "40 48 56 °C"},
        {20, 60, "°C", TRUE, 0, "20 60 °C"},
        {20, 60, "", FALSE, 4, "0 20 40 60 "},
        {0.9, 1.045, "W", FALSE, 2, "0.90 1.06 W"},
        {0.2, 1.58, "", FALSE, 5, "0.0 0.4 0.8 1.2 1.6 "},
        {4096, 117.0 * 1048576, "B", FALSE, 7, "0 20 40 60 80 100 120 MiB"},
        {-3, 12, "", FALSE, 4, "-6 0 6 12 "},
        {-9, -1, "", FALSE, 6, "-10 -8 -6 -4 -2 0 "},
        {3.2e9, 3.9e9, "1/s", FALSE, 3, "3.2 3.6 4.0 billion 1/s"},
        {7, 7, "", FALSE, 3, "6 7 8 "},
        {0, 0, "", FALSE, 3, "0.0 0.5 1.0 "},
        {1e-9, 3e-9, "s", FALSE, 2, "0.0000000000 0.0000000032 s"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TndValueAxis axis = tnd_value_axis_new(cases[i].least, cases[i].most, cases[i].unit, cases[i].without_zero,
                                               cases[i].most_ticks);
        char *found = describe(&axis);
        g_assert_cmpstr(found, ==, cases[i].axis);
        g_free(found);
        tnd_value_axis_clear(&axis);
    }
}

/* Whatever the values: they are on it, and it is not much longer than they need. */
static void test_random(void)
{
    for (guint round = 0; round < 20000; round++) {
        double size = pow(10, g_test_rand_double_range(-12, 18)), least = g_test_rand_double_range(-size, size);
        double most = least + g_test_rand_double_range(0, size);
        guint most_ticks = (guint)g_test_rand_int_range(0, 30);
        TndValueAxis axis = tnd_value_axis_new(least, most, "B", TRUE, most_ticks);
        double slack = 1e-6 * fabs(most - least);
        g_assert_cmpfloat(axis.minimum * axis.unit_size, <=, least + slack);
        g_assert_cmpfloat(axis.maximum * axis.unit_size, >=, most - slack);
        g_assert_cmpfloat((axis.maximum - axis.minimum) * axis.unit_size, <=, 4 * (most - least) + slack);
        g_assert_cmpuint(axis.n_ticks, >=, 2);
        g_assert_cmpuint(axis.n_ticks, <=, MAX(most_ticks, 2));
        g_assert_cmpfloat(tnd_value_axis_fraction(&axis, tnd_value_axis_tick(&axis, 0)), <, 1e-6);
        g_assert_cmpfloat(tnd_value_axis_fraction(&axis, tnd_value_axis_tick(&axis, axis.n_ticks - 1)), >, 1 - 1e-6);
        tnd_value_axis_clear(&axis);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/value-axis/axes", test_axes);
    g_test_add_func("/value-axis/random", test_random);
    return g_test_run();
}
