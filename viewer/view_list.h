/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget that lists the views that the trace has, and the windows and histograms of configurations that were
 * opened; a double click or Enter opens one.
 */
#ifndef TND_VIEW_LIST_H
#define TND_VIEW_LIST_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_view_list_new(TndSession *session);

#endif
