/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of its elder siblings a task of OpenMP waits for: those that named the same memory, by the rules of the depend
 * clause (OpenMP 5.1, 2.19.11).  Whether a predecessor had already ended when its successor was made does not matter
 * here: it is one all the same.
 *
 * Memory: of every address that a creator's children named, the last two groups of them; a task lives as long as
 * somebody refers to it.
 */
#ifndef TND_MERGE_DEPEND_H
#define TND_MERGE_DEPEND_H

#include "formats/record.h"

#include <glib.h>

/* A task of OpenMP on its way through a merge. */
typedef struct {
    guint32 number, creator, flags;
    guint n_references;
    guint32 last_successor; /* the number of the task that was given this one as a predecessor last */
    gboolean has_ended, is_fulfilled;
    guint32 row;                     /* where it was complete; before that, where it was made */
    guint64 created_ns, complete_ns; /* complete: 0 until it is */
    GPtrArray *predecessors;         /* NULL: there are none */
    struct TndMergeChildren *children;
} TndMergeOmpTask;

TndMergeOmpTask *tnd_merge_depend_new(guint32 number);
TndMergeOmpTask *tnd_merge_depend_keep(TndMergeOmpTask *task);
void tnd_merge_depend_release(TndMergeOmpTask *task); /* task may be NULL */

/* Says that `task`, a child of `creator`, depends on words[0..n_words), which are as in a TASK record of phase
 * DEPEND.  This adds to its predecessors. */
void tnd_merge_depend_add(TndMergeOmpTask *creator, TndMergeOmpTask *task, const guint64 *words, guint n_words);

/* Says that the creator makes no more children that depend on anything. */
void tnd_merge_depend_close(TndMergeOmpTask *creator);

#endif
