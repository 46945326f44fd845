/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas over views: "counter:PAPI_TOT_INS / counter:PAPI_TOT_CYC".  A formula is parsed once and evaluated for each
 * row.  As in Paraver's derived windows, a burst of the result is a stretch of time in which none of the views changes.
 *
 * The language has numbers, names of views, + - * /, parentheses, and functions of one or two arguments (the table in
 * view_formula.c).  A name with characters other than letters, digits and _ . : - is in double quotes.  A minus between
 * two views has spaces around it, because names contain dashes.  A division by 0 gives 0.
 *
 * Cost: one pass over the bursts of both operands for each operation.
 */
#ifndef TND_VIEW_FORMULA_H
#define TND_VIEW_FORMULA_H

#include "analysis/views/view.h"

typedef struct TndViewFormula TndViewFormula;

/* NULL and error ("column 7: ..."): the text is not a formula. */
TndViewFormula *tnd_view_formula_parse(const char *text, GError **error);
void tnd_view_formula_free(TndViewFormula *formula);

/* The names of views in the formula, each once; NULL at the end.  Owned by the formula. */
const char *const *tnd_view_formula_names(const TndViewFormula *formula);

/* Makes the bursts of a row of a thread.  operands: the views, in the order of tnd_view_formula_names. */
void tnd_view_formula_evaluate(const TndViewFormula *formula, TndView *const *operands, guint row, guint64 end_ns,
                               TndBurstStream *stream);

#endif
