/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scenes that were shown, one after another, and which of them is shown now: undo and redo move through them.
 *
 * What it is not: it does not know the size of the trace; callers clamp a zoom before they add its scene.
 */
#ifndef TND_HISTORY_H
#define TND_HISTORY_H

#include "viewer/scene.h"

typedef struct TndHistory TndHistory;

/* Whether two scenes look the same, so that undo passes over one of them. */
typedef gboolean (*TndHistorySame)(const TndScene *scene, const TndScene *other, gconstpointer data);

TndHistory *tnd_history_new(void); /* empty */
void tnd_history_free(TndHistory *history);

void tnd_history_forget(TndHistory *history);                       /* makes it empty */
void tnd_history_begin(TndHistory *history, const TndScene *scene); /* makes this its only scene */
const TndScene *tnd_history_shown(const TndHistory *history);       /* NULL: it is empty */

/* Adds a scene and shows it; those that were undone are dropped.  Gliding steps (wheel, pan) in a row count as one. */
void tnd_history_add(TndHistory *history, const TndScene *scene, gboolean glides);

/* Changes the scene that is shown without a step that could be undone. */
void tnd_history_amend(TndHistory *history, const TndScene *scene);
/* The same for the views and the height of a lane, in all scenes that have it. */
void tnd_history_amend_lane(TndHistory *history, const TndLane *lane);

/* step -1 goes to the scene before, 1 to the one that was undone last; scenes that look the same are passed over.
 * FALSE: there is none. */
gboolean tnd_history_step(TndHistory *history, int step, TndHistorySame same, gconstpointer data);

#endif
