/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas over views: "counter:PAPI_TOT_INS / counter:PAPI_TOT_CYC".  A formula is parsed once and then evaluated for
 * each row: a burst of the result is a stretch of time in which none of the views changes, and has the value that their
 * values give, as in a derived window of Paraver's.
 *
 * The language: numbers, names of views, + - * /, parentheses, and functions of one or two arguments (the table in
 * view_formula.c).  A name with other characters than letters, digits and _ . : - stands in double quotes; a minus
 * between two views has spaces around it, because names have dashes.  What is divided by 0 is 0.
 *
 * Cost: one pass over the bursts of both operands for each operation.
 */
#ifndef TND_VIEW_FORMULA_H
#define TND_VIEW_FORMULA_H

#include "analysis/views/view.h"

typedef struct TndViewFormula TndViewFormula;

/* NULL and error ("column 7: ...") if it is none. */
TndViewFormula *tnd_view_formula_parse(const char *text, GError **error);
void tnd_view_formula_free(TndViewFormula *formula);

/* The views that it names, each once; NULL at the end. */
const char *const *tnd_view_formula_names(const TndViewFormula *formula);

/* Bursts of a row, from the views that have these names. */
void tnd_view_formula_evaluate(const TndViewFormula *formula, TndView *const *operands, guint row, guint64 end_ns,
                               TndBurstStream *stream);

#endif
