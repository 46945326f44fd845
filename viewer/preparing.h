/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prepares the views of the timelines, one after the other, that of the selected timeline first.  Meanwhile the window
 * shows all else; a line below the timelines tells how far the work is, and has a button that cancels it.  A page in
 * place of the histogram does the same.
 *
 * What it is not: it does not show views.  Whoever does is told when one is ready.
 */
#ifndef TND_PREPARING_H
#define TND_PREPARING_H

#include "viewer/session.h"

#include <gtk/gtk.h>

typedef struct TndPreparing TndPreparing;

/* Called when a view is ready, or was given up. */
typedef void (*TndPreparingDone)(gpointer user_data);

TndPreparing *tnd_preparing_new(TndSession *session, TndPreparingDone done, gpointer user_data);
void tnd_preparing_free(TndPreparing *preparing); /* to be called before the widgets are destroyed */

GtkWidget *tnd_preparing_line(TndPreparing *preparing);
GtkWidget *tnd_preparing_page(TndPreparing *preparing);

/* To be called when the views that are shown have changed: starts a job for one that is not prepared, and waits some
 * milliseconds, as most views take no longer.  One that the user cancelled is prepared only if it was opened again. */
void tnd_preparing_follow(TndPreparing *preparing, gboolean is_opened);
void tnd_preparing_stop(TndPreparing *preparing); /* returns when no job runs; to be called before a trace is closed */

/* Whether the selected timeline's view is ready, or there is none. */
gboolean tnd_preparing_is_ready(const TndPreparing *preparing);

#endif
