/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `tandem stat` that are about time: shares of threads, efficiencies, parallel regions, and the findings
 * that matter most.
 */
#ifndef TND_STAT_TIME_H
#define TND_STAT_TIME_H

#include "analysis/causes/efficiency.h"
#include "analysis/causes/wait_states.h"
#include "analysis/reports/statistics.h"
#include "cli/stat_text.h"

/* What is found of a trace by its operations. */
typedef struct {
    TndSyncOps *ops;
    TndReplay *ideal;      /* NULL: nothing to replay */
    TndWaitStates *states; /* NULL: there are no operations */
    TndEfficiency whole, run;
    gboolean has_mpi, has_run; /* run: from MPI_Init to MPI_Finalize */
} TndStatTime;

TndStatTime *tnd_stat_time_new(const TndTrace *trace, gboolean with_waits);
void tnd_stat_time_free(TndStatTime *time);

void tnd_stat_time_print_shares(const TndTrace *trace, const TndStatistics *statistics, gboolean all,
                                TndStatPool *pool);
void tnd_stat_time_print_efficiencies(const TndStatTime *time, TndStatPool *pool);
void tnd_stat_time_print_regions(const TndStatTime *time, const TndStatistics *statistics, TndStatPool *pool);
void tnd_stat_time_print_findings(const TndTrace *trace, const TndStatTime *time, const TndStatistics *statistics,
                                  TndStatPool *pool);

#endif
