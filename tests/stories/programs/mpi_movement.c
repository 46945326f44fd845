/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves data in every way but messages, on 4 ranks, and writes what it did into facts.<rank>, one line a call:
 *   collective NAME MEMBERS ROOT IS_ROOT SENT RECEIVED    MEMBERS: ranks in the world, "-" of an intercommunicator;
 *                                                         ROOT: -1 none, -2 and -4 MPI_PROC_NULL and MPI_ROOT
 *   remote NAME TARGET BYTES DISPLACEMENT                 and "target NAME TARGET" of locks and flushes
 *   file NAME ASKED MOVED                                 MOVED: -1 if no status says
 * Each number of bytes is worked out here, by hand.  Collectives are called in all the forms that the library has:
 * blocking, non-blocking and, since MPI 4, persistent and with large counts.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4, INT = 4, NONE = -100 };

static int rank, one[256], many[1024];
static const int counts[N] = {1, 2, 3, 4}, offsets[N] = {0, 1, 3, 6}, equal[N] = {1, 1, 1, 1},
                 places[N] = {0, 4, 8, 12};
static MPI_Datatype types[N], vector; /* 3 times 2 of 4 integers: 24 bytes */
static MPI_Info no_info;
static FILE *facts;

/* What the collectives to come are on. */
static MPI_Comm comm;
static const char *members;

static void collective(const char *name, int root, int is_root, long long sent, long long received)
{
    int shown = root == NONE ? -1 : root == MPI_ROOT ? -4 : root == MPI_PROC_NULL ? -2 : root;
    fprintf(facts, "collective %s %s %d %d %lld %lld\n", name, members, shown, is_root, sent, received);
}

