/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels of places in the source, as tandem and as Extrae write them.
 */
#include "analysis/reports/source_line.h"

static void test_labels(void)
{
    static const struct {
        const char *label, *file;
        guint number;
        const char *object;
    } cases[] = {
        {"work.c:12", "work.c", 12, NULL},
        {"my file: part 2.c:7", "my file: part 2.c", 7, NULL},
        {"work.c:12 [/usr/lib/work.c:12, /usr/bin/app]", "/usr/lib/work.c", 12, "/usr/bin/app"},
        {"work.c:12 [/usr/lib/work.c]", "/usr/lib/work.c", 12, NULL},
        {"42 (solve.c, solve)", "solve.c", 42, "solve"},
        {"42 (a, b.c, solve)", "a, b.c", 42, "solve"},
        {"0 (solve.c, solve)", NULL, 0, "solve.c, solve"},
        {"7 (??, solve)", NULL, 0, "??, solve"},
        {"7 (solve.c)", NULL, 0, "solve.c"},
        {"??:0 [??:0, ??]", NULL, 0, NULL},
        {"_start (app)", NULL, 0, "app"},
        {"f(int, char) (lib x.so)", NULL, 0, "lib x.so"},
        {"[libm.so.6]+0x1f0", NULL, 0, "libm.so.6"},
        {"work.c:0", NULL, 0, NULL},
        {":3", NULL, 0, NULL},
        {"work.c:99999999999999999999", NULL, 0, NULL},
        {"", NULL, 0, NULL},
        {"End", NULL, 0, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TndSourceLine line = tnd_source_line_parse(cases[i].label);
        g_assert_cmpstr(line.file, ==, cases[i].file);
        g_assert_cmpuint(line.number, ==, cases[i].number);
        g_assert_cmpstr(line.object, ==, cases[i].object);
        tnd_source_line_clear(&line);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/source-line/labels", test_labels);
    return g_test_run();
}
