/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace with some of its records: by event type and value, state, how long or how large they are.
 */
#ifndef TND_REWRITE_FILTER_H
#define TND_REWRITE_FILTER_H

#include "analysis/rewrite/rewrite.h"

/* Both ends count. */
typedef struct {
    gint64 low, high;
} TndRewriteRange;

#define TND_REWRITE_RANGE_ALL ((TndRewriteRange){G_MININT64, G_MAXINT64})

/* Lists of names: event types are numbers, ranges (42000000-42999999) or labels of the .pcf, with * and ?, each of
 * which may be followed by :VALUE|VALUE, numbers or labels; states are numbers or names; tags are numbers and ranges.
 * NULL: all.  What is in a list of what to drop is dropped from what is kept. */
typedef struct {
    const char *const *events, *const *drop_events, *const *states, *const *drop_states;
    const char *tags;
    gboolean no_events, no_states, no_messages;
    TndRewriteRange state_ns, message_bytes, message_ns; /* durations: of a message from send to receive, physical */
} TndRewriteFilterOptions;

/* With values, an event whose value is not kept becomes 0 where it ends one that is. */
gboolean tnd_rewrite_filter_run(const TndRewriteOptions *options, const TndRewriteFilterOptions *filter,
                                TndRewriteResult *result, GError **error);

#endif
