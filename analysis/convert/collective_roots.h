/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roots of collective calls.  Only the root's own call says who it is; the others are found by their order: all
 * members of a communicator call its collectives in the same one.  Of communicators that several threads of a process
 * use, no roots are told.
 *
 * Cost: a walk over the collective calls; memory of 4 bytes for each call that has a root, once for all its members.
 */
#ifndef TND_COLLECTIVE_ROOTS_H
#define TND_COLLECTIVE_ROOTS_H

#include "analysis/trace/trace.h"

typedef struct TndCollectiveRoots TndCollectiveRoots;

TndCollectiveRoots *tnd_collective_roots_new(const TndTrace *trace);
void tnd_collective_roots_free(TndCollectiveRoots *roots);

/* Whether a collective call has a root. */
gboolean tnd_collective_roots_has(gint64 call);

/* For each such call of a row in turn: the row of the root; G_MAXUINT: it is not known.  `begin` starts a row. */
void tnd_collective_roots_begin(TndCollectiveRoots *roots, guint row);
guint tnd_collective_roots_next(TndCollectiveRoots *roots, gint64 communicator);

#endif
