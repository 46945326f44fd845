/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rulers: round steps, units, labels that tell ticks apart wherever one zooms.
 */
#include "viewer/paint/ruler.h"
#include "viewer/paint/text.h"

static void check_label(const TndRuler *ruler, guint64 time_ns, const char *wanted)
{
    char *label = tnd_ruler_label(ruler, time_ns);
    g_assert_cmpstr(label, ==, wanted);
    g_free(label);
}

static void test_steps(void)
{
    TndRuler ruler = tnd_ruler_new(0, 387022, 1000);
    g_assert_cmpstr(ruler.unit, ==, "us");
    g_assert_cmpuint(ruler.step_ns, ==, 20000);
    g_assert_cmpuint(ruler.first_ns, ==, 0);
    g_assert_cmpuint(ruler.n_ticks, ==, 20);
    check_label(&ruler, 20000, "20");
    ruler = tnd_ruler_new(1234567890, 1234567990, 1000);
    g_assert_cmpstr(ruler.unit, ==, "ms");
    g_assert_cmpuint(ruler.first_ns % ruler.step_ns, ==, 0);
    check_label(&ruler, 1234567900, "1234.56790");
}

static void test_labels_differ(void)
{
    for (guint64 span = 10; span < G_GUINT64_CONSTANT(4000000000000000000); span = span * 7 / 3)
        for (int zoomed = 0; zoomed < 2; zoomed++) {
            guint64 begin = zoomed ? span * 13 / 10 : 0;
            TndRuler ruler = tnd_ruler_new(begin, begin + span, 900);
            g_assert_cmpuint(ruler.n_ticks, <, 40);
            char *before = NULL;
            for (guint i = 0; i < ruler.n_ticks; i++) {
                char *label = tnd_ruler_label(&ruler, ruler.first_ns + i * ruler.step_ns);
                g_assert_cmpstr(label, !=, before);
                g_free(before);
                before = label;
            }
            g_free(before);
        }
}

static void check_time(guint64 time_ns, guint64 resolution_ns, const char *wanted)
{
    char *text = tnd_ruler_time_text(time_ns, resolution_ns);
    g_assert_cmpstr(text, ==, wanted);
    g_free(text);
}

static void test_texts(void)
{
    check_time(0, 0, "0 ns");
    check_time(387022, 0, "387.022 us");
    check_time(387022, 100, "387 us");
    check_time(2500000000, 1, "2.5 s");
    check_time(85277000, 8000, "85.277 ms");
    check_time(1000000, 0, "1 ms");
    check_time(999999, 0, "999.999 us");
    check_time(999999, 100, "1 ms");
    check_time(1500, 0, "1.5 us");
    check_time(1000000000, 20, "1 s");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ruler/steps", test_steps);
    g_test_add_func("/ruler/labels-differ", test_labels_differ);
    g_test_add_func("/ruler/texts", test_texts);
    return g_test_run();
}
