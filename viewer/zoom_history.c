/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array without gaps.
 */
#include "viewer/zoom_history.h"

enum { GLIDE_US = 600000 }; /* steps of one glide follow each other faster than this */

struct TndZoomHistory {
    GArray *zooms; /* of TndZoom; that at `at` is shown */
    guint at;
    gint64 glided_us; /* when the last step glided; 0: it did not */
};

TndZoomHistory *tnd_zoom_history_new(void)
{
    TndZoomHistory *history = g_new0(TndZoomHistory, 1);
    history->zooms = g_array_new(FALSE, TRUE, sizeof(TndZoom));
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

void tnd_zoom_history_begin(TndZoomHistory *history, TndZoom first)
{
    tnd_zoom_history_forget(history);
    g_array_append_val(history->zooms, first);
}

gboolean tnd_zoom_history_is_empty(const TndZoomHistory *history)
{
    return history->zooms->len == 0;
}

TndZoom tnd_zoom_history_shown(const TndZoomHistory *history)
{
    return g_array_index(history->zooms, TndZoom, history->at);
}

void tnd_zoom_history_add(TndZoomHistory *history, TndZoom zoom, gboolean glides)
{
    gint64 now_us = g_get_monotonic_time();
    if (glides && history->glided_us && now_us - history->glided_us < GLIDE_US) {
        g_array_index(history->zooms, TndZoom, history->at) = zoom;
    } else {
        g_array_set_size(history->zooms, ++history->at);
        g_array_append_val(history->zooms, zoom);
    }
    history->glided_us = glides ? now_us : 0;
}

gboolean tnd_zoom_history_step(TndZoomHistory *history, int step)
{
    gint64 at = (gint64)history->at + step;
    if (at < 0 || at >= history->zooms->len)
        return FALSE;
    history->at = (guint)at;
    history->glided_us = 0;
    return TRUE;
}
