/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as rows of a histogram: those that a row sent or received, which threads were at the other end.  For
 * histogram.c alone.
 *
 * Cost: two passes over the messages of the trace, 16 bytes for each end of one that is in the table.
 */
#ifndef TND_HISTOGRAM_MESSAGES_H
#define TND_HISTOGRAM_MESSAGES_H

#include "analysis/histogram/histogram_columns.h"

/* A message as a row sees it. */
typedef struct {
    guint32 partner; /* the row at the other end */
    gboolean is_send;
    gint64 size_bytes;
} TndHistogramEnd;

typedef struct TndHistogramMessages TndHistogramMessages;

/* Of the rows, the stretch of time and the moments that the options ask for. */
TndHistogramMessages *tnd_histogram_messages_new(const TndTrace *trace, const TndHistogramOptions *options);
void tnd_histogram_messages_free(TndHistogramMessages *messages);

/* In the order of their sending; row counts from the first one in the table. */
const TndHistogramEnd *tnd_histogram_messages_of(const TndHistogramMessages *messages, guint row, gsize *n);

/* A column for every thread at the other end of any of them. */
TndHistogramColumns tnd_histogram_messages_columns(const TndHistogramMessages *messages);

#endif
