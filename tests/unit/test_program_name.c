/* SPDX-License-Identifier: Apache-2.0
 *
 * What traces are called.
 */
#include "run/program_name.h"

#include <glib.h>

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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/program_name/names", test_names);
    return g_test_run();
}
