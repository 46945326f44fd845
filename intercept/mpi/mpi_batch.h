/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that complete several requests.
 *
 * A few requests are kept on the stack.  Room for many is mapped once for each thread and kept; a call that finds it in
 * use (a call of MPI in a callback inside MPI) maps its own.
 *
 * Context: mpi_message.h.
 */
#ifndef TND_MPI_BATCH_H
#define TND_MPI_BATCH_H

#include "intercept/mpi/mpi_message.h"

#define TND_MPI_FEW 32

/* The requests of one call as they were before it, and statuses for a program that ignores them. */
struct tnd_mpi_batch {
    int n;
    MPI_Request *requests;      /* NULL: there is no room, and these requests are not recorded */
    MPI_Status *statuses;       /* the program's, or ours if it ignores them */
    MPI_Fint *fortran_statuses; /* instead, for a call from Fortran; NULL: it has none */
    MPI_Status read;            /* one of them converted to C */
    int first;                  /* the number of the first request: 0, in Fortran 1 */
    void *mapped;               /* room that this call has mapped for itself; NULL: none */
    size_t n_mapped_bytes;
    bool borrowed; /* the thread's room is in use by this call */
    MPI_Request few_requests[TND_MPI_FEW];
    MPI_Status few_statuses[TND_MPI_FEW];
};

void tnd_mpi_batch_begin(struct tnd_mpi_batch *batch, int n, const MPI_Request requests[], MPI_Status *statuses);
/* The same for a Fortran call.  statuses NULL: it has none. */
void tnd_mpi_batch_begin_fortran(struct tnd_mpi_batch *batch, int n, const MPI_Fint requests[], const void *statuses);
void tnd_mpi_batch_end(struct tnd_mpi_batch *batch);
/* The request at index is complete (MPI_UNDEFINED: none is).  tnd_mpi_batch_end must follow. */
void tnd_mpi_batch_done_one(const struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int index,
                            const MPI_Status *status);
/* These two also end the batch.  result: what the call returned. */
void tnd_mpi_batch_done_all(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result);
void tnd_mpi_batch_done_some(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result, int n,
                             const int indices[]);

/* Gives back the calling thread's room. */
void tnd_mpi_batch_thread_end(void);

#endif
