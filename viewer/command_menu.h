/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Menus and buttons made from the table of commands; each runs its command on a session, which must outlive them.
 */
#ifndef TND_COMMAND_MENU_H
#define TND_COMMAND_MENU_H

#include "viewer/commands.h"

#include <gtk/gtk.h>

/* A menu of all commands, or of those in `ids` (NULL at the end; "" is a separator).  ids NULL: all. */
GtkWidget *tnd_command_menu_new(TndSession *session, const char *const *ids);
char *tnd_command_menu_key(const TndCommand *command); /* its first key, as users read it; free with g_free */
GtkWidget *tnd_command_menu_button(TndSession *session, const char *id, const char *icon);

#endif
