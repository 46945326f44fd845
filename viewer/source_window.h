/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window with the source at the line that the selected burst was recorded at, and the samples of each line.
 */
#ifndef TND_SOURCE_WINDOW_H
#define TND_SOURCE_WINDOW_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* Asks for the folder if the file is not found; tells what is wrong if there is no line. */
void tnd_source_window_show(GtkWindow *parent, TndSession *session);

#endif
