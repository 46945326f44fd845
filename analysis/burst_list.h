/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts while they are made: contiguous from 0 to the trace's end, in order of time.
 *
 * Cost: an append a burst.
 */
#ifndef TND_BURST_LIST_H
#define TND_BURST_LIST_H

#include "analysis/view.h"

typedef struct {
    TndBurst *bursts;
    gsize n;
    guint64 end_ns; /* of the trace */
} TndBurstList;

/* Room for so many values, and for the 0 before the first of them. */
static inline TndBurstList tnd_burst_list_start(gsize n_at_most, guint64 end_ns)
{
    return (TndBurstList){.bursts = g_new(TndBurst, n_at_most + 1), .end_ns = end_ns};
}

/* From time_ns on, the value is this.  Times do not fall; what begins at the trace's end, or ends at 0, is not there.
 */
static inline void tnd_burst_list_begin(TndBurstList *list, guint64 time_ns, double value)
{
    if (time_ns >= list->end_ns)
        return;
    if (list->n == 0 && time_ns > 0)
        list->bursts[list->n++] = (TndBurst){0, time_ns, 0.0};
    if (time_ns == 0)
        list->n = 0;
    if (list->n > 0)
        list->bursts[list->n - 1].end_ns = time_ns;
    list->bursts[list->n++] = (TndBurst){time_ns, list->end_ns, value};
}

/* The bursts, to be freed with g_free. */
static inline TndBurst *tnd_burst_list_finish(TndBurstList *list, gsize *n_bursts)
{
    if (list->n == 0 && list->end_ns > 0)
        list->bursts[list->n++] = (TndBurst){0, list->end_ns, 0.0};
    *n_bursts = list->n;
    return g_renew(TndBurst, list->bursts, list->n);
}

#endif
