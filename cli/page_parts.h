/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sections of the page.  Each appends itself, or nothing if the trace has nothing for it.
 */
#ifndef TND_PAGE_PARTS_H
#define TND_PAGE_PARTS_H

#include "analysis/reports/call_tree.h"
#include "cli/page_timelines.h"
#include "cli/stat_time.h"

#define TND_PAGE_PARTS_MOST_PICTURE_BYTES ((gsize)500000) /* a larger one is drawn as pixels, or left out */

/* What the sections are made of. */
typedef struct {
    const TndTrace *trace;
    const TndStatistics *statistics;
    const TndStatTime *time;
    const TndCallTree *tree; /* of CPU time; it may be empty */
    TndPageTimelines *timelines;
    GString *html;
} TndPage;

/* page_parts.c: tables of statistics. */
void tnd_page_parts_run(const TndPage *page);
void tnd_page_parts_functions(const TndPage *page);
void tnd_page_parts_heap(const TndPage *page);
void tnd_page_parts_sensors(const TndPage *page);

/* page_causes.c: efficiencies, phases, waits, the critical path. */
void tnd_page_parts_efficiency(const TndPage *page);
void tnd_page_parts_phases(const TndPage *page);
void tnd_page_parts_waits(const TndPage *page);
void tnd_page_parts_path(const TndPage *page);

/* page_calls.c: calls by cost, of MPI, OpenMP, libraries and Python, and where they are called. */
void tnd_page_parts_calls(const TndPage *page);

/* page_pictures.c: pictures. */
void tnd_page_parts_shares(const TndPage *page);
void tnd_page_parts_matrix(const TndPage *page);
void tnd_page_parts_flame(const TndPage *page);

/* page_timelines.c: waits for what tnd_page_timelines_begin has begun. */
void tnd_page_parts_timelines(const TndPage *page);

#endif
