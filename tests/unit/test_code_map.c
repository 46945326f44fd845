/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of code that is in no file: lines as they should be and as they should not, ranges that overlap, and random
 * ones, compared with a search through all lines.
 */
#include "analysis/merge/read/code_map.h"

static void check(const char *text, guint64 address, const char *name)
{
    TndCodeMap *map = tnd_code_map_new(text);
    g_assert_cmpstr(tnd_code_map_find(map, address), ==, name);
    tnd_code_map_free(map);
}

static void test_ranges(void)
{
    const char *two = "1000 10 first\n0x1020 0x8 second one\n";
    check(two, 0xfff, NULL);
    check(two, 0x1000, "first");
    check(two, 0x100f, "first");
    check(two, 0x1010, NULL);
    check(two, 0x1020, "second one");
    check(two, 0x1028, NULL);
    check("ffffffffffffff00 80 high\n", G_GUINT64_CONSTANT(0xffffffffffffff7f), "high");
    check(NULL, 0, NULL);
    check("", 0x1000, NULL);
}

/* What no compiler should write, and a file that was cut short. */
static void test_odd_lines(void)
{
    check("1000 10\n1000 10 \n1000\n\n\nx\n1000 0 empty\n1000 zz name\n2000 10 whole", 0x2000, "whole");
    check("1000 10\n2000 10 next\n", 0x1000, NULL);
    check("1000\n10 a\n", 0x1000, NULL);
    check("ffffffffffffffff 2 beyond\n", G_MAXUINT64, NULL);
    check("1000 10 tab\there \r\n", 0x1000, "tab?here");
    check("1000 10 \xff\n", 0x1000, "\xef\xbf\xbd");
}

/* Memory is used again: the later line holds where both say something. */
static void test_overlaps(void)
{
    const char *text = "1000 100 old\n1040 20 new\n1050 8 newest\n";
    check(text, 0x103f, "old");
    check(text, 0x1040, "new");
    check(text, 0x1050, "newest");
    check(text, 0x1058, "new");
    check(text, 0x1060, "old");
    check("1040 20 old\n1000 100 new\n", 0x1050, "new");
    check("1000 10 old\n1000 10 new\n", 0x1000, "new");
}

static void test_random(void)
{
    enum { N_LINES = 40, SPACE = 200, ROUNDS = 200 };
    for (int round = 0; round < ROUNDS; round++) {
        guint begins[N_LINES], sizes[N_LINES];
        GString *text = g_string_new(NULL);
        for (guint i = 0; i < N_LINES; i++) {
            begins[i] = (guint)g_test_rand_int_range(1, SPACE);
            sizes[i] = (guint)g_test_rand_int_range(0, 20);
            g_string_append_printf(text, "%x %x f%u\n", begins[i], sizes[i], i);
        }
        TndCodeMap *map = tnd_code_map_new(text->str);
        for (guint address = 0; address < SPACE + 30; address++) {
            char expected[16] = "";
            for (guint i = 0; i < N_LINES; i++)
                if (address >= begins[i] && address < begins[i] + sizes[i])
                    g_snprintf(expected, sizeof expected, "f%u", i);
            const char *found = tnd_code_map_find(map, address);
            g_assert_cmpstr(found ? found : "", ==, expected);
        }
        tnd_code_map_free(map);
        g_string_free(text, TRUE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code_map/ranges", test_ranges);
    g_test_add_func("/code_map/odd_lines", test_odd_lines);
    g_test_add_func("/code_map/overlaps", test_overlaps);
    g_test_add_func("/code_map/random", test_random);
    return g_test_run();
}
