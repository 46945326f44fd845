/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views that are files: NAME.view says title, unit, help and the formula of the view NAME (docs/views.md).  They are
 * those that are installed with tandem (data/views), those in the user's own directory (tandem/views of
 * XDG_CONFIG_HOME), of which one of the same name goes before an installed one, and any that is added by hand.
 *
 * Cost: the directories are read once a process, when the first view is asked for.
 */
#ifndef TND_VIEW_FILES_H
#define TND_VIEW_FILES_H

#include "analysis/views/views.h"

/* TndViewDefinition *, in the order of their names; they stay. */
const GPtrArray *tnd_view_files_definitions(void);

/* The definition of this name, which is built in or a file's; NULL: there is none. */
const TndViewDefinition *tnd_view_files_find(const char *name);

/* Adds one, before any trace is opened; it goes before all others of its name.  FALSE and error ("PATH: Unit: ..."). */
gboolean tnd_view_files_add(const char *path, GError **error);

/* What is wrong with files of the directories, which are left out: a line each, NULL at the end. */
const char *const *tnd_view_files_faults(void);

#endif
