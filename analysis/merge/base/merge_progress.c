/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The progress of one rank. The caller's function hears of it.
 */
#include "analysis/merge/base/merge_progress.h"

#include <gio/gio.h>

gboolean tnd_merge_progress_advance(TndMerge *merge, TndMergePass pass, guint64 n_bytes, GError **error)
{
    merge->n_work_done += pass * n_bytes;
    if (!merge->options->progress)
        return TRUE;
    double fraction = (double)merge->n_work_done / (double)MAX(merge->n_work, 1);
    if (merge->options->progress(MIN(fraction, 1), merge->options->user_data))
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: merging was cancelled", merge->options->run_directory);
    return FALSE;
}
