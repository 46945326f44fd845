/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows of a histogram a table shows, and in which order.
 *
 * What it is not: it does not change the histogram, whose CSV has all rows in their own order.
 */
#ifndef TND_TABLE_ORDER_H
#define TND_TABLE_ORDER_H

#include "analysis/histogram/histogram.h"

typedef struct {
    const char *column;   /* sorted by this one, which may be missing; interned; NULL: rows have their own order */
    gboolean is_rising;   /* the smallest value first, and not the largest; rows without a value are always last */
    gboolean hides_empty; /* rows that have no value in any column are left out */
} TndTableOrder;

/* FALSE: the histogram has no such column. */
gboolean tnd_table_order_column(const TndTableOrder *order, const TndHistogram *histogram, guint *column);

/* The numbers of the n rows that are shown, from the top on; equal ones are in their own order.  Free with g_free.
 * Cost: n log n, and a search in each row. */
guint *tnd_table_order_rows(const TndTableOrder *order, const TndHistogram *histogram, guint *n);

#endif
