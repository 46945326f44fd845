/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes the launcher's variables back from JOB and NAMESPACE, so that they were not there when tandem looked, and sends
 * a thousand messages from each rank to the next.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, sent = 0, got;
    setenv("OMPI_MCA_ess_base_jobid", getenv("JOB"), 1);
    setenv("PMIX_NAMESPACE", getenv("NAMESPACE"), 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 1000; i++)
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, i, &got, 1, MPI_INT, (rank + size - 1) % size, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
