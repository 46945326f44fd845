/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last pass: writes the lines of the trace.
 */
#ifndef TND_MERGE_WRITE_H
#define TND_MERGE_WRITE_H

#include "analysis/merge/base/merge_model.h"
#include "analysis/output/trace_output.h"

/* output: of rank 0, NULL on others.  path: of the file that the team writes; NULL: rank 0 writes everything into
 * output. */
gboolean tnd_merge_write_run(TndMerge *merge, TndTraceOutput *output, const char *path, GError **error);

#endif
