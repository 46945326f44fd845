/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: the numbers and heads that belong there, nothing overlapping in any size, scrolled or fitted.
 */
#include "tests/paint/boxes.h"
#include "viewer/paint/histogram_table.h"

static TndTrace *open_trace(void)
{
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", "synthetic-16", "synthetic-16.prv", NULL);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    return trace;
}

static void test_numbers(void)
{
    TndTrace *trace = open_trace();
    TndView *view = tnd_view_new(trace, "mpi-calls", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_TIME_PERCENT, 0, G_MAXUINT64, NULL);
    TndHistogramTableSubject subject = {
        .histogram = histogram, .trace_name = "synthetic-16", .level = TND_LEVEL_THREAD, .cells = TND_CELLS_COLOURS};
    double width, height;
    tnd_histogram_table_natural_size(&subject, &width, &height);
    TndHistogramTable *table = tnd_histogram_table_new(&subject, width, height);
    const GArray *texts = tnd_histogram_table_texts(table);
    g_assert_cmpuint(tnd_histogram_table_n_rows(table), ==, 16);
    g_assert_cmpuint(tnd_histogram_table_n_columns(table), ==, histogram->n_columns);
    g_assert_true(has_text(texts, "MPI_Barrier"));
    g_assert_true(has_text(texts, "THREAD 1.16.1"));
    g_assert_true(has_text(texts, "17.48")); /* Paraver's value of THREAD 1.4.1 in MPI_Barrier */
    g_assert_true(has_text(texts, "Avg/Max"));
    tnd_histogram_table_free(table);
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void check_sizes(TndHistogram *histogram)
{
    TndHistogramTableSubject subject = {
        .histogram = histogram, .trace_name = "synthetic-16", .level = TND_LEVEL_THREAD, .cells = TND_CELLS_COLOURS};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        for (int mode = 0; mode < 3; mode++) {
            subject.is_fitted = mode == 0;
            subject.first_row = subject.first_column = mode == 2 ? 3 : 0;
            TndHistogramTable *table = tnd_histogram_table_new(&subject, sizes[i][0], sizes[i][1]);
            check_boxes(tnd_histogram_table_texts(table), NULL, sizes[i][0], sizes[i][1]);
            g_assert_cmpuint(tnd_histogram_table_n_rows(table), >, 0);
            tnd_histogram_table_free(table);
        }
}

static void test_nothing_overlaps(void)
{
    const char *const views[] = {"state", "mpi-calls", "useful-duration"};
    TndTrace *trace = open_trace();
    for (guint i = 0; i < G_N_ELEMENTS(views); i++) {
        TndView *view = tnd_view_new(trace, views[i], NULL);
        for (TndStatistic statistic = 0; statistic < TND_STATISTIC_N; statistic++) {
            GError *error = NULL;
            if (statistic == TND_STATISTIC_CALLS && i != 1)
                continue; /* it is only of calls */
            TndHistogram *histogram = tnd_histogram_new(view, statistic, 0, G_MAXUINT64, &error);
            g_assert_no_error(error);
            check_sizes(histogram);
            tnd_histogram_free(histogram);
        }
        tnd_view_free(view);
    }
    tnd_trace_free(trace);
}

/* Of messages 0 is where they only went the other way: Paraver's picture has no colour there, and "-". */
static void test_messages(void)
{
    TndTrace *trace = open_trace();
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_BYTES_SENT, 0, G_MAXUINT64, NULL);
    TndHistogramTableSubject subject = {.histogram = histogram,
                                        .trace_name = "synthetic-16",
                                        .trace = trace,
                                        .title = "Who to whom",
                                        .plane = "Running",
                                        .level = TND_LEVEL_TASK,
                                        .cells = TND_CELLS_COLOURS,
                                        .is_fitted = TRUE};
    guint n = 0;
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++)
        n += histogram->cells[i].value == 0;
    g_assert_cmpuint(n, >, 10);
    TndHistogramTable *table = tnd_histogram_table_new(&subject, 1900, 700);
    const GArray *texts = tnd_histogram_table_texts(table);
    g_assert_true(has_text(texts, "2099200") && !has_text(texts, "0"));
    g_assert_false(has_part(texts, "THREAD")); /* partners are called as rows are */
    char *words = tnd_histogram_table_words(table);
    g_assert_nonnull(strstr(words, "\tRank 0\tRank 1\tRank 2\t"));
    g_free(words);
    g_assert_true(has_part(texts, "Who to whom  ·  ") && has_part(texts, "16 tasks") &&
                  has_part(texts, "plane: Running"));
    tnd_histogram_table_free(table);
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/histogram-table/numbers", test_numbers);
    g_test_add_func("/histogram-table/messages", test_messages);
    g_test_add_func("/histogram-table/nothing-overlaps", test_nothing_overlaps);
    return g_test_run();
}
