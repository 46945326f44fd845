/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the histogram page: sorted by clicks on heads, without empty rows, transposed, with bars, copied as
 * text.
 */
#include "tests/ui/hands.h"
#include "viewer/session_file.h"
#include "viewer/table_area.h"

#include <glib/gstdio.h>

static const TndHistogram *histogram(void)
{
    WAIT_FOR(tnd_session_has_histogram(session));
    return tnd_session_histogram(session, NULL);
}

static guint column_of(const char *name)
{
    guint column = 0;
    while (column < histogram()->n_columns && strcmp(histogram()->column_names[column], name) != 0)
        column++;
    g_assert_cmpuint(column, <, histogram()->n_columns);
    return column;
}

static void click_in_column(guint column, double below_head)
{
    int x, y;
    GtkWidget *canvas = find_widget(tnd_window_table(window), GTK_TYPE_DRAWING_AREA);
    const TndRectangle place =
        tnd_histogram_table_columns(tnd_table_area_picture(tnd_window_table(window)), column, column);
    live(500); /* else clicks would count on from those before */
    gdk_window_get_origin(gtk_widget_get_window(canvas), &x, &y);
    input("mousemove %d %d click 1", x + (int)(place.x + place.width / 2), y + (int)(place.y + 10 + below_head));
    live(100);
}

/* The table as text: a line for each row and the heads, a word for each column and the row's name. */
static char ***copied(guint *n)
{
    press("ctrl+c");
    live(200);
    char *text = gtk_clipboard_wait_for_text(gtk_widget_get_clipboard(window, GDK_SELECTION_CLIPBOARD));
    g_assert_nonnull(text);
    char **lines = g_strsplit(text, "\n", -1);
    *n = g_strv_length(lines) - 1; /* behind the last one nothing comes */
    char ***words = g_new0(char **, *n + 1);
    for (guint i = 0; i < *n; i++)
        words[i] = g_strsplit(lines[i], "\t", -1);
    g_strfreev(lines);
    g_free(text);
    return words;
}

static void free_words(char ***words)
{
    for (guint i = 0; words[i]; i++)
        g_strfreev(words[i]);
    g_free(words);
}

/* Whether the numbers of a column go up (1) or down (-1) in the text, where those without one are last. */
static void check_order(guint column, int direction)
{
    guint n;
    char ***words = copied(&n);
    g_assert_cmpuint(n, ==, histogram()->n_rows + 1);
    for (guint i = 2; i < n; i++) {
        const char *one = words[i - 1][column + 1], *next = words[i][column + 1];
        g_assert_true(!*next ||
                      (*one && direction * g_ascii_strtod(one, NULL) <= direction * g_ascii_strtod(next, NULL)));
    }
    free_words(words);
}

static void test_sort(void)
{
    open_window("hybrid", NULL);
    tnd_session_open_view(session, "mpi-calls", NULL);
    press("h");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    const guint column = column_of("Outside MPI"), n = histogram()->n_rows;
    live(300);
    click_in_column(column, 0);
    g_assert_cmpstr(tnd_session_table_order(session).column, ==, "Outside MPI");
    check_order(column, -1);
    keep_screen("table-sorted");
    click_in_column(column, 0);
    g_assert_true(tnd_session_table_order(session).is_rising);
    check_order(column, 1);
    click_in_column(column, 0);
    g_assert_null(tnd_session_table_order(session).column);
    click_in_column(column_of("MPI_Allreduce"), 26); /* the first cell, which is marked */
    press("shift+z");
    g_assert_cmpstr(tnd_session_table_order(session).column, ==, "MPI_Allreduce");
    check_order(column_of("MPI_Allreduce"), -1);
    g_assert_cmpuint(histogram()->n_rows, ==, n);
}

/* Only the first thread of each process calls MPI. */
static void test_empty_rows(void)
{
    guint n, n_filled = 0;
    tnd_session_set_statistic(session, TND_STATISTIC_CALLS);
    for (guint row = 0; row < histogram()->n_rows; row++)
        n_filled += histogram()->first[row] < histogram()->first[row + 1];
    g_assert_cmpuint(n_filled, <, histogram()->n_rows);
    press("ctrl+h");
    g_assert_true(tnd_session_table_order(session).hides_empty);
    free_words(copied(&n));
    g_assert_cmpuint(n, ==, n_filled + 1);
    press("c");
    WAIT_FOR(tnd_session_cells(session) == TND_CELLS_BARS);
    keep_screen("table-bars");
}

