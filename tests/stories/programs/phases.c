/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranks that are in region "calm", where all sleep, and then in "busy", where each computes as long as its rank says.
 */
#include <mpi.h>
#include <tandem.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tandem_region calm = tandem_region_register("calm"), busy = tandem_region_register("busy");
    MPI_Barrier(MPI_COMM_WORLD);
    tandem_region_begin(calm);
    usleep(150000);
    tandem_region_end(calm);
    tandem_region_begin(busy);
    for (double end = seconds() + 0.1 * (rank + 1); seconds() < end;)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
    tandem_region_end(busy);
    MPI_Finalize();
    return 0;
}
