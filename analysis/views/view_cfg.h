/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views as a configuration that Paraver opens.
 */
#ifndef TND_VIEW_CFG_H
#define TND_VIEW_CFG_H

#include "analysis/views/view.h"

/* A view, and what is shown of it. */
typedef struct {
    const TndView *view;
    guint64 begin_ns, end_ns;
    const gboolean *are_shown; /* [row of its level] */
    TndDraw draw;
    gboolean has_flags, hides_messages;
    gboolean has_limits;
    double least, most; /* of its colours or its axis */
} TndViewCfgShown;

/* The text of a configuration with a window for each; windows of which others are made are before them.  Free with
 * g_free.  NULL and error: a view is computed in a way that Paraver does not have, or shows rows that a window cannot
 * choose. */
char *tnd_view_cfg_text(const TndViewCfgShown *shown, guint n, GError **error);

#endif
