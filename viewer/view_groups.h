/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups of the list of views: which views are about MPI, OpenMP, memory and so on.
 *
 * What it is not: it does not know which views a trace has.
 */
#ifndef TND_VIEW_GROUPS_H
#define TND_VIEW_GROUPS_H

#include <glib.h>

/* The titles in their order; NULL at the end.  The last group is that of all views that no other one names: the user's
 * own. */
extern const char *const tnd_view_groups[];

guint tnd_view_groups_of(const char *view); /* the number of its group, from 0 on */

#endif
