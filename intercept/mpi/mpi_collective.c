/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of collective calls.  Context: mpi_message.h.
 *
 * Arguments that MPI ignores in a call (the receiving side of a gather at ranks other than the root, the sending side
 * of a call in place) may have any value, so they are not looked at here either.
 */
#include "intercept/mpi/mpi_collective.h"

#include "intercept/mpi/mpi_message.h"

struct sides {
    int n;           /* members on the other side: of this communicator, or of the remote group */
    int n_own;       /* members members on this side; like n, not set for calls whose bytes do not depend on it */
    int n_out, n_in; /* neighbours */
    int rank;        /* mine */
    bool at_root;    /* this process is the root */
    bool takes_part; /* false: of an intercommunicator, on the root's side but not the root */
    bool is_leaf;    /* has a share of its own; also true of the root, except in an intercommunicator */
};

static void ask_neighbours(MPI_Comm comm, int rank, struct sides *sides)
{
    int topology = MPI_UNDEFINED, weighted;
    tnd_mpi_library.Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        tnd_mpi_library.Cartdim_get(comm, &sides->n_out);
        sides->n_in = sides->n_out = 2 * sides->n_out;
    } else if (topology == MPI_GRAPH) {
        tnd_mpi_library.Graph_neighbors_count(comm, rank, &sides->n_out);
        sides->n_in = sides->n_out;
    } else if (topology == MPI_DIST_GRAPH) {
        tnd_mpi_library.Dist_graph_neighbors_count(comm, &sides->n_in, &sides->n_out, &weighted);
    }
}

/* An invalid communicator gives a process that takes no part; the call itself reports the error. */
static void ask_sides(const struct tnd_mpi_collective *call, struct sides *sides)
{
    int inter = 0;
    if (tnd_mpi_library.Comm_test_inter(call->comm, &inter) != MPI_SUCCESS)
        return;
    tnd_mpi_library.Comm_rank(call->comm, &sides->rank);
    if (call->shape > TND_MPI_REDUCE)
        tnd_mpi_library.Comm_size(call->comm, &sides->n_own);
    sides->n = sides->n_own;
    if (inter)
        tnd_mpi_library.Comm_remote_size(call->comm, &sides->n);
    sides->at_root = inter ? call->root == MPI_ROOT : call->root == sides->rank;
    sides->is_leaf = !inter || !sides->at_root;
    sides->takes_part = !inter || call->root != MPI_PROC_NULL;
    sides->n_out = sides->n_in = sides->n;
    if (call->shape >= TND_MPI_NEIGHBOR_ALLGATHER) {
        sides->n_out = sides->n_in = 0;
        ask_neighbours(call->comm, sides->rank, sides);
    }
}

/* The i-th of counts that are int or, in calls with large counts, MPI_Count. */
static MPI_Count count_at(const struct tnd_mpi_collective *c, const void *counts, int i)
{
    return c->count_bytes == sizeof(int) ? ((const int *)counts)[i] : ((const MPI_Count *)counts)[i];
}

static uint64_t sum(const struct tnd_mpi_collective *c, const void *counts, int n, MPI_Datatype type)
{
    MPI_Count total = 0;
    for (int i = 0; i < n; i++)
        total += count_at(c, counts, i);
    return tnd_mpi_message_bytes(total, type);
}

static uint64_t sum_typed(const struct tnd_mpi_collective *c, const void *counts, int n, const MPI_Datatype types[],
                          const MPI_Fint types_fortran[])
{
    uint64_t total = 0;
    for (int i = 0; i < n; i++)
        total += tnd_mpi_message_bytes(count_at(c, counts, i),
                                       types ? types[i] : TND_MPI_FROM_FORTRAN(Type, types_fortran[i]));
    return total;
}

/* This process's own part of a side that has one for each member: that is what a side in place contributes. */
static uint64_t own_part(const struct tnd_mpi_collective *c, const void *counts, MPI_Count count, MPI_Datatype type,
                         int rank)
{
    return tnd_mpi_message_bytes(counts ? count_at(c, counts, rank) : count, type);
}

struct bytes {
    uint64_t sent, received;
};

/* Calls with a root: which side moves bytes depends on whether this process is the root. */
static struct bytes rooted(const struct tnd_mpi_collective *c, const struct sides *s)
{
    struct bytes b = {0, 0};
    switch (c->shape) {
    case TND_MPI_BCAST:
        *(s->at_root ? &b.sent : &b.received) = tnd_mpi_message_bytes(c->scount, c->stype);
        break;
    case TND_MPI_REDUCE:
        b.sent = s->is_leaf ? tnd_mpi_message_bytes(c->scount, c->stype) : 0;
        b.received = s->at_root ? tnd_mpi_message_bytes(c->scount, c->stype) : 0;
        break;
    case TND_MPI_GATHER:
    case TND_MPI_GATHERV:
        if (s->is_leaf)
            b.sent = c->sbuf == MPI_IN_PLACE ? own_part(c, c->rcounts, c->rcount, c->rtype, s->rank)
                                             : tnd_mpi_message_bytes(c->scount, c->stype);
        if (s->at_root)
            b.received = c->rcounts ? sum(c, c->rcounts, s->n, c->rtype)
                                    : (uint64_t)s->n * tnd_mpi_message_bytes(c->rcount, c->rtype);
        break;
    default: /* TND_MPI_SCATTER, TND_MPI_SCATTERV */
        if (s->is_leaf)
            b.received = c->rbuf == MPI_IN_PLACE ? own_part(c, c->scounts, c->scount, c->stype, s->rank)
                                                 : tnd_mpi_message_bytes(c->rcount, c->rtype);
        if (s->at_root)
            b.sent = c->scounts ? sum(c, c->scounts, s->n, c->stype)
                                : (uint64_t)s->n * tnd_mpi_message_bytes(c->scount, c->stype);
        break;
    }
    return b;
}

