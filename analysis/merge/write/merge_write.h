/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last pass: the lines of the trace.
 */
#ifndef TND_MERGE_WRITE_H
#define TND_MERGE_WRITE_H

#include "analysis/merge/base/merge_model.h"
#include "analysis/output/trace_output.h"

/* output: rank 0's, NULL elsewhere.  path: of the file that the team writes; NULL: rank 0 writes all into output. */
gboolean tnd_merge_write_run(TndMerge *merge, TndTraceOutput *output, const char *path, GError **error);

#endif
