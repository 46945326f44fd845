/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of a thread that are open at a moment of a walk.
 */
#ifndef TND_MERGE_CALLS_H
#define TND_MERGE_CALLS_H

#include "formats/event_types.h"
#include "formats/record.h"

#include <glib.h>

/* A call that is open. */
typedef struct {
    guint32 type, value, state;
    guint64 begin_ns;
    gpointer data; /* for whoever walks */
} TndMergeFrame;

/* The open calls of a thread, the innermost last.  Free frames with g_free. */
typedef struct {
    TndMergeFrame *frames;
    guint n, room;
} TndMergeCalls;

/* Opens a call: returns the new innermost frame, for the caller to fill. */
static inline TndMergeFrame *tnd_merge_calls_push(TndMergeCalls *calls)
{
    if (calls->n == calls->room)
        calls->frames = g_renew(TndMergeFrame, calls->frames, calls->room = 2 * calls->room + 8);
    return &calls->frames[calls->n++];
}

/* tnd_merge_calls_pop for a frame that need not be the last. */
gboolean tnd_merge_calls_pop_any(TndMergeCalls *calls, guint32 type, TndMergeFrame *frame);

/* Closes the innermost call of the type and copies its frame; FALSE if no such call is open. */
static inline gboolean tnd_merge_calls_pop(TndMergeCalls *calls, guint32 type, TndMergeFrame *frame)
{
    if (!calls->n || calls->frames[calls->n - 1].type != type)
        return tnd_merge_calls_pop_any(calls, type, frame);
    *frame = calls->frames[--calls->n];
    return TRUE;
}

/* The innermost frame of the type; NULL: none. */
static inline TndMergeFrame *tnd_merge_calls_find(const TndMergeCalls *calls, guint32 type)
{
    for (guint i = calls->n; i-- > 0;)
        if (calls->frames[i].type == type)
            return &calls->frames[i];
    return NULL;
}

/* The type of the call that a TASK record opens or closes; 0: it opens or closes none. */
static inline guint32 tnd_merge_calls_task_opens(const struct tnd_record *record)
{
    if (record->aux == TND_TASK_CREATE && record->n_words >= 2 && !(record->words[1] >> 32 & TND_TASK_WAIT))
        return TND_TYPE_OPENMP_TASK_CREATED;
    gboolean runs = (record->aux == TND_TASK_BEGIN || record->aux == TND_TASK_RESUME) && record->n_words >= 1;
    return runs ? TND_TYPE_OPENMP_TASK : 0;
}

static inline guint32 tnd_merge_calls_task_closes(const struct tnd_record *record)
{
    return record->aux == TND_TASK_END || record->aux == TND_TASK_SUSPEND ? TND_TYPE_OPENMP_TASK : 0;
}

#endif
