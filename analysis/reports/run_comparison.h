/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two sets of runs compared: each number that all of them have (run_figures.h), before and after, and whether it
 * changed by more than chance (analysis/base/difference.h).
 *
 * All numbers that vary are tested together, but for small parts of the threads' time.  With one run of a side, it is
 * not known how it varies.  Then a difference must exceed a threshold, which grows with the time in which threads
 * wanted a CPU and had none; with one run of each side, functions must also exceed what sampling leaves open.
 */
#ifndef TND_RUN_COMPARISON_H
#define TND_RUN_COMPARISON_H

#include "analysis/reports/run_figures.h"

typedef struct {
    double wrong;     /* if nothing differs, the probability that anything is taken for changed */
    double threshold; /* with one run of a side, as a part of the larger value */
    double least;     /* the least share of the threads' time that is tested */
} TndComparisonOptions;

typedef struct {
    TndFigureKind kind;
    char *name;
    TndDifference difference;
    double chance;       /* of a difference as large as this */
    double sure;         /* half the width of the difference's interval */
    gboolean is_tested;  /* it varies, and is no small part */
    gboolean is_changed; /* by more than chance */
} TndComparedLine;

typedef struct {
    GArray *lines; /* TndComparedLine, by kind; of a kind those that changed first, the largest difference first */
    guint n_tested, n_changed;
    GPtrArray *notes; /* sentences: what is compared, and what cannot be */
} TndRunComparison;

TndRunComparison *tnd_run_comparison_new(TndRunFigures *const *before, guint n_before, TndRunFigures *const *after,
                                         guint n_after, const TndComparisonOptions *options);
void tnd_run_comparison_free(TndRunComparison *comparison);

/* The line of a part of the threads' time that changed most; NULL: none did. */
const TndComparedLine *tnd_run_comparison_most(const TndRunComparison *comparison);

static inline double tnd_run_comparison_change(const TndComparedLine *line)
{
    return line->difference.after - line->difference.before;
}

#endif
