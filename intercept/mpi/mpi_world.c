/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks and communicators.  Context: mpi_world.h.
 *
 * A communicator's handle means something in its own process only.  What all its members agree on without talking to
 * each other is its group and how many communicators of that group each has made before, because all members make it
 * together: so that count is kept here, by a hash of the group.
 */
#include "intercept/mpi/mpi_world.h"

#include "formats/job.h"
#include "formats/rundir.h"
#include "intercept/mpi/mpi_batch.h"
#include "intercept/mpi/mpi_nodes.h"
#include "runtime/config.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <sched.h>
#include <string.h>

/* Members of a group as ranks in the world, UINT32_MAX: not of this world. */
struct members {
    MPI_Group group;
    int n;
    int rank; /* mine, or MPI_UNDEFINED */
    uint32_t *world_ranks;
    size_t n_mapped_bytes;
};

struct count {
    uint64_t hash; /* 0: free */
    uint32_t n;
};

static struct {
    int lock;
    size_t n_slots, n_used;
    struct count *slots;
} counts;

static struct count *find_count(struct count *slots, size_t n_slots, uint64_t hash)
{
    size_t i = hash & (n_slots - 1);
    while (slots[i].hash && slots[i].hash != hash)
        i = (i + 1) & (n_slots - 1);
    return &slots[i];
}

static bool grow_counts(void)
{
    size_t n_slots = counts.n_slots ? 2 * counts.n_slots : 256;
    struct count *slots = tnd_target_pages(n_slots * sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < counts.n_slots; i++)
        if (counts.slots[i].hash)
            *find_count(slots, n_slots, counts.slots[i].hash) = counts.slots[i];
    if (counts.slots)
        tnd_target_pages_free(counts.slots, counts.n_slots * sizeof *slots);
    counts.slots = slots;
    counts.n_slots = n_slots;
    return true;
}

