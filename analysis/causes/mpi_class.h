/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What MPI calls have to do with each other, by the types and values of their events: which ones wait for whom.
 *
 * Cost: a look into a table.
 */
#ifndef TND_MPI_CLASS_H
#define TND_MPI_CLASS_H

#include <glib.h>

/* Properties of a call. */
enum {
    TND_MPI_SENDS = 1 << 0,       /* may wait for the receiver: it sends, and ends when its buffer may be used again */
    TND_MPI_SYNCHRONOUS = 1 << 1, /* always waits for the receiver */
    TND_MPI_COMPLETES = 1 << 2,   /* waits for requests, of collectives among others */
    TND_MPI_COLLECTIVE = 1 << 3,  /* has a communicator, and is called by all of its members */
    TND_MPI_FROM_ROOT = 1 << 4,   /* of these, the others wait for the root */
    TND_MPI_TO_ROOT = 1 << 5,     /* ... the root waits for the others */
    TND_MPI_STARTS = 1 << 6,      /* ... nobody waits in the call, but in one that completes it */
    TND_MPI_BARRIER = 1 << 7,     /* ... moves no bytes */
    TND_MPI_KEEPS = 1 << 8,       /* is no message: it takes its time on any network */
    TND_MPI_INIT = 1 << 9,
    TND_MPI_FINALIZE = 1 << 10,
    TND_MPI_POLLS = 1 << 11, /* asks whether requests are complete: waits for nobody, and takes its time in MPI */
};

/* The properties of the call whose event has this type and value; type: TND_TYPE_MPI_P2P, or another one of calls. */
guint tnd_mpi_class_of(guint32 type, gint64 value);

#endif
