/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of the profile: lists of functions and calls at the left, a flame graph at the right.
 */
#ifndef TND_PROFILE_AREA_H
#define TND_PROFILE_AREA_H

#include "viewer/session.h"

#include <gtk/gtk.h>

GtkWidget *tnd_profile_area_new(TndSession *session);

/* Stops the job that makes the profile.  Before the session's trace is freed. */
void tnd_profile_area_stop(GtkWidget *area);

/* For tests: the flame graph that was painted last, and its canvas; NULL: none was. */
const TndFlame *tnd_profile_area_flame(GtkWidget *area);
GtkWidget *tnd_profile_area_canvas(GtkWidget *area);

#endif
