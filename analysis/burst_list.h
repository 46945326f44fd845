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
    gsize n, room;
    guint64 end_ns; /* of the trace */
} TndBurstList;

static inline TndBurstList tnd_burst_list_start(guint64 end_ns)
{
    return (TndBurstList){.end_ns = end_ns};
}

/* One more. */
static inline void tnd_burst_list_append(TndBurstList *list, TndBurst burst)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->bursts = g_renew(TndBurst, list->bursts, list->room);
    }
    list->bursts[list->n++] = burst;
}

/* From time_ns on, the value is this.  Times do not fall; what begins at the trace's end, or ends at 0, is not there.
 */
static inline void tnd_burst_list_begin(TndBurstList *list, guint64 time_ns, double value)
{
    if (time_ns >= list->end_ns)
        return;
    if (list->n == 0 && time_ns > 0)
        tnd_burst_list_append(list, (TndBurst){0, time_ns, 0.0});
    if (time_ns == 0)
        list->n = 0;
    if (list->n > 0)
        list->bursts[list->n - 1].end_ns = time_ns;
    tnd_burst_list_append(list, (TndBurst){time_ns, list->end_ns, value});
}

/* The bursts, to be freed with g_free. */
static inline TndBurst *tnd_burst_list_finish(TndBurstList *list, gsize *n_bursts)
{
    if (list->n == 0 && list->end_ns > 0)
        tnd_burst_list_append(list, (TndBurst){0, list->end_ns, 0.0});
    *n_bursts = list->n;
    return g_renew(TndBurst, list->bursts, list->n);
}

#endif
