/* SPDX-License-Identifier: Apache-2.0
 *
 * What traces are called.
 */
#include "run/program_name.h"

#include <glib.h>
#include <string.h>

static const struct {
    const char *command, *name; /* words between blanks */
} cases[] = {
    {"./app", "app"},
    {"/usr/bin/app -m x", "app"},
    {"./app.py 1 2", "app"},
    {".py", ".py"},
    {"-bash", "bash"},
    {"--", "program"},
    {"/", "program"},
    {"python3", "python3"},
    {"python3 app.py", "app"},
    {"/usr/bin/python3.11 -B -u runs/app.py -m other", "app"},
    {"pypy3 app.py", "app"},
    {"python3-config app.py", "python3-config"},
    {"pythonic app.py", "pythonic"},
    {"python3 solver", "solver"},
    {"python3 folder/", "folder"},
    {"python3 .", "python3"},
    {"python3 ../..", "python3"},
    {"python3 -", "python3"},
    {"python3 -c pass app.py", "python3"},
    {"python3 -Bc pass", "python3"},
    {"python3 -m http.server 80", "http.server"},
    {"python3 -Bmtimeit", "timeit"},
    {"python3 -m", "python3"},
    {"python3 -W error app.py", "app"},
    {"python3 -Werror -X dev -Xutf8 app.py", "app"},
    {"python3 -W", "python3"},
    {"python3 --version", "python3"},
    {"python3 -V", "python3"},
};

static void test_names(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        char **words = g_strsplit(cases[i].command, " ", -1), name[256];
        tnd_program_name(words[0], words + 1, name, sizeof name);
        g_assert_cmpstr(name, ==, cases[i].name);
        g_strfreev(words);
    }
}

/* Names that are too long for a directory are cut, and no character is. */
static void test_long_names(void)
{
    static const struct {
        const char *unit;
        gsize expected; /* bytes that are left */
    } units[] = {{"a", 223}, {"\303\274", 222}, {"\342\202\254", 222}, {"\360\237\230\200", 220}, {"\200", 223}};
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        GString *program = g_string_new("./");
        while (program->len < 240)
            g_string_append(program, units[i].unit);
        char name[256], small[10], *none[] = {NULL};
        tnd_program_name(program->str, none, name, sizeof name);
        g_assert_cmpuint(strlen(name), ==, units[i].expected);
        g_assert_true(strncmp(name, program->str + 2, strlen(name)) == 0);
        tnd_program_name(program->str, none, small, sizeof small);
        g_assert_cmpuint(strlen(small), ==, 9 - 9 % (i < 4 ? strlen(units[i].unit) : 1));
        g_string_free(program, TRUE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/program_name/names", test_names);
    g_test_add_func("/program_name/long_names", test_long_names);
    return g_test_run();
}
