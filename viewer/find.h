/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds bursts of a view: a query, as users write it, and what it found.  All words of a query must hold:
 *
 *   MPI_Recv, group comm    the text of the value has these words in this order, in capitals or not
 *   >1ms  <20us             the burst lasts longer, shorter
 *   value>5  value<3  value=7    the value as a number, or with a unit of time if the view's is one
 *   rank:0-3  row:1.2.*     only in these rows (row_choice.h)
 *   line:solve.c:42         a source line, as the views of call sites and of samples name it
 *   in:mpi-calls            in this view instead of the selected one
 *
 * What it is not: it knows no session; the caller says which rows are shown.
 * Cost: one pass over the bursts of the rows, on all cores.
 */
#ifndef TND_FIND_H
#define TND_FIND_H

#include "viewer/paint/row_order.h"

#include "analysis/views/view.h"

enum { TND_FIND_MOST = 10000 }; /* hits that are kept, the earliest ones */

/* What queries take, as a sentence for users. */
#define TND_FIND_TAKES                                                                                                 \
    "Words of the value (MPI_Recv), durations (>1ms), value>5, rank:0-3, line:solve.c:42, in:mpi-calls"

typedef struct TndFind TndFind;

typedef struct {
    guint row; /* of the view */
    guint64 begin_ns, end_ns;
    double value;
} TndFindHit;

typedef struct {
    TndView *view; /* owns a reference */
    char *text;    /* the query */
    GArray *hits;  /* of TndFindHit, by time, then by row */
    guint64 n_all; /* hits with those that are not kept */
} TndFindHits;

/* view: the selected one.  order: only its rows are searched (NULL: all of the level).  Its reference to the view
 * lasts; the order is copied.  NULL and error: the query cannot be understood, or there is nothing to search. */
TndFind *tnd_find_new(TndView *view, const TndRowOrder *order, const char *text, GError **error);
void tnd_find_free(TndFind *find);
/* NULL: progress cancelled it. */
TndFindHits *tnd_find_run(const TndFind *find, TndTraceProgress progress, gpointer data);
void tnd_find_free_hits(TndFindHits *hits);

#endif
