/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of every kind from rank 0 to rank 1, each kind under a tag of its own: test_mpi.py knows how many of which
 * size belong to each tag.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 100 };

static int rank, data[MANY], got[MANY];
static MPI_Request requests[MANY];

static void blocking(void)
{
    static char room[100000];
    MPI_Buffer_attach(room, sizeof room);
    if (rank == 0) {
        MPI_Send(data, 1, MPI_INT, 1, 101, MPI_COMM_WORLD);
        MPI_Bsend(data, 2, MPI_INT, 1, 102, MPI_COMM_WORLD);
        MPI_Ssend(data, 3, MPI_INT, 1, 103, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Rsend(data, 4, MPI_INT, 1, 104, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        MPI_Recv(got, 1, MPI_INT, 0, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(got, MANY, MPI_INT, MPI_ANY_SOURCE, 102, MPI_COMM_WORLD, &status); /* shorter than there is room */
        MPI_Recv(got, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(got, 4, MPI_INT, 0, 104, MPI_COMM_WORLD, requests);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    int other = 1 - rank;
    MPI_Sendrecv(data, 5, MPI_INT, other, 105, got, 5, MPI_INT, other, 105, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 6, MPI_INT, other, 106, other, 106, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 107, MPI_COMM_WORLD);
    MPI_Recv(data, 1, MPI_INT, MPI_PROC_NULL, 107, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    void *old;
    int n;
    MPI_Buffer_detach(&old, &n);
}

static void nonblocking(void)
{
    static char room[100000];
    int flag = 0, other = 1 - rank;
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(got + 8 * i, 8, MPI_INT, rank == 1 ? 0 : MPI_PROC_NULL, i == 3 ? MPI_ANY_TAG : 201 + i,
                  MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        other = 1;
    else
        other = MPI_PROC_NULL;
    MPI_Isend(data, 1, MPI_INT, other, 201, MPI_COMM_WORLD, &requests[4]);
    MPI_Ibsend(data, 2, MPI_INT, other, 202, MPI_COMM_WORLD, &requests[5]);
    MPI_Issend(data, 3, MPI_INT, other, 203, MPI_COMM_WORLD, &requests[6]);
    MPI_Irsend(data, 4, MPI_INT, other, 204, MPI_COMM_WORLD, &requests[7]);
    for (int i = 0; i < 8; i += 2)
        for (flag = 0; !flag;)
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
    for (int i = 1; i < 8; i += 2) {
        for (flag = 0; !flag;)
            MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE); /* null by now */
    }
    MPI_Request lost;
    MPI_Irecv(got, 1, MPI_INT, 1 - rank, 205, MPI_COMM_WORLD, &lost);
    MPI_Cancel(&lost);
    MPI_Wait(&lost, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Isend(data, 6, MPI_INT, 1, 206, MPI_COMM_WORLD, &lost);
        MPI_Request_free(&lost);
    } else {
        MPI_Recv(got, 6, MPI_INT, 0, 206, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    void *old;
    int n;
    MPI_Buffer_detach(&old, &n);
}

/* MANY messages of tag, begun on both sides; the requests are ours to complete. */
static void begin_many(int n, int tag)
{
    for (int i = 0; i < n; i++)
        if (rank == 0)
            MPI_Isend(&data[i], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[i]);
}

static void several(void)
{
    int index, indices[MANY], n_done, flag = 0;
    MPI_Status statuses[MANY];
    begin_many(MANY, 301);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    begin_many(10, 302);
    MPI_Waitall(10, requests, statuses);
    begin_many(40, 303);
    for (int i = 0; i < 41; i++) /* the last finds none */
        MPI_Waitany(40, requests, &index, MPI_STATUS_IGNORE);
    begin_many(MANY, 304);
    for (int n = 0; n < MANY; n += n_done)
        MPI_Waitsome(MANY, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    begin_many(7, 305);
    while (!flag)
        MPI_Testall(7, requests, &flag, MPI_STATUSES_IGNORE);
    begin_many(7, 306);
    for (int n = 0; n < 7; n += flag)
        MPI_Testany(7, requests, &index, &flag, MPI_STATUS_IGNORE);
    begin_many(50, 307);
    for (int n = 0; n < 50; n += n_done)
        MPI_Testsome(50, requests, &n_done, indices, statuses);
}

static void persistent(void)
{
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Send_init(data, i + 1, MPI_INT, 1, 401 + i, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Recv_init(got + 4 * i, 4, MPI_INT, MPI_ANY_SOURCE, 401 + i, MPI_COMM_WORLD, &requests[i]);
    for (int round = 0; round < 5; round++) {
        MPI_Start(&requests[0]);
        MPI_Startall(2, &requests[1]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* inactive */
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
}

static void matched(void)
{
    MPI_Message message;
    MPI_Status status;
    int flag = 0;
    if (rank == 0) {
        for (int i = 1; i <= 3; i++)
            MPI_Send(data, i, MPI_INT, 1, 501, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 1, 502, MPI_COMM_WORLD);
        return;
    }
    MPI_Mprobe(MPI_ANY_SOURCE, 501, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Recv(got, 2, MPI_INT, 0, 501, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the second overtakes the first */
    MPI_Mrecv(got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(got, 3, MPI_INT, 0, 501, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Improbe(0, 502, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Imrecv(got, 4, MPI_INT, &message, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 503, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(got, 0, MPI_INT, &message, &status);
}

int main(int argc, char **argv)
{
    int initialized;
    MPI_Initialized(&initialized);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    blocking();
    nonblocking();
    several();
    persistent();
    matched();
    MPI_Finalize();
    MPI_Finalized(&initialized);
    return !initialized;
}
