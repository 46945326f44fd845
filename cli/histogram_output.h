/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the tables of `tandem histogram`: as CSV, or as text with totals only.
 */
#ifndef TND_HISTOGRAM_OUTPUT_H
#define TND_HISTOGRAM_OUTPUT_H

#include "analysis/histogram/cfg_histogram.h"

typedef struct {
    const char *csv; /* the path of a file, or "-" for standard output; NULL: print text */
    gboolean is_long;
    int decimals;
} TndHistogramOutput;

/* Writes tables one after another, each after a line with its name if it has one.  FALSE: complained. */
gboolean tnd_histogram_output_write(const TndHistogramOutput *output, const TndCfgTables *tables);

#endif
