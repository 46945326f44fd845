/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole stacks of samples and waits: a record has only the frames that the stream's sample before has not
 * (formats/record.h).
 */
#ifndef TND_MERGE_STACK_H
#define TND_MERGE_STACK_H

#include "formats/record.h"

#include <glib.h>
#include <string.h>

#define TND_MERGE_STACK_MOST 255 /* frames: what aux can say */

/* A stack, innermost frame first; all 0 where a stream begins. */
typedef struct {
    guint n;
    guint64 frames[TND_MERGE_STACK_MOST];
} TndMergeStack;

/* How many frames a record has itself. */
static inline guint tnd_merge_stack_own(const struct tnd_record *record)
{
    guint n_behind = record->kind == TND_RECORD_WAIT ? 2 : 0;
    return record->n_words > n_behind ? record->n_words - n_behind : 0;
}

/* Fills *stack with the whole stack of a record.  before: that of the sample before, which this one becomes. */
static inline void tnd_merge_stack_read(const struct tnd_record *record, TndMergeStack *before, TndMergeStack *stack)
{
    guint n_own = tnd_merge_stack_own(record);
    guint n_common = MIN(MIN(TND_SAMPLE_N_COMMON(record->aux), before->n), TND_MERGE_STACK_MOST - n_own);
    memcpy(stack->frames, record->words, n_own * sizeof stack->frames[0]);
    memcpy(stack->frames + n_own, before->frames + before->n - n_common, n_common * sizeof stack->frames[0]);
    stack->n = n_own + n_common;
    if (record->kind == TND_RECORD_SAMPLE) {
        memcpy(before->frames, stack->frames, stack->n * sizeof stack->frames[0]);
        before->n = stack->n;
    }
}

#endif
