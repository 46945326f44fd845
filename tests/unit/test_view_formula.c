/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas: what they come to, worked out by hand; and files of views, good and bad.
 */
#include "analysis/views/view_formula.h"

#include "analysis/views/view_files.h"
#include "tests/unit/all_bursts.h"
#include "tests/unit/make_trace.h"

#include <glib/gstdio.h>
#include <string.h>

/* Row 0: type 1 is 6 from 10 to 40 and 9 from there on; type 2 is 3 from 20 to 50, then 0. */
static TndTrace *small_trace(void)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    add_event(build, 1, 10, 1, 6);
    add_event(build, 1, 40, 1, 9);
    add_event(build, 1, 20, 2, 3);
    add_event(build, 1, 50, 2, 0);
    add_event(build, 2, 0, 1, 5);
    add_event(build, 2, 60, 1, 1);
    add_event(build, 2, 60, 1, 2);
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* "begin-end value, ..." of a row. */
static char *evaluate(const TndTrace *trace, const char *text, guint row)
{
    GError *error = NULL;
    TndViewFormula *formula = tnd_view_formula_parse(text, &error);
    g_assert_no_error(error);
    const char *const *names = tnd_view_formula_names(formula);
    TndView *operands[8] = {NULL};
    for (guint i = 0; names[i]; i++) {
        operands[i] = tnd_view_new(trace, names[i], &error);
        g_assert_no_error(error);
    }
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, tnd_trace_end_ns(trace), tnd_burst_stream_keep, bursts);
    tnd_view_formula_evaluate(formula, operands, row, tnd_trace_end_ns(trace), &stream);
    tnd_burst_stream_finish(&stream);
    GString *found = g_string_new(NULL);
    for (guint i = 0; i < bursts->len; i++)
        g_string_append_printf(found, "%s%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " %.10g", i ? ", " : "",
                               BURST(bursts, i).begin_ns, BURST(bursts, i).end_ns, BURST(bursts, i).value);
    for (guint i = 0; names[i]; i++)
        tnd_view_free(operands[i]);
    g_array_unref(bursts);
    tnd_view_formula_free(formula);
    return g_string_free(found, FALSE);
}

#define A "user-events:1"
#define B "user-events:2"

static void test_values(void)
{
    static const struct {
        const char *formula;
        guint row;
        const char *bursts;
    } cases[] = {
        {A, 0, "0-10 0, 10-40 6, 40-100 9"},
        {A " / " B, 0, "0-10 0, 10-20 0, 20-40 2, 40-50 3, 50-100 0"},
        {A "*" B, 0, "0-10 0, 10-20 0, 20-40 18, 40-50 27, 50-100 0"},
        {A " - " B, 0, "0-10 0, 10-20 6, 20-40 3, 40-50 6, 50-100 9"},
        {"2 + 3 * " A, 0, "0-10 2, 10-40 20, 40-100 29"},
        {"(2 + 3) * -" A, 0, "0-10 -0, 10-40 -30, 40-100 -45"},
        {"24 / 2 / " A, 0, "0-10 0, 10-40 2, 40-100 1.333333333"},
        {"10 - 1 - " A, 0, "0-10 9, 10-40 3, 40-100 0"},
        {"minimum(" A ", 7) + maximum(\"" B "\", 1)", 0, "0-10 1, 10-20 7, 20-40 9, 40-50 10, 50-100 8"},
        {"duration(" A ")", 0, "0-10 10, 10-40 30, 40-100 60"},
        {"per-second(" A ")", 0, "0-10 0, 10-40 200000000, 40-100 150000000"},
        {"change(" A ")", 0, "0-10 6, 10-40 3, 40-100 0"},
        {"change-per-second(" A ") / 1e9", 0, "0-10 0.6, 10-40 0.1, 40-100 0"},
        {"change(" A ")", 1, "0-60 -3, 60-60 1, 60-100 0"}, /* past what holds for no time */
        {A " + 0", 1, "0-60 5, 60-100 2"},
        {"1e308 * 1e308 * " A, 1, "0-60 0, 60-100 0"}, /* no number: nothing */
    };
    TndTrace *trace = small_trace();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *found = evaluate(trace, cases[i].formula, cases[i].row);
        g_test_message("%s", cases[i].formula);
        g_assert_cmpstr(found, ==, cases[i].bursts);
        g_free(found);
    }
    tnd_trace_free(trace);
}

