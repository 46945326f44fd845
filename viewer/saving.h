/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saves what is shown in a file that the user chooses, and copies the stretch of time.
 */
#ifndef TND_SAVING_H
#define TND_SAVING_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* Asks for a file and writes the histogram (is_csv) or the picture.  The picture of timelines gets the size of the
 * widget that shows them.  A fault is shown to the user. */
void tnd_saving_save(GtkWindow *window, TndSession *session, GtkWidget *timelines, gboolean is_csv);

void tnd_saving_copy_stretch(GtkWindow *window, TndSession *session); /* to the clipboard, as text */

#endif
