/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a histogram, as Paraver defines them.  A message is a piece without length whose value is its size,
 * so that statistics of bytes are those of bursts.
 */
#include "analysis/histogram/histogram_statistics.h"

#include <math.h>
#include <string.h>

#define MEDIAN 50.0

#define OF_CELL(name, expression)                                                                                      \
    static double name(const TndHistogramSums *cell, const TndHistogramRowSums *row)                                   \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double stdev(const TndHistogramSums *cell)
{
    double mean = cell->l / (double)cell->n;
    return sqrt(fabs(cell->l_squared / (double)cell->n - mean * mean));
}

OF_CELL(time_of, cell->l)
OF_CELL(time_percent_of, ratio(100.0 * cell->l, row->l))
OF_CELL(bursts_of, (double)cell->n)
OF_CELL(average_duration_of, cell->l / (double)cell->n)
OF_CELL(stdev_duration_of, stdev(cell))
OF_CELL(time_percent_nonzero_of, ratio(100.0 * cell->l_control_nonzero, row->l_control_nonzero))
OF_CELL(window_percent_of, 100.0 * cell->l / row->window_ns)
OF_CELL(bursts_percent_of, 100.0 * (double)cell->n / (double)row->n)
OF_CELL(integral_of, cell->l_magnitude)
OF_CELL(average_value_of, cell->lv / cell->l)
OF_CELL(maximum_of, cell->maximum)
OF_CELL(minimum_of, cell->minimum)
OF_CELL(average_per_burst_of, cell->v / (double)cell->n)
OF_CELL(average_value_nonzero_of, ratio(cell->lv, cell->l_nonzero))
OF_CELL(average_per_burst_nonzero_of, ratio(cell->v, (double)cell->n_nonzero))
OF_CELL(bursts_nonzero_of, (double)cell->n_nonzero)
OF_CELL(sum_bursts_of, cell->v)

