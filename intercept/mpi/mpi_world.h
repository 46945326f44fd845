/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is who: this process's rank, and the members of every communicator by their ranks in MPI_COMM_WORLD.
 * A communicator costs a few us when it is made, and nothing afterwards.
 *
 * Context: the program's calls of MPI; not for handlers.  Maps memory for the time of a call and takes a lock of ours.
 * Communicates with nobody; what is between nodes, mpi_nodes.h says.
 */
#ifndef TND_MPI_WORLD_H
#define TND_MPI_WORLD_H

#include "formats/record.h"

#include <mpi.h>

/* After MPI_Init: RANK, COMM_WORLD, COMM_SELF, the communicator to who spawned this process.  These are written even
 * while the program has switched recording off. */
void tnd_mpi_world_begin(void);

/* Tells of a new communicator, made of `made_of` (COMM_NULL: of none that all its members had), with the members of
 * `like`: itself, or the one that it will be a copy of when its making has not ended yet (MPI_Comm_idup; the libraries
 * give out its handle at once).  COMM_NULL: nothing. */
void tnd_mpi_world_tell(MPI_Comm comm, MPI_Comm like, MPI_Comm made_of);

/* Tells how the far side of an intercommunicator that was told before can be found.  A key of 0: nothing. */
void tnd_mpi_world_link(MPI_Comm comm, enum tnd_link how, uint64_t key);

#endif
