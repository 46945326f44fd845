/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of windows come to: Top1(extra tops(Top2(Compose(F(rows below))))), from the threads' records up, or of
 * two other windows' rows.  For windows.c alone, which finds the functions.
 *
 * Cost: of a row of threads its records and as many bursts; bursts go from stage to stage as a stream, and are kept as
 * those of a view are (row_bursts.h).  Functions that look at a row as a whole have it all in memory, 24 bytes a burst.
 */
#ifndef TND_WINDOW_ROWS_H
#define TND_WINDOW_ROWS_H

#include "analysis/views/semantic.h"
#include "analysis/views/window_cpus.h"
#include "analysis/views/windows.h"

/* A window with its functions found. */
typedef struct {
    TndCfgWindow own; /* as in the file, but for its level and the events of its filters */
    const TndCfgWindow *cfg;
    TndLevel base; /* where it begins: threads, CPUs, or the finer of the two that it is made of */
    const TndSemanticThread *thread;
    const TndSemanticGroup *groups[TND_LEVEL_N]; /* that of a CPU, too */
    const TndSemanticCompose *composes[TND_LEVEL_N];
    const TndSemanticCompose *tops[2];
    const TndSemanticCompose **extra_tops;
    const TndSemanticDerived *derived;
    TndRowBursts **rows; /* NULL: not made yet */
    double unit_ns;
} TndWindow;

struct TndWindows {
    const TndTrace *trace;
    const TndCfg *cfg;
    TndLargeMemory *memory; /* of the rows */
    GMutex lock;
    TndMessageIndex *index; /* NULL: not asked for yet */
    TndWindowCpus *cpus;    /* likewise */
    TndWindow *windows;
};

/* The level whose rows make up those of this one. */
static inline TndLevel tnd_window_rows_level_below(TndLevel level)
{
    return (TndLevel)(level + 1);
}

#endif
