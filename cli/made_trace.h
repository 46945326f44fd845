/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line that a command prints of a trace that it has made of something else.
 */
#ifndef TND_MADE_TRACE_H
#define TND_MADE_TRACE_H

#include "analysis/output/trace_output.h"

/* On standard output. */
void tnd_made_trace_print(const TndMadeTrace *made);

#endif
