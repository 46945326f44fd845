/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops in strings of letters.
 */
#include "analysis/causes/loops.h"

#include <string.h>

static const char *letter(guint32 symbol, gpointer user_data)
{
    static const char letters[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0";
    return letters + 2 * symbol;
}

static TndLoops *loops_of(const char *text, guint least)
{
    gsize n = strlen(text);
    guint32 *symbols = g_new(guint32, n);
    for (gsize i = 0; i < n; i++)
        symbols[i] = (guint32)(text[i] - 'a');
    TndLoops *loops = tnd_loops_new(symbols, n, least);
    g_free(symbols);
    return loops;
}

static void repeat(GString *text, const char *what, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append(text, what);
}

static void assert_loop(const TndLoops *loops, const TndLoop *loop, gsize begin, gsize end, guint n, const char *text)
{
    char *found = tnd_loops_text(loops, loop, letter, NULL);
    g_assert_cmpuint(loop->begin, ==, begin);
    g_assert_cmpuint(loop->end, ==, end);
    g_assert_cmpuint(loop->n, ==, n);
    g_assert_cmpstr(found, ==, text);
    g_assert_cmpuint(loop->starts[0], ==, begin);
    for (guint i = 1; i < n; i++)
        g_assert_cmpuint(loop->starts[i], >, loop->starts[i - 1]);
    g_free(found);
}

/* Three loops, between letters that do not repeat; the second one has inner loops that repeat more or less often. */
static void test_known(void)
{
    GString *text = g_string_new("i");
    repeat(text, "abcabcd", 40);
    g_string_append(text, "j");
    for (guint i = 0; i < 25; i++) {
        g_string_append(text, "e");
        repeat(text, "fa", 2 + i * i % 5);
    }
    gsize second = text->len;
    g_string_append(text, "i");
    repeat(text, "b", 100);
    TndLoops *loops = loops_of(text->str, 4);
    guint n;
    const TndLoop *found = tnd_loops_outermost(loops, &n);
    g_assert_cmpuint(n, ==, 3);
    assert_loop(loops, &found[0], 1, 281, 40, "2 x (a, b, c), d");
    assert_loop(loops, &found[1], 282, second, 25, "e, 2 x (f, a)");
    assert_loop(loops, &found[2], second + 1, second + 101, 100, "b");
    for (guint i = 0; i < 40; i++)
        g_assert_cmpuint(found[0].starts[i], ==, 1 + 7 * i);
    tnd_loops_free(loops);
    g_string_free(text, TRUE);
}

/* An outer loop of too few iterations: its inner ones are found, and have the same body, wherever they begin. */
static void test_few_iterations(void)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < 3; i++) {
        repeat(text, "abc", 30);
        g_string_append(text, "hgh");
    }
    repeat(text, "cab", 30);
    TndLoops *loops = loops_of(text->str, 4);
    guint n;
    const TndLoop *found = tnd_loops_outermost(loops, &n);
    g_assert_cmpuint(n, ==, 4);
    for (guint i = 0; i < n; i++) {
        g_assert_cmpuint(found[i].n, ==, 30);
        g_assert_cmpuint(found[i].id, ==, found[0].id);
        assert_loop(loops, &found[i], 93 * i, 93 * i + 90, 30, "a, b, c");
    }
    tnd_loops_free(loops);
    g_string_free(text, TRUE);
}

/* In strings of chance nothing repeats. */
static void test_chance(void)
{
    GRand *random = g_rand_new_with_seed(11);
    guint n_with = 0;
    for (guint run = 0; run < 300; run++) {
        guint n_letters = 3 + run % 6, n;
        GString *text = g_string_new(NULL);
        for (guint i = 0; i < 20 + run * 10; i++)
            g_string_append_c(text, (char)('a' + g_rand_int_range(random, 0, (gint)n_letters)));
        TndLoops *loops = loops_of(text->str, 4);
        tnd_loops_outermost(loops, &n);
        n_with += n > 0;
        tnd_loops_free(loops);
        g_string_free(text, TRUE);
    }
    g_assert_cmpuint(n_with, <=, 3);
    g_rand_free(random);
}

static void test_short(void)
{
    static const char *const texts[] = {"", "a", "aa", "ab", "abab"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        guint n;
        TndLoops *loops = loops_of(texts[i], 2);
        tnd_loops_outermost(loops, &n);
        g_assert_cmpuint(n, ==, 0);
        tnd_loops_free(loops);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/loops/known", test_known);
    g_test_add_func("/loops/few-iterations", test_few_iterations);
    g_test_add_func("/loops/chance", test_chance);
    g_test_add_func("/loops/short", test_short);
    return g_test_run();
}
