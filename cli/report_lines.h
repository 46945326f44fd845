/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of the source in `tandem report`: a list of them, and the text of a function.
 */
#ifndef TND_REPORT_LINES_H
#define TND_REPORT_LINES_H

#include "analysis/reports/call_tree.h"

/* Each prints a part of the report, of a tree by line; FALSE: complained, and nothing was printed. */
gboolean tnd_report_lines_print(const TndCallTree *tree, gboolean all);
/* folder: where to look for the source first (NULL: nowhere). */
gboolean tnd_report_lines_print_source(const TndCallTree *tree, const char *function, const char *folder);

#endif
