/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that complete several requests.
 *
 * Few requests live on the stack.  Room for many is mapped once a thread and kept; a call that finds it in use (MPI
 * called from a callback inside MPI) maps its own.
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
    MPI_Request *requests;      /* NULL: no room could be had, nothing is recorded of them */
    MPI_Status *statuses;       /* the program's or ours */
    MPI_Fint *fortran_statuses; /* of a Fortran call instead; NULL: it has none */
    MPI_Status read;            /* one of them as C has it */
    int first;                  /* the number of the first request: 0, in Fortran 1 */
    void *mapped;               /* room that is this call's alone, NULL: none */
    size_t n_mapped_bytes;
    bool borrowed; /* the thread's room is in use by this call */
    MPI_Request few_requests[TND_MPI_FEW];
    MPI_Status few_statuses[TND_MPI_FEW];
};

void tnd_mpi_batch_begin(struct tnd_mpi_batch *batch, int n, const MPI_Request requests[], MPI_Status *statuses);
/* The same for a Fortran call.  statuses NULL: it has none. */
void tnd_mpi_batch_begin_fortran(struct tnd_mpi_batch *batch, int n, const MPI_Fint requests[], const void *statuses);
void tnd_mpi_batch_end(struct tnd_mpi_batch *batch);
/* The one at index (MPI_UNDEFINED: none) is complete; tnd_mpi_batch_end follows. */
void tnd_mpi_batch_done_one(const struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int index,
                            const MPI_Status *status);
/* These two end the batch too.  result: the call's. */
void tnd_mpi_batch_done_all(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result);
void tnd_mpi_batch_done_some(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result, int n,
                             const int indices[]);

/* Gives back the calling thread's room. */
void tnd_mpi_batch_thread_end(void);

#endif
