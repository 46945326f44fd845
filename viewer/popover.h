/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A popover that is there for one question.
 */
#ifndef TND_POPOVER_H
#define TND_POPOVER_H

#include <gtk/gtk.h>

/* A popover at a widget, which is destroyed after it was closed: the entry or button that closed it is still being
 * handled then.  data: freed with g_free when it is destroyed. */
GtkWidget *tnd_popover_new(GtkWidget *at, gpointer data);

#endif
