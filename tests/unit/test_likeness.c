/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which names are near one that was mistyped, and which are not.
 */
#include "analysis/base/likeness.h"

static void test_distance(void)
{
    static const struct {
        const char *wanted, *name;
        guint distance;
    } cases[] = {
        {"gpaw.scf.run", "gpaw.scf.run", 0},
        {"MPI_Allreduc", "MPI_Allreduce", 1},
        {"mpi_send", "MPI_Send", 0},
        {"kitten", "sitting", 3},
        {"run", "gpaw.scf.SCFLoop.run", 1},
        {"a.b.rum", "gpaw.scf.SCFLoop.run", 2},
        {"abc", "", 3},
        {"", "abc", 3},
        {"", "", 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpuint(tnd_likeness_distance(cases[i].wanted, cases[i].name), ==, cases[i].distance);
}

static void test_limit(void)
{
    g_assert_cmpuint(tnd_likeness_distance("solve", "report"), >, tnd_likeness_limit("solve"));
    g_assert_cmpuint(tnd_likeness_distance("x.solv", "y.solve"), <=, tnd_likeness_limit("x.solv"));
    char *longest = g_strnfill(100000, 'a');
    g_assert_cmpuint(tnd_likeness_distance(longest, "b"), ==, 200); /* bytes of it that count */
    g_free(longest);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/likeness/distance", test_distance);
    g_test_add_func("/likeness/limit", test_limit);
    return g_test_run();
}
