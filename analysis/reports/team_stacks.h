/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks of the threads that help with a parallel region of OpenMP.  Such a thread's own stack begins in the OpenMP
 * library and says nothing of who opened the region; that is in the stack of the thread that did, which runs the same
 * outlined function below its call.  So what is outside of the outlined function is taken from that thread's sample
 * that is nearest in time.
 *
 * Cost: one walk over all samples, when first asked, and only if a function's name is that of outlined code.
 */
#ifndef TND_TEAM_STACKS_H
#define TND_TEAM_STACKS_H

#include "analysis/reports/samples.h"

typedef struct TndTeamStacks TndTeamStacks;

/* Those of the trace, which keeps them. */
const TndTeamStacks *tnd_team_stacks_of(const TndTrace *trace);

/* Whether any stack may change. */
gboolean tnd_team_stacks_any(const TndTeamStacks *teams);

/* Makes a sample's stack go on with that of the thread that opened the region.  A stack of the program's other threads,
 * and one for which no such sample is known, stays as it is. */
void tnd_team_stacks_graft(const TndTeamStacks *teams, guint row, TndSample *sample);

#endif
