/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chooser of the histogram's statistic: in groups, in words that say what it is; its tooltip explains the chosen one.
 */
#ifndef TND_STATISTIC_CHOOSER_H
#define TND_STATISTIC_CHOOSER_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* A combo box whose IDs are the statistics' names on the command line. */
GtkWidget *tnd_statistic_chooser_new(TndSession *session);

/* Shows the session's statistic; none, if it is not known yet. */
void tnd_statistic_chooser_follow(GtkWidget *chooser, const TndSession *session);

#endif
