/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks and communicators.  Context: mpi_world.h.
 *
 * A communicator's handle is valid in its own process only.  Without messages, all its members know which communicator
 * it was made of, its group, and how many communicators of that group were made of the same one before: the members
 * make it together, while communicators that are made of others may come in any order.  So that count is kept here, by
 * a hash of both.
 */
#include "intercept/mpi/mpi_world.h"

#include "intercept/mpi/mpi_batch.h"
#include "intercept/mpi/mpi_choice.h"
#include "intercept/mpi/mpi_nodes.h"
#include "intercept/mpi/mpi_spawn.h"
#include "run/job.h"
#include "run/rundir.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <sched.h>
#include <string.h>

/* Members of a group, as in a COMM record. */
struct members {
    MPI_Group group;
    int n;
    int rank; /* mine, or MPI_UNDEFINED */
    uint32_t *ranks;
    size_t n_mapped_bytes;
};

/* A count, by a hash: of communicators of one group that were made of one communicator, or of the communicators that a
 * handle has named. */
struct count {
    uint64_t hash; /* 0: free */
    uint32_t n;
};

static struct {
    int lock;
    uint32_t n_told;
    size_t n_slots, n_used;
    struct count *slots;
} counts;

/* Keys of this process's world and of the call that spawned it; 0: unknown. */
static uint64_t world_key, parent_key;

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

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The count of a hash, made if it is new; NULL: there is no room. */
static struct count *get_count(uint64_t hash)
{
    if (4 * counts.n_used >= 3 * counts.n_slots && !grow_counts())
        return NULL;
    struct count *count = find_count(counts.slots, counts.n_slots, hash | 1);
    counts.n_used += count->hash == 0;
    count->hash = hash | 1;
    return count;
}

static uint64_t hash_handle(MPI_Comm comm)
{
    return mix(2, TND_MPI_HANDLE(comm));
}

