/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three files of a trace on their way: written under hidden names, then given their own, all or none.  An existing
 * trace is not touched unless that is wanted.
 */
#ifndef TND_MERGE_OUTPUT_H
#define TND_MERGE_OUTPUT_H

#include "formats/pcf.h"
#include "formats/prv_write.h"

#include <glib.h>

typedef struct TndMergeOutput TndMergeOutput;

/* The pipe of a process that takes hidden files away once this one is gone: it is told each name, with its 0, before
 * the file is made.  -1: there is none. */
extern int tnd_merge_output_keeper_fd;

/* path: "x.prv" or "x.prv.gz". */
TndMergeOutput *tnd_merge_output_new(const char *path, gboolean force, GError **error);

/* The directory that the trace will be in. */
const char *tnd_merge_output_directory(const TndMergeOutput *output);

/* The file that will be the .prv, for others to write into; "": it is compressed, and only tnd_merge_output_bytes will
 * do. */
const char *tnd_merge_output_path(const TndMergeOutput *output);

/* Takes the text of the .prv: a sink for tnd_prv_write_open. */
bool tnd_merge_output_bytes(void *output, const char *bytes, size_t size);

/* Makes the other two: copies of these files, where they exist; a row goes before its file. */
gboolean tnd_merge_output_copy(TndMergeOutput *output, const char *pcf_path, const char *row_path,
                               const struct tnd_row *row, GError **error);

/* Writes the other two, unless they are NULL, and gives all three their names: the name of the .prv, or NULL with
 * error. */
char *tnd_merge_output_finish(TndMergeOutput *output, const struct tnd_pcf *pcf, const struct tnd_row *row,
                              GError **error);

/* Frees, and takes away what was not finished. */
void tnd_merge_output_free(TndMergeOutput *output);

#endif
