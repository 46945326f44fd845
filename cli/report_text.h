/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem report` prints: functions, and who called them; with a change, how the shares are against another run.
 */
#ifndef TND_REPORT_TEXT_H
#define TND_REPORT_TEXT_H

#include "analysis/reports/call_change.h"

typedef struct {
    double least_percent; /* of a path of the tree */
    gboolean all;         /* functions, also those that only call others */
} TndReportTextOptions;

/* change: of this tree, and of what its title says; NULL: nothing to compare with. */
void tnd_report_text_print(const TndCallTree *tree, const TndCallChange *change, const char *against,
                           const TndReportTextOptions *options);

/* "785 samples of 799.2 ms of CPU time".  Free with g_free. */
char *tnd_report_text_sum(const TndCallTree *tree);

/* A number of the tree: a time, or a number of samples.  Free with g_free. */
char *tnd_report_text_quantity(const TndCallTree *tree, guint64 number);

#endif
