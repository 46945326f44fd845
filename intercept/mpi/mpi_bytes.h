/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that are not moved by messages and collectives: to and from the memory of one target, and files.  For a file
 * two numbers are recorded: the bytes that the program asks for, at the begin of the call, and the bytes that the
 * status says were moved, when that is known (a read at the end of a file moves less; a status of a later Wait is not
 * followed).
 *
 * Context: mpi_message.h.
 */
#ifndef TND_MPI_BYTES_H
#define TND_MPI_BYTES_H

#include "runtime/thread.h"

#include <mpi.h>

/* Records a REMOTE with data, and one without.  None if the target is MPI_PROC_NULL. */
void tnd_mpi_bytes_remote(struct tnd_thread *thread, uint64_t time, int target, MPI_Win window, MPI_Count count,
                          MPI_Datatype type, const void *origin, MPI_Aint displacement);
void tnd_mpi_bytes_target(struct tnd_thread *thread, uint64_t time, int target, MPI_Win window);

/* Events of a file: asked for, from ENTER to LEAVE; moved, at LEAVE. */
void tnd_mpi_bytes_asked(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type);
void tnd_mpi_bytes_asked_end(struct tnd_thread *thread, uint64_t time);
void tnd_mpi_bytes_moved(struct tnd_thread *thread, uint64_t time, const MPI_Status *status);

#endif