/* How many communicators of groups with this hash were made of `made_of` before; counts `comm`, too. */
static uint32_t count_one(MPI_Comm comm, MPI_Comm made_of, uint64_t groups_hash)
{
    uint32_t before = 0, instance = 0;
    while (__atomic_exchange_n(&counts.lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
    struct count *count = made_of == tnd_mpi_library.comm_null ? NULL : get_count(hash_handle(made_of));
    instance = count ? count->n : 0;
    count = get_count(mix(groups_hash, instance));
    before = count ? count->n++ : 0;
    count = get_count(hash_handle(comm));
    if (count)
        count->n = ++counts.n_told;
    __atomic_store_n(&counts.lock, 0, __ATOMIC_RELEASE);
    return before;
}

static uint64_t hash_members(const struct members *members)
{
    uint64_t hash = mix(1, (uint64_t)members->n);
    for (int i = 0; i < members->n; i++)
        hash = mix(hash, members->ranks[i]);
    return hash;
}

/* Members that are not known yet, and are in the group `other`, become base + their rank in it.  Frees `other`.  How
 * many are still unknown. */
static int find_in(struct members *members, MPI_Group other, uint32_t base)
{
    int *in_group = (int *)members->ranks + members->n, *in_other = in_group + members->n, n_unknown = 0;
    bool known =
        tnd_mpi_library.Group_translate_ranks(members->group, members->n, in_group, other, in_other) == MPI_SUCCESS;
    for (int i = 0; i < members->n; i++) {
        if (members->ranks[i] == UINT32_MAX && known && in_other[i] >= 0)
            members->ranks[i] = base + (uint32_t)in_other[i];
        n_unknown += members->ranks[i] == UINT32_MAX;
    }
    tnd_mpi_library.Group_free(&other);
    return n_unknown;
}

static void find_strangers(struct members *members, MPI_Comm made_of)
{
    MPI_Group group;
    int n_remote = 0, inter = 0, n_unknown = 1;
    tnd_mpi_library.Comm_test_inter(made_of, &inter);
    if (inter && tnd_mpi_library.Comm_remote_group(made_of, &group) == MPI_SUCCESS) {
        tnd_mpi_library.Group_size(group, &n_remote);
        n_unknown = find_in(members, group, TND_COMM_STRANGER);
    }
    if (n_unknown && tnd_mpi_library.Comm_group(made_of, &group) == MPI_SUCCESS)
        find_in(members, group, TND_COMM_STRANGER + (uint32_t)n_remote);
}

/* Reads a group, and frees it; false if that failed.  let_go must follow, in either case. */
static bool look_at(MPI_Group group, MPI_Comm made_of, struct members *members)
{
    MPI_Group world;
    *members = (struct members){.group = group};
    if (tnd_mpi_library.Group_size(group, &members->n) != MPI_SUCCESS ||
        tnd_mpi_library.Group_rank(group, &members->rank) != MPI_SUCCESS)
        return false;
    size_t n = (size_t)members->n;
    members->n_mapped_bytes = (3 * n + 1) * sizeof(int);
    members->ranks = tnd_target_pages(members->n_mapped_bytes);
    if (!members->ranks || tnd_mpi_library.Comm_group(tnd_mpi_library.comm_world, &world) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < members->n; i++) {
        members->ranks[i] = UINT32_MAX;
        ((int *)members->ranks)[members->n + i] = i;
    }
    if (find_in(members, world, 0) && made_of != tnd_mpi_library.comm_null)
        find_strangers(members, made_of);
    return true;
}

static void let_go(struct members *members)
{
    if (members->ranks)
        tnd_target_pages_free(members->ranks, members->n_mapped_bytes);
    tnd_mpi_library.Group_free(&members->group);
}

/* MPI_COMM_WORLD exists, which it does not in programs that only use sessions. */
static bool has_world;

static void emit_comm(MPI_Comm comm, MPI_Comm made_of, uint32_t id, unsigned flags, const struct members *members)
{
    enum { HEAD = 3, MOST = 2 * (TND_RECORD_MAX_WORDS - HEAD) };
    struct tnd_thread *thread = tnd_mpi_message_announcer();
    int at = 0;
    do {
        int n = members->n - at > MOST ? MOST : members->n - at;
        bool more = at + n < members->n;
        struct tnd_record *record =
            thread ? tnd_emit_begin(&thread->main, tnd_clock_ticks(), TND_RECORD_COMM, id,
                                    (uint16_t)(flags | (more ? TND_COMM_CONTINUES : 0)), HEAD + ((unsigned)n + 1) / 2)
                   : NULL;
        if (!record)
            return;
        record->words[0] = TND_MPI_HANDLE(comm);
        record->words[1] = tnd_record_pair((uint32_t)members->n,
                                           members->rank == MPI_UNDEFINED ? UINT32_MAX : (uint32_t)members->rank);
        record->words[2] = made_of == tnd_mpi_library.comm_null ? 0 : TND_MPI_HANDLE(made_of);
        for (int i = 0; i < n; i += 2)
            record->words[HEAD + i / 2] =
                tnd_record_pair(members->ranks[at + i], i + 1 < n ? members->ranks[at + i + 1] : UINT32_MAX);
        tnd_emit_end(&thread->main, record);
        at += n;
    } while (at < members->n);
}

void tnd_mpi_world_tell(MPI_Comm comm, MPI_Comm like, MPI_Comm made_of)
{
    MPI_Group group;
    struct members local, remote;
    int inter = 0;
    if (!has_world || !tnd_mpi_message_announcer() || comm == tnd_mpi_library.comm_null ||
        tnd_mpi_library.Comm_group(like, &group) != MPI_SUCCESS)
        return;
    bool known = look_at(group, made_of, &local);
    uint64_t hash = known ? hash_members(&local) : 0;
    tnd_mpi_library.Comm_test_inter(like, &inter);
    if (known && !inter) {
        emit_comm(comm, made_of, count_one(comm, made_of, hash), 0, &local);
    } else if (known && tnd_mpi_library.Comm_remote_group(like, &group) == MPI_SUCCESS) {
        if (look_at(group, made_of, &remote)) {
            uint64_t other = hash_members(&remote);
            uint32_t id = count_one(comm, made_of, mix(hash < other ? hash : other, hash < other ? other : hash));
            emit_comm(comm, made_of, id, TND_COMM_INTER, &local);
            emit_comm(comm, made_of, id, TND_COMM_INTER | TND_COMM_REMOTE, &remote);
        }
        let_go(&remote);
    }
    let_go(&local);
}

void tnd_mpi_world_link(MPI_Comm comm, enum tnd_link how, uint64_t key)
{
    struct tnd_thread *thread = tnd_mpi_message_announcer();
    if (thread && key && comm != tnd_mpi_library.comm_null)
        tnd_emit_words(&thread->main, tnd_clock_ticks(), TND_RECORD_LINK, how, 0, 2,
                       (uint64_t[]){TND_MPI_HANDLE(comm), key});
}

/* Reports that these ranks cannot be known to belong together: the launcher names no job, and they were not started
 * with a common run.  To find out by messages all ranks would have to take part, and some may not be traced. */
static void tell_strangers(int size)
{
    char job[TND_JOB_KEY_MAX];
    bool handed = tnd_config.run && tnd_config.run[0];
    if (size > 1 && !handed && !(tnd_rundir_get(tnd_run_directory(), "job", job, sizeof job) && job[0]))
        tnd_run_note(
            "the launcher does not say which ranks are one job, so each has a trace of its own; `tandem record` "
            "in front of the launcher makes one of all");
}

/* Records a communicator that was not made of another one. */
static void tell_first(MPI_Comm comm)
{
    tnd_mpi_world_tell(comm, comm, tnd_mpi_library.comm_null);
}

void tnd_mpi_world_begin(void)
{
    int rank = 0, size = 1, known = 0, *application = NULL;
    MPI_Comm parent;
    has_world = true;
    tnd_mpi_library.Comm_rank(tnd_mpi_library.comm_world, &rank);
    tnd_mpi_library.Comm_size(tnd_mpi_library.comm_world, &size);
    tnd_mpi_library.Comm_get_attr(tnd_mpi_library.comm_world, MPI_APPNUM, &application, &known);
    tell_strangers(size);
    struct tnd_thread *thread = tnd_mpi_message_announcer();
    if (thread)
        tnd_emit_words(&thread->main, tnd_clock_ticks(), TND_RECORD_RANK, (uint32_t)rank, 0, 2,
                       (uint64_t[]){tnd_record_pair((uint32_t)size, known && application ? (uint32_t)*application : 0),
                                    world_key});
    tell_first(tnd_mpi_library.comm_world);
    tell_first(tnd_mpi_library.comm_self);
    if (tnd_mpi_library.Comm_get_parent(&parent) == MPI_SUCCESS && parent != tnd_mpi_library.comm_null) {
        tell_first(parent);
        tnd_mpi_world_link(parent, TND_LINK_PARENT, parent_key);
    }
    tnd_mpi_nodes_begin(rank, size);
}

static bool start(void)
{
    char job[TND_JOB_KEY_MAX];
    tnd_mpi_message_wanted = tnd_config.mpi;
    tnd_mpi_message_has_more = tnd_config.callers != 0 || (tnd_counting.at & TND_COUNTING_MPI);
    tnd_mpi_choice_start();
    tnd_mpi_nodes_start();
    tnd_job_key(tnd_config_lookup, job);
    world_key = job[0] ? tnd_mpi_spawn_hash(job, sizeof job) : 0;
    parent_key = tnd_mpi_spawn_start();
    tnd_mpi_library_is_silent = !tnd_config.mpi || tnd_job_rank(tnd_config_lookup) > 0;
    return true;
}

static void thread_end(struct tnd_thread *thread)
{
    tnd_mpi_batch_thread_end();
    tnd_mpi_choice_thread_end(thread);
}

static void before_exec(struct tnd_thread *thread)
{
    (void)thread;
    tnd_mpi_choice_stop();
}

static const struct tnd_source mpi_source = {.name = "mpi",
                                             .rank = 200,
                                             .start = start,
                                             .thread_end = thread_end,
                                             .fork_child = tnd_mpi_choice_fork_child,
                                             .before_exec = before_exec,
                                             .stop = tnd_mpi_choice_stop};
TND_SOURCE(mpi_source);
