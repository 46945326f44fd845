/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes are values: they are copied whole.
 */
#include "viewer/scene.h"

#include <string.h>

TndScene tnd_scene_new(const TndTrace *trace)
{
    TndScene scene = {.n_lanes = 1, .lanes = {{.id = 1, .height = 1}}};
    for (TndLevel level = 0; level < TND_LEVEL_N; level++)
        scene.zooms.of_level[level] = tnd_zoom_whole(trace, level);
    return scene;
}

TndZooms *tnd_scene_zooms(TndScene *scene, guint lane)
{
    return scene->lanes[lane].is_apart ? &scene->lanes[lane].zooms : &scene->zooms;
}

TndZoom tnd_scene_zoom(const TndScene *scene, guint lane, TndLevel level)
{
    return tnd_scene_zooms((TndScene *)scene, lane)->of_level[level];
}

void tnd_scene_set_zoom(TndScene *scene, guint lane, TndLevel level, TndZoom zoom)
{
    TndZooms *zooms = tnd_scene_zooms(scene, lane);
    for (TndLevel other = 0; other < TND_LEVEL_N; other++) {
        zooms->of_level[other].begin_ns = zoom.begin_ns;
        zooms->of_level[other].end_ns = zoom.end_ns;
    }
    zooms->of_level[level] = zoom;
}

const TndRowOrder *tnd_scene_order(const TndScene *scene, guint lane, TndLevel level)
{
    return tnd_scene_zooms((TndScene *)scene, lane)->orders[level];
}

void tnd_scene_set_order(TndScene *scene, guint lane, TndLevel level, const TndRowOrder *order)
{
    tnd_scene_zooms(scene, lane)->orders[level] = order;
}

void tnd_scene_add_lane(TndScene *scene, guint id)
{
    const guint at = scene->selected + 1;
    memmove(scene->lanes + at + 1, scene->lanes + at, (scene->n_lanes - at) * sizeof *scene->lanes);
    scene->lanes[at] = scene->lanes[at - 1];
    scene->lanes[at].id = id;
    scene->lanes[at].is_apart = FALSE;
    scene->n_lanes++;
    scene->selected = at;
}

void tnd_scene_remove_lane(TndScene *scene, guint lane)
{
    scene->n_lanes--;
    memmove(scene->lanes + lane, scene->lanes + lane + 1, (scene->n_lanes - lane) * sizeof *scene->lanes);
    if (scene->selected > lane || scene->selected == scene->n_lanes)
        scene->selected--;
}

void tnd_scene_swap_lanes(TndScene *scene, guint lane, guint other)
{
    TndLane kept = scene->lanes[lane];
    scene->lanes[lane] = scene->lanes[other];
    scene->lanes[other] = kept;
}

guint tnd_scene_find_lane(const TndScene *scene, guint id)
{
    guint i = 0;
    while (i < scene->n_lanes && scene->lanes[i].id != id)
        i++;
    return i;
}

gboolean tnd_scene_has_lanes_of(const TndScene *scene, const TndScene *other)
{
    gboolean are_same = scene->n_lanes == other->n_lanes;
    for (guint i = 0; are_same && i < scene->n_lanes; i++)
        are_same = scene->lanes[i].id == other->lanes[i].id && scene->lanes[i].is_apart == other->lanes[i].is_apart;
    return are_same;
}
