/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a job: which ranks are on one, and how far their clocks are apart.  One rank of each node measures that
 * against rank 0 by N_TRIPS small messages there and back, once after MPI_Init and once before MPI_Finalize: some 0.1
 * ms a node over Ethernet, one node after another.  Jobs of one node, and those of which not all ranks are known to be
 * traced, are left without a message of ours (docs/decisions/0008-who-communicates.md).
 *
 * Context: the program's calls of MPI_Init and MPI_Finalize; start: at start.
 */
#ifndef TND_MPI_NODES_H
#define TND_MPI_NODES_H

/* Reads what the launcher says of the job. */
void tnd_mpi_nodes_start(void);

/* Before MPI_Init; after it, on all ranks; and before MPI_Finalize. */
void tnd_mpi_nodes_before(void);
void tnd_mpi_nodes_begin(int rank, int size);
void tnd_mpi_nodes_end(void);

#endif
