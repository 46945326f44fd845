/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The analysis library in a program of one's own, without a window: who computes least, and what a picture of it looks
 * like in 60 characters.
 *
 *     build/docs/analysis_example app.prv
 */
#include "analysis/histogram.h"
#include "analysis/view.h"

#include <stdio.h>

/* A row of the view in as many characters as a terminal has room for: the darker, the longer the burst. */
static void print_row(TndView *view, guint row, double longest_ns)
{
    static const char shades[] = " .:-=+*#";
    const TndTrace *trace = tnd_view_trace(view);
    double values[60];
    tnd_view_columns(view, row, 0, tnd_trace_end_ns(trace), G_N_ELEMENTS(values), values);
    printf("%-16.16s |", tnd_trace_thread(trace, row)->name);
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        putchar(values[i] > 0 ? shades[1 + (int)(6 * values[i] / longest_ns)] : ' ');
    printf("|\n");
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    TndTrace *trace = argc == 2 ? tnd_trace_open(argv[1], NULL, NULL, &error) : NULL;
    if (!trace) {
        fprintf(stderr, "%s\n", error ? error->message : "usage: analysis_example TRACE.prv");
        g_clear_error(&error);
        return 1;
    }
    TndView *useful = tnd_view_new(trace, "useful-duration", NULL), *states = tnd_view_new(trace, "state", NULL);
    double shortest_ns, longest_ns;
    if (tnd_view_range(useful, 0, G_MAXUINT64, &shortest_ns, &longest_ns))
        for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
            print_row(useful, row, longest_ns);

    TndHistogram *shares = tnd_histogram_new(states, TND_STATISTIC_TIME_PERCENT, 0, G_MAXUINT64, &error);
    for (guint column = 0; shares && column < shares->n_columns; column++)
        printf("%-24s %6.2f %% on average, %6.2f %% at least\n", shares->column_names[column],
               shares->totals[TND_TOTAL_AVERAGE * shares->n_columns + column],
               shares->totals[TND_TOTAL_MINIMUM * shares->n_columns + column]);
    g_clear_error(&error);
    tnd_histogram_free(shares);
    tnd_view_free(useful);
    tnd_view_free(states);
    tnd_trace_free(trace);
    return 0;
}
