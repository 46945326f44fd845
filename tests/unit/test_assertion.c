/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An assertion that holds is evaluated once and says nothing; one that fails says where, and ends the program.  In a
 * build without assertions neither is evaluated.
 */
#include "analysis/base/assertion.h"

#ifdef TND_ASSERTIONS
static const gboolean is_on = TRUE;
#else
static const gboolean is_on = FALSE;
#endif

static gboolean count(int *n, gboolean answer)
{
    ++*n;
    return answer;
}

static void test_evaluated(void)
{
    int n = 0;
    tnd_assert(count(&n, TRUE));
    g_assert_cmpint(n, ==, is_on);
}

static void test_failing(void)
{
    if (g_test_subprocess()) {
        int n = 0;
        tnd_assert(count(&n, TRUE) && n == 5);
        return;
    }
    g_test_trap_subprocess(NULL, 0, 0);
    if (is_on) {
        g_test_trap_assert_failed();
        g_test_trap_assert_stderr("*test_assertion.c:*: test_failing: assertion failed: count(&n, TRUE) && n == 5\n*");
    } else {
        g_test_trap_assert_passed();
        g_test_trap_assert_stderr("");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/assertion/evaluated", test_evaluated);
    g_test_add_func("/assertion/failing", test_failing);
    return g_test_run();
}
