/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialogs of the window: files to open and to write, errors, the list of keys.
 */
#ifndef TND_DIALOGS_H
#define TND_DIALOGS_H

#include <gtk/gtk.h>

char *tnd_dialogs_open(GtkWindow *parent); /* a path, to be freed with g_free; NULL: cancelled */
/* A trace to lay beside the one that is open, and by what (analysis/causes/alignment.h); both to be freed. */
char *tnd_dialogs_open_beside(GtkWindow *parent, char **alignment);
char *tnd_dialogs_save(GtkWindow *parent, const char *title, const char *name); /* likewise */
char *tnd_dialogs_folder(GtkWindow *parent, const char *title);                 /* likewise */
void tnd_dialogs_error(GtkWindow *parent, const char *what, const char *cause);
GtkWidget *tnd_dialogs_keys(GtkWindow *parent); /* shown already; destroyed when the user closes it */

#endif
