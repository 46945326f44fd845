/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies the run directories of other nodes into that of rank 0, through MPI itself, in MPI_Finalize.  Whether a node
 * sees rank 0's directory is found out by a file that rank 0 makes there.  On a node that does not, all ranks end
 * recording, and one of them sends the directory, file by file, to rank 0, which receives from one node after another.
 * Memory: a ring and CHUNK_BYTES in the sender, CHUNK_BYTES in rank 0.  What rank 0 cannot write stays on its node.
 *
 * What it is not: for processes that go on after MPI_Finalize, or end without it; their streams stay on their node.
 * Context: before MPI_Finalize, on all ranks of the world.
 */
#ifndef TND_MPI_GATHER_H
#define TND_MPI_GATHER_H

#include <mpi.h>
#include <stdbool.h>

/* leaders: a communicator of one rank of each node, rank 0 first; is_leader: this rank is in it (else it is not
 * used). */
void tnd_mpi_gather_run(MPI_Comm leaders, bool is_leader);

#endif
