/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Efficiencies of several runs, against the first one: the table that `tandem stat` and `tandem report` print of
 * several traces, and its page.
 */
#ifndef TND_SCALING_TABLE_H
#define TND_SCALING_TABLE_H

#include "analysis/causes/efficiency.h"

typedef struct {
    char *path;
    TndEfficiency efficiency;
    TndEfficiencyFactors factors; /* of all threads if there are any of OpenMP */
    TndEfficiencyLosses lost;
    TndScaling scaling;
} TndScalingRun;

/* A row of the table: a share of 1. */
typedef struct {
    const char *name, *help; /* the name is indented by its level, two spaces each */
    gsize offset;            /* of the double in TndScalingRun */
    gboolean of_openmp;      /* only if a run has threads of OpenMP */
    gboolean is_lost;        /* 0 is a value; of others, it is not known */
} TndScalingRow;

typedef struct {
    TndScalingRun *runs;
    guint n;
    gboolean has_openmp; /* of a run */
} TndScalingTable;

const TndScalingRow *tnd_scaling_table_rows(guint *n);
gboolean tnd_scaling_table_has(const TndScalingTable *table, const TndScalingRow *row);

/* "98.4 %", with a number of decimals, or "-".  Free with g_free. */
char *tnd_scaling_table_text(const TndScalingTable *table, guint run, const TndScalingRow *row, guint n_decimals);

/* Prints the table of some traces, or writes their page (output: its path, or NULL).  Returns the exit status; not
 * fine: complained. */
int tnd_scaling_table_say(char **paths, guint n, const char *output);

#endif
