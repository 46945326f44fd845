/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The C half of mpi_mixed.f90.
 */
#include <mpi.h>

void c_ring(MPI_Fint *comm, int *tag)
{
    MPI_Comm c = MPI_Comm_f2c(*comm);
    int me, n, one = 1, got;
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &n);
    MPI_Sendrecv(&one, 1, MPI_INT, (me + 1) % n, *tag, &got, 1, MPI_INT, (me + n - 1) % n, *tag, c, MPI_STATUS_IGNORE);
}

void c_copy(MPI_Fint *comm, MPI_Fint *copy)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_Comm_f2c(*comm), &made);
    *copy = MPI_Comm_c2f(made);
}

void c_expect(MPI_Fint *comm, int *tag, int *numbers, MPI_Fint *request)
{
    MPI_Request made;
    MPI_Irecv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, *tag, MPI_Comm_f2c(*comm), &made);
    *request = MPI_Request_c2f(made);
}

void c_wait(MPI_Fint *request)
{
    MPI_Request c = MPI_Request_f2c(*request);
    MPI_Wait(&c, MPI_STATUS_IGNORE);
    *request = MPI_Request_c2f(c);
}

void c_finalize(void)
{
    MPI_Finalize();
}
