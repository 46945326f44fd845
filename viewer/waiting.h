/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widget that shows a running job (long_job.h): what it does, a progress bar and, if wanted, a button to cancel it.
 */
#ifndef TND_WAITING_H
#define TND_WAITING_H

#include "viewer/long_job.h"

#include <gtk/gtk.h>

/* A page of the window's; is_line: a line below what is shown already. */
GtkWidget *tnd_waiting_new(gboolean can_cancel, gboolean is_line);

/* Shows another job.  job NULL: shows none; to be called before the job that was shown is freed. */
void tnd_waiting_show(GtkWidget *waiting, const char *text, TndLongJob *job);

#endif
