/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The card that appears where the pointer rests on a timeline: the value with its colour, the row, how long the burst
 * lasts, its share of the stretch of time that is shown and, if it was recorded, its line of the source.
 */
#ifndef TND_HOVER_CARD_H
#define TND_HOVER_CARD_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* Gives a widget cards about the session's hover. */
void tnd_hover_card_connect(GtkWidget *widget, TndSession *session);

/* The card's text; NULL: there is none.  Free with g_free. */
char *tnd_hover_card_text(TndSession *session);

#endif