/* Calls without a root.  In place, the data that is sent is in the receive buffer. */
static struct bytes unrooted(const struct tnd_mpi_collective *c, const struct sides *s)
{
    bool in_place = c->sbuf == MPI_IN_PLACE;
    struct bytes b = {0, 0};
    switch (c->shape) {
    case TND_MPI_REDUCE_SCATTER:
        b.sent = sum(c, c->rcounts, s->n_own, c->rtype);
        b.received = own_part(c, c->rcounts, 0, c->rtype, s->rank);
        break;
    case TND_MPI_REDUCE_SCATTER_BLOCK:
        b.received = tnd_mpi_message_bytes(c->rcount, c->rtype);
        b.sent = (uint64_t)s->n_own * b.received;
        break;
    case TND_MPI_ALLGATHER:
        b.received = tnd_mpi_message_bytes(c->rcount, c->rtype);
        b.sent = in_place ? b.received : tnd_mpi_message_bytes(c->scount, c->stype);
        b.received *= (uint64_t)s->n;
        break;
    case TND_MPI_ALLGATHERV:
        b.sent = in_place ? own_part(c, c->rcounts, 0, c->rtype, s->rank) : tnd_mpi_message_bytes(c->scount, c->stype);
        b.received = sum(c, c->rcounts, s->n, c->rtype);
        break;
    case TND_MPI_NEIGHBOR_ALLGATHER:
    case TND_MPI_NEIGHBOR_ALLGATHERV:
        b.sent = (uint64_t)s->n_out * tnd_mpi_message_bytes(c->scount, c->stype);
        b.received = c->rcounts ? sum(c, c->rcounts, s->n_in, c->rtype)
                                : (uint64_t)s->n_in * tnd_mpi_message_bytes(c->rcount, c->rtype);
        break;
    case TND_MPI_ALLTOALL:
    case TND_MPI_NEIGHBOR_ALLTOALL:
        b.received = (uint64_t)s->n_in * tnd_mpi_message_bytes(c->rcount, c->rtype);
        b.sent = in_place ? b.received : (uint64_t)s->n_out * tnd_mpi_message_bytes(c->scount, c->stype);
        break;
    case TND_MPI_ALLTOALLV:
    case TND_MPI_NEIGHBOR_ALLTOALLV:
        b.received = sum(c, c->rcounts, s->n_in, c->rtype);
        b.sent = in_place ? b.received : sum(c, c->scounts, s->n_out, c->stype);
        break;
    case TND_MPI_ALLTOALLW:
    case TND_MPI_NEIGHBOR_ALLTOALLW:
        b.received = sum_typed(c, c->rcounts, s->n_in, c->rtypes, c->rtypes_fortran);
        b.sent = in_place ? b.received : sum_typed(c, c->scounts, s->n_out, c->stypes, c->stypes_fortran);
        break;
    default:
        break;
    }
    return b;
}

/* The root as the record has it, because the values of MPI_ROOT and MPI_PROC_NULL differ between implementations. */
static uint32_t root_id(int root)
{
    switch (root) {
    case TND_MPI_NO_ROOT:
        return TND_ROOT_NONE;
    case MPI_ROOT:
        return TND_ROOT_SELF;
    case MPI_PROC_NULL:
        return TND_ROOT_NEIGHBOUR;
    default:
        return (uint32_t)root;
    }
}

static inline void emit(struct tnd_thread *thread, uint64_t time, uint32_t root, MPI_Comm comm, struct bytes bytes,
                        const MPI_Request *request)
{
    if (request)
        tnd_emit_few(&thread->main, time, TND_RECORD_COLLECTIVE, root, 1, 4, TND_MPI_HANDLE(comm), bytes.sent,
                     bytes.received, TND_MPI_HANDLE(*request));
    else
        tnd_emit_few(&thread->main, time, TND_RECORD_COLLECTIVE, root, 0, 3, TND_MPI_HANDLE(comm), bytes.sent,
                     bytes.received, 0);
}

void tnd_mpi_collective_emit_even(struct tnd_thread *thread, uint64_t time, uint64_t n_bytes, MPI_Comm comm,
                                  const MPI_Request *request)
{
    emit(thread, time, TND_ROOT_NONE, comm, (struct bytes){n_bytes, n_bytes}, request);
}

void tnd_mpi_collective_emit(struct tnd_thread *thread, uint64_t time, const struct tnd_mpi_collective *call)
{
    struct bytes bytes = {0, 0};
    if (tnd_mpi_library_is_comm(call->comm)) {
        struct sides sides = {0};
        ask_sides(call, &sides);
        if (sides.takes_part)
            bytes = call->root == TND_MPI_NO_ROOT ? unrooted(call, &sides) : rooted(call, &sides);
    }
    emit(thread, time, root_id(call->root), call->comm, bytes, call->request);
}
