/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of power, what they compute, and the kernel's ticks of CPUs.
 */
#include "sampler/power_model.h"

#include <glib.h>
#include <math.h>

static void test_model(void)
{
    struct tnd_power_model model;
    unsigned line;
    const char *source = g_getenv("G_TEST_SRCDIR");
    char *path = g_build_filename(source, "..", "data", "power-models", "gr740.txt", NULL), *text;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_null(tnd_power_model_parse(text, &model, &line));
    g_assert_cmpstr(model.name, ==, "GR740");
    /* The published figures: all four cores, and the published profile of how long each ran. */
    g_assert_cmpfloat_with_epsilon(tnd_power_model_mw(&model, 0, 4, 4), 1045.28, 0.005);
    double profile = 0.8847 + 0.8592 + 0.8856 + 0.8133;
    g_assert_cmpfloat_with_epsilon(tnd_power_model_mw(&model, 250, profile, 4), 944.5, 0.05);
    g_free(text);
    g_free(path);
}

static void test_tables(void)
{
    static const struct {
        const char *text, *fault;
        unsigned line;
    } bad[] = {
        {"", "ends without a line of numbers", 1},
        {"name A\n\n# x\n", "ends without a line of numbers", 4},
        {"1 2 3\n", "takes MHz, static mW, mW of a running core, mW of an idle one", 1},
        {"1 2 3 4\n1 2 3 -4\n", "takes MHz, static mW, mW of a running core, mW of an idle one", 2},
        {"1 2 3 4 5\n", "more than four numbers", 1},
        {"name a name that is longer than what there is room for\n", "the name is too long", 1},
    };
    struct tnd_power_model model;
    unsigned line;
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_cmpstr(tnd_power_model_parse(bad[i].text, &model, &line), ==, bad[i].fault);
        g_assert_cmpuint(line, ==, bad[i].line);
    }
    g_assert_null(tnd_power_model_parse("1000 100 10 1\n 2000\t200 20.5 2.25 # turbo", &model, &line));
    g_assert_cmpuint(model.n_clocks, ==, 2);
    g_assert_cmpfloat(tnd_power_model_mw(&model, 0, 1, 3), ==, 100 + 10 + 2);
    g_assert_cmpfloat(tnd_power_model_mw(&model, 1400, 1, 3), ==, 100 + 10 + 2);
    g_assert_cmpfloat(tnd_power_model_mw(&model, 1600, 2, 3), ==, 200 + 41 + 2.25);
}

static void test_ticks(void)
{
    struct tnd_cpu_ticks cpus[4];
    static const char text[] =
        "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 4 100 50 8 16 1000 7 7\ncpu2 3 0 0 5\ncpu9 1 1 1 1\nintr 5\n";
    g_assert_cmpuint(tnd_power_model_cpus(text, cpus, 4), ==, 3);
    g_assert_cmpuint(cpus[0].running, ==, 31);
    g_assert_cmpuint(cpus[0].idle, ==, 150);
    g_assert_cmpuint(cpus[1].running + cpus[1].idle, ==, 0);
    g_assert_cmpuint(cpus[2].running, ==, 3);
    g_assert_cmpuint(cpus[2].idle, ==, 5);
    g_assert_cmpuint(tnd_power_model_cpus("", cpus, 4), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/power_model/gr740", test_model);
    g_test_add_func("/power_model/tables", test_tables);
    g_test_add_func("/power_model/ticks", test_ticks);
    return g_test_run();
}
