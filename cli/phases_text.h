/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem report --phases`: where a run iterates, how long iterations take, and how efficient each phase is.
 */
#ifndef TND_PHASES_TEXT_H
#define TND_PHASES_TEXT_H

#include "analysis/causes/phases.h"

/* all: print what iterations do in full.  Returns the exit status. */
int tnd_phases_text_print(const TndTrace *trace, gboolean all);

/* The stretch of time of a phase as options take it: "12.345ms:2300.1ms".  Free with g_free. */
char *tnd_phases_text_time(const TndPhase *phase);

/* What is said where there is no phase.  Free with g_free. */
char *tnd_phases_text_none(const TndTrace *trace, const TndPhases *phases);

#endif
