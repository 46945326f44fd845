/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Follows events; a type's own calls are a stack, whatever other types have between them.
 */
#include "analysis/trace/nesting.h"

#include <string.h>

static TndNestingCall *call_at(const TndNesting *nesting, guint index)
{
    return &g_array_index(nesting->calls, TndNestingCall, index);
}

static guint *n_open(TndNesting *nesting, guint32 type)
{
    return &nesting->n_open[type % TND_NESTING_SLOTS];
}

/* The innermost open call of a type before `end`, counted from 1; 0: there is none. */
static guint find(const TndNesting *nesting, guint32 type, guint end)
{
    while (end > 0 && call_at(nesting, end - 1)->type != type)
        end--;
    return end;
}

static void end_call(TndNesting *nesting, guint index, guint64 time_ns)
{
    if (nesting->end)
        nesting->end(nesting->self, index, time_ns);
    --*n_open(nesting, call_at(nesting, index)->type);
    g_array_remove_index(nesting->calls, index);
}

static void end_all(TndNesting *nesting, guint64 time_ns, guint32 type)
{
    for (guint last = nesting->calls->len; *n_open(nesting, type) && (last = find(nesting, type, last)); last--)
        end_call(nesting, last - 1, time_ns);
}

gboolean tnd_nesting_follow(TndNesting *nesting, guint64 time_ns, guint32 type, gint64 value)
{
    if (!value || *n_open(nesting, type) >= TND_NESTING_MOST)
        end_all(nesting, time_ns, type);
    if (!value)
        return FALSE;
    guint last = *n_open(nesting, type) > 1 ? find(nesting, type, nesting->calls->len) : 0;
    guint around = last ? find(nesting, type, last - 1) : 0;
    if (around && call_at(nesting, around - 1)->value == value) {
        end_call(nesting, last - 1, time_ns);
        return FALSE;
    }
    const TndNestingCall begun = {type, value, time_ns};
    g_array_append_val(nesting->calls, begun);
    ++*n_open(nesting, type);
    return TRUE;
}

void tnd_nesting_clear(TndNesting *nesting)
{
    g_array_set_size(nesting->calls, 0);
    memset(nesting->n_open, 0, sizeof nesting->n_open);
}