static int compare_samples(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The percentile, interpolated linearly between two samples. */
static double percentile_of(const TndHistogramSums *cell, const TndHistogramRowSums *row)
{
    GArray *samples = cell->samples;
    g_array_sort(samples, compare_samples);
    double place = (row->percentile ? row->percentile : MEDIAN) / 100 * (samples->len - 1);
    guint below = (guint)floor(place), above = MIN(below + 1, samples->len - 1);
    double low = g_array_index(samples, double, below), high = g_array_index(samples, double, above);
    return low + (place - below) * (high - low);
}

const TndHistogramStatistic tnd_histogram_statistics_table[TND_STATISTIC_N] = {
    [TND_STATISTIC_TIME] = {"time", "Time", "Time", "ns", time_of},
    [TND_STATISTIC_TIME_PERCENT] = {"time-percent", "% Time", "% Time", "%", time_percent_of},
    [TND_STATISTIC_BURSTS] = {"bursts", "# Bursts", "# Bursts", "", bursts_of},
    [TND_STATISTIC_CALLS] = {"calls", "# Calls", NULL, "", bursts_of, TND_HISTOGRAM_OF_CALLS},
    [TND_STATISTIC_AVERAGE_DURATION] = {"average-duration", "Average duration", "Average Burst Time", "ns",
                                        average_duration_of},
    [TND_STATISTIC_STDEV_DURATION] = {"stdev-duration", "StDev of duration", "Stdev Burst Time", "ns",
                                      stdev_duration_of},
    [TND_STATISTIC_TIME_PERCENT_NONZERO] = {"time-percent-not-zero", "% Time not zero", "% Time Not Zero", "%",
                                            time_percent_nonzero_of},
    [TND_STATISTIC_WINDOW_PERCENT] = {"window-time-percent", "% Window time", "% Window Time", "%", window_percent_of},
    [TND_STATISTIC_BURSTS_PERCENT] = {"bursts-percent", "% # Bursts", "% # Bursts", "%", bursts_percent_of},
    [TND_STATISTIC_INTEGRAL] = {"integral", "Integral", "Integral", "", integral_of},
    [TND_STATISTIC_AVERAGE_VALUE] = {"average-value", "Average value", "Average value", NULL, average_value_of},
    [TND_STATISTIC_MAXIMUM] = {"maximum", "Maximum", "Maximum", NULL, maximum_of},
    [TND_STATISTIC_MINIMUM] = {"minimum", "Minimum", "Minimum", NULL, minimum_of},
    [TND_STATISTIC_AVERAGE_PER_BURST] = {"average-per-burst", "Average per burst", "Average per Burst", NULL,
                                         average_per_burst_of},
    [TND_STATISTIC_AVERAGE_VALUE_NONZERO] = {"average-value-not-zero", "Average value not zero", "Average value != 0",
                                             NULL, average_value_nonzero_of},
    [TND_STATISTIC_AVERAGE_PER_BURST_NONZERO] = {"average-per-burst-not-zero", "Average per burst not zero",
                                                 "Average per Burst != 0", NULL, average_per_burst_nonzero_of},
    [TND_STATISTIC_BURSTS_NONZERO] = {"bursts-not-zero", "# Bursts not zero", "# Bursts != 0", "", bursts_nonzero_of},
    [TND_STATISTIC_SUM_BURSTS] = {"sum-bursts", "Sum of bursts", "Sum bursts", NULL, sum_bursts_of},
    [TND_STATISTIC_SENDS] = {"sends", "# Sends", "#Sends", "", bursts_of, TND_HISTOGRAM_OF_SENDS},
    [TND_STATISTIC_RECEIVES] = {"receives", "# Receives", "#Receives", "", bursts_of, TND_HISTOGRAM_OF_RECEIVES},
    [TND_STATISTIC_BYTES_SENT] = {"bytes-sent", "Bytes sent", "Bytes sent", "B", sum_bursts_of, TND_HISTOGRAM_OF_SENDS},
    [TND_STATISTIC_BYTES_RECEIVED] = {"bytes-received", "Bytes received", "Bytes received", "B", sum_bursts_of,
                                      TND_HISTOGRAM_OF_RECEIVES},
    [TND_STATISTIC_AVERAGE_BYTES_SENT] = {"average-bytes-sent", "Average bytes sent", "Average bytes sent", "B",
                                          average_per_burst_of, TND_HISTOGRAM_OF_SENDS},
    [TND_STATISTIC_AVERAGE_BYTES_RECEIVED] = {"average-bytes-received", "Average bytes received",
                                              "Average bytes received", "B", average_per_burst_of,
                                              TND_HISTOGRAM_OF_RECEIVES},
    [TND_STATISTIC_MINIMUM_BYTES_SENT] = {"minimum-bytes-sent", "Minimum bytes sent", "Minimum bytes sent", "B",
                                          minimum_of, TND_HISTOGRAM_OF_SENDS},
    [TND_STATISTIC_MINIMUM_BYTES_RECEIVED] = {"minimum-bytes-received", "Minimum bytes received",
                                              "Minimum bytes received", "B", minimum_of, TND_HISTOGRAM_OF_RECEIVES},
    [TND_STATISTIC_MAXIMUM_BYTES_SENT] = {"maximum-bytes-sent", "Maximum bytes sent", "Maximum bytes sent", "B",
                                          maximum_of, TND_HISTOGRAM_OF_SENDS},
    [TND_STATISTIC_MAXIMUM_BYTES_RECEIVED] = {"maximum-bytes-received", "Maximum bytes received",
                                              "Maximum bytes received", "B", maximum_of, TND_HISTOGRAM_OF_RECEIVES},
    [TND_STATISTIC_MEDIAN_DURATION] = {"median-duration", "Median of duration", NULL, "ns", percentile_of,
                                       TND_HISTOGRAM_OF_PIECES, TND_HISTOGRAM_SAMPLE_LENGTH},
    [TND_STATISTIC_MEDIAN_VALUE] = {"median-value", "Median of value", NULL, NULL, percentile_of,
                                    TND_HISTOGRAM_OF_PIECES, TND_HISTOGRAM_SAMPLE_VALUE},
    [TND_STATISTIC_MEDIAN_BYTES_SENT] = {"median-bytes-sent", "Median of bytes sent", NULL, "B", percentile_of,
                                         TND_HISTOGRAM_OF_SENDS, TND_HISTOGRAM_SAMPLE_VALUE},
    [TND_STATISTIC_MEDIAN_BYTES_RECEIVED] = {"median-bytes-received", "Median of bytes received", NULL, "B",
                                             percentile_of, TND_HISTOGRAM_OF_RECEIVES, TND_HISTOGRAM_SAMPLE_VALUE},
};

const char *tnd_histogram_statistic_name(TndStatistic statistic)
{
    return tnd_histogram_statistics_table[statistic].name;
}

const char *tnd_histogram_statistic_title(TndStatistic statistic)
{
    return tnd_histogram_statistics_table[statistic].title;
}

gboolean tnd_histogram_statistic_parse(const char *name, TndStatistic *statistic)
{
    for (guint i = 0; i < TND_STATISTIC_N; i++) {
        if (strcmp(tnd_histogram_statistics_table[i].name, name) == 0) {
            *statistic = (TndStatistic)i;
            return TRUE;
        }
    }
    return FALSE;
}

/* "percentile-90-duration" is "median-duration" with the percentile 90. */
gboolean tnd_histogram_statistic_parse_percentile(const char *name, TndStatistic *statistic, double *percentile)
{
    *percentile = 0;
    if (tnd_histogram_statistic_parse(name, statistic))
        return TRUE;
    const char prefix[] = "percentile-";
    if (!g_str_has_prefix(name, prefix) || !g_ascii_isdigit(name[strlen(prefix)]))
        return FALSE;
    char *end;
    double given = g_ascii_strtod(name + strlen(prefix), &end);
    char *median = g_strconcat("median", end, NULL);
    gboolean is_known = given > 0 && given <= 100 && *end == '-' && tnd_histogram_statistic_parse(median, statistic);
    g_free(median);
    if (is_known)
        *percentile = given;
    return is_known;
}

char *tnd_histogram_statistics_title(TndStatistic statistic, double percentile)
{
    const char *title = tnd_histogram_statistics_table[statistic].title;
    if (percentile == 0)
        return g_strdup(title);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strconcat("Percentile ", g_ascii_formatd(number, sizeof number, "%.12g", percentile),
                       title + strlen("Median"), NULL);
}

void tnd_histogram_statistics_add(const TndHistogramStatistic *statistic, TndHistogramSums *sums, double length,
                                  double control, double value)
{
    sums->maximum = sums->n ? MAX(sums->maximum, value) : value;
    sums->minimum = sums->n ? MIN(sums->minimum, value) : value;
    sums->n++;
    sums->l += length;
    sums->l_squared += length * length;
    sums->l_control_nonzero += control != 0 ? length : 0;
    sums->lv += length * value;
    sums->l_magnitude += length * fabs(value);
    sums->v += value;
    if (value != 0) {
        sums->n_nonzero++;
        sums->l_nonzero += length;
    }
    if (statistic->sample == TND_HISTOGRAM_SAMPLE_NONE)
        return;
    if (!sums->samples)
        sums->samples = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_vals(sums->samples, statistic->sample == TND_HISTOGRAM_SAMPLE_LENGTH ? &length : &value, 1);
}

void tnd_histogram_statistics_clear(TndHistogramSums *sums, gsize n)
{
    for (gsize i = 0; i < n; i++)
        if (sums[i].samples)
            g_array_unref(sums[i].samples);
}
