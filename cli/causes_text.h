/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem report --causes` and `--critical-path`: who waits for whom and why, and what makes a run as long as it is.
 */
#ifndef TND_CAUSES_TEXT_H
#define TND_CAUSES_TEXT_H

#include "analysis/trace/trace.h"

/* all: print all lines of each table.  Return the exit status. */
int tnd_causes_text_waits(const TndTrace *trace, gboolean all);
int tnd_causes_text_path(const TndTrace *trace, gboolean all);

#endif
