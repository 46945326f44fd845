/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filters the records of a trace, by event type and value, state, duration or size.
 */
#ifndef TND_REWRITE_FILTER_H
#define TND_REWRITE_FILTER_H

#include "analysis/rewrite/rewrite.h"

/* From low to high, both included. */
typedef struct {
    gint64 low, high;
} TndRewriteRange;

#define TND_REWRITE_RANGE_ALL ((TndRewriteRange){G_MININT64, G_MAXINT64})

/* Lists of what to keep and to drop.  Event types are numbers, ranges (42000000-42999999) or labels of the .pcf with *
 * and ?; each may be followed by values, :VALUE|VALUE, which are numbers or labels.  States are numbers or names; tags
 * are numbers and ranges.  NULL: everything is kept, or nothing dropped.  What is in both lists is dropped. */
typedef struct {
    const char *const *events, *const *drop_events, *const *states, *const *drop_states;
    const char *tags;
    gboolean no_events, no_states, no_messages;
    TndRewriteRange state_ns, message_bytes, message_ns; /* message_ns: from physical send to physical receive */
} TndRewriteFilterOptions;

/* If a type is filtered by value, a value that is not kept becomes a 0 if it ends a value that is. */
gboolean tnd_rewrite_filter_run(const TndRewriteOptions *options, const TndRewriteFilterOptions *filter,
                                TndRewriteResult *result, GError **error);

#endif
