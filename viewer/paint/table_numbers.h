/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the numbers of a table are written: all in the same unit, with as few decimals as will do.
 */
#ifndef TND_TABLE_NUMBERS_H
#define TND_TABLE_NUMBERS_H

#include "analysis/histogram/histogram.h"

typedef struct TndNumberExtremes TndNumberExtremes;

typedef struct {
    const char *unit;              /* "ms", "%", "" */
    double scale;                  /* values are divided by it */
    double minimum, maximum;       /* of all cells, as values */
    TndNumberExtremes *of_columns; /* its own */
} TndTableNumbers;

TndTableNumbers *tnd_table_numbers_new(const TndHistogram *histogram);
void tnd_table_numbers_free(TndTableNumbers *numbers);

/* Both to be freed with g_free.  longest: the longest one in a column. */
char *tnd_table_numbers_text(const TndTableNumbers *numbers, double value);
char *tnd_table_numbers_longest(const TndTableNumbers *numbers, guint column);

/* The cell, or NULL if it is shown as empty.  A statistic of messages is 0 in cells whose messages went only in the
 * other direction: these are shown as empty, too. */
const TndHistogramCell *tnd_table_numbers_seen(const TndHistogram *histogram, const TndHistogramCell *cell);

#endif
