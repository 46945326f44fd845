/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a view of which a trace has nothing, instead of an empty table or picture.
 */
#ifndef TND_VIEW_ABSENCE_H
#define TND_VIEW_ABSENCE_H

#include "analysis/views/view.h"

/* "temperature: this view has nothing to show in app (tandem record --sensors temperature); views that have: ...".
 * Free with g_free.  NULL: the trace has something of it. */
char *tnd_view_absence(const TndTrace *trace, const TndViewRule *rule);

#endif
