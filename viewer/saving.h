/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saves what is shown in a file that the user chooses, and copies it to the clipboard.
 */
#ifndef TND_SAVING_H
#define TND_SAVING_H

#include "viewer/session.h"

#include <gtk/gtk.h>

typedef enum { TND_SAVING_PICTURE, TND_SAVING_CSV, TND_SAVING_CFG } TndSaving;

/* Asks for a file and writes the picture, the histogram or the timelines as a configuration of Paraver's.  The picture
 * of timelines gets the size of the widget that shows them.  A fault is shown to the user. */
void tnd_saving_save(GtkWindow *window, TndSession *session, GtkWidget *timelines, TndSaving what);

/* To the clipboard, as text: the histogram, if its page is shown, else the stretch of time. */
void tnd_saving_copy(GtkWindow *window, TndSession *session);
/* To the clipboard: the picture that tnd_saving_save writes. */
void tnd_saving_copy_picture(GtkWindow *window, TndSession *session, GtkWidget *timelines);

#endif
