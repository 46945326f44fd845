/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of histograms in a .cfg.
 */
#include "analysis/cfg/cfg_keys.h"

#include <string.h>

#define SETTER_OF_TRUTH(name, assignment)                                                                              \
    static void name(TndCfgReading *reading, const char *value)                                                        \
    {                                                                                                                  \
        gboolean is_true = tnd_cfg_keys_truth(reading, value);                                                         \
        assignment;                                                                                                    \
    }
SETTER_OF_TRUTH(set_hides_empty, reading->histogram->hides_empty = is_true)
SETTER_OF_TRUTH(set_automatic, reading->histogram->is_automatic = is_true)
SETTER_OF_TRUTH(set_fits_zero, reading->histogram->fits_zero = is_true)
SETTER_OF_TRUTH(set_fixed_delta, reading->histogram->has_fixed_delta = is_true)
SETTER_OF_TRUTH(set_third_automatic, reading->histogram->third_is_automatic = is_true)
SETTER_OF_TRUTH(set_sorted, reading->histogram->is_sorted = is_true)
SETTER_OF_TRUTH(set_reversed, reading->histogram->is_reversed = is_true)

/* Functions of keys. */

static void start_histogram(TndCfgReading *reading, const char *value)
{
    TndCfgHistogram histogram = {
        .third = G_MAXUINT, .is_automatic = TRUE, .third_is_automatic = TRUE, .delta = 1, .third_delta = 1};
    (void)value;
    g_array_append_val(reading->cfg->histograms, histogram);
    reading->histogram = tnd_cfg_histogram(reading->cfg, reading->cfg->histograms->len - 1);
}

static guint window_number(TndCfgReading *reading, const char *value)
{
    double window = tnd_cfg_keys_number(reading, value);
    if (!(window >= 1 && window <= reading->cfg->windows->len)) {
        reading->wrong = "takes the number of a window of this file";
        return 0;
    }
    return (guint)window - 1;
}

static void set_control(TndCfgReading *reading, const char *value)
{
    reading->histogram->control = reading->histogram->data = window_number(reading, value);
}

static void set_data(TndCfgReading *reading, const char *value)
{
    reading->histogram->data = window_number(reading, value);
}

static void set_third(TndCfgReading *reading, const char *value)
{
    reading->histogram->third = window_number(reading, value);
}

static void set_title(TndCfgReading *reading, const char *value)
{
    tnd_cfg_keys_text(&reading->histogram->name, value);
}

static void set_statistic(TndCfgReading *reading, const char *value)
{
    tnd_cfg_keys_text(&reading->histogram->statistic, value);
}

/* "Custom" is an order made by hand, which is not in the file, and is ignored. */
static void set_criterion(TndCfgReading *reading, const char *value)
{
    static const char *const known[] = {"Average", "Total", "Maximum", "Minimum", "Stdev", "Avg/Max", "Custom", NULL};
    tnd_cfg_keys_text(&reading->histogram->sort_criterion, value);
    if (strcmp(value, "Custom") == 0)
        reading->histogram->is_sorted = FALSE;
    if (!g_strv_contains(known, value))
        reading->wrong = "takes Average, Total, Maximum, Minimum, Stdev, Avg/Max or Custom";
}

static void set_direction(TndCfgReading *reading, const char *value)
{
    reading->histogram->is_vertical = strcmp(value, "Vertical") == 0;
    if (!reading->histogram->is_vertical && strcmp(value, "Horizontal") != 0)
        reading->wrong = "takes Horizontal or Vertical";
}

/* "Region" means the whole trace, as in Paraver. */
static void set_limits(TndCfgReading *reading, const char *value)
{
    reading->histogram->is_within_window = strcmp(value, "Allwindow") == 0;
    if (!reading->histogram->is_within_window && strcmp(value, "Alltrace") != 0 && strcmp(value, "Region") != 0)
        reading->wrong = "takes Alltrace, Allwindow or Region";
}

#define SETTER_OF_NUMBER(name, field)                                                                                  \
    static void name(TndCfgReading *reading, const char *value)                                                        \
    {                                                                                                                  \
        reading->histogram->field = tnd_cfg_keys_number(reading, value);                                               \
    }
