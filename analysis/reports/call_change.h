/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two trees of calls laid upon each other: what takes more of the CPU time than before, and what less.  Functions of
 * two traces are the same if they have the same name, whatever their values are.
 *
 * Cost: one pass over both trees; memory as for a tree each.
 */
#ifndef TND_CALL_CHANGE_H
#define TND_CALL_CHANGE_H

#include "analysis/base/proportion.h"
#include "analysis/reports/call_tree.h"

/* Both trees have the same nodes, by index; what is in one only has 0 in the other.  Children are linked in `now`. */
typedef struct {
    TndCallTree *now, *before;
    guint64 n_now, n_before; /* samples of each */
} TndCallChange;

TndCallChange *tnd_call_change_new(const TndCallTree *now, const TndCallTree *before);
void tnd_call_change_free(TndCallChange *change);

/* How the share of a node's total, or of a function's self, has changed. */
TndProportion tnd_call_change_of_node(const TndCallChange *change, guint at);
TndProportion tnd_call_change_of_selves(const TndCallChange *change, guint64 now, guint64 before);

/* Is a change more than chance? */
static inline gboolean tnd_call_change_is_sure(TndProportion change)
{
    return change.percent > change.sure || -change.percent > change.sure;
}

/* The functions that are only in `before`, those with the largest total first, at most so many: "f 5.20 %, g 1.10 % and
 * 3 more".  Free with g_free.  NULL: there are none. */
char *tnd_call_change_gone(const TndCallChange *change, guint most);

#endif
