/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The three files of a trace that is being made. They are written under hidden names, then given their own, all or
 * none. An existing trace is not touched unless that is wanted.
 */
#ifndef TND_TRACE_OUTPUT_H
#define TND_TRACE_OUTPUT_H

#include "formats/pcf.h"
#include "formats/prv_write.h"

#include <glib.h>

typedef struct TndTraceOutput TndTraceOutput;

/* The pipe to a process that removes hidden files once this process is gone.  It is told each name, with the 0 at its
 * end, before the file is made.  -1: there is no such process. */
extern int tnd_trace_output_keeper_fd;

/* path: "x.prv" or "x.prv.gz". */
TndTraceOutput *tnd_trace_output_new(const char *path, gboolean force, GError **error);

/* The directory that the trace will be in. */
const char *tnd_trace_output_directory(const TndTraceOutput *output);

/* The path of the file that will be the .prv, for others to write into; "": the file is compressed, and only
 * tnd_trace_output_bytes can write it. */
const char *tnd_trace_output_path(const TndTraceOutput *output);

/* Takes the text of the .prv: a sink for tnd_prv_write_open. */
bool tnd_trace_output_bytes(void *output, const char *bytes, size_t size);

/* Makes the other two files as copies of these, where they exist.  row: what the .row is made of instead of its copy;
 * or NULL. */
gboolean tnd_trace_output_copy(TndTraceOutput *output, const char *pcf_path, const char *row_path,
                               const struct tnd_row *row, GError **error);

/* Writes the other two files, unless their contents are NULL, and gives all three their names.  Returns the name of
 * the .prv, or NULL with error. */
char *tnd_trace_output_finish(TndTraceOutput *output, const struct tnd_pcf *pcf, const struct tnd_row *row,
                              GError **error);

/* Frees, and takes away what was not finished. */
void tnd_trace_output_free(TndTraceOutput *output);

#endif
