/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of labels, as people read them: times in µs.
 */
#ifndef TND_SHOWN_H
#define TND_SHOWN_H

#include <gtk/gtk.h>

void tnd_shown_set(GtkWidget *label, const char *text);

#endif
