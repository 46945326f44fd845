/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The zooms are an array, with the index of the one that is shown.
 */
#include "viewer/zoom_history.h"

enum { GLIDE_US = 600000 }; /* gliding steps less than this apart count as one */

/* The rows of each level; the stretch of time is the same for all of them. */
typedef struct {
    TndZoom of_level[TND_LEVEL_N];
} Zooms;

struct TndZoomHistory {
    GArray *zooms; /* of Zooms; the one at index `at` is shown */
    guint at;
    gint64 glided_us; /* when the last step glided; 0: it did not */
};

TndZoomHistory *tnd_zoom_history_new(void)
{
    TndZoomHistory *history = g_new0(TndZoomHistory, 1);
    history->zooms = g_array_new(FALSE, TRUE, sizeof(Zooms));
    return history;
}

void tnd_zoom_history_free(TndZoomHistory *history)
{
    g_array_unref(history->zooms);
    g_free(history);
}

void tnd_zoom_history_forget(TndZoomHistory *history)
{
    g_array_set_size(history->zooms, 0);
    history->at = 0;
    history->glided_us = 0;
}

void tnd_zoom_history_begin(TndZoomHistory *history, const TndTrace *trace)
{
    Zooms first;
    for (TndLevel level = 0; level < TND_LEVEL_N; level++)
        first.of_level[level] = tnd_zoom_whole(trace, level);
    tnd_zoom_history_forget(history);
    g_array_append_val(history->zooms, first);
}

gboolean tnd_zoom_history_is_empty(const TndZoomHistory *history)
{
    return history->zooms->len == 0;
}

static TndZoom zoom_at(const TndZoomHistory *history, guint at, TndLevel level)
{
    return g_array_index(history->zooms, Zooms, at).of_level[level];
}

TndZoom tnd_zoom_history_shown(const TndZoomHistory *history, TndLevel level)
{
    return zoom_at(history, history->at, level);
}

void tnd_zoom_history_add(TndZoomHistory *history, TndLevel level, TndZoom zoom, gboolean glides)
{
    gint64 now_us = g_get_monotonic_time();
    Zooms zooms = g_array_index(history->zooms, Zooms, history->at);
    for (TndLevel other = 0; other < TND_LEVEL_N; other++) {
        zooms.of_level[other].begin_ns = zoom.begin_ns;
        zooms.of_level[other].end_ns = zoom.end_ns;
    }
    zooms.of_level[level] = zoom;
    if (glides && history->glided_us && now_us - history->glided_us < GLIDE_US) {
        g_array_index(history->zooms, Zooms, history->at) = zooms;
    } else {
        g_array_set_size(history->zooms, ++history->at);
        g_array_append_val(history->zooms, zooms);
    }
    history->glided_us = glides ? now_us : 0;
}

gboolean tnd_zoom_history_step(TndZoomHistory *history, TndLevel level, int step)
{
    const TndZoom shown = tnd_zoom_history_shown(history, level);
    gint64 at = (gint64)history->at + step;
    while (at >= 0 && at < history->zooms->len && tnd_zoom_equals(zoom_at(history, (guint)at, level), shown))
        at += step;
    if (at < 0 || at >= history->zooms->len)
        return FALSE;
    history->at = (guint)at;
    history->glided_us = 0;
    return TRUE;
}
