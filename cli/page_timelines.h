/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines of the page: pictures that tview draws, which must be beside the command, while the other sections are
 * made.
 */
#ifndef TND_PAGE_TIMELINES_H
#define TND_PAGE_TIMELINES_H

#include "analysis/trace/trace.h"

typedef struct TndPageTimelines TndPageTimelines;

/* Begins to draw states, and MPI calls if there are any.  The trace must live longer. */
TndPageTimelines *tnd_page_timelines_begin(const TndTrace *trace, gboolean has_calls);

/* Waits for tview. */
void tnd_page_timelines_free(TndPageTimelines *timelines);

#endif
