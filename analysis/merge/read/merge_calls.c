/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rare case: a call ends that is not the innermost.
 */
#include "analysis/merge/read/merge_calls.h"

gboolean tnd_merge_calls_pop_any(TndMergeCalls *calls, guint32 type, TndMergeFrame *frame)
{
    TndMergeFrame *found = tnd_merge_calls_find(calls, type);
    if (!found)
        return FALSE;
    *frame = *found;
    calls->n--;
    for (const TndMergeFrame *last = calls->frames + calls->n; found < last; found++)
        *found = found[1];
    return TRUE;
}
