/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem compare` says of two sets of runs: as text, as CSV, as a page.
 */
#ifndef TND_COMPARE_OUTPUT_H
#define TND_COMPARE_OUTPUT_H

#include "cli/compare_limits.h"

typedef struct {
    const TndRunComparison *comparison;
    char *const *before, *const *after; /* paths, NULL at the end */
    const GArray *verdicts;             /* TndCompareVerdict */
    gboolean all;                       /* also what has not changed */
} TndCompareOutput;

void tnd_compare_output_text(const TndCompareOutput *output);

/* Each writes a file; FALSE: complained.  CSV has all numbers; - is standard output. */
gboolean tnd_compare_output_csv(const TndCompareOutput *output, const char *path);
gboolean tnd_compare_output_page(const TndCompareOutput *output, const char *path);

/* Texts of a line, in the unit of its number; free with g_free.  Of the difference: with its sign, and "2.1 points" of
 * percentages; of its interval, half the width; as a part of what was before. */
char *tnd_compare_output_value(const TndComparedLine *line, double value);
char *tnd_compare_output_change(const TndComparedLine *line, double change);
char *tnd_compare_output_sure(const TndComparedLine *line);
char *tnd_compare_output_part(const TndComparedLine *line);

/* "4 of 41 numbers changed, most: function:solve, +57.3 ms".  Free with g_free. */
char *tnd_compare_output_summary(const TndRunComparison *comparison);

/* "does not hold: +5.9 %, +- 3.1 %".  Free with g_free. */
char *tnd_compare_output_verdict(const TndCompareVerdict *verdict);

/* The line at which a table of the same section ends; it is at most the number of lines. */
guint tnd_compare_output_section_end(const TndRunComparison *comparison, guint first);

#endif
