/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of addresses against a map of single ones.
 */
#include "intercept/heap/heap_ranges.h"

#include <glib.h>
#include <string.h>

enum { N = 200, MAX = 64 };

static struct tnd_heap_range ranges[MAX];

static void check(const struct tnd_heap_ranges *set, const gboolean *model)
{
    guint n = 0, bytes = 0;
    for (guint i = 0; i < N; i++) {
        bytes += model[i] ? 1 : 0;
        n += model[i] && (i == 0 || !model[i - 1]) ? 1 : 0;
    }
    g_assert_cmpuint(set->n, ==, n);
    g_assert_cmpuint(set->bytes, ==, bytes);
    for (guint i = 0; i < set->n; i++) {
        g_assert_cmpuint(set->ranges[i].low, <, set->ranges[i].high);
        for (uintptr_t k = set->ranges[i].low; k < set->ranges[i].high; k++)
            g_assert_true(model[k]);
    }
}

static void test_random(void)
{
    struct tnd_heap_ranges set = {.ranges = ranges, .max = MAX};
    gboolean model[N] = {FALSE};
    GRand *random = g_rand_new_with_seed(1);
    for (guint step = 0; step < 20000; step++) {
        guint low = (guint)g_rand_int_range(random, 0, N), high = (guint)g_rand_int_range(random, (gint)low, N) + 1;
        if (high > low + 12 && step % 50)
            high = low + 12;
        gboolean adds = g_rand_boolean(random);
        guint there = 0;
        for (guint i = low; i < high; i++) {
            there += model[i] ? 1 : 0;
            model[i] = adds;
        }
        if (adds)
            tnd_heap_ranges_add(&set, low, high);
        else
            g_assert_cmpuint(tnd_heap_ranges_remove(&set, low, high), ==, there);
        check(&set, model);
    }
    g_assert_false(set.is_short);
    g_rand_free(random);
}

static void test_nothing(void)
{
    struct tnd_heap_ranges set = {.ranges = ranges, .max = MAX};
    tnd_heap_ranges_add(&set, 7, 7);
    g_assert_cmpuint(tnd_heap_ranges_remove(&set, 0, 100), ==, 0);
    tnd_heap_ranges_add(&set, 10, 20);
    tnd_heap_ranges_add(&set, 20, 30);
    g_assert_cmpuint(set.n, ==, 1);
    g_assert_cmpuint(tnd_heap_ranges_remove(&set, 15, 15), ==, 0);
    g_assert_cmpuint(tnd_heap_ranges_remove(&set, 0, UINTPTR_MAX), ==, 20);
    g_assert_cmpuint(set.n, ==, 0);
}

/* What has no place is not in the set, which stays one. */
static void test_full(void)
{
    struct tnd_heap_ranges set = {.ranges = ranges, .max = 2};
    tnd_heap_ranges_add(&set, 0, 10);
    tnd_heap_ranges_add(&set, 20, 30);
    tnd_heap_ranges_add(&set, 40, 50);
    g_assert_true(set.is_short);
    g_assert_cmpuint(set.bytes, ==, 20);
    set.is_short = false;
    g_assert_cmpuint(tnd_heap_ranges_remove(&set, 2, 4), ==, 8);
    g_assert_true(set.is_short);
    g_assert_cmpuint(set.n, ==, 2);
    g_assert_cmpuint(set.bytes, ==, 12);
    g_assert_cmpuint(tnd_heap_ranges_remove(&set, 1, 25), ==, 6);
    g_assert_cmpuint(set.bytes, ==, 6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/heap_ranges/random", test_random);
    g_test_add_func("/heap_ranges/nothing", test_nothing);
    g_test_add_func("/heap_ranges/full", test_full);
    return g_test_run();
}
