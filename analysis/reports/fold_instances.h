/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances of a repeated region: the stretches of time in which a view of threads has a value; and which of them last
 * about as long as most do, so that they can be laid over one another (folding.h).
 *
 * In views of functions and regions that nest, an instance goes on while functions that it called are shown.  A return
 * is told from a call by the functions that are open: one that is among them is returned to, so that direct recursion
 * does not begin an instance.
 *
 * Cost: one walk over the bursts of the view, and a sort of the durations.
 */
#ifndef TND_FOLD_INSTANCES_H
#define TND_FOLD_INSTANCES_H

#include "analysis/views/view.h"

typedef struct {
    guint64 begin_ns, end_ns;
    guint row;
    gboolean is_kept; /* lasts about as long as most */
} TndFoldInstance;

/* Which stretches of time are instances. */
typedef struct {
    TndView *view;             /* its rows are threads */
    double value;              /* ... in which the view has this value */
    gboolean any_value;        /* ... in which it has any value but 0 */
    gboolean is_between;       /* ... from one begin of the value to the next one */
    const gboolean *rows;      /* only of these threads; NULL: of all */
    guint64 begin_ns, end_ns;  /* only instances that are within this time */
    guint64 least_ns, most_ns; /* keeps those that last so long; 0, 0: about as long as most, see below */
} TndFoldChoice;

typedef struct {
    GArray *all; /* TndFoldInstance, by row and time; those of a row do not overlap */
    guint n_kept;
    guint64 least_ns, most_ns;    /* of those that are kept */
    guint64 kept_ns, all_ns;      /* sums of durations */
    double mean_ns, deviation_ns; /* of the durations of those that are kept */
} TndFoldInstances;

/* Finds the instances.  Unless the choice has limits, those are kept whose duration differs from the median by at most
 * three standard deviations, estimated by the median of all differences (which outliers do not change), and in any case
 * those that differ by at most a twentieth of it. */
TndFoldInstances *tnd_fold_instances_new(const TndFoldChoice *choice);
void tnd_fold_instances_free(TndFoldInstances *instances);

/* Chooses the value of the choice's view that is repeated and whose instances take the most time.  If no value is
 * repeated, as in a view of numbers of iterations, chooses all of them.  FALSE: the view has no instances. */
gboolean tnd_fold_instances_choose_value(TndFoldChoice *choice);

/* Chooses the view, too: of regions and functions; if none is repeated, a call of MPI from which to its next begin an
 * instance lasts.  The new view is the caller's.  FALSE: nothing in the trace is repeated. */
gboolean tnd_fold_instances_choose(const TndTrace *trace, TndFoldChoice *choice);

#endif
