/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of all commands and views, in which the user finds one by a part of its name.
 */
#ifndef TND_COMMAND_FINDER_H
#define TND_COMMAND_FINDER_H

#include "viewer/commands.h"

#include <gtk/gtk.h>

/* Shows the list below a widget, until one is chosen or Escape is pressed. */
void tnd_command_finder_show(GtkWidget *below, TndSession *session);

#endif
