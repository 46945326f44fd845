/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of a communicator are numbered in each row.
 */
#include "analysis/convert/collective_roots.h"

#include "analysis/trace/walk.h"
#include "formats/event_types.h"

/* A communicator of an application. */
typedef struct {
    GArray *rows;        /* guint: of the root of each call */
    GHashTable *members; /* task to the row that calls, + 1 */
    gboolean is_mixed;   /* several threads of a process use it */
    guint n_called;      /* calls of the present row */
} Comm;

struct TndCollectiveRoots {
    const TndTrace *trace;
    GHashTable *comms; /* by "application:number" */
    guint row;
};

/* A call that is being walked over. */
typedef struct {
    gint64 call, communicator;
    gboolean is_root;
} Now;

gboolean tnd_collective_roots_has(gint64 call)
{
    static const gint64 calls[] = {7, 9, 13, 14, 15, 16}; /* MPI_Bcast, Reduce, Gather, Gatherv, Scatter, Scatterv */
    for (guint i = 0; i < G_N_ELEMENTS(calls); i++)
        if (calls[i] == call)
            return TRUE;
    return FALSE;
}

static void free_comm(gpointer data)
{
    Comm *comm = data;
    g_array_unref(comm->rows);
    g_hash_table_unref(comm->members);
    g_free(comm);
}

static Comm *comm_of(TndCollectiveRoots *roots, gint64 communicator)
{
    char key[64];
    g_snprintf(key, sizeof key, "%u:%" G_GINT64_FORMAT, tnd_trace_thread(roots->trace, roots->row)->application,
               communicator);
    Comm *comm = g_hash_table_lookup(roots->comms, key);
    if (!comm) {
        comm = g_new0(Comm, 1);
        comm->rows = g_array_new(FALSE, FALSE, sizeof(guint));
        comm->members = g_hash_table_new(NULL, NULL);
        g_hash_table_insert(roots->comms, g_strdup(key), comm);
    }
    return comm;
}

static void end_call(TndCollectiveRoots *roots, const Now *now)
{
    if (!tnd_collective_roots_has(now->call))
        return;
    static const guint unknown = G_MAXUINT;
    Comm *comm = comm_of(roots, now->communicator);
    gpointer task = GUINT_TO_POINTER(tnd_trace_thread(roots->trace, roots->row)->task);
    guint other = GPOINTER_TO_UINT(g_hash_table_lookup(comm->members, task));
    comm->is_mixed = comm->is_mixed || (other && other != roots->row + 1);
    g_hash_table_insert(comm->members, task, GUINT_TO_POINTER(roots->row + 1));
    guint number = comm->n_called++;
    while (comm->rows->len <= number)
        g_array_append_val(comm->rows, unknown);
    if (now->is_root)
        g_array_index(comm->rows, guint, number) = roots->row;
}

static void walk_row(TndCollectiveRoots *roots)
{
    const guint64 wanted = tnd_blocks_bit(TND_TYPE_MPI_COLLECTIVE) | tnd_blocks_bit(TND_TYPE_MPI_COLLECTIVE_ROOT) |
                           tnd_blocks_bit(TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR);
    Now now = {0};
    TndWalk walk = tnd_walk_events(roots->trace, roots->row, wanted);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));)
        if (event->type == TND_TYPE_MPI_COLLECTIVE) {
            end_call(roots, &now);
            now = (Now){.call = event->value};
        } else if (event->type == TND_TYPE_MPI_COLLECTIVE_COMMUNICATOR)
            now.communicator = event->value;
        else if (event->type == TND_TYPE_MPI_COLLECTIVE_ROOT)
            now.is_root = event->value != 0;
    tnd_walk_end(&walk);
    end_call(roots, &now);
}

void tnd_collective_roots_begin(TndCollectiveRoots *roots, guint row)
{
    GHashTableIter iter;
    gpointer comm;
    roots->row = row;
    g_hash_table_iter_init(&iter, roots->comms);
    while (g_hash_table_iter_next(&iter, NULL, &comm))
        ((Comm *)comm)->n_called = 0;
}

guint tnd_collective_roots_next(TndCollectiveRoots *roots, gint64 communicator)
{
    Comm *comm = comm_of(roots, communicator);
    guint number = comm->n_called++;
    return number < comm->rows->len && !comm->is_mixed ? g_array_index(comm->rows, guint, number) : G_MAXUINT;
}

TndCollectiveRoots *tnd_collective_roots_new(const TndTrace *trace)
{
    TndCollectiveRoots *roots = g_new0(TndCollectiveRoots, 1);
    roots->trace = trace;
    roots->comms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_comm);
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        tnd_collective_roots_begin(roots, row);
        walk_row(roots);
    }
    return roots;
}

void tnd_collective_roots_free(TndCollectiveRoots *roots)
{
    g_hash_table_unref(roots->comms);
    g_free(roots);
}
