/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions of `tandem compare --fail-if`: NAME > LIMIT or NAME < LIMIT.  The limit is one of the difference: a part
 * of what the number was before (+5%), or a number with its unit (-2ms).
 */
#ifndef TND_COMPARE_LIMITS_H
#define TND_COMPARE_LIMITS_H

#include "analysis/reports/run_comparison.h"

typedef struct {
    char *text;    /* as it was given */
    char *pattern; /* of names of numbers */
    char *limit;   /* with its sign and unit */
    gboolean is_above;
} TndCompareLimit;

/* Reads conditions, whose names are not looked at.  NULL: complained.  Free with g_ptr_array_unref. */
GPtrArray *tnd_compare_limits_parse(char **texts);

/* A number that a condition is about. */
typedef struct {
    const TndCompareLimit *limit;
    const TndComparedLine *line;
    gboolean holds; /* whatever the true difference is, within the interval */
} TndCompareVerdict;

/* Those of all conditions (TndCompareVerdict).  A pattern is about numbers that are tested, a name about its number.
 * NULL: complained of a name that there is not, or of a unit.  Free with g_array_unref. */
GArray *tnd_compare_limits_judge(const GPtrArray *limits, const TndRunComparison *comparison);

#endif
