/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of the profile, and its call tree, as lists.  A function that is selected in one of them is marked in
 * the flame graph; a node of the tree that is activated takes its whole width.
 */
#ifndef TND_PROFILE_LISTS_H
#define TND_PROFILE_LISTS_H

#include "viewer/session.h"

#include <gtk/gtk.h>

/* A stack of the two lists, with a switcher above. */
GtkWidget *tnd_profile_lists_new(TndSession *session);

/* For tests: the names of the functions in their order; free with g_strfreev. */
char **tnd_profile_lists_functions(GtkWidget *lists);

#endif
