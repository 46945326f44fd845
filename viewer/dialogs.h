/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window asks and tells: files to open and to write, what went wrong, which keys there are.
 */
#ifndef TND_DIALOGS_H
#define TND_DIALOGS_H

#include <gtk/gtk.h>

char *tnd_dialogs_open(GtkWindow *parent); /* a path, NULL: changed their mind; g_free */
char *tnd_dialogs_save(GtkWindow *parent, const char *title, const char *name);
void tnd_dialogs_error(GtkWindow *parent, const char *what, const char *cause);
GtkWidget *tnd_dialogs_keys(GtkWindow *parent); /* shown, closes by itself */

#endif
