/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where tables of `tandem histogram` go: a file, standard output, or the terminal, for the eye.
 */
#ifndef TND_HISTOGRAM_OUTPUT_H
#define TND_HISTOGRAM_OUTPUT_H

#include "analysis/histogram/cfg_histogram.h"

typedef struct {
    const char *csv; /* a file's name, "-" for standard output, NULL: for the eye */
    gboolean is_long;
    int decimals;
} TndHistogramOutput;

/* Tables one after another, each after a line with its name if it has one.  FALSE: complained. */
gboolean tnd_histogram_output_write(const TndHistogramOutput *output, const TndCfgTables *tables);

#endif