#define BOTH(Name, name, root, is_root, sent, received, ...)                                                           \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        MPI_##Name(__VA_ARGS__, comm);                                                                                 \
        collective("MPI_" #Name, root, is_root, sent, received);                                                       \
        MPI_I##name(__VA_ARGS__, comm, &request);                                                                      \
        collective("MPI_I" #name, root, is_root, sent, received);                                                      \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
    } while (0)
#if MPI_VERSION >= 4
#define ALL(Name, name, root, is_root, sent, received, ...)                                                            \
    do {                                                                                                               \
        MPI_Request again;                                                                                             \
        BOTH(Name, name, root, is_root, sent, received, __VA_ARGS__);                                                  \
        MPI_##Name##_init(__VA_ARGS__, comm, no_info, &again);                                                         \
        MPI_Start(&again);                                                                                             \
        collective("MPI_Start", root, is_root, sent, received);                                                        \
        MPI_Wait(&again, MPI_STATUS_IGNORE);                                                                           \
        MPI_Request_free(&again);                                                                                      \
    } while (0)
#else
#define ALL BOTH
#endif
#define ROOTED(Name, name, root, sent, received, ...) ALL(Name, name, root, rank == root, sent, received, __VA_ARGS__)
#define UNROOTED(Name, name, sent, received, ...) ALL(Name, name, NONE, 0, sent, received, __VA_ARGS__)

static void rooted(void)
{
    const int me = rank, mine = counts[rank] * INT, sum = 10 * INT;
    MPI_Datatype not_mine = me == 3 ? MPI_INT : MPI_DATATYPE_NULL; /* only the root's counts */
    ROOTED(Bcast, bcast, 2, me == 2 ? 40 : 0, me == 2 ? 0 : 40, one, 10, MPI_INT, 2);
    ROOTED(Bcast, bcast, 1, 0, 0, NULL, 0, MPI_INT, 1);
    ROOTED(Bcast, bcast, 3, me == 3 ? 48 : 0, me == 3 ? 0 : 48, one, 2, vector, 3);
    ROOTED(Reduce, reduce, 1, 20, me == 1 ? 20 : 0, one, many, 5, MPI_INT, MPI_SUM, 1);
    ROOTED(Reduce, reduce, 0, 20, me == 0 ? 20 : 0, me ? one : MPI_IN_PLACE, me ? NULL : many, 5, MPI_INT, MPI_SUM, 0);
    ROOTED(Gather, gather, 3, 8, me == 3 ? 32 : 0, one, 2, MPI_INT, me == 3 ? many : NULL, me == 3 ? 2 : -7, not_mine,
           3);
    ROOTED(Gather, gather, 3, 8, me == 3 ? 32 : 0, me == 3 ? MPI_IN_PLACE : one, 2, MPI_INT, many, 2, MPI_INT, 3);
    ROOTED(Gatherv, gatherv, 3, mine, me == 3 ? sum : 0, one, counts[me], MPI_INT, many, me == 3 ? counts : NULL,
           offsets, not_mine, 3);
    ROOTED(Gatherv, gatherv, 3, mine, me == 3 ? sum : 0, me == 3 ? MPI_IN_PLACE : one, counts[me], MPI_INT, many,
           counts, offsets, MPI_INT, 3);
    ROOTED(Scatter, scatter, 3, me == 3 ? 48 : 0, 12, many, me == 3 ? 3 : -7, not_mine, one, 3, MPI_INT, 3);
    ROOTED(Scatter, scatter, 1, me == 1 ? 48 : 0, 12, many, 3, MPI_INT, me == 1 ? MPI_IN_PLACE : one, 3, MPI_INT, 1);
    ROOTED(Scatterv, scatterv, 3, me == 3 ? sum : 0, mine, many, me == 3 ? counts : NULL, offsets, not_mine, one,
           counts[me], MPI_INT, 3);
    ROOTED(Scatterv, scatterv, 0, me == 0 ? sum : 0, mine, many, counts, offsets, MPI_INT, me ? one : MPI_IN_PLACE,
           counts[me], MPI_INT, 0);
}

static void unrooted(void)
{
    const int mine = counts[rank] * INT, sum = 10 * INT;
    void *here = MPI_IN_PLACE;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    UNROOTED(Allreduce, allreduce, 24, 24, one, many, 6, MPI_INT, MPI_SUM);
    UNROOTED(Allreduce, allreduce, 24, 24, here, many, 6, MPI_INT, MPI_SUM);
    UNROOTED(Scan, scan, 28, 28, one, many, 7, MPI_INT, MPI_SUM);
    UNROOTED(Exscan, exscan, 32, 32, here, many, 8, MPI_INT, MPI_SUM);
    UNROOTED(Allgather, allgather, 8, 32, one, 2, MPI_INT, many, 2, MPI_INT);
    UNROOTED(Allgather, allgather, 24, 96, one, 1, vector, many, 6, MPI_INT);
    UNROOTED(Allgather, allgather, 8, 32, here, -7, none, many, 2, MPI_INT);
    UNROOTED(Allgatherv, allgatherv, mine, sum, one, counts[rank], MPI_INT, many, counts, offsets, MPI_INT);
    UNROOTED(Allgatherv, allgatherv, mine, sum, here, -7, none, many, counts, offsets, MPI_INT);
    UNROOTED(Alltoall, alltoall, 32, 32, one, 2, MPI_INT, many, 2, MPI_INT);
    UNROOTED(Alltoallv, alltoallv, 16, 16, one, equal, offsets, MPI_INT, many, equal, offsets, MPI_INT);
    UNROOTED(Alltoallw, alltoallw, 16, 16, one, equal, places, types, many, equal, places, types);
    BOTH(Alltoall, alltoall, NONE, 0, 32, 32, here, -7, none, many, 2, MPI_INT);
    BOTH(Alltoallv, alltoallv, NONE, 0, 16, 16, here, NULL, NULL, none, many, equal, offsets, MPI_INT);
    UNROOTED(Reduce_scatter, reduce_scatter, sum, mine, one, many, counts, MPI_INT, MPI_SUM);
    UNROOTED(Reduce_scatter_block, reduce_scatter_block, 32, 8, one, many, 2, MPI_INT, MPI_SUM);
    MPI_Request request;
    MPI_Barrier(comm);
    collective("MPI_Barrier", NONE, 0, 0, 0);
    MPI_Ibarrier(comm, &request);
    collective("MPI_Ibarrier", NONE, 0, 0, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Count large[N] = {1, 2, 3, 4};
    MPI_Aint far[N] = {0, 1, 3, 6};
    MPI_Bcast_c(one, 10, MPI_INT, 2, comm);
    collective("MPI_Bcast", 2, rank == 2, rank == 2 ? 40 : 0, rank == 2 ? 0 : 40);
    MPI_Allgatherv_c(one, large[rank], MPI_INT, many, large, far, MPI_INT, comm);
    collective("MPI_Allgatherv", NONE, 0, mine, sum);
    MPI_Bcast_init(one, 10, MPI_INT, 2, comm, no_info, &request);
    for (int i = 0; i < 3; i++) { /* MPICH 4.0 fails when most others are started again */
        MPI_Start(&request);
        collective("MPI_Start", 2, rank == 2, rank == 2 ? 40 : 0, rank == 2 ? 0 : 40);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#endif
}

static void neighbours(int n_out, int n_in)
{
    MPI_Aint aints[N] = {0, 4, 8, 12};
    int out = n_out * INT, in = n_in * INT, each = n_out ? 8 : 0;
    UNROOTED(Neighbor_allgather, neighbor_allgather, 2 * out, 2 * in, one, 2, MPI_INT, many, 2, MPI_INT);
    UNROOTED(Neighbor_allgatherv, neighbor_allgatherv, n_out * each, 2 * in, one, 2, MPI_INT, many, (int[]){2, 2, 2, 2},
             (int[]){0, 2, 4, 6}, MPI_INT);
    UNROOTED(Neighbor_alltoall, neighbor_alltoall, 3 * out, 3 * in, one, 3, MPI_INT, many, 3, MPI_INT);
    UNROOTED(Neighbor_alltoallv, neighbor_alltoallv, out, in, one, equal, offsets, MPI_INT, many, equal, offsets,
             MPI_INT);
    UNROOTED(Neighbor_alltoallw, neighbor_alltoallw, out, in, one, equal, aints, types, many, equal, aints, types);
}

static void topologies(void)
{
    MPI_Comm world = comm;
    const int star[] = {1, 2, 3}, hub[] = {0}, *all = MPI_UNWEIGHTED;
    MPI_Cart_create(world, 2, (int[]){2, 2}, (int[]){1, 1}, 0, &comm);
    neighbours(4, 4);
    MPI_Comm_free(&comm);
    MPI_Graph_create(world, N, (int[]){1, 3, 5, 6}, (int[]){1, 0, 2, 1, 3, 2}, 0, &comm); /* a chain */
    neighbours(rank % 3 ? 2 : 1, rank % 3 ? 2 : 1);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(world, rank > 0, hub, all, rank ? 0 : 3, star, all, MPI_INFO_NULL, 0, &comm);
    neighbours(rank ? 0 : 3, rank > 0);
    MPI_Comm_free(&comm);
    comm = world;
}

/* Ranks 0 and 1 on one side, 2 and 3 on the other. */
static void between_groups(void)
{
    MPI_Comm half, inter, world = comm;
    const int me = rank, root = me == 0 ? MPI_ROOT : me == 1 ? MPI_PROC_NULL : 0;
    const int last = me == 3 ? MPI_ROOT : me == 2 ? MPI_PROC_NULL : 1;
    MPI_Comm_split(world, me / 2, me, &half);
    MPI_Intercomm_create(half, 0, world, me < 2 ? 2 : 0, 5, &inter);
    members = me < 2 ? "0,1" : "2,3";
    comm = half;
    UNROOTED(Allgather, allgather, 4, 8, one, 1, MPI_INT, many, 1, MPI_INT);
    members = "-";
    comm = inter;
    BOTH(Bcast, bcast, root, me == 0, me == 0 ? 40 : 0, me > 1 ? 40 : 0, one, 10, MPI_INT, root);
    BOTH(Gather, gather, last, me == 3, me < 2 ? 12 : 0, me == 3 ? 24 : 0, one, 3, MPI_INT, many, 3, MPI_INT, last);
    BOTH(Scatter, scatter, root, me == 0, me == 0 ? 16 : 0, me > 1 ? 8 : 0, many, 2, MPI_INT, one, 2, MPI_INT, root);
    BOTH(Reduce, reduce, last, me == 3, me < 2 ? 20 : 0, me == 3 ? 20 : 0, one, many, 5, MPI_INT, MPI_SUM, last);
    BOTH(Allreduce, allreduce, NONE, 0, 8, 8, one, many, 2, MPI_INT, MPI_SUM);
    BOTH(Allgather, allgather, NONE, 0, 12, 24, one, 3, MPI_INT, many, 3, MPI_INT);
    BOTH(Alltoall, alltoall, NONE, 0, 24, 24, one, 3, MPI_INT, many, 3, MPI_INT);
    BOTH(Reduce_scatter_block, reduce_scatter_block, NONE, 0, 8, 4, one, many, 1, MPI_INT, MPI_SUM);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    comm = world;
}

/* 4 GiB, all of them the same mebibyte.  They are where they belong: MPICH would pack others into 4 GiB of memory. */
static void big(void)
{
    static char self[4];
    MPI_Datatype mebi, spread;
    char *bytes = calloc(1, (1 << 20) + 4096);
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &mebi);
    MPI_Type_create_resized(mebi, 0, 1, &spread);
    MPI_Type_commit(&spread);
    comm = MPI_COMM_SELF;
    snprintf(self, sizeof self, "%d", rank);
    members = self;
    UNROOTED(Allgather, allgather, 1LL << 32, 1LL << 32, MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, bytes, 4096, spread);
    MPI_Type_free(&spread);
    MPI_Type_free(&mebi);
    free(bytes);
}

#define REMOTE(name, to, bytes, displacement, ...)                                                                     \
    do {                                                                                                               \
        MPI_##name(__VA_ARGS__);                                                                                       \
        fprintf(facts, "remote MPI_%s %d %d %lld\n", #name, to, bytes, (long long)(displacement));                     \
    } while (0)
#define REQUESTED(name, to, bytes, displacement, ...)                                                                  \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        REMOTE(name, to, bytes, displacement, __VA_ARGS__, &request);                                                  \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
    } while (0)
#define TARGET(name, to, ...)                                                                                          \
    do {                                                                                                               \
        MPI_##name(__VA_ARGS__);                                                                                       \
        fprintf(facts, "target MPI_%s %d\n", #name, to);                                                               \
    } while (0)

static void passive(int to, MPI_Win window)
{
    static int value = 5, other = 6, got[64];
    TARGET(Win_lock, to, MPI_LOCK_SHARED, to, 0, window);
    REQUESTED(Rput, to, 8, 1, one, 2, MPI_INT, to, 1, 2, MPI_INT, window);
    REQUESTED(Rget, to, 24, 2, got, 1, vector, to, 2, 6, MPI_INT, window);
    REQUESTED(Raccumulate, to, 16, 8, one, 4, MPI_INT, to, 8, 4, MPI_INT, MPI_SUM, window);
    REMOTE(Get_accumulate, to, 20, 9, NULL, 0, MPI_INT, got, 5, MPI_INT, to, 9, 5, MPI_INT, MPI_NO_OP, window);
    REQUESTED(Rget_accumulate, to, 12, 10, one, 3, MPI_INT, got, 3, MPI_INT, to, 10, 3, MPI_INT, MPI_SUM, window);
    TARGET(Win_flush, to, to, window);
    REMOTE(Fetch_and_op, to, 4, 30, &value, got, MPI_INT, to, 30, MPI_SUM, window);
    REMOTE(Compare_and_swap, to, 4, 31, &value, &other, got, MPI_INT, to, 31, window);
    TARGET(Win_flush_local, to, to, window);
    TARGET(Win_unlock, to, to, window);
    MPI_Win_lock_all(0, window);
    MPI_Put(one, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, window); /* to nobody: no fact */
    REMOTE(Put, to, 12, 0, one, 3, MPI_INT, to, 0, 3, MPI_INT, window);
    MPI_Win_flush_local_all(window);
    MPI_Win_flush_all(window);
    MPI_Win_sync(window);
    MPI_Win_unlock_all(window);
}

static void windows(void)
{
    const int to = (rank + 1) % N;
    int *memory, from = (rank + N - 1) % N;
    MPI_Win window;
    MPI_Group world, group_to, group_from;
    MPI_Aint address, theirs;
    MPI_Comm_group(comm, &world);
    MPI_Group_incl(world, 1, &to, &group_to);
    MPI_Group_incl(world, 1, &from, &group_from);
    MPI_Win_create(many, sizeof many, sizeof(int), MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(0, window);
    REMOTE(Put, to, 12, 7, one, 3, MPI_INT, to, 7, 3, MPI_INT, window);
    REMOTE(Get, to, 20, 20, one + 50, 5, MPI_INT, to, 20, 5, MPI_INT, window);
    REMOTE(Accumulate, to, 16, 40, one, 4, MPI_INT, to, 40, 4, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_post(group_from, 0, window);
    MPI_Win_start(group_to, 0, window);
    REMOTE(Put, to, 0, 0, one, 0, MPI_INT, to, 0, 0, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Win_free(&window);
    MPI_Win_allocate(sizeof many, sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
    passive(to, window);
    MPI_Win_free(&window);
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, comm, &memory, &window);
    MPI_Win_fence(0, window);
    REMOTE(Put, to, 4, 32, one, 1, MPI_INT, to, 32, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
    MPI_Win_attach(window, many, sizeof many);
    MPI_Get_address(many, &address);
    MPI_Sendrecv(&address, 1, MPI_AINT, from, 1, &theirs, 1, MPI_AINT, to, 1, comm, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
    REMOTE(Put, to, 40, theirs, one, 10, MPI_INT, to, theirs, 10, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_detach(window, many);
    MPI_Win_free(&window);
    MPI_Group_free(&group_to);
    MPI_Group_free(&group_from);
    MPI_Group_free(&world);
}

#define FILED(name, asked, moved, ...)                                                                                 \
    do {                                                                                                               \
        MPI_File_##name(__VA_ARGS__);                                                                                  \
        fprintf(facts, "file MPI_File_%s %d %d\n", #name, asked, moved);                                               \
    } while (0)
#define WAITED(name, asked, ...)                                                                                       \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        FILED(name, asked, -1, __VA_ARGS__, &request);                                                                 \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
    } while (0)
#define SPLIT(name, asked, buffer, ...)                                                                                \
    do {                                                                                                               \
        MPI_Status status;                                                                                             \
        FILED(name##_begin, asked, -1, __VA_ARGS__);                                                                   \
        FILED(name##_end, -1, asked, file, buffer, &status);                                                           \
    } while (0)

/* Each rank at a place of its own in every call that has one.  Writing makes the file long enough for what is read. */
#define FORMS(DO, IDO, ...)                                                                                            \
    do {                                                                                                               \
        MPI_Offset at = 256 * rank;                                                                                    \
        MPI_File_seek(file, at, MPI_SEEK_SET);                                                                         \
        FILED(DO, 40, 40, file, one, 10, MPI_INT, MPI_STATUS_IGNORE);                                                  \
        FILED(DO##_all, 44, 44, file, one, 11, MPI_INT, MPI_STATUS_IGNORE);                                            \
        FILED(DO##_at, 48, 48, file, at, one, 12, MPI_INT, MPI_STATUS_IGNORE);                                         \
        FILED(DO##_at_all, 52, 52, file, at, one, 13, MPI_INT, MPI_STATUS_IGNORE);                                     \
        WAITED(IDO, 8, file, one, 2, MPI_INT);                                                                         \
        WAITED(IDO##_at, 12, file, at, one, 3, MPI_INT);                                                               \
        WAITED(IDO##_all, 16, file, one, 4, MPI_INT);                                                                  \
        WAITED(IDO##_at_all, 20, file, at, one, 5, MPI_INT);                                                           \
        SPLIT(DO##_all, 24, one, file, one, 6, MPI_INT);                                                               \
        SPLIT(DO##_at_all, 48, one, file, at, one, 2, vector);                                                         \
        MPI_File_seek_shared(file, 0, MPI_SEEK_SET);                                                                   \
        FILED(DO##_shared, 28, 28, file, one, 7, MPI_INT, MPI_STATUS_IGNORE);                                          \
        WAITED(IDO##_shared, 32, file, one, 8, MPI_INT);                                                               \
        FILED(DO##_ordered, 36, 36, file, one, 9, MPI_INT, MPI_STATUS_IGNORE);                                         \
        SPLIT(DO##_ordered, 4, one, file, one, 1, MPI_INT);                                                            \
    } while (0)

static void files(void)
{
    MPI_File file;
    MPI_File_open(comm, "moved", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    FORMS(write, iwrite);
    MPI_File_sync(file);
    MPI_Barrier(comm);
    collective("MPI_Barrier", NONE, 0, 0, 0);
    FORMS(read, iread);
    MPI_File_close(&file);
    MPI_Comm self = MPI_COMM_SELF;
    char name[16];
    snprintf(name, sizeof name, "short.%d", rank);
    MPI_File_open(self, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    FILED(write, 40, 40, file, one, 10, MPI_INT, MPI_STATUS_IGNORE);
    FILED(read_at, 100, 40, file, 0, one, 25, MPI_INT, MPI_STATUS_IGNORE); /* more than there is */
    FILED(read, 100, 0, file, one, 25, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    char path[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "facts.%d", rank);
    facts = fopen(path, "w");
    no_info = MPI_INFO_NULL;
    for (int i = 0; i < N; i++)
        types[i] = MPI_INT;
    MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    comm = MPI_COMM_WORLD;
    members = "0,1,2,3";
    rooted();
    unrooted();
    topologies();
    windows();
    files();
    between_groups();
    big();
    MPI_Type_free(&vector);
    fclose(facts);
    MPI_Finalize();
    return 0;
}
