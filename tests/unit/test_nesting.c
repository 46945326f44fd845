/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls within each other, as the events of a row tell them.
 */
#include "analysis/trace/nesting.h"

static void note_end(gpointer self, guint index, guint64 time_ns)
{
    g_string_append_printf(self, " -%u@%" G_GUINT64_FORMAT, index, time_ns);
}

/* events: "type=value" at times 1, 2, ...; expected: +N where N are open with the one that begins, and -N@T ends. */
static void check(const char *events, const char *expected)
{
    GString *found = g_string_new(NULL);
    TndNesting nesting = {g_array_new(FALSE, FALSE, sizeof(TndNestingCall)), note_end, found, {0}};
    char **words = g_strsplit(events, " ", -1);
    for (guint64 time = 0; words[time]; time++) {
        guint32 type = (guint32)g_ascii_strtoull(words[time], NULL, 10);
        if (tnd_nesting_follow(&nesting, time + 1, type, g_ascii_strtoll(words[time] + 2, NULL, 10)))
            g_string_append_printf(found, " +%u", nesting.calls->len);
    }
    g_assert_cmpstr(found->str, ==, expected);
    g_strfreev(words);
    g_array_unref(nesting.calls);
    g_string_free(found, TRUE);
}

static void test_calls(void)
{
    check("1=5 1=0", " +1 -0@2");
    check("1=5 1=6 1=5 1=0", " +1 +2 -1@3 -0@4");
    check("1=5 1=5 1=5 1=0", " +1 +2 -1@3 -0@4"); /* a function that calls itself */
    check("1=5 1=6 1=0", " +1 +2 -1@3 -0@3");     /* 0 ends all of the type */
    check("1=5 2=9 1=0 2=0", " +1 +2 -0@3 -0@4"); /* not within each other */
    check("1=5 2=9 1=6 2=0 1=5 1=0", " +1 +2 +3 -1@4 -1@5 -0@6");
    check("1=0 2=0", "");
}

/* Values that are not of calls within each other do not make the row deeper and deeper. */
static void test_sequence(void)
{
    GString *found = g_string_new(NULL);
    TndNesting nesting = {g_array_new(FALSE, FALSE, sizeof(TndNestingCall)), note_end, found, {0}};
    for (guint i = 1; i <= 3 * TND_NESTING_MOST; i++) {
        g_assert_true(tnd_nesting_follow(&nesting, i, 1, i));
        g_assert_cmpuint(nesting.calls->len, <=, TND_NESTING_MOST);
    }
    tnd_nesting_clear(&nesting);
    g_assert_true(tnd_nesting_follow(&nesting, 1, 1, 1));
    g_assert_cmpuint(nesting.calls->len, ==, 1);
    g_array_unref(nesting.calls);
    g_string_free(found, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/nesting/calls", test_calls);
    g_test_add_func("/nesting/sequence", test_sequence);
    return g_test_run();
}