/* How often this hash was counted before. */
static uint32_t count_one(uint64_t hash)
{
    uint32_t before = 0;
    while (__atomic_exchange_n(&counts.lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
    if (4 * counts.n_used < 3 * counts.n_slots || grow_counts()) {
        struct count *count = find_count(counts.slots, counts.n_slots, hash | 1);
        counts.n_used += count->hash == 0;
        count->hash = hash | 1;
        before = count->n++;
    }
    __atomic_store_n(&counts.lock, 0, __ATOMIC_RELEASE);
    return before;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_members(const struct members *members)
{
    uint64_t hash = mix(1, (uint64_t)members->n);
    for (int i = 0; i < members->n; i++)
        hash = mix(hash, members->world_ranks[i]);
    return hash;
}

/* Takes the group; false if it could not be read.  let_go afterwards, in either case. */
static bool look_at(MPI_Group group, struct members *members)
{
    MPI_Group world;
    *members = (struct members){.group = group};
    if (tnd_mpi_library.Group_size(group, &members->n) != MPI_SUCCESS ||
        tnd_mpi_library.Group_rank(group, &members->rank) != MPI_SUCCESS)
        return false;
    size_t n = (size_t)members->n;
    members->n_mapped_bytes = (2 * n + 1) * sizeof(int);
    members->world_ranks = tnd_target_pages(members->n_mapped_bytes);
    if (!members->world_ranks || tnd_mpi_library.Comm_group(tnd_mpi_library.comm_world, &world) != MPI_SUCCESS)
        return false;
    int *in_world = (int *)members->world_ranks, *in_group = in_world + n;
    for (int i = 0; i < members->n; i++)
        in_group[i] = i;
    bool known = tnd_mpi_library.Group_translate_ranks(group, members->n, in_group, world, in_world) == MPI_SUCCESS;
    for (int i = 0; i < members->n; i++)
        if (in_world[i] < 0)
            members->world_ranks[i] = UINT32_MAX;
    tnd_mpi_library.Group_free(&world);
    return known;
}

static void let_go(struct members *members)
{
    if (members->world_ranks)
        tnd_target_pages_free(members->world_ranks, members->n_mapped_bytes);
    tnd_mpi_library.Group_free(&members->group);
}

/* MPI_COMM_WORLD is there; a program that has but sessions never has it. */
static bool has_world;

/* Where announcements go: they are wanted even while the program has switched recording off. */
static struct tnd_thread *announcer(void)
{
    return tnd_thread_self ? tnd_thread_self : tnd_thread_get();
}

static void emit_comm(MPI_Comm comm, uint32_t id, unsigned flags, const struct members *members)
{
    enum { MOST = 2 * (TND_RECORD_MAX_WORDS - 2) };
    struct tnd_thread *thread = announcer();
    int at = 0;
    do {
        int n = members->n - at > MOST ? MOST : members->n - at;
        bool more = at + n < members->n;
        struct tnd_record *record =
            thread ? tnd_emit_begin(&thread->main, tnd_clock_ticks(), TND_RECORD_COMM, id,
                                    (uint16_t)(flags | (more ? TND_COMM_CONTINUES : 0)), 2 + ((unsigned)n + 1) / 2)
                   : NULL;
        if (!record)
            return;
        record->words[0] = TND_MPI_HANDLE(comm);
        record->words[1] = tnd_record_pair((uint32_t)members->n,
                                           members->rank == MPI_UNDEFINED ? UINT32_MAX : (uint32_t)members->rank);
        for (int i = 0; i < n; i += 2)
            record->words[2 + i / 2] = tnd_record_pair(members->world_ranks[at + i],
                                                       i + 1 < n ? members->world_ranks[at + i + 1] : UINT32_MAX);
        tnd_emit_end(&thread->main, record);
        at += n;
    } while (at < members->n);
}

void tnd_mpi_world_tell(MPI_Comm comm, MPI_Comm like)
{
    MPI_Group group;
    struct members local, remote;
    int inter = 0;
    if (!has_world || !announcer() || comm == tnd_mpi_library.comm_null ||
        tnd_mpi_library.Comm_group(like, &group) != MPI_SUCCESS)
        return;
    bool known = look_at(group, &local);
    uint64_t hash = known ? hash_members(&local) : 0;
    tnd_mpi_library.Comm_test_inter(like, &inter);
    if (known && !inter) {
        emit_comm(comm, count_one(hash), 0, &local);
    } else if (known && tnd_mpi_library.Comm_remote_group(like, &group) == MPI_SUCCESS) {
        if (look_at(group, &remote)) {
            uint64_t other = hash_members(&remote);
            uint32_t id = count_one(mix(hash < other ? hash : other, hash < other ? other : hash));
            emit_comm(comm, id, TND_COMM_INTER, &local);
            emit_comm(comm, id, TND_COMM_INTER | TND_COMM_REMOTE, &remote);
        }
        let_go(&remote);
    }
    let_go(&local);
}

void tnd_mpi_world_tell_parent(MPI_Comm comm)
{
    static int told;
    if (comm != tnd_mpi_library.comm_null && !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
        tnd_mpi_world_tell(comm, comm);
}

/* Ranks who were handed a run, or whose launcher named their job, are in one run directory already.  Others compare
 * theirs with rank 0's and move there.  Nobody else may: a program of which only some ranks are traced would hang. */
static void join_ranks(int size)
{
    char job[TND_JOB_KEY_MAX], path[TND_RUNDIR_PATH_MAX] = "";
    bool handed = tnd_config.run && tnd_config.run[0];
    if (size == 1 || handed || (tnd_rundir_get(tnd_run_directory(), "job", job, sizeof job) && job[0]))
        return;
    strncpy(path, tnd_run_directory(), sizeof path - 1);
    if (tnd_mpi_library.Bcast(path, sizeof path, tnd_mpi_library.byte, 0, tnd_mpi_library.comm_world) != MPI_SUCCESS ||
        !path[0] || strcmp(path, tnd_run_directory()) == 0)
        return;
    int error = tnd_run_move(path);
    if (error)
        tnd_run_trouble("this rank stays in a run of its own", error);
}

void tnd_mpi_world_begin(void)
{
    int rank = 0, size = 1, known = 0, *application = NULL;
    has_world = true;
    tnd_mpi_library.Comm_rank(tnd_mpi_library.comm_world, &rank);
    tnd_mpi_library.Comm_size(tnd_mpi_library.comm_world, &size);
    tnd_mpi_library.Comm_get_attr(tnd_mpi_library.comm_world, MPI_APPNUM, &application, &known);
    join_ranks(size);
    struct tnd_thread *thread = announcer();
    if (thread)
        tnd_emit_word(&thread->main, tnd_clock_ticks(), TND_RECORD_RANK, (uint32_t)rank, 0,
                      tnd_record_pair((uint32_t)size, known && application ? (uint32_t)*application : 0));
    tnd_mpi_world_tell(tnd_mpi_library.comm_world, tnd_mpi_library.comm_world);
    tnd_mpi_world_tell(tnd_mpi_library.comm_self, tnd_mpi_library.comm_self);
    tnd_mpi_nodes_begin(rank, size);
}

static bool start(void)
{
    tnd_mpi_message_wanted = tnd_config.mpi;
    tnd_mpi_nodes_start();
    return true;
}

static void thread_end(struct tnd_thread *thread)
{
    tnd_mpi_batch_thread_end();
}

static const struct tnd_source mpi_source = {.name = "mpi", .rank = 200, .start = start, .thread_end = thread_end};
TND_SOURCE(mpi_source);
