/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the three files of a trace, without names or under hidden ones at first; at the end they get their names, all
 * of them or none. The newest trace has the plain name: one that has it already is set aside under the first free
 * number, x.1.prv, unless `force` is set, which replaces it.
 */
#ifndef TND_TRACE_OUTPUT_H
#define TND_TRACE_OUTPUT_H

#include "formats/pcf.h"
#include "formats/prv_write.h"

#include <glib.h>

typedef struct TndTraceOutput TndTraceOutput;

/* What is told of a trace that was made. */
typedef struct {
    char *output, *aside; /* aside: where the trace is now that had the name; NULL: there was none */
    guint n_rows;
    guint64 n_states, n_events, n_messages, end_ns;
} TndMadeTrace;
void tnd_trace_output_made_clear(TndMadeTrace *made);

/* A pipe to a process that deletes hidden files when this process is gone.  The name of each file is written to it,
 * with its 0, before the file is made.  -1: there is no such process. */
extern int tnd_trace_output_keeper_fd;

/* path: "x.prv" or "x.prv.gz".  force: replaces an existing trace. */
TndTraceOutput *tnd_trace_output_new(const char *path, gboolean force, GError **error);

/* The directory that the trace will be in. */
const char *tnd_trace_output_directory(const TndTraceOutput *output);

/* A path of the file that becomes the .prv, so that threads and, if there is a keeper, other processes can write to it;
 * "": the file is compressed, and only tnd_trace_output_bytes can write it. */
const char *tnd_trace_output_path(const TndTraceOutput *output);

/* Writes text of the .prv: a sink for tnd_prv_write_open, whose `output` is the TndTraceOutput. */
bool tnd_trace_output_bytes(void *output, const char *bytes, size_t size);

/* Makes the .pcf and the .row as copies of these files, if they exist.  row: contents of the .row instead of the copy;
 * or NULL. */
gboolean tnd_trace_output_copy(TndTraceOutput *output, const char *pcf_path, const char *row_path,
                               const struct tnd_row *row, GError **error);

/* Writes the .pcf and the .row, unless their contents are NULL, and gives all three files their names.  Returns the
 * path of the .prv, to be freed with g_free; NULL and error: it failed.  *aside: the path that the trace has now which
 * had that name, to be freed with g_free; NULL: there was none. */
char *tnd_trace_output_finish(TndTraceOutput *output, const struct tnd_pcf *pcf, const struct tnd_row *row,
                              char **aside, GError **error);

/* Frees the output, and deletes the files if it was not finished. */
void tnd_trace_output_free(TndTraceOutput *output);

#endif
