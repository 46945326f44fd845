/* SPDX-License-Identifier: Apache-2.0
 *
 * This process's rank, and the members of every communicator by their ranks in MPI_COMM_WORLD.  A communicator costs a
 * few us when it is made, and nothing afterwards.
 *
 * Context: the program's calls of MPI; not for handlers.  Maps memory during a call and takes a lock of ours.  Sends no
 * messages (mpi_nodes.h does).
 */
#ifndef TND_MPI_WORLD_H
#define TND_MPI_WORLD_H

#include "formats/record.h"

#include <mpi.h>

/* After MPI_Init: records RANK, COMM_WORLD, COMM_SELF, and the communicator to the parents that spawned this process;
 * also while the program has switched recording off. */
void tnd_mpi_world_begin(void);

/* Records a new communicator, made of `made_of` (COMM_NULL: of none that all its members had), with the members of
 * `like`: that is itself, or, while it is still being made (MPI_Comm_idup, whose handle is known at once), the one that
 * it will be a copy of.  Does nothing for COMM_NULL. */
void tnd_mpi_world_tell(MPI_Comm comm, MPI_Comm like, MPI_Comm made_of);

/* Records how the far side of an intercommunicator can be found, which was recorded before.  Does nothing with a key of
 * 0. */
void tnd_mpi_world_link(MPI_Comm comm, enum tnd_link how, uint64_t key);

#endif
