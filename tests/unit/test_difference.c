/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Student's distribution against its closed forms and printed tables; differences against numbers of Python's
 * statistics and of the formula; that alarms are as rare as they say is tried out.
 */
#include "analysis/base/difference.h"
#include "analysis/base/student.h"

#include <math.h>

#define WRONG 0.01

/* With 1, 2 and 4 degrees of freedom the probability has a closed form. */
static void test_closed_forms(void)
{
    for (double t = 0.01; t < 1000; t *= 1.3) {
        double root2 = t / sqrt(2 + t * t), root4 = t / sqrt(4 + t * t);
        g_assert_cmpfloat_with_epsilon(tnd_student_chance(t, 1), 1 - 2 / G_PI * atan(t), 1e-13);
        g_assert_cmpfloat_with_epsilon(tnd_student_chance(-t, 2), 1 - root2, 1e-13);
        g_assert_cmpfloat_with_epsilon(tnd_student_chance(t, 4), 1 - root4 * (1.5 - root4 * root4 / 2), 1e-13);
        g_assert_cmpfloat_with_epsilon(tnd_student_chance(t, INFINITY), erfc(t / sqrt(2)), 1e-15);
    }
    g_assert_cmpfloat(tnd_student_chance(0, 3), ==, 1);
    g_assert_cmpfloat(tnd_student_chance(INFINITY, 3), ==, 0);
}

/* Limits as tables print them; those that tables lack are scipy.stats.t.isf(chance / 2, freedom). */
static void test_tables(void)
{
    static const struct {
        double freedom, chance, limit;
    } known[] = {
        {1, 0.05, 12.706204736},   {2, 0.01, 9.924843201},    {4, 0.05, 2.776445105},         {8, 0.001, 5.041305433},
        {8, 0.0001, 7.1200038913}, {30, 0.01, 2.7499956536},  {7.31, 0.02, 2.9628653532},     {1e4, 0.05, 1.9602012399},
        {0.7, 0.283371339301, 3},  {8, 7.01149371332e-9, 25}, {INFINITY, 0.05, 1.9599639845},
    };
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        double limit = tnd_student_limit(known[i].chance, known[i].freedom);
        g_assert_cmpfloat_with_epsilon(limit, known[i].limit, 1e-8 * known[i].limit);
        g_assert_cmpfloat_with_epsilon(tnd_student_chance(limit, known[i].freedom) / known[i].chance, 1, 1e-10);
    }
}

static const TndMeasured few[] = {{10.1, 0, 0}, {9.8, 0, 0}, {10.4, 0, 0}, {10.0, 0, 0}, {9.9, 0, 0}};
static const TndMeasured more[] = {{10.9, 0, 0}, {10.6, 0, 0}, {11.3, 0, 0}, {10.7, 0, 0}};

/* scipy.stats.ttest_ind(more, few, equal_var=False): t 4.49169316, p 0.00525436609641706.  By statistics.variance, the
 * error is sqrt(0.053 / 5 + 0.095833 / 4), and the formula of Welch and Satterthwaite has 5.442790586 degrees of
 * freedom, with which scipy.stats.t.ppf(0.995) is 3.868475475. */
static void test_welch(void)
{
    TndDifference difference = tnd_difference_of(few, 5, more, 4, 0.1);
    g_assert_cmpfloat_with_epsilon(difference.before, 10.04, 1e-12);
    g_assert_cmpfloat_with_epsilon(difference.after, 10.875, 1e-12);
    g_assert_cmpfloat_with_epsilon(difference.error, 0.1858987179, 1e-9);
    g_assert_cmpfloat_with_epsilon(difference.freedom, 5.442790586, 1e-8);
    g_assert_cmpfloat(difference.slack, ==, 0);
    g_assert_cmpfloat_with_epsilon(tnd_difference_chance(&difference), 0.00525436609641706, 1e-10);
    g_assert_cmpfloat_with_epsilon(tnd_difference_sure(&difference, 0.01), 0.7191446311, 1e-8);
    TndDifference back = tnd_difference_of(more, 4, few, 5, 0.1);
    g_assert_cmpfloat_with_epsilon(tnd_difference_chance(&back), 0.00525436609641706, 1e-10);
}

/* One run against five: error sqrt(0.053 * (1 + 1 / 5)) with 4 degrees of freedom; scipy.stats.t.sf and ppf as above.
 */
static void test_one_against_several(void)
{
    const TndMeasured one = {11.5, 0, 0};
    TndDifference difference = tnd_difference_of(few, 5, &one, 1, 0);
    g_assert_cmpfloat_with_epsilon(difference.error, 0.2521904043, 1e-9);
    g_assert_cmpfloat_with_epsilon(tnd_difference_chance(&difference), 0.00442439166, 1e-10);
    g_assert_cmpfloat_with_epsilon(tnd_difference_sure(&difference, 0.01), 1.1611085469, 1e-8);
    difference = tnd_difference_of(&one, 1, few, 5, 0);
    g_assert_cmpfloat_with_epsilon(tnd_difference_chance(&difference), 0.00442439166, 1e-10);
    difference = tnd_difference_of(few, 5, &one, 1, 1);
    g_assert_cmpfloat_with_epsilon(tnd_difference_sure(&difference, 0.01), 1 + 1.1611085469, 1e-8);
}

/* One run a side: the slack, and the rest is sampling, 2.575829 errors at 1 %. */
static void test_one_against_one(void)
{
    const TndMeasured before = {200, 9, 0}, after = {250, 16, 0};
    TndDifference difference = tnd_difference_of(&before, 1, &after, 1, 25);
    g_assert_cmpfloat_with_epsilon(difference.slack, 25, 1e-12);
    g_assert_cmpfloat_with_epsilon(difference.error, 5, 1e-12);
    g_assert_cmpfloat_with_epsilon(tnd_difference_chance(&difference), erfc(5 / sqrt(2)), 1e-12);
    g_assert_cmpfloat_with_epsilon(tnd_difference_sure(&difference, 0.01), 25 + 5 * 2.575829304, 1e-7);
    difference = tnd_difference_of(&before, 1, &after, 1, 51);
    g_assert_cmpfloat(tnd_difference_chance(&difference), ==, 1);
}

