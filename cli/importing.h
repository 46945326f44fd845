/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem convert` of what another tool recorded: makes a trace of it, with progress and a summary.
 */
#ifndef TND_IMPORTING_H
#define TND_IMPORTING_H

#include <glib.h>

/* output NULL: the name of the file, with .prv in place of its ending.  Returns the command's exit status. */
int tnd_importing_run(const char *path, const char *output, gboolean force);

#endif
