/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene: what is shown as timelines, which can be undone: the lanes of the window, from the top on, and their zooms.
 * A lane is one timeline: a view, with a share of the height.  Lanes are linked, that is, they have one zoom, unless
 * one is set apart.
 *
 * What it is not: it does not know views, only their names, because a view may be gone when a scene is shown again.
 */
#ifndef TND_SCENE_H
#define TND_SCENE_H

#include "analysis/trace/levels.h"
#include "viewer/paint/lane_stack.h"
#include "viewer/zoom.h"

/* The stretch of time, which is the same for all levels, and the rows of each level: so those of threads are restored
 * when the user returns from a view of tasks.  The rows of a zoom are places of the order. */
typedef struct {
    TndZoom of_level[TND_LEVEL_N];
    const TndRowOrder *orders[TND_LEVEL_N]; /* NULL: all rows; each is kept by the session as long as the trace */
} TndZooms;

typedef struct {
    guint id;          /* the same in all scenes; no other lane gets it */
    const char *view;  /* its name; interned; NULL: the lane is empty */
    const char *over;  /* the name of the view whose lines lie over it; interned; NULL: none do */
    double height;     /* in relation to the heights of the others */
    gboolean is_apart; /* it has a zoom of its own */
    TndZooms zooms;    /* if it is apart */
} TndLane;

typedef struct {
    TndZooms zooms;                     /* of the linked lanes */
    TndLane lanes[TND_LANE_STACK_MOST]; /* at least one */
    guint n_lanes, selected;            /* selected: the number of a lane, from 0 on */
} TndScene;

/* One empty lane, which shows the whole trace. */
TndScene tnd_scene_new(const TndTrace *trace);

/* The zooms that a lane has: its own, or those of the linked ones. */
TndZooms *tnd_scene_zooms(TndScene *scene, guint lane);
TndZoom tnd_scene_zoom(const TndScene *scene, guint lane, TndLevel level);
void tnd_scene_set_zoom(TndScene *scene, guint lane, TndLevel level, TndZoom zoom);

const TndRowOrder *tnd_scene_order(const TndScene *scene, guint lane, TndLevel level);
void tnd_scene_set_order(TndScene *scene, guint lane, TndLevel level, const TndRowOrder *order);

/* Adds a linked lane below the selected one, with its view and height, and selects it.  There must be room for it. */
void tnd_scene_add_lane(TndScene *scene, guint id);
void tnd_scene_remove_lane(TndScene *scene, guint lane); /* which is not the only one */
void tnd_scene_swap_lanes(TndScene *scene, guint lane, guint other);

guint tnd_scene_find_lane(const TndScene *scene, guint id); /* n_lanes: it has none with this id */

/* Whether both have the same lanes in the same order, linked or not alike. */
gboolean tnd_scene_has_lanes_of(const TndScene *scene, const TndScene *other);

#endif
