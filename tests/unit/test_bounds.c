/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on numbers: what is one, what is none, and what they hold for.
 */
#include "analysis/trace/bounds.h"

static TndBounds parse(const char *text, TndBoundsTake takes)
{
    TndBounds bounds = TND_BOUNDS_NONE;
    g_assert_false(tnd_bounds_are_set(&bounds));
    g_assert_true(tnd_bounds_parse(&bounds, text, takes));
    g_assert_true(tnd_bounds_are_set(&bounds));
    return bounds;
}

static void test_edges(void)
{
    static const struct {
        const char *text;
        gboolean below, at, above; /* of 5 */
    } cases[] = {{">5", FALSE, FALSE, TRUE}, {">=5", FALSE, TRUE, TRUE}, {"<5", TRUE, FALSE, FALSE},
                 {"<=5", TRUE, TRUE, FALSE}, {"=5", FALSE, TRUE, FALSE}, {">0x5", FALSE, FALSE, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const TndBounds bounds = parse(cases[i].text, TND_BOUNDS_PLAIN);
        g_assert_cmpint(tnd_bounds_hold(&bounds, 4.999), ==, cases[i].below);
        g_assert_cmpint(tnd_bounds_hold(&bounds, 5), ==, cases[i].at);
        g_assert_cmpint(tnd_bounds_hold(&bounds, 5.001), ==, cases[i].above);
    }
}

static void test_together(void)
{
    TndBounds bounds = parse(">1ms", TND_BOUNDS_TIME);
    g_assert_true(tnd_bounds_parse(&bounds, "<=2ms", TND_BOUNDS_TIME));
    g_assert_false(tnd_bounds_hold(&bounds, 1e6));
    g_assert_true(tnd_bounds_hold(&bounds, 1e6 + 1));
    g_assert_true(tnd_bounds_hold(&bounds, 2e6));
    g_assert_false(tnd_bounds_hold(&bounds, 2e6 + 1));
    bounds = parse(">=64k", TND_BOUNDS_SIZE);
    g_assert_false(tnd_bounds_hold(&bounds, 65535));
    g_assert_true(tnd_bounds_hold(&bounds, 65536));
}

static void test_refused(void)
{
    static const char *const all[] = {"", "5", ">", ">=", "=", "==", ">x", ">5x", "> ", ">nan", "!5", "=>5", "5<"};
    TndBounds bounds = TND_BOUNDS_NONE;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_assert_false(tnd_bounds_parse(&bounds, all[i], TND_BOUNDS_PLAIN | TND_BOUNDS_TIME | TND_BOUNDS_SIZE));
    g_assert_false(tnd_bounds_parse(&bounds, ">1ms", TND_BOUNDS_PLAIN | TND_BOUNDS_SIZE));
    g_assert_false(tnd_bounds_parse(&bounds, ">64k", TND_BOUNDS_PLAIN | TND_BOUNDS_TIME));
    g_assert_false(tnd_bounds_are_set(&bounds));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bounds/edges", test_edges);
    g_test_add_func("/bounds/together", test_together);
    g_test_add_func("/bounds/refused", test_refused);
    return g_test_run();
}
