/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns of labels, in UTF-8 and not.
 */
#include "analysis/base/label_pattern.h"

static const struct {
    const char *pattern, *text;
    gboolean matches;
} all[] = {
    {"", "", TRUE},
    {"", "a", FALSE},
    {"*", "", TRUE},
    {"*", "MPI call", TRUE},
    {"?", "", FALSE},
    {"MPI", "MPI", TRUE},
    {"MPI", "MPI call", FALSE},
    {"MPI*", "MPI call", TRUE},
    {"*call", "MPI call", TRUE},
    {"*cal", "MPI call", FALSE},
    {"M*c*l", "MPI call", TRUE},
    {"*aab", "aaaab", TRUE},
    {"a*b*c", "abbcbc", TRUE},
    {"a*b*c", "abbcb", FALSE},
    {"rank ?", "rank 1", TRUE},
    {"rank ?", "rank 12", FALSE},
    {"*", "*", TRUE},
    {"[a]\\", "[a]\\", TRUE}, /* nothing else is special */
    {"[a]", "a", FALSE},
    {"caf?", "caf\303\251", TRUE}, /* UTF-8: one character */
    {"caf?", "caf\351", TRUE},     /* Latin-1 */
    {"*x", "caf\351", FALSE},
    {"*\351", "caf\351", TRUE},
    {"caf??", "caf\303\251", FALSE},
};

static void test_matches(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        if (tnd_label_pattern_matches(all[i].pattern, all[i].text) != all[i].matches)
            g_error("\"%s\" and \"%s\"", all[i].pattern, all[i].text);
}

/* A pattern that makes matchers slow which go back to every star. */
static void test_many_stars(void)
{
    char *text = g_strnfill(20000, 'a');
    g_assert_false(tnd_label_pattern_matches("*a*a*a*a*a*a*a*a*a*a*b", text));
    g_free(text);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/label-pattern/matches", test_matches);
    g_test_add_func("/label-pattern/many-stars", test_many_stars);
    return g_test_run();
}
