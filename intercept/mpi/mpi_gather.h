/* SPDX-License-Identifier: Apache-2.0
 *
 * Bringing run directories of other nodes to that of rank 0, through MPI itself, in MPI_Finalize.  Whether a node sees
 * rank 0's directory is found out by a file that rank 0 leaves there.  Of a node that does not, all ranks end their
 * recording, and one of them sends what there is, file by file, to rank 0, which takes one node after another.
 * Memory: a ring and CHUNK_BYTES on the sender's side, CHUNK_BYTES on the other.  What cannot be written at the other
 * end stays where it is.
 *
 * What it is not: for processes that go on after MPI_Finalize, or end without it; their streams stay on their node.
 * Context: before MPI_Finalize, on all ranks of the world.
 */
#ifndef TND_MPI_GATHER_H
#define TND_MPI_GATHER_H

#include <mpi.h>
#include <stdbool.h>

/* leaders: one rank a node, rank 0 first; is_leader: this rank is one of them (else leaders means nothing). */
void tnd_mpi_gather_run(MPI_Comm leaders, bool is_leader);

#endif
