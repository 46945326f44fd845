/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program without MPI, and as a library (-DLIBRARY) what it uses: other functions that have the names of MPI's.
 * Numbers of arbitrary size have an mpi_init, and a stand-in for MPI in serial programs has all the names.
 */
#include <stdio.h>

#ifdef LIBRARY
long mpi_send(long a, long b, long c, long d, long e)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e;
}

int MPI_GET(char *a)
{
    return *a;
}

void mpi_init_(int *ierror)
{
    *ierror = 0;
}

int MPI_Comm_size(int comm, int *size)
{
    *size = comm;
    return 7;
}

void mpi_comm_rank_(int *comm, int *rank, int *ierror)
{
    *rank = *comm;
    *ierror = 0;
}
#else
long mpi_send(long a, long b, long c, long d, long e);
int MPI_GET(char *a);
void mpi_init_(int *ierror);
void mpi_comm_rank_(int *comm, int *rank, int *ierror);

int MPI_Comm_size(int comm, int *size);

int main(void)
{
    int ierror = 1, comm = 41, rank, size;
    char letter = 'x';
    for (int i = 0; i < 3; i++) {
        mpi_init_(&ierror);
        mpi_comm_rank_(&comm, &rank, &ierror);
        int error = MPI_Comm_size(42, &size);
        printf("%ld %c %d %d %d %d\n", mpi_send(1, 2, 3, 4, 5), MPI_GET(&letter), rank, ierror, error, size);
    }
    return ierror;
}
#endif
