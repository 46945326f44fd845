/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a job: which ranks share a node, and how far the clocks of nodes are apart.  One rank of each node
 * measures that against rank 0's clock by N_TRIPS round trips of small messages, once after MPI_Init and once before
 * MPI_Finalize: some 0.1 ms a node over Ethernet, one node after another.  In jobs on one node, and in those of which
 * not all ranks are known to be traced, no message of ours is sent (docs/decisions/0008-who-communicates.md).
 *
 * Context: the program's calls of MPI_Init and MPI_Finalize; start: at start.
 */
#ifndef TND_MPI_NODES_H
#define TND_MPI_NODES_H

/* Reads the launcher's variables about the job. */
void tnd_mpi_nodes_start(void);

/* Before MPI_Init; after it, on all ranks; and before MPI_Finalize. */
void tnd_mpi_nodes_before(void);
void tnd_mpi_nodes_begin(int rank, int size);
void tnd_mpi_nodes_end(void);

#endif
