/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What runs, by the commands that CPython takes.
 */
#include "analysis/merge/read/merge_script.h"

static void test_commands(void)
{
    static const struct {
        const char *command, *name;
    } cases[] = {
        {"python3 h2.py", "h2.py"},
        {"/usr/bin/python3 -u /home/u/h2.py old -c x", "h2.py"},
        {"python3 -ISE -X dev -W ignore -Wonce -Xutf8 h2.py", "h2.py"},
        {"python3 --check-hash-based-pycs always h2.py", "h2.py"},
        {"python3  h2.py", "h2.py"},
        {"python3 -m mpi4py.run h2.py", "mpi4py.run"},
        {"python3 -Imjson.tool x", "json.tool"},
        {"python3 -m tandem h2.py", "h2.py"},
        {"python3 -m tandem -m pkg.app", "pkg.app"},
        {"python3 directory/", "directory"},
        {"python3 -c import x.py", NULL},
        {"python3 -uc import x.py", NULL},
        {"python3 - x.py", NULL},
        {"python3 -m", NULL},
        {"python3 -X", NULL},
        {"python3", NULL},
        {"", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *name = tnd_merge_script_name(cases[i].command);
        g_assert_cmpstr(name, ==, cases[i].name);
        g_free(name);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/merge_script/commands", test_commands);
    return g_test_run();
}
