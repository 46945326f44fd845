/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of small traces whose lines are known.
 */
#include "analysis/tables/burst_table.h"
#include "analysis/tables/record_tables.h"
#include "analysis/tables/value_set.h"
#include "tests/unit/make_trace.h"

#include <gio/gio.h>

static void test_values(void)
{
    TndValueSet *set = tnd_value_set_new();
    for (gint i = 0; i < 10000; i++)
        tnd_value_set_add(set, (i * 7919) % 1000 - 500.0);
    tnd_value_set_add(set, -0.0);
    tnd_value_set_add(set, NAN);
    tnd_value_set_add(set, -NAN);
    g_assert_cmpuint(set->n, ==, 1001);
    double *values = tnd_value_set_number(set);
    for (guint i = 0; i < 1000; i++) {
        g_assert_cmpfloat(values[i], ==, i - 500.0);
        g_assert_cmpuint(tnd_value_set_code(set, values[i]), ==, i);
    }
    g_assert_true(isnan(values[1000]) && tnd_value_set_code(set, NAN) == 1000);
    g_assert_cmpuint(tnd_value_set_code(set, -0.0), ==, 500);
    g_free(values);
    tnd_value_set_free(set);
}

/* Events of n values on one row of two, a ns apart. */
static TndTrace *make_events(guint n)
{
    TndTraceBuild *build = make_trace(2, 10 + n, 1);
    for (guint i = 0; i < n; i++)
        add_event(build, 2, 10 + i, 42, i + 1);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void check_labels(guint n_values, guint n_columns, TndColumnType type)
{
    TndTrace *trace = make_events(n_values);
    TndView *view = tnd_view_new(trace, "user-events:42", NULL);
    TndTable *table = tnd_burst_table_new(view, &(TndTableSelection){0}, NULL);
    g_assert_cmpuint(table->n_columns, ==, n_columns);
    g_assert_cmpuint(table->n_lines, ==, n_values + 2);
    for (guint i = 0; i < n_values; i++) {
        g_assert_cmpint(*tnd_table_integers(table, 1, i + 2), ==, 10 + i);
        g_assert_cmpfloat(*tnd_table_doubles(table, 3, i + 2), ==, i + 1);
    }
    g_assert_cmpint(*tnd_table_integers(table, 2, n_values + 1), ==, 10 + n_values);
    if (n_columns == 5) {
        const TndColumn *labels = &table->columns[4];
        gsize last = n_values + 1;
        g_assert_cmpint(labels->type, ==, type);
        guint code = type == TND_COLUMN_INT8    ? (guint)((const gint8 *)labels->values)[last]
                     : type == TND_COLUMN_INT16 ? (guint)((const gint16 *)labels->values)[last]
                                                : (guint)((const gint32 *)labels->values)[last];
        g_assert_cmpuint(code, ==, n_values);
        char *text = tnd_view_value_text(view, n_values);
        g_assert_cmpstr(labels->texts[code], ==, text);
        g_free(text);
    }
    tnd_table_free(table);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A label for each value, as narrow as possible, until there are too many. */
static void test_labels(void)
{
    check_labels(126, 5, TND_COLUMN_INT8); /* and 0 */
    check_labels(127, 5, TND_COLUMN_INT16);
    check_labels(40000, 5, TND_COLUMN_INT32);
    check_labels(TND_BURST_TABLE_MOST_LABELS - 1, 5, TND_COLUMN_INT32);
    check_labels(TND_BURST_TABLE_MOST_LABELS, 4, TND_COLUMN_INT32);
}

static gboolean refuse(double fraction, gpointer n_told)
{
    g_assert_true(fraction > 0 && fraction <= 1);
    ++*(guint *)n_told;
    return FALSE;
}

static void test_selections(void)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    add_event(build, 1, 0, 42, 7);
    add_event(build, 2, 50, 43, 8);
    add_event(build, 1, 100, 42, 0);
    add_message(build, 1, 2, 60, 90, 4096);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    static const gboolean second[] = {FALSE, TRUE}, none[] = {FALSE, FALSE};
    static const struct {
        TndTableSelection selection;
        guint32 type;
        guint n_events, n_messages;
    } cases[] = {
        {{0}, 0, 3, 1},
        {{0}, 42, 2, 1},
        {{.begin_ns = 1}, 0, 2, 1},
        {{.end_ns = 100}, 42, 1, 1}, /* the end is not in it, unless it is open */
        {{.begin_ns = 50, .end_ns = 51}, 0, 1, 0},
        {{.begin_ns = 90, .end_ns = 91}, 0, 0, 1},
        {{.begin_ns = 91}, 0, 1, 0},
        {{.rows = second}, 0, 1, 1},
        {{.rows = none}, 0, 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TndTable *events =
            tnd_record_tables_events(trace, &cases[i].type, cases[i].type != 0, &cases[i].selection, NULL);
        TndTable *messages = tnd_record_tables_messages(trace, &cases[i].selection, NULL);
        g_assert_cmpuint(events->n_lines, ==, cases[i].n_events);
        g_assert_cmpuint(messages->n_lines, ==, cases[i].n_messages);
        tnd_table_free(events);
        tnd_table_free(messages);
    }
    guint n_told = 0;
    GError *error = NULL;
    const TndTableSelection hurried = {.progress = refuse, .user_data = &n_told};
    TndView *view = tnd_view_new(trace, "state", NULL);
    g_assert_null(tnd_record_tables_events(trace, NULL, 0, &hurried, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error(&error);
    g_assert_null(tnd_burst_table_new(view, &hurried, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error(&error);
    g_assert_cmpuint(n_told, >=, 2);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tables/values", test_values);
    g_test_add_func("/tables/labels", test_labels);
    g_test_add_func("/tables/selections", test_selections);
    return g_test_run();
}
