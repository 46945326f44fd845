/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget that lists the views that have something to show in the trace, and the windows and histograms of
 * configurations that were opened.  A double click or Enter opens one.
 */
#ifndef TND_VIEW_LIST_H
#define TND_VIEW_LIST_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_view_list_new(TndSession *session);

#endif
