/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints a histogram of a trace (a row for each thread, a column for each value of a view), and then the longest burst
 * of the view.
 *
 *     cc analysis_example.c $(pkg-config --cflags --libs tandem-analysis) -o example
 *     ./example app.prv mpi-calls time-percent
 */
#include <stdio.h>
#include <stdlib.h>
#include <tandem_analysis.h>

static void print_table(const tandem_histogram *table)
{
    size_t n_rows = tandem_histogram_n_rows(table), n_columns = tandem_histogram_n_columns(table);
    for (size_t column = 0; column < n_columns; column++)
        printf("%s%s", column ? ", " : "", tandem_histogram_column_name(table, column));
    printf(" [%s]\n", tandem_histogram_unit(table));
    for (size_t row = 0; row < n_rows; row++) {
        printf("%-16s", tandem_histogram_row_name(table, row));
        for (size_t column = 0; column < n_columns; column++) {
            double value = 0;
            tandem_histogram_cell(table, row, column, &value);
            printf(" %12.2f", value);
        }
        printf("\n");
    }
}

static void print_longest(tandem_view *view)
{
    struct tandem_burst burst, longest = {0};
    size_t where = 0;
    for (size_t row = 0; row < tandem_view_n_rows(view); row++)
        for (uint64_t time = 0; tandem_view_burst(view, row, time, &burst); time = burst.end_ns)
            if (burst.value != 0 && burst.end_ns - burst.begin_ns > longest.end_ns - longest.begin_ns)
                longest = burst, where = row;
    char *text = tandem_view_text(view, longest.value);
    printf("longest: %s of %s, %.6f s\n", text, tandem_view_row_name(view, where),
           1e-9 * (double)(longest.end_ns - longest.begin_ns));
    free(text);
}

int main(int argc, char **argv)
{
    char *error = NULL;
    tandem_trace *trace = argc == 4 ? tandem_trace_open(argv[1], &error) : NULL;
    tandem_view *view = trace ? tandem_view_open(trace, argv[2], &error) : NULL;
    struct tandem_histogram_options options = {.statistic = argc == 4 ? argv[3] : NULL};
    tandem_histogram *table = view ? tandem_histogram_new(view, &options, &error) : NULL;
    if (table) {
        print_table(table);
        print_longest(view);
    } else
        fprintf(stderr, "%s\n", error ? error : "usage: example TRACE.prv VIEW STATISTIC");
    tandem_histogram_free(table), tandem_view_close(view), tandem_trace_close(trace), free(error);
    return !table;
}