static void test_wrong(void)
{
    static const struct {
        const char *formula, *says;
    } cases[] = {
        {"", "column 1: a view or a number is missing"},
        {"1 + 2", "column 1: no view is in it"},
        {"heap +", "column 7: a view or a number is missing"},
        {"heap stack", "column 6: an operator is missing"},
        {"(heap", "column 6: a ) is missing"},
        {"rate(heap)", "column 1: there is no such function, but per-second, change, change-per-second, duration, "
                       "minimum, maximum"},
        {"minimum(heap)", "column 13: a comma and a second argument are missing"},
        {"\"heap", "column 2: the quote has no end"},
        {"\"\"", "column 2: a name is missing between the quotes"},
        {"heap * 1e999", "column 8: not a number"},
        {"heap * .", "column 8: not a number"},
        {"heap & stack", "column 6: an operator is missing"},
        {"heap, stack", "column 5: an operator is missing"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_assert_null(tnd_view_formula_parse(cases[i].formula, &error));
        g_assert_cmpstr(error->message, ==, cases[i].says);
        g_error_free(error);
    }
    char *deep = g_strnfill(100000, '(');
    GError *error = NULL;
    g_assert_null(tnd_view_formula_parse(deep, &error));
    g_assert_true(strstr(error->message, "too many parentheses") != NULL);
    g_error_free(error);
    g_free(deep);
}

/* Writes NAME.view into the directory and adds it; what was wrong, after its path, or NULL. */
static char *add_file(const char *directory, const char *name, const char *text)
{
    char *path = g_build_filename(directory, name, NULL);
    GError *error = NULL;
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    char *what = NULL;
    if (!tnd_view_files_add(path, &error)) {
        g_assert_true(g_str_has_prefix(error->message, path));
        what = g_strdup(error->message + strlen(path));
        g_error_free(error);
    }
    g_unlink(path);
    g_free(path);
    return what;
}

static void test_files(void)
{
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"twice.view", "[View]\nTitle=Twice\nUnit=B\nFormula=2 * user-events:1\n", NULL},
        {"four-times.view", "# of another file\n[View]\nTitle=More\nDraw=colour\nFormula=twice * 2\n", NULL},
        {"state.view", "[View]\nTitle=a\nFormula=heap\n", ": the view state is built in"},
        {"A.view", "[View]\nTitle=a\nFormula=state\n",
         ": a file of a view is called NAME.view, where NAME consists of a-z, 0-9 and -"},
        {"a.txt", "[View]\nTitle=a\nFormula=state\n",
         ": a file of a view is called NAME.view, where NAME consists of a-z, 0-9 and -"},
        {"a.view", "[View]\nFormula=state\n", ": Title: is missing"},
        {"a.view", "[View]\nTitle=a\n", ": Formula: is missing"},
        {"a.view", "[View]\nTitle=a\nFormula=state +\n", ": Formula: column 8: a view or a number is missing"},
        {"a.view", "[View]\nTitle=a\nFormula=mood\n", ": Formula: there is no view \"mood\""},
        {"a.view", "[View]\nTitle=a\nFormula=state:1\n", ": Formula: there is no view \"state:1\""},
        {"a.view", "[View]\nTitle=a\nFormula=a + 1\n", ": Formula: the view a refers to this one, or is faulty itself"},
        {"a.view", "[View]\nTitle=a\nFormula=state\nDraw=dots\n", ": Draw: got \"dots\", takes line, points or colour"},
        {"a.view", "[View]\nTitle=a\nFormula=state\nZeroIsNothing=perhaps\n", ": ZeroIsNothing: takes true or false"},
        {"a.view", "[View]\nTitle=a\nFormula=state\nColour=red\n",
         ": Colour: there is no such key, but Title, Unit, Help, Formula, Draw, Labels, ZeroIsNothing"},
        {"a.view", "[Window]\nTitle=a\n", ": must have one group, [View]"},
        {"a.view", "", ": must have one group, [View]"},
    };
    char *directory = g_dir_make_tmp("views-XXXXXX", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *what = add_file(directory, cases[i].name, cases[i].text);
        g_assert_cmpstr(what, ==, cases[i].says);
        g_free(what);
    }
    GError *error = NULL;
    g_assert_false(tnd_view_files_add("nowhere/a.view", &error));
    g_assert_cmpstr(error->message, ==, "nowhere/a.view: No such file or directory");
    g_clear_error(&error);
    g_rmdir(directory);
    g_free(directory);

    TndTrace *trace = small_trace();
    TndView *view = tnd_view_new(trace, "four-times", NULL);
    TndBurst burst;
    g_assert_true(tnd_view_burst_at(view, 0, 30, &burst));
    g_assert_cmpfloat(burst.value, ==, 24);
    g_assert_cmpstr(tnd_view_rule(view)->title, ==, "More");
    g_assert_cmpint(tnd_view_rule(view)->draw, ==, TND_DRAW_COLOUR);
    g_assert_true(tnd_view_available(trace, tnd_view_rule(view)));
    tnd_view_free(view);
    view = tnd_view_new(trace, "twice", NULL);
    char *text = tnd_view_value_text(view, 4096);
    g_assert_cmpstr(text, ==, "4 KiB");
    g_assert_cmpint(tnd_view_rule(view)->draw, ==, TND_DRAW_LINE);
    g_free(text);
    tnd_view_free(view);
    g_assert_null(tnd_view_new(trace, "a", NULL)); /* none of the bad ones stayed */
    g_assert_null(tnd_view_new(trace, "ipc", &error));
    g_assert_true(g_str_has_prefix(error->message, "ipc: counter:PAPI_TOT_INS: made has no event type"));
    g_error_free(error);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/view-formula/values", test_values);
    g_test_add_func("/view-formula/wrong", test_wrong);
    g_test_add_func("/view-formula/files", test_files);
    return g_test_run();
}
