/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a trace's threads were: on which CPUs, how deep in their stacks, and how deep in which region.  One pass over
 * events.
 *
 * What it is not: text (cli/stat.c).
 */
#ifndef TND_PLACES_H
#define TND_PLACES_H

#include "analysis/trace/trace.h"

/* A region of the user's, of OpenMP, a call of MPI, a function of Python's. */
typedef struct {
    guint32 type; /* 0: outside of all regions */
    gint64 value;
    guint64 deepest_bytes; /* while it was the innermost */
    guint row;             /* where that was */
    gint64 function;       /* the sampled function that was; 0: it was seen at an edge */
} TndPlaceRegion;

/* Of one row. */
typedef struct {
    guint n_cpus;         /* on which it was seen */
    guint64 n_migrations; /* how often on another one than before */
    guint64 high_bytes;   /* used of the stack, by what was found in it; 0: not told */
    guint64 size_bytes;   /* that it may have; 0: no limit, or not told */
    TndPlaceRegion deepest;
} TndPlace;

typedef struct {
    guint n_rows, n_cpus; /* CPUs that any row was seen on */
    guint64 n_migrations;
    gboolean has_stack;
    TndPlace *rows;
    GArray *regions; /* of TndPlaceRegion, deepest first */
} TndPlaces;

TndPlaces *tnd_places_new(const TndTrace *trace);
void tnd_places_free(TndPlaces *places);

/* A region's name, of a sampled function if it has one.  Free with g_free. */
char *tnd_places_name(const TndTrace *trace, const TndPlaceRegion *region);

#endif
