/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histograms: parts of the time, columns, totals, and random pairs of views against a look at every nanosecond.
 * (Agreement with Paraver: tests/goldens/test_paraver.py.)
 */
#include "analysis/histogram/cfg_histogram.h"
#include "tests/unit/make_trace.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Counted along rows; 0 where there is nothing. */
static double cell(const TndHistogram *histogram, guint at)
{
    const TndHistogramCell *found = tnd_histogram_cell(histogram, at / histogram->n_columns, at % histogram->n_columns);
    return found ? found->value : 0;
}

static TndTrace *two_rows(void)
{
    TndTraceBuild *build = make_trace(2, 100, 1);
    add_state(build, 1, 0, 40, 1);
    add_state(build, 1, 40, 100, 3);
    add_state(build, 2, 0, 10, 1);
    add_state(build, 2, 10, 10, 9); /* of no length: nowhere */
    add_state(build, 2, 10, 20, 1);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static char *csv_of(const TndHistogram *histogram, gboolean is_long)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    g_assert_true(tnd_histogram_write_csv(histogram, file, is_long, NULL));
    fclose(file);
    return text;
}

static void check_csv(const TndHistogram *histogram, gboolean is_long, const char *expected)
{
    char *text = csv_of(histogram, is_long);
    g_assert_cmpstr(text, ==, expected);
    free(text);
}

