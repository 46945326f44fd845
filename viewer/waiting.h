/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a job (long_job.h) is at, a bar that shows how far it is, and, if wanted, a button that cancels it.
 */
#ifndef TND_WAITING_H
#define TND_WAITING_H

#include "viewer/long_job.h"

#include <gtk/gtk.h>

GtkWidget *tnd_waiting_new(gboolean can_cancel);

/* Shows another job; NULL: none, before the one that was shown is gone. */
void tnd_waiting_show(GtkWidget *waiting, const char *text, TndLongJob *job);

#endif
