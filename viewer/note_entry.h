/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks for the text of a note, beside the place in the timeline that it is about.
 */
#ifndef TND_NOTE_ENTRY_H
#define TND_NOTE_ENTRY_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* The note is about what is under the pointer of the timelines or, if that is elsewhere, about the selection.  One that
 * is there already is changed. */
void tnd_note_entry_show(GtkWidget *timelines, TndSession *session);

#endif
