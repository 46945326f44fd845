/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares and their intervals; that 95 % of intervals have the true value is tried out.
 */
#include "analysis/base/proportion.h"

#include <math.h>

static void test_known(void)
{
    /* Wilson's interval of 10 of 100: 5.52 to 17.44 %. */
    TndProportion share = tnd_proportion_of(10, 100, 100);
    g_assert_cmpfloat_with_epsilon(share.percent, 10, 1e-9);
    g_assert_cmpfloat_with_epsilon(share.sure, (17.44 - 5.52) / 2, 0.01);
    g_assert_cmpfloat(tnd_proportion_of(1, 0, 0).percent, ==, 0); /* nothing of nothing */
    TndProportion change = tnd_proportion_change(share, tnd_proportion_of(30, 100, 100));
    g_assert_cmpfloat_with_epsilon(change.percent, -20, 1e-9);
    g_assert_cmpfloat(change.sure, >, share.sure);
}

static guint count(GRand *random, guint n, double share)
{
    guint found = 0;
    for (guint i = 0; i < n; i++)
        found += g_rand_double(random) < share;
    return found;
}

/* Of two runs with the same true share, about 5 % look different. */
static void test_noise(void)
{
    static const double shares[] = {0.02, 0.2, 0.5, 0.9};
    const guint n_now = 400, n_before = 700, tries = 2000;
    GRand *random = g_rand_new_with_seed(7);
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        guint n_different = 0;
        for (guint k = 0; k < tries; k++) {
            TndProportion change =
                tnd_proportion_change(tnd_proportion_of(count(random, n_now, shares[i]), n_now, n_now),
                                      tnd_proportion_of(count(random, n_before, shares[i]), n_before, n_before));
            n_different += fabs(change.percent) > change.sure;
        }
        g_assert_cmpuint(n_different, >, tries * 2 / 100);
        g_assert_cmpuint(n_different, <, tries * 7 / 100);
    }
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/proportion/known", test_known);
    g_test_add_func("/proportion/noise", test_noise);
    return g_test_run();
}