SETTER_OF_NUMBER(set_minimum, minimum)
SETTER_OF_NUMBER(set_maximum, maximum)
SETTER_OF_NUMBER(set_delta, delta)
SETTER_OF_NUMBER(set_third_minimum, third_minimum)
SETTER_OF_NUMBER(set_third_maximum, third_maximum)
SETTER_OF_NUMBER(set_third_delta, third_delta)

static void set_shown(TndCfgReading *reading, const char *value)
{
    reading->histogram->shown = tnd_cfg_keys_number(reading, value);
    reading->histogram->has_shown = TRUE;
}

static void set_n_columns(TndCfgReading *reading, const char *value)
{
    double n = tnd_cfg_keys_number(reading, value);
    reading->histogram->n_columns = n >= 1 && n <= 1e6 ? (guint)n : 0;
}

/* The numbers of the rows, from 0 on. */
static void set_rows(TndCfgReading *reading, const char *value)
{
    TndCfgHistogram *histogram = reading->histogram;
    g_clear_pointer(&histogram->rows, g_array_unref);
    if (strcmp(value, "All") == 0)
        return;
    char **words = g_strsplit(value, ",", -1);
    histogram->rows = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; words[i] && words[i][0]; i++) {
        double number = tnd_cfg_keys_number(reading, words[i]);
        guint row = number >= 0 && number < G_MAXUINT ? (guint)number : G_MAXUINT;
        g_array_append_val(histogram->rows, row);
    }
    g_strfreev(words);
}

const TndCfgKey tnd_cfg_keys_histogram[] = {
    {"< NEW ANALYZER2D >", start_histogram, TRUE},
    {"Analyzer2D.Name:", set_title},
    {"Analyzer2D.ControlWindow:", set_control},
    {"Analyzer2D.DataWindow:", set_data},
    {"Analyzer2D.Statistic:", set_statistic},
    {"Analyzer2D.HideCols:", set_hides_empty},
    {"Analyzer2D.HorizVert:", set_direction},
    {"Analyzer2D.SortCols:", set_sorted},
    {"Analyzer2D.SortCriteria:", set_criterion},
    {"Analyzer2D.SortReverse:", set_reversed},
    {"Analyzer2D.AnalysisLimits:", set_limits},
    {"Analyzer2D.ComputeYScale:", set_automatic},
    {"Analyzer2D.ComputeYScaleZero:", set_fits_zero},
    {"Analyzer2D.Minimum:", set_minimum},
    {"Analyzer2D.Maximum:", set_maximum},
    {"Analyzer2D.Delta:", set_delta},
    {"Analyzer2D.UseFixedDelta:", set_fixed_delta},
    {"Analyzer2D.NumColumns:", set_n_columns},
    {"Analyzer2D.Objects:", set_rows},
    {"Analyzer2D.3D_ControlWindow:", set_third},
    {"Analyzer3D.ComputeYScale:", set_third_automatic},
    {"Analyzer2D.3D_Minimum:", set_third_minimum},
    {"Analyzer2D.3D_Maximum:", set_third_maximum},
    {"Analyzer2D.3D_Delta:", set_third_delta},
    {"Analyzer2D.3D_FixedValue:", set_shown},
    {"Analyzer2D.X:"},
    {"Analyzer2D.Y:"},
    {"Analyzer2D.Width:"},
    {"Analyzer2D.Height:"},
    {"Analyzer2D.Color:"},
    {"Analyzer2D.SemanticColor:"},
    {"Analyzer2D.Zoom:"},
    {"Analyzer2D.ComputeGradient:"},
    {"Analyzer2D.MinimumGradient:"},
    {"Analyzer2D.MaximumGradient:"},
    {"Analyzer2D.DrawModeObjects:"},
    {"Analyzer2D.DrawModeColumns:"},
    {"Analyzer2D.PixelSize:"},
    {"Analyzer2D.CodeColor:"},
    {"Analyzer2D.ColorMode:"},
    {"Analyzer2D.ShowOnlyTotals:"},
    {"Analyzer2D.ShortHeaderLabels:"},
    {"Analyzer2D.Synchronize:"},
    /* Paraver reads these and ignores them. */
    {"Analyzer2D.CalculateAll:"},
    {"Analyzer2D.Accumulator:"},
    {"Analyzer2D.AccumulateByControlWindow:"},
    {"Analyzer2D.Parameters:"},
    {"Analyzer2D.RelativeTime:"},
    {"Analyzer2D.UseCustomDelta:"},
    {NULL},
};
