/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views defined by files: NAME.view has the title, unit, help and formula of the view NAME (docs/views.md).  Files are
 * installed with tandem (data/views), are in the user's own directory ($XDG_CONFIG_HOME/tandem/views), or are added by
 * tnd_view_files_add.  A file of the user replaces an installed one of the same name.
 *
 * Cost: the directories are read once in a process, when the first view is asked for.
 */
#ifndef TND_VIEW_FILES_H
#define TND_VIEW_FILES_H

#include "analysis/views/views.h"

/* The definitions (TndViewDefinition *), sorted by name.  Owned by this module; never freed. */
const GPtrArray *tnd_view_files_definitions(void);

/* The definition of this name, built in or from a file; NULL: there is none. */
const TndViewDefinition *tnd_view_files_find(const char *name);

/* Adds a file, before any trace is opened.  It replaces other files of its name.  FALSE and error ("PATH: Unit: ...").
 */
gboolean tnd_view_files_add(const char *path, GError **error);

/* Messages about faulty files in the directories, which are left out: one line each, NULL at the end. */
const char *const *tnd_view_files_faults(void);

/* The path of a file that is installed with the views ("demo/halo.prv.gz"), also in a build tree; NULL: it is not
 * there. Free with g_free. */
char *tnd_view_files_beside(const char *name);

#endif
