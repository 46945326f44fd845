/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators of every kind on 4 ranks, with a message or a collective call in each, and collective calls whose
 * numbers of bytes test_mpi.py knows.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, one[64], many[64];

static void ring(MPI_Comm comm, int tag)
{
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Sendrecv(one, 1, MPI_INT, (me + 1) % n, tag, many, 1, MPI_INT, (me + n - 1) % n, tag, comm, MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm copy, idle_copy, half, grid, line, node, group_comm, inter, merged, graph, none;
    MPI_Request request;
    MPI_Group world, odd;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_idup(MPI_COMM_WORLD, &idle_copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); /* ranks in reverse order */
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &none);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 1}, 0, &grid);
    MPI_Cart_sub(grid, (int[]){0, 1}, &line);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){3, 1}, &odd);
    MPI_Comm_create(MPI_COMM_WORLD, odd, &group_comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (int[]){(rank + size - 1) % size}, MPI_UNWEIGHTED, 1,
                                   (int[]){(rank + 1) % size}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 9, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);

    ring(MPI_COMM_WORLD, 1);
    ring(copy, 2);
    ring(idle_copy, 3);
    ring(half, 4);
    ring(grid, 5);
    ring(line, 6);
    ring(node, 7);
    ring(merged, 8);
    if (group_comm != MPI_COMM_NULL)
        ring(group_comm, 9);
    ring(MPI_COMM_SELF, 10);
    int me;
    MPI_Comm_rank(inter, &me); /* ranks of the other group: 2 with 3, 0 with 1 */
    MPI_Sendrecv(one, 2, MPI_INT, me, 11, many, 2, MPI_INT, me, 11, inter, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoall(one, 3, MPI_INT, many, 3, MPI_INT, graph);
    MPI_Neighbor_allgather(one, 1, MPI_INT, many, 1, MPI_INT, grid);
    MPI_Comm_free(&copy);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    ring(copy, 12);
}

static void collectives(void)
{
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Request request;
    int counts[4] = {1, 2, 3, 4}, offsets[4] = {0, 1, 3, 6};
    int equal[4] = {1, 1, 1, 1}, places[4] = {0, 4, 8, 12};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Barrier(w);
    MPI_Bcast(one, 10, MPI_INT, 2, w);
    MPI_Reduce(one, many, 5, MPI_INT, MPI_SUM, 1, w);
    MPI_Reduce(rank ? one : MPI_IN_PLACE, rank ? NULL : one, 5, MPI_INT, MPI_SUM, 0, w);
    MPI_Allreduce(MPI_IN_PLACE, many, 6, MPI_INT, MPI_SUM, w);
    MPI_Gather(one, 2, MPI_INT, rank ? NULL : many, 2, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, w);
    MPI_Gatherv(one, counts[rank], MPI_INT, many, counts, offsets, MPI_INT, 3, w);
    MPI_Scatter(many, 3, MPI_INT, rank == 1 ? MPI_IN_PLACE : one, 3, MPI_INT, 1, w);
    MPI_Scatterv(many, counts, offsets, MPI_INT, one, counts[rank], MPI_INT, 0, w);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, 2, MPI_INT, w);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, counts, offsets, MPI_INT, w);
    MPI_Alltoall(one, 2, MPI_INT, many, 2, MPI_INT, w);
    MPI_Alltoallv(one, equal, offsets, MPI_INT, many, equal, offsets, MPI_INT, w);
    MPI_Alltoallw(one, equal, places, types, many, equal, places, types, w);
    MPI_Reduce_scatter(one, many, counts, MPI_INT, MPI_SUM, w);
    MPI_Reduce_scatter_block(one, many, 2, MPI_INT, MPI_SUM, w);
    MPI_Scan(one, many, 7, MPI_INT, MPI_SUM, w);
    MPI_Exscan(one, many, 8, MPI_INT, MPI_SUM, w);
    MPI_Iallreduce(one, many, 9, MPI_INT, MPI_SUM, w, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(w, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    communicators();
    collectives();
    MPI_Finalize();
    return 0;
}
