/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPUs that a trace's threads ran on, and how deep their stacks were, in each thread and each region.  cli/stat.c
 * prints it.
 *
 * Cost: one pass over events.
 */
#ifndef TND_PLACES_H
#define TND_PLACES_H

#include "analysis/trace/trace.h"

/* A region: one of the user's or of OpenMP, an MPI call or a Python function. */
typedef struct {
    guint32 type; /* 0: outside of all regions */
    gint64 value;
    guint64 deepest_bytes; /* of the stack, while the region was the innermost one */
    guint row;             /* where the stack was deepest */
    gint64 function;       /* the function sampled then; 0: the depth was read at the region's begin or end */
} TndPlaceRegion;

/* A row. */
typedef struct {
    guint n_cpus;         /* how many CPUs it was seen on */
    guint64 n_migrations; /* how often the CPU was another one than before */
    guint64 high_bytes;   /* high-water mark of the stack; 0: not known */
    guint64 size_bytes;   /* limit of the stack; 0: none, or not known */
    TndPlaceRegion deepest;
} TndPlace;

typedef struct {
    guint n_rows, n_cpus; /* n_cpus: CPUs that any row was seen on */
    guint64 n_migrations;
    gboolean has_stack;
    TndPlace *rows;
    GArray *regions; /* TndPlaceRegion, the deepest first */
} TndPlaces;

TndPlaces *tnd_places_new(const TndTrace *trace);
void tnd_places_free(TndPlaces *places);

/* The name of a region, and of its sampled function if it has one.  Free with g_free. */
char *tnd_places_name(const TndTrace *trace, const TndPlaceRegion *region);

#endif