/* Values that do not vary differ surely, or not at all. */
static void test_exact(void)
{
    const TndMeasured calls[] = {{7, 0, 0}, {7, 0, 0}, {7, 0, 0}}, other[] = {{8, 0, 0}, {8, 0, 0}};
    TndDifference same = tnd_difference_of(calls, 3, calls, 3, 0), changed = tnd_difference_of(calls, 3, other, 2, 0);
    g_assert_cmpfloat(tnd_difference_chance(&same), ==, 1);
    g_assert_cmpfloat(tnd_difference_chance(&changed), ==, 0);
    g_assert_cmpfloat(tnd_difference_sure(&changed, 0.001), ==, 0);
}

/* Samples that happen to be alike in all runs vary by one all the same; runs that vary more tell by themselves. */
static void test_grain(void)
{
    const TndMeasured none[] = {{0, 9, 1}, {0, 9, 1}, {0, 9, 1}}, some[] = {{2, 9, 1}, {2, 9, 1}, {2, 9, 1}};
    TndDifference difference = tnd_difference_of(none, 3, some, 3, 0);
    g_assert_cmpfloat_with_epsilon(difference.error, sqrt(2. / 3), 1e-12);
    g_assert_cmpfloat_with_epsilon(difference.freedom, 4, 1e-12);
    const TndMeasured wide[] = {{10, 9, 1}, {16, 9, 1}, {13, 9, 1}}; /* variance 9 */
    difference = tnd_difference_of(none, 3, wide, 3, 0);
    g_assert_cmpfloat_with_epsilon(difference.error, sqrt(10. / 3), 1e-12);
}

/* An example by hand: 0.05 * 1 / 5, 2 / 5, 3 / 5, 4 / 5, 5 / 5 are 0.01 to 0.05; the third chance is at most its own.
 */
static void test_level(void)
{
    static const double chances[] = {0.2, 0.028, 0.009, 0.9, 0.025};
    g_assert_cmpfloat_with_epsilon(tnd_difference_level(chances, 5, 0.05), 0.03, 1e-12);
    g_assert_cmpfloat_with_epsilon(tnd_difference_level(chances, 1, 0.05), 0.05, 1e-12); /* 0.2 alone: none */
    g_assert_cmpfloat_with_epsilon(tnd_difference_level(NULL, 0, 0.05), 0.05, 1e-12);
}

/* The sum of twelve numbers from 0 to 1 is near enough to a normal one. */
static double normal(GRand *random)
{
    double sum = -6;
    for (guint i = 0; i < 12; i++)
        sum += g_rand_double(random);
    return sum;
}

static void measure(GRand *random, TndMeasured *runs, guint n, double mean)
{
    for (guint i = 0; i < n; i++)
        runs[i] = (TndMeasured){mean * (1 + 0.02 * normal(random)), 0, 0};
}

/* Of 4,000 comparisons of 40 numbers each about one in a hundred finds a difference if there is none; a number that is
 * 10 % larger, where runs vary by 2 %, is found, and its interval has the truth. */
static void test_alarms(void)
{
    enum { TRIES = 4000, NUMBERS = 40, RUNS = 5 };
    GRand *random = g_rand_new_with_seed(11);
    guint n_alarms = 0, n_found = 0, n_right = 0;
    for (guint i = 0; i < TRIES; i++) {
        TndMeasured before[RUNS], after[RUNS];
        TndDifference larger;
        double chances[NUMBERS], least = 1;
        for (guint k = 0; k < NUMBERS; k++) {
            measure(random, before, RUNS, 100);
            measure(random, after, RUNS, 100);
            TndDifference difference = tnd_difference_of(before, RUNS, after, RUNS, 0);
            chances[k] = tnd_difference_chance(&difference);
            least = MIN(least, chances[k]);
        }
        n_alarms += least <= tnd_difference_level(chances, NUMBERS, WRONG);
        for (guint k = 0; k < 6; k++) { /* what is slower shows in several numbers: of threads, of the whole */
            measure(random, before, RUNS, 100);
            measure(random, after, RUNS, 110);
            larger = tnd_difference_of(before, RUNS, after, RUNS, 0);
            chances[k] = tnd_difference_chance(&larger);
        }
        double level = tnd_difference_level(chances, NUMBERS, WRONG), sure = tnd_difference_sure(&larger, level);
        n_found += chances[5] <= level;
        n_right += fabs(larger.after - larger.before - 10) <= sure;
    }
    g_rand_free(random);
    g_assert_cmpuint(n_alarms, >, TRIES / 400);
    g_assert_cmpuint(n_alarms, <, TRIES / 60);
    g_assert_cmpuint(n_found, >, TRIES * 9 / 10);
    g_assert_cmpuint(n_right, >, TRIES - TRIES / 50);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/difference/closed-forms", test_closed_forms);
    g_test_add_func("/difference/tables", test_tables);
    g_test_add_func("/difference/welch", test_welch);
    g_test_add_func("/difference/one-against-several", test_one_against_several);
    g_test_add_func("/difference/one-against-one", test_one_against_one);
    g_test_add_func("/difference/exact", test_exact);
    g_test_add_func("/difference/grain", test_grain);
    g_test_add_func("/difference/level", test_level);
    g_test_add_func("/difference/alarms", test_alarms);
    return g_test_run();
}
