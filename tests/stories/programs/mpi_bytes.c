/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that move otherwise than in messages: one-sided calls and files.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[64] = {0}, got = 0, *shared;
    MPI_Win window;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(data, 3, MPI_INT, 1, 0, 3, MPI_INT, window);
        MPI_Accumulate(data, 4, MPI_INT, 1, 8, 4, MPI_INT, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_WORLD, "bytes", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, rank * 40, data, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, rank * 40, &got, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return got;
}