static void test_csv(void)
{
    TndTrace *trace = two_rows();
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_TIME, 0, G_MAXUINT64, NULL);
    histogram->decimals = 1;
    check_csv(histogram, FALSE,
              "Time,Idle [ns],Running [ns],Waiting a message [ns]\n"
              "THREAD 1.1.1,0.0,40.0,60.0\n"
              "THREAD 1.2.1,80.0,20.0,0.0\n"
              "Total,80.0,60.0,60.0\n"
              "Average,80.0,30.0,60.0\n"
              "Maximum,80.0,40.0,60.0\n"
              "Minimum,80.0,20.0,60.0\n"
              "StDev,0.0,10.0,0.0\n"
              "Avg/Max,1.0,0.8,1.0\n");
    check_csv(histogram, TRUE,
              "row,column,value\n"
              "THREAD 1.1.1,Running [ns],40.0\n"
              "THREAD 1.1.1,Waiting a message [ns],60.0\n"
              "THREAD 1.2.1,Idle [ns],80.0\n"
              "THREAD 1.2.1,Running [ns],20.0\n");
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* Codes where a table of small ones ends, and far behind. */
static void test_codes_of_any_size(void)
{
    static const gint64 codes[] = {1, 1022, 1023, 1024, 1025, 5000, 100000};
    TndTraceBuild *build = make_trace(1, 10 * G_N_ELEMENTS(codes), 1);
    for (guint i = 0; i < G_N_ELEMENTS(codes); i++)
        add_event(build, 1, 10 * i, 7, codes[i]);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "user-events:7", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_TIME, 0, G_MAXUINT64, NULL);
    g_assert_cmpuint(histogram->n_columns, ==, G_N_ELEMENTS(codes));
    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        char *name = tnd_view_value_text(view, (double)codes[i]);
        g_assert_cmpstr(histogram->column_names[i], ==, name);
        g_assert_cmpfloat(cell(histogram, i), ==, 10);
        g_free(name);
    }
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_stretch_of_time(void)
{
    TndTrace *trace = two_rows();
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_TIME_PERCENT, 5, 15, NULL);
    g_assert_cmpuint(histogram->n_columns, ==, 1); /* idle and waiting are outside */
    g_assert_cmpfloat(cell(histogram, 0), ==, 100);
    tnd_histogram_free(histogram);
    histogram = tnd_histogram_new(view, TND_STATISTIC_BURSTS, 5, 15, NULL);
    g_assert_cmpfloat(cell(histogram, 0), ==, 1);
    g_assert_cmpfloat(cell(histogram, 1), ==, 2); /* cut bursts are bursts */
    tnd_histogram_free(histogram);
    GError *error = NULL;
    g_assert_null(tnd_histogram_new(view, TND_STATISTIC_TIME, 100, 200, &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    g_assert_null(tnd_histogram_new(view, TND_STATISTIC_TIME, 7, 7, &error));
    g_clear_error(&error);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_rows(void)
{
    TndTrace *trace = two_rows();
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndHistogramOptions options = {.first_row = 1, .n_rows = 9}; /* more than there are */
    TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
    histogram->decimals = 1;
    check_csv(histogram, FALSE,
              "Time,Idle [ns],Running [ns]\n"
              "THREAD 1.2.1,80.0,20.0\n"
              "Total,80.0,20.0\n"
              "Average,80.0,20.0\n"
              "Maximum,80.0,20.0\n"
              "Minimum,80.0,20.0\n"
              "StDev,0.0,0.0\n"
              "Avg/Max,1.0,1.0\n");
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_ranges(void)
{
    TndTraceBuild *build = make_trace(1, 1000, 1);
    add_state(build, 1, 0, 100, 1);
    add_state(build, 1, 100, 300, 3);
    add_state(build, 1, 300, 500, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "useful-duration", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_BURSTS, 0, G_MAXUINT64, NULL);
    g_assert_cmpuint(histogram->n_columns, ==, 2); /* from 100 to 205 by 5.25; what is not useful is in none */
    g_assert_cmpstr(histogram->column_names[0], ==, "[100.00..105.25) ns");
    g_assert_cmpstr(histogram->column_names[1], ==, "[199.75..205.00] ns");
    tnd_histogram_free(histogram);
    TndHistogramOptions options = {.statistic = TND_STATISTIC_BURSTS, .minimum = 0, .maximum = 200, .delta = 100};
    histogram = tnd_histogram_new_with(view, &options, NULL);
    g_assert_cmpuint(histogram->n_columns, ==, 2);
    g_assert_cmpfloat(cell(histogram, 0), ==, 2); /* 0 twice */
    g_assert_cmpfloat(cell(histogram, 1), ==, 2); /* 100, and 200: the last column has its end */
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* Messages of unequal directions, one of no bytes.  The table of the whole trace is what Paraver computes of it: the
 * averages are also over a cell that has a message of the other direction only. */
static TndTrace *three_rows(void)
{
    TndTraceBuild *build = make_trace(3, 1000, 1);
    add_state(build, 2, 0, 310, 1);
    add_state(build, 2, 310, 1000, 3);
    add_message(build, 1, 2, 100, 160, 8);
    add_message(build, 3, 2, 200, 250, 0);
    add_message(build, 2, 1, 300, 350, 16);
    add_message(build, 2, 1, 310, 360, 4);
    add_message(build, 3, 1, 400, 900, 32);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void check_messages(const TndHistogramOptions *options, const char *expected)
{
    TndTrace *trace = three_rows();
    TndView *view = tnd_view_new(trace, "state", NULL), *within = tnd_view_new(trace, "state", NULL);
    TndHistogramOptions chosen = *options;
    chosen.within = chosen.within_value != 0 ? within : NULL;
    TndHistogram *histogram = tnd_histogram_new_with(view, &chosen, NULL);
    histogram->decimals = 2;
    g_assert_cmpstr(histogram->subject, ==, "Messages, by partner");
    check_csv(histogram, FALSE, expected);
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_view_free(within);
    tnd_trace_free(trace);
}

static void test_messages(void)
{
    check_messages(&(TndHistogramOptions){.statistic = TND_STATISTIC_MINIMUM_BYTES_RECEIVED},
                   "Minimum bytes received,THREAD 1.1.1 [B],THREAD 1.2.1 [B],THREAD 1.3.1 [B]\n"
                   "THREAD 1.1.1,0.00,4.00,32.00\n"
                   "THREAD 1.2.1,8.00,0.00,0.00\n"
                   "THREAD 1.3.1,0.00,0.00,0.00\n"
                   "Total,8.00,4.00,32.00\n"
                   "Average,4.00,2.00,16.00\n"
                   "Maximum,8.00,4.00,32.00\n"
                   "Minimum,8.00,4.00,32.00\n"
                   "StDev,4.00,2.00,16.00\n"
                   "Avg/Max,0.50,0.50,0.50\n");
    /* Both ends of the stretch count: sent at 200 and at 300, by rows 2 and 3 of the trace. */
    check_messages(
        &(TndHistogramOptions){
            .statistic = TND_STATISTIC_SENDS, .begin_ns = 200, .end_ns = 300, .first_row = 1, .n_rows = 2},
        "# Sends,THREAD 1.1.1,THREAD 1.2.1\n"
        "THREAD 1.2.1,1.00,0.00\n"
        "THREAD 1.3.1,0.00,1.00\n"
        "Total,1.00,1.00\n"
        "Average,1.00,1.00\n"
        "Maximum,1.00,1.00\n"
        "Minimum,1.00,1.00\n"
        "StDev,0.00,0.00\n"
        "Avg/Max,1.00,1.00\n");
    /* Row 2 waits from 310 on: what it sends at that very moment is within. */
    check_messages(&(TndHistogramOptions){.statistic = TND_STATISTIC_BYTES_SENT, .within_value = 3},
                   "Bytes sent,THREAD 1.1.1 [B]\n"
                   "THREAD 1.1.1,0.00\n"
                   "THREAD 1.2.1,4.00\n"
                   "THREAD 1.3.1,0.00\n"
                   "Total,4.00\n"
                   "Average,4.00\n"
                   "Maximum,4.00\n"
                   "Minimum,4.00\n"
                   "StDev,0.00\n"
                   "Avg/Max,1.00\n");
}

static void test_within(void)
{
    TndTrace *trace = two_rows();
    TndView *view = tnd_view_new(trace, "useful-duration", NULL), *within = tnd_view_new(trace, "state", NULL);
    double value = 0;
    g_assert_false(tnd_view_find_text(within, "Sleeping", &value));
    g_assert_true(tnd_view_find_text(within, "Running", &value));
    g_assert_cmpfloat(value, ==, 1);
    TndHistogramOptions options = {.statistic = TND_STATISTIC_TIME_PERCENT, .within = within, .within_value = value};
    TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
    g_assert_cmpuint(histogram->n_columns, ==, 2); /* 40 ns once, 10 ns twice */
    for (guint row = 0; row < 2; row++)            /* what is idle or waits is no part of the whole */
        g_assert_cmpfloat(cell(histogram, 2 * row) + cell(histogram, 2 * row + 1), ==, 100);
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_view_free(within);
    tnd_trace_free(trace);
}

static void test_names(void)
{
    for (guint i = 0; i < TND_STATISTIC_N; i++) {
        TndStatistic statistic;
        g_assert_true(tnd_histogram_statistic_parse(tnd_histogram_statistic_name((TndStatistic)i), &statistic));
        g_assert_cmpint(statistic, ==, i);
    }
    TndStatistic statistic;
    g_assert_false(tnd_histogram_statistic_parse("% Time", &statistic));
}

static double percentile_of_running(TndView *view, const char *name)
{
    TndHistogramOptions options = {0};
    g_assert_true(tnd_histogram_statistic_parse_percentile(name, &options.statistic, &options.percentile));
    options.layout.keeps_empty = TRUE;
    TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
    g_assert_cmpstr(histogram->column_names[1], ==, "Running");
    double value = cell(histogram, 1);
    tnd_histogram_free(histogram);
    return value;
}

static void test_percentiles(void)
{
    TndTraceBuild *build = make_trace(1, 100, 1); /* running for 10, 30, 2 and 4 ns */
    add_state(build, 1, 0, 10, 1);
    add_state(build, 1, 20, 50, 1);
    add_state(build, 1, 60, 62, 1);
    add_state(build, 1, 70, 74, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    const struct {
        const char *name;
        double ns;
    } cases[] = {{"median-duration", 7},         {"percentile-50-duration", 7},      {"percentile-100-duration", 30},
                 {"percentile-90-duration", 24}, {"percentile-0.1-duration", 2.006}, {"median-value", 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpfloat_with_epsilon(percentile_of_running(view, cases[i].name), cases[i].ns, 1e-9);
    const char *const wrong[] = {"percentile-0-duration", "percentile-101-duration", "percentile--1-value",
                                 "percentile-90",         "percentile-90-sends",     "median"};
    TndStatistic statistic;
    double percentile;
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
        g_assert_false(tnd_histogram_statistic_parse_percentile(wrong[i], &statistic, &percentile));
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void check_layout(TndView *view, const TndHistogramLayout *layout, const char *expected)
{
    TndHistogramOptions options = {.layout = *layout, .minimum = 0, .maximum = 3, .delta = 1};
    TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
    histogram->decimals = 0;
    char *text = csv_of(histogram, FALSE), *total = strstr(text, "\nAverage");
    total[1] = '\0';
    g_assert_cmpstr(text, ==, expected);
    free(text);
    tnd_histogram_free(histogram);
}

static void test_layout(void)
{
    TndTrace *trace = two_rows();
    TndView *view = tnd_view_new(trace, "state", NULL);
    const struct {
        TndHistogramLayout layout;
        const char *expected;
    } cases[] = {
        {{.is_sorted = TRUE, .by = TND_TOTAL_SUM}, /* equal ones turn round */
         "Time,Idle [ns],Waiting a message [ns],Running [ns]\nTHREAD 1.1.1,0,60,40\nTHREAD 1.2.1,80,0,20\n"
         "Total,80,60,60\n"},
        {{.is_sorted = TRUE, .by = TND_TOTAL_MINIMUM, .is_reversed = TRUE, .keeps_empty = TRUE},
         "Time,Not created [ns],Running [ns],Waiting a message [ns],Idle [ns]\nTHREAD 1.1.1,0,40,60,0\n"
         "THREAD 1.2.1,0,20,0,80\nTotal,0,60,60,80\n"},
        {{.is_reversed = TRUE},
         "Time,Waiting a message [ns],Running [ns],Idle [ns]\nTHREAD 1.1.1,60,40,0\nTHREAD 1.2.1,0,20,80\n"
         "Total,60,60,80\n"},
        {{.is_vertical = TRUE},
         "Time,THREAD 1.1.1 [ns],THREAD 1.2.1 [ns]\nIdle,0,80\nRunning,40,20\nWaiting a message,60,0\n"
         "Total,100,100\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        check_layout(view, &cases[i].layout, cases[i].expected);
    gboolean rows[] = {FALSE, TRUE};
    TndHistogramOptions options = {.rows = rows};
    TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
    g_assert_cmpuint(histogram->n_rows, ==, 1);
    g_assert_cmpstr(histogram->row_names[0], ==, "THREAD 1.2.1");
    g_assert_cmpfloat(cell(histogram, 0), ==, 80);
    tnd_histogram_free(histogram);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* Two random lists of values by ns: 12 is the control, 13 the data. */
#define END 400
static TndTrace *random_pair(double control[END], double data[END])
{
    TndTraceBuild *build = make_trace(1, END, 1);
    double values[2] = {0, 0};
    for (guint64 t = 0; t < END; t++) {
        for (guint i = 0; i < 2; i++) {
            if (g_test_rand_int_range(0, 12))
                continue;
            values[i] = g_test_rand_int_range(-2, 4);
            add_event(build, 1, t, 12 + i, (gint64)values[i]);
        }
        control[t] = values[0];
        data[t] = values[1];
    }
    return tnd_trace_build_finish(build, NULL, NULL);
}

static double brute(TndStatistic statistic, double column, const double *control, const double *data)
{
    double time = 0, integral = 0, magnitude = 0, maximum = -INFINITY, minimum = INFINITY;
    for (guint64 t = 0; t < END; t++) {
        if (control[t] != column)
            continue;
        time++;
        integral += data[t];
        magnitude += fabs(data[t]);
        maximum = MAX(maximum, data[t]);
        minimum = MIN(minimum, data[t]);
    }
    switch (statistic) {
    case TND_STATISTIC_TIME:
        return time;
    case TND_STATISTIC_TIME_PERCENT:
        return 100 * time / END;
    case TND_STATISTIC_INTEGRAL:
        return magnitude;
    case TND_STATISTIC_AVERAGE_VALUE:
        return integral / time;
    case TND_STATISTIC_MAXIMUM:
        return maximum;
    case TND_STATISTIC_MINIMUM:
        return minimum;
    default:
        g_assert_not_reached();
    }
}

static void test_random_pairs(void)
{
    static const TndStatistic statistics[] = {TND_STATISTIC_TIME,     TND_STATISTIC_TIME_PERCENT,
                                              TND_STATISTIC_INTEGRAL, TND_STATISTIC_AVERAGE_VALUE,
                                              TND_STATISTIC_MAXIMUM,  TND_STATISTIC_MINIMUM};
    static double control[END], data[END];
    for (guint round = 0; round < 50; round++) {
        TndTrace *trace = random_pair(control, data);
        TndView *view = tnd_view_new(trace, "user-events:12", NULL);
        TndView *other = tnd_view_new(trace, "user-events:13", NULL);
        for (guint i = 0; i < G_N_ELEMENTS(statistics); i++) {
            TndHistogramOptions options = {.statistic = statistics[i], .data = other};
            TndHistogram *histogram = tnd_histogram_new_with(view, &options, NULL);
            for (guint column = 0; column < histogram->n_columns; column++) {
                double value = g_ascii_strtod(histogram->column_names[column], NULL);
                g_assert_cmpfloat_with_epsilon(cell(histogram, column), brute(statistics[i], value, control, data),
                                               1e-9);
            }
            tnd_histogram_free(histogram);
        }
        tnd_view_free(view);
        tnd_view_free(other);
        tnd_trace_free(trace);
    }
}

/* Who is told, and ends the work at a call. */
typedef struct {
    guint n_calls, last;
    double fraction;
} Listener;

static gboolean listen(double fraction, gpointer data)
{
    Listener *listener = data;
    g_assert_cmpfloat(fraction, >=, listener->fraction);
    g_assert_cmpfloat(fraction, <=, 1);
    listener->fraction = fraction;
    return ++listener->n_calls < listener->last;
}

/* Ended wherever that can be; then it is the same as for nobody. */
static void check_progress(TndView *view, TndHistogramOptions options, guint n_calls)
{
    for (guint last = 1; last <= n_calls; last++) {
        Listener listener = {.last = last};
        GError *error = NULL;
        options.progress = listen;
        options.user_data = &listener;
        g_assert_null(tnd_histogram_new_with(view, &options, &error));
        g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        g_error_free(error);
    }
    Listener listener = {.last = G_MAXUINT};
    options.user_data = &listener;
    TndHistogram *told = tnd_histogram_new_with(view, &options, NULL);
    g_assert_cmpuint(listener.n_calls, ==, n_calls);
    g_assert_cmpfloat(listener.fraction, ==, 1);
    options.progress = NULL;
    TndHistogram *untold = tnd_histogram_new_with(view, &options, NULL);
    char *csv = csv_of(untold, FALSE);
    check_csv(told, FALSE, csv);
    free(csv);
    tnd_histogram_free(told);
    tnd_histogram_free(untold);
}

static void test_progress(void)
{
    TndTrace *trace = three_rows();
    TndView *state = tnd_view_new(trace, "state", NULL), *useful = tnd_view_new(trace, "useful-duration", NULL);
    check_progress(state, (TndHistogramOptions){0}, 3 + 3); /* values, and the rows of the table */
    check_progress(state, (TndHistogramOptions){.first_row = 1, .n_rows = 1}, 3 + 3);
    check_progress(useful, (TndHistogramOptions){0}, 3 + 3); /* bursts, and rows */
    check_progress(useful, (TndHistogramOptions){.minimum = 0, .maximum = 500}, 3);
    check_progress(state, (TndHistogramOptions){.statistic = TND_STATISTIC_SENDS}, 1); /* a block of messages */
    tnd_view_free(state);
    tnd_view_free(useful);
    tnd_trace_free(trace);
}

/* The same of a configuration of Paraver's, whose columns come from its window's values. */
static void test_progress_of_cfg(void)
{
    static const char text[] = "#ParaverCFG\nConfigFile.Version: 3.4\nConfigFile.NumWindows: 1\n"
                               "< NEW DISPLAYING WINDOW State >\nwindow_name State\nwindow_type single\nwindow_id 1\n"
                               "window_level thread\n"
                               "window_selected_functions { 1, { {thread, State As Is} } }\n"
                               "< NEW ANALYZER2D >\nAnalyzer2D.Name: Table\nAnalyzer2D.ControlWindow: 1\n"
                               "Analyzer2D.DataWindow: 1\nAnalyzer2D.Statistic: Time\n"
                               "Analyzer2D.ComputeYScale: True\n";
    TndTrace *trace = three_rows();
    GError *error = NULL;
    TndCfg *cfg = tnd_cfg_parse(text, "states.cfg", &error);
    g_assert_no_error(error);
    const guint n_calls = 2 * 3; /* the values of each row, and its cells */
    for (guint last = 1; last <= n_calls + 1; last++) {
        TndView **views = tnd_view_new_of_cfg(trace, cfg, &error);
        g_assert_no_error(error);
        Listener listener = {.last = last};
        const TndHistogramOptions wishes = {.progress = listen, .user_data = &listener};
        TndCfgTables *tables = tnd_cfg_histogram_new(views, cfg, 0, &wishes, &error);
        if (last > n_calls) {
            g_assert_no_error(error);
            g_assert_cmpuint(listener.n_calls, ==, n_calls);
            g_assert_cmpfloat(listener.fraction, ==, 1);
        } else {
            g_assert_null(tables);
            g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        }
        g_clear_error(&error);
        tnd_cfg_histogram_free(tables);
        tnd_view_free_all(views);
    }
    tnd_cfg_free(cfg);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/histogram/csv", test_csv);
    g_test_add_func("/histogram/codes-of-any-size", test_codes_of_any_size);
    g_test_add_func("/histogram/stretch-of-time", test_stretch_of_time);
    g_test_add_func("/histogram/rows", test_rows);
    g_test_add_func("/histogram/progress", test_progress);
    g_test_add_func("/histogram/progress-of-cfg", test_progress_of_cfg);
    g_test_add_func("/histogram/ranges", test_ranges);
    g_test_add_func("/histogram/messages", test_messages);
    g_test_add_func("/histogram/within", test_within);
    g_test_add_func("/histogram/names", test_names);
    g_test_add_func("/histogram/percentiles", test_percentiles);
    g_test_add_func("/histogram/layout", test_layout);
    g_test_add_func("/histogram/random-pairs", test_random_pairs);
    return g_test_run();
}
