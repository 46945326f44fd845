/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialogs in which the user writes which rows to show, and in which order, and which messages.
 */
#ifndef TND_CHOOSING_H
#define TND_CHOOSING_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* Each returns when the dialog is closed.  The session must have a view. */
void tnd_choosing_rows(GtkWindow *parent, TndSession *session);
void tnd_choosing_messages(GtkWindow *parent, TndSession *session);

#endif
