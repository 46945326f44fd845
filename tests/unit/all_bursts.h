/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row's bursts as an array, for who compares them with others.
 */
#ifndef TND_TEST_ALL_BURSTS_H
#define TND_TEST_ALL_BURSTS_H

#include "analysis/views/view.h"

/* Free with g_array_unref. */
static inline GArray *all_bursts(TndView *view, guint row)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    tnd_view_each_burst(view, row, tnd_burst_stream_keep, bursts);
    return bursts;
}

#define BURST(array, i) g_array_index(array, TndBurst, i)

#endif
