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
    guint32 last_successor; /* whose predecessor it is already */
    gboolean has_ended, is_fulfilled;
    guint32 row;                     /* where it was complete */
    guint64 created_ns, complete_ns; /* until it is complete, `row` is where it was made */
    GPtrArray *predecessors;         /* NULL: none */
    struct TndMergeChildren *children;
} TndMergeOmpTask;

TndMergeOmpTask *tnd_merge_depend_new(guint32 number);
TndMergeOmpTask *tnd_merge_depend_keep(TndMergeOmpTask *task);
void tnd_merge_depend_release(TndMergeOmpTask *task); /* NULL: nothing */

/* creator's child `task` depends on words[0..n_words) as a TASK record of phase DEPEND has them: its predecessors grow.
 */
void tnd_merge_depend_add(TndMergeOmpTask *creator, TndMergeOmpTask *task, const guint64 *words, guint n_words);

/* It will make no more children that depend on anything. */
void tnd_merge_depend_close(TndMergeOmpTask *creator);

#endif
