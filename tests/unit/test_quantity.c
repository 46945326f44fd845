/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as people read them.
 */
#include "analysis/base/quantity.h"

#include <math.h>

static const struct {
    double value;
    const char *unit, *text;
} texts[] = {
    {0, "ns", "0 ns"},
    {999, "ns", "999 ns"},
    {1000, "ns", "1 us"},
    {999940000, "ns", "999.9 ms"},
    {999960000, "ns", "1 s"},
    {12500000, "ns", "12.5 ms"},
    {-12500000, "ns", "-12.5 ms"},
    {1234567890, "ns", "1.235 s"},
    {86400e9, "ns", "86,400 s"},
    {0.25, "ns", "0.25 ns"},
    {1536, "B", "1.5 KiB"},
    {1023, "B", "1,023 B"},
    {1048570, "B", "1 MiB"},
    {3145728, "B/s", "3 MiB/s"},
    {0.9445, "W", "944.5 mW"},
    {1.04528, "W", "1.045 W"},
    {0.0000025, "J", "2.5 uJ"},
    {50.5, "°C", "50.5 °C"},
    {97.52448, "%", "97.5 %"},
    {100, "%", "100.0 %"},
    {0, "", "0"},
    {-0.0, "", "0"},
    {1234567, "", "1,234,567"},
    {-123456, "", "-123,456"},
    {12.34, "", "12.34"},
    {1e300, "ns", NULL}, /* long, but no harm */
};

static void test_texts(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        char *text = tnd_quantity_text(texts[i].value, texts[i].unit);
        if (texts[i].text)
            g_assert_cmpstr(text, ==, texts[i].text);
        g_free(text);
    }
}

static void test_shown(void)
{
    static const char *const cases[][2] = {{"12.5 us", "12.5 \302\265s"},
                                           {"Time (us)", "Time (\302\265s)"},
                                           {"1 us to 3.5 us, 2 uJ", "1 \302\265s to 3.5 \302\265s, 2 \302\265J"},
                                           {"5 users, us, a_us (used) 3 us_", "5 users, us, a_us (used) 3 us_"},
                                           {"us", "us"},
                                           {"", ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *shown = tnd_quantity_shown(cases[i][0]);
        g_assert_cmpstr(shown, ==, cases[i][1]);
        g_free(shown);
    }
}

static void test_units(void)
{
    static const struct {
        double largest, size;
        const char *unit, *name;
    } cases[] = {{999, 1, "ns", "ns"},      {2e6, 1e6, "ns", "ms"},      {5e6, 1048576, "B", "MiB"},
                 {0.5, 1e-3, "W", "mW"},    {60, 1, "°C", "°C"},         {99999, 1, "", ""},
                 {3e6, 1e6, "", "million"}, {-4e5, 1e3, "", "thousand"}, {4e12, 1e9, "faults/s", "billion faults/s"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        double size;
        char *name = tnd_quantity_unit(cases[i].largest, cases[i].unit, &size);
        g_assert_cmpstr(name, ==, cases[i].name);
        g_assert_cmpfloat(size, ==, cases[i].size);
        g_free(name);
    }
}

static void test_parse(void)
{
    static const struct {
        const char *text, *unit;
        double value;
    } good[] = {{"+2.5ms", "ns", 2.5e6}, {"-3 s", "ns", -3e9},      {"10MiB", "B", 10485760},
                {"5%", "%", 5},          {"+5 %", "%", 5},          {"-7", "", -7},
                {"1e3 J", "J", 1000},    {"2 points", "points", 2}, {"7 \302\265s", "ns", 7000}};
    static const struct {
        const char *text, *unit;
    } bad[] = {{"2", "ns"}, {"2 m", "ns"}, {"ms", "ns"},    {"", ""},
               {"5", "%"},  {"5%", ""},    {"inf s", "ns"}, {"5 %x", "%"}};
    double value = 0;
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(tnd_quantity_parse(&value, good[i].text, good[i].unit));
        g_assert_cmpfloat_with_epsilon(value, good[i].value, 1e-9);
    }
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        g_assert_false(tnd_quantity_parse(&value, bad[i].text, bad[i].unit));
}

static void test_infinite(void)
{
    static const double values[] = {INFINITY, -INFINITY, NAN, 1.7e308};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        g_free(tnd_quantity_text(values[i], i % 2 ? "ns" : ""));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/quantity/texts", test_texts);
    g_test_add_func("/quantity/units", test_units);
    g_test_add_func("/quantity/shown", test_shown);
    g_test_add_func("/quantity/parse", test_parse);
    g_test_add_func("/quantity/infinite", test_infinite);
    return g_test_run();
}
