/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Things that are alike stand together, whatever order they come in.
 */
#include "analysis/base/alike.h"

#include <math.h>
#include <string.h>

static void test_groups(void)
{
    const float kinds[3][2] = {{0.9f, 0.1f}, {0.1f, 0.9f}, {0.5f, 0.5f}};
    const guint kind_of[] = {0, 1, 2, 1, 0, 2, 2, 0, 1};
    float vectors[9][2];
    guint order[9], seen = 0;
    for (guint i = 0; i < 9; i++)
        for (guint k = 0; k < 2; k++)
            vectors[i][k] = kinds[kind_of[i]][k] + 0.001f * (float)i;
    tnd_alike_order(vectors[0], 9, 2, order);
    g_assert_cmpuint(order[0], ==, 0); /* the group of the first one goes first */
    for (guint i = 0; i < 9; i++) {
        seen |= 1u << order[i];
        g_assert_cmpuint(kind_of[order[i]], ==, kind_of[order[i / 3 * 3]]);
    }
    g_assert_cmpuint(seen, ==, 0x1ff);
}

/* Differences far below the size of the numbers count as well, along the axis on which most of them differ, which is
 * not that of the one that differs most. */
static void test_small_differences(void)
{
    const float steps[8][2] = {{1, 0}, {-1, 0}, {1, 0.2f}, {-1, 0.2f}, {1, -0.2f}, {-1, -0.2f}, {0.9f, 1.3f}, {-1, 0}};
    float vectors[8][2];
    guint order[8];
    for (guint i = 0; i < 8; i++)
        for (guint k = 0; k < 2; k++)
            vectors[i][k] = 0.5f + 1e-4f * steps[i][k];
    tnd_alike_order(vectors[0], 8, 2, order);
    for (guint i = 0; i < 8; i++)
        g_assert_cmpint(steps[order[i]][0] > 0, ==, i < 4);
}

static void test_equal_ones_keep_their_order(void)
{
    float vectors[50];
    guint order[50];
    for (guint i = 0; i < 50; i++)
        vectors[i] = 0.1f;
    tnd_alike_order(vectors, 50, 1, order);
    for (guint i = 0; i < 50; i++)
        g_assert_cmpuint(order[i], ==, i);
    tnd_alike_order(vectors, 2, 0, order); /* of nothing all are equal */
    g_assert_cmpuint(order[1], ==, 1);
    tnd_alike_order(vectors, 0, 1, order);
}

/* Each division takes one thing away: the worst that can be.  It ends, and all are there. */
static void test_outliers(void)
{
    enum { N = 400 };
    static float vectors[N];
    static guint order[N];
    gboolean seen[N] = {FALSE};
    for (guint i = 0; i < N; i++)
        vectors[i] = (float)ldexp(1, -(int)(i % 120));
    tnd_alike_order(vectors, N, 1, order);
    for (guint i = 0; i < N; i++)
        seen[order[i]] = TRUE;
    for (guint i = 0; i < N; i++)
        g_assert_true(seen[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/alike/groups", test_groups);
    g_test_add_func("/alike/small-differences", test_small_differences);
    g_test_add_func("/alike/equal", test_equal_ones_keep_their_order);
    g_test_add_func("/alike/outliers", test_outliers);
    return g_test_run();
}
