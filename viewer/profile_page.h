/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page of the profile shows: the samples of the threads and of the stretch of time that are shown, as a call
 * tree.  A tree is kept until its time, its threads or its kind of samples change.
 *
 * What it is not: it does not know which time and rows are shown; its callers pass them when trees are made.
 */
#ifndef TND_PROFILE_PAGE_H
#define TND_PROFILE_PAGE_H

#include "analysis/reports/call_tree.h"
#include "analysis/trace/levels.h"
#include "viewer/paint/row_order.h"
#include "viewer/zoom.h"

typedef struct {
    TndCallTree *tree;
    GArray *functions; /* TndCallFunction, those with the largest self first */
    char *text;        /* which threads and which time it is of */
} TndProfile;

typedef struct {
    TndSamplesOf what;
    TndProfile *made; /* NULL: it is not made yet */
    guint top;        /* the node of the tree that takes the whole width */
    gint64 marked;    /* the function that is marked; 0: none */
} TndProfilePage;

/* All that is needed to make a profile, also in another thread. */
typedef struct {
    const TndTrace *trace;
    TndCallTreeOptions options;
    gboolean *is_chosen; /* of each thread */
    char *text;
} TndProfileSource;

void tnd_profile_page_drop(TndProfilePage *page);                      /* frees the profile that was made */
void tnd_profile_page_take(TndProfilePage *page, TndProfile *profile); /* takes ownership */

/* level: of the zoom's rows, which are places of the order (NULL: all rows).  Rows that are CPUs mean all threads. */
TndProfileSource *tnd_profile_page_source(const TndProfilePage *page, const TndTrace *trace, TndZoom zoom,
                                          TndLevel level, const TndRowOrder *order);
void tnd_profile_page_free_source(TndProfileSource *source);

/* NULL and error: it was cancelled. */
TndProfile *tnd_profile_page_make(const TndProfileSource *source, TndTraceProgress progress, gpointer user_data,
                                  GError **error);
void tnd_profile_page_free(TndProfile *profile);

#endif
