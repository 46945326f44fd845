/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scenes are an array, with the index of the one that is shown.
 */
#include "viewer/history.h"

enum { GLIDE_US = 600000 }; /* gliding steps less than this apart count as one */

struct TndHistory {
    GArray *scenes; /* of TndScene; the one at index `at` is shown */
    guint at;
    gint64 glided_us; /* when the last step glided; 0: it did not */
};

TndHistory *tnd_history_new(void)
{
    TndHistory *history = g_new0(TndHistory, 1);
    history->scenes = g_array_new(FALSE, TRUE, sizeof(TndScene));
    return history;
}

void tnd_history_free(TndHistory *history)
{
    g_array_unref(history->scenes);
    g_free(history);
}

void tnd_history_forget(TndHistory *history)
{
    g_array_set_size(history->scenes, 0);
    history->at = 0;
    history->glided_us = 0;
}

void tnd_history_begin(TndHistory *history, const TndScene *scene)
{
    tnd_history_forget(history);
    g_array_append_vals(history->scenes, scene, 1);
}

static TndScene *scene_at(const TndHistory *history, guint at)
{
    return &g_array_index(history->scenes, TndScene, at);
}

const TndScene *tnd_history_shown(const TndHistory *history)
{
    return history->scenes->len ? scene_at(history, history->at) : NULL;
}

void tnd_history_add(TndHistory *history, const TndScene *scene, gboolean glides)
{
    const TndScene added = *scene; /* it may be one of the array's */
    gint64 now_us = g_get_monotonic_time();
    if (glides && history->glided_us && now_us - history->glided_us < GLIDE_US) {
        *scene_at(history, history->at) = added;
    } else {
        g_array_set_size(history->scenes, ++history->at);
        g_array_append_vals(history->scenes, &added, 1);
    }
    history->glided_us = glides ? now_us : 0;
}

void tnd_history_amend(TndHistory *history, const TndScene *scene)
{
    *scene_at(history, history->at) = *scene;
}

void tnd_history_amend_lane(TndHistory *history, const TndLane *lane)
{
    const TndLane changed = *lane;
    for (guint i = 0; i < history->scenes->len; i++) {
        TndScene *scene = scene_at(history, i);
        guint number = tnd_scene_find_lane(scene, changed.id);
        if (number == scene->n_lanes)
            continue;
        scene->lanes[number].view = changed.view;
        scene->lanes[number].over = changed.over;
        scene->lanes[number].height = changed.height;
    }
}

gboolean tnd_history_step(TndHistory *history, int step, TndHistorySame same, gconstpointer data)
{
    const TndScene *shown = tnd_history_shown(history);
    gint64 at = (gint64)history->at + step;
    while (shown && at >= 0 && at < history->scenes->len && same(scene_at(history, (guint)at), shown, data))
        at += step;
    if (!shown || at < 0 || at >= history->scenes->len)
        return FALSE;
    history->at = (guint)at;
    history->glided_us = 0;
    return TRUE;
}