static void test_transposed(void)
{
    const guint n_rows = histogram()->n_rows, n_columns = histogram()->n_columns;
    press("shift+t");
    WAIT_FOR(tnd_session_is_transposed(session));
    g_assert_cmpuint(histogram()->n_rows, ==, n_columns);
    g_assert_cmpuint(histogram()->n_columns, ==, n_rows);
    keep_screen("table-transposed");
}

/* Numbers are those of a histogram that is made without the session. */
static void check_numbers(TndStatistic statistic, const char *data, const char *third, double value)
{
    const TndHistogram *shown = histogram();
    TndTrace *trace = (TndTrace *)tnd_session_trace(session);
    TndView *views[] = {tnd_view_new(trace, current_view(), NULL), data ? tnd_view_new(trace, data, NULL) : NULL,
                        third ? tnd_view_new(trace, third, NULL) : NULL};
    const TndHistogramOptions options = {
        .statistic = statistic, .data = views[1], .within = views[2], .within_value = value};
    TndHistogram *wanted = tnd_histogram_new_with(views[0], &options, NULL);
    g_assert_cmpint(shown->statistic, ==, statistic);
    g_assert_cmpuint(shown->first[shown->n_rows], ==, wanted->first[wanted->n_rows]);
    for (gsize i = 0; i < wanted->first[wanted->n_rows]; i++)
        g_assert_cmpfloat(shown->cells[i].value, ==, wanted->cells[i].value);
    tnd_histogram_free(wanted);
    for (guint i = 0; i < G_N_ELEMENTS(views); i++)
        tnd_view_free(views[i]);
}

/* Columns of one view, values of another, a plane for each value of a third one. */
static void test_three_views(void)
{
    guint shown;
    tnd_session_set_transposed(session, FALSE);
    tnd_session_set_statistic(session, TND_STATISTIC_AVERAGE_VALUE);
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(find_named(window, "data-chooser")), "useful-duration");
    g_assert_cmpstr(tnd_session_table_view(session, TND_TABLE_DATA), ==, "useful-duration");
    check_numbers(TND_STATISTIC_AVERAGE_VALUE, "useful-duration", NULL, 0);
    GtkAllocation place;
    int x, y;
    GtkWidget *chooser = find_widget(window, GTK_TYPE_COMBO_BOX);
    gtk_widget_get_allocation(chooser, &place);
    gdk_window_get_origin(gtk_widget_get_window(chooser), &x, &y);
    input("mousemove %d %d click 1", x + place.x + 40, y + place.y + place.height / 2);
    keep_screen("table-statistics");
    press("Escape");
    live(200);
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(find_named(window, "data-chooser")), "");
    tnd_session_set_statistic(session, TND_STATISTIC_TIME);
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(find_named(window, "third-chooser")), "state");
    histogram();
    WAIT_FOR(gtk_widget_get_visible(gtk_widget_get_parent(find_named(window, "plane-chooser"))));
    const TndCfgTables *tables = tnd_session_planes(session, &shown);
    g_assert_cmpuint(tables->n_planes, >, 1);
    press("p");
    WAIT_FOR((tnd_session_planes(session, &shown), shown == 1));
    keep_screen("table-planes");
    g_assert_true(tnd_session_set_plane(session, "Running"));
    check_numbers(TND_STATISTIC_TIME, NULL, "state", 1); /* Paraver's number of this state */
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(find_named(window, "third-chooser")), "");
    g_assert_null(tnd_session_table_view(session, TND_TABLE_PLANES));
    g_assert_cmpuint(histogram()->n_rows, >, 0);
}

static void test_is_kept(void)
{
    char *path = g_build_filename(g_get_tmp_dir(), "table.tview", NULL);
    GError *error = NULL;
    g_assert_true(tnd_session_file_write(session, path, &error));
    tnd_session_set_cells(session, TND_CELLS_NUMBERS);
    tnd_session_set_table_order(session, (TndTableOrder){0});
    tnd_session_set_transposed(session, FALSE);
    g_assert_true(tnd_session_file_apply(session, path, NULL, &error));
    g_assert_no_error(error);
    g_assert_cmpint(tnd_session_cells(session), ==, TND_CELLS_BARS);
    g_assert_cmpstr(tnd_session_table_order(session).column, ==, "MPI_Allreduce");
    g_assert_true(tnd_session_table_order(session).hides_empty);
    g_assert_true(tnd_session_is_transposed(session));
    g_remove(path);
    g_free(path);
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    g_test_add_func("/window-table/sort", test_sort);
    g_test_add_func("/window-table/empty-rows", test_empty_rows);
    g_test_add_func("/window-table/transposed", test_transposed);
    g_test_add_func("/window-table/is-kept", test_is_kept);
    g_test_add_func("/window-table/three-views", test_three_views);
    return end_tests();
}
