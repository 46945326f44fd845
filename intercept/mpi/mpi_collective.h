/* SPDX-License-Identifier: Apache-2.0
 *
 * How many bytes a collective call moves out of and into this process: the payload to and from every member, including
 * the process itself; not the messages of the algorithm.
 * Cost: a few ns to ask the library for size and rank, and a walk over the counts where each member has one.
 *
 * Context: mpi_message.h.
 */
#ifndef TND_MPI_COLLECTIVE_H
#define TND_MPI_COLLECTIVE_H

#include "runtime/thread.h"

#include <limits.h>
#include <mpi.h>

/* The kinds of calls, with what is sent and what is received: `one` is count x type, n the number of members on the
 * other side.  Barriers (0; 0), MPI_Allreduce and scans (one; one) are recorded by tnd_mpi_collective_emit_even
 * instead. */
enum tnd_mpi_shape {
    TND_MPI_BCAST,                /* root: one; others: one */
    TND_MPI_REDUCE,               /* one; root: one */
    TND_MPI_GATHER,               /* one; root: n x one */
    TND_MPI_GATHERV,              /* one; root: sum */
    TND_MPI_SCATTER,              /* root: n x one; one */
    TND_MPI_SCATTERV,             /* root: sum; one */
    TND_MPI_ALLGATHER,            /* one; n x one */
    TND_MPI_ALLGATHERV,           /* one; sum */
    TND_MPI_ALLTOALL,             /* n x one; n x one */
    TND_MPI_ALLTOALLV,            /* sum; sum */
    TND_MPI_ALLTOALLW,            /* sum; sum, a type each */
    TND_MPI_REDUCE_SCATTER,       /* sum; this rank's */
    TND_MPI_REDUCE_SCATTER_BLOCK, /* n x one; one */
    TND_MPI_NEIGHBOR_ALLGATHER,   /* as without NEIGHBOR, n the number of neighbours out or in; `one` is sent to each of
                                     them */
    TND_MPI_NEIGHBOR_ALLGATHERV,
    TND_MPI_NEIGHBOR_ALLTOALL,
    TND_MPI_NEIGHBOR_ALLTOALLV,
    TND_MPI_NEIGHBOR_ALLTOALLW,
};

#define TND_MPI_NO_ROOT INT_MIN

/* The arguments of a call, as far as it has them: s.. of the sending side, r.. of the receiving side. */
struct tnd_mpi_collective {
    enum tnd_mpi_shape shape;
    int root;
    MPI_Count scount, rcount;
    size_t count_bytes; /* size of an element of scounts and rcounts: int or MPI_Count */
    const void *scounts, *rcounts;
    MPI_Datatype stype, rtype;
    const MPI_Datatype *stypes, *rtypes;
    const MPI_Fint *stypes_fortran, *rtypes_fortran; /* instead, for a call from Fortran */
    const void *sbuf, *rbuf;
    MPI_Comm comm;
    const MPI_Request *request; /* of a persistent call, else NULL */
};

/* Records COLLECTIVE of a call that moves the same number of bytes out of and into every process.  request: as above.
 */
void tnd_mpi_collective_emit_even(struct tnd_thread *thread, uint64_t time, uint64_t n_bytes, MPI_Comm comm,
                                  const MPI_Request *request);

/* Records COLLECTIVE of any other. */
void tnd_mpi_collective_emit(struct tnd_thread *thread, uint64_t time, const struct tnd_mpi_collective *call);

#endif
