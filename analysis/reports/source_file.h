/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a source file that a trace names.
 */
#ifndef TND_SOURCE_FILE_H
#define TND_SOURCE_FILE_H

#include "analysis/trace/trace.h"

typedef struct {
    char *path;
    char **lines; /* NULL at the end */
    guint n_lines;
    gboolean is_newer; /* it was changed after the trace was written */
} TndSourceFile;

/* The file is looked for where the trace says, then by its name in the folder (NULL: none), beside the trace, beside
 * its programs and libraries, and in the current folder.  NULL and error (G_IO_ERROR_NOT_FOUND, or what reading says).
 */
TndSourceFile *tnd_source_file_read(const TndTrace *trace, const char *file, const char *folder, GError **error);
void tnd_source_file_free(TndSourceFile *source); /* NULL is allowed */

#endif
